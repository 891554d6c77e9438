// Fields: what a body's colours stand for. Values per body vertex at a time of a recording.
#pragma once

#include "fem/stress.hpp"
#include "metrics/pairing.hpp"

#include <limber/tools/recording.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber {

enum class Field : std::uint8_t {
    none,
    displacement,
    velocity,
    von_mises,
    principal_max,
    principal_min,
    error,
    von_mises_error,
    material
};
const char* to_string(Field field);
/// Throws Error{bad_usage} with the nearest name.
Field parse_field(const std::string& name);
std::vector<std::string> field_names();
/// Of stress: a run that is to show it records it.
bool is_stress(Field field);
/// Values of both signs: colours diverge from zero.
bool is_signed(Field field);
/// Compares with a reference.
bool is_difference(Field field);

/// What stands beside the colours: "|u - u_ref|", and the SI unit of the values ("m", "Pa"); "" for fields without
/// numbers.
struct FieldWords {
    const char* title;
    const char* unit;
};
FieldWords words_of(Field field);

/// Computes one field on one recording; borrows both recordings.
class FieldOnBody {
public:
    /// `reference`: for differences; on another mesh it is sampled at this body's vertices. Throws Error{bad_usage}
    /// without it, Error{unsupported} when the recording lacks what the field needs.
    FieldOnBody(const Recording& recording, Field field, const Recording* reference);

    /// One value per body vertex, in SI units; empty for none and material. Between frames the displacements are
    /// blended, then looked at.
    std::vector<double> at(double time) const;
    /// A difference in numbers: the largest, and its share of the reference (displacements: relative L2; stress: of the
    /// largest there).
    struct Distance {
        double largest = 0.0;  ///< in the field's unit
        double share = 0.0;    ///< 0 where the reference is zero
    };
    Distance distance(double time) const;

private:
    /// What stress of a recording is read with.
    struct Stress {
        explicit Stress(const Recording& r);
        std::vector<SymMat3> at_vertices(double time) const;
        const Recording& recording;
        StressMap map;
    };
    std::vector<double> reference_at(double time) const;
    static std::vector<double> scalar(const std::vector<SymMat3>& stress, Field field);

    const Recording& recording_;
    const Recording* reference_;
    Field field_;
    std::unique_ptr<Stress> stress_, reference_stress_;
    std::optional<Sampler> sampler_;  ///< empty when the meshes are the same
};

}  // namespace limber
