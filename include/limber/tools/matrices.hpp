// The matrices of a body, M a + C v + K u = f, as plain arrays: for another program's solver, or for your own method.
#pragma once

#include <limber/body.hpp>
#include <limber/loads.hpp>
#include <limber/options.hpp>
#include <limber/progress.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace limber {

/// Square and exactly symmetric, both halves stored; columns ascend within a row.
struct SparseMatrix {
    std::vector<std::int64_t> starts{0};  ///< rows + 1
    std::vector<std::int32_t> columns;
    std::vector<double> values;

    std::size_t rows() const { return starts.size() - 1; }
};

/// What decides an unknown: the equation, an anchor, a handle, or nothing (a vertex that no cell uses stays where it
/// is).
enum class UnknownKind : std::uint8_t { free, anchored, handled, unused };
const char* to_string(UnknownKind kind);

/// Over all vertices, prescribed ones too: rows and columns in `free` make the system to solve, the other columns are
/// what prescribed motion multiplies. Unknown i is component i % dimension of vertex i / dimension.
struct BodyMatrices {
    int dimension = 3;                  ///< unknowns per vertex: 2 or 3
    SparseMatrix stiffness;             ///< K [N/m]
    SparseMatrix mass;                  ///< M [kg]; diagonal when lumped
    SparseMatrix damping;               ///< C [kg/s]
    std::vector<double> weight;         ///< per vertex: M applied to a unit acceleration, what gravity multiplies [kg]
    std::vector<UnknownKind> kind;      ///< per unknown
    std::vector<std::int32_t> support;  ///< per unknown: index of its anchor or handle in the body, -1 = none
    std::vector<std::int32_t> free;     ///< ascending

    std::size_t unknowns() const { return kind.size(); }
};

/// `options` are linear_fem's: mass, damping, integration and volume_penalty matter. Throws Error.
BodyMatrices body_matrices(const std::shared_ptr<const Body>& body, const OptionValues& options, Progress& progress);

/// Whether volume change is a mean over cells around it (bbar), as asked for or chosen by `integration: auto`.
bool averages_volume(const Body& body, const OptionValues& options);

/// f: gravity and vertex forces per unknown [N]. Handles enter through K, C and M instead, live constraints not at all.
std::vector<double> load_vector(const BodyMatrices& matrices, const Loads& loads);

}  // namespace limber
