// Natural modes of a body: pairs of K phi = omega^2 M phi with anchors and handles held.
#pragma once

#include <limber/body.hpp>
#include <limber/options.hpp>
#include <limber/progress.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace limber {

struct ModeRequest {
    int count = 10;      ///< how many of the lowest, rigid ones included; with a bound: at most
    double below = 0.0;  ///< only those up to this angular frequency [rad/s]; 0 = no bound
};

/// Shapes are reproducible: their signs, and the basis where frequencies are repeated, do not depend on how they were
/// found nor on how the mesh is numbered. Of a group of equal frequencies the first shape is the one that is largest at
/// one component of one vertex (the group's largest; of equal ones the first by position), the others are zero there,
/// and so on.
struct ModeList {
    std::vector<double> omega;         ///< angular frequencies, ascending [rad/s]; rigid ones are 0
    std::vector<Vec3> effective_mass;  ///< (phi^T M e)^2 per axis e, M's free rows and all columns [kg]
    /// |K phi - omega^2 M phi| / |K phi|, Euclidean norms over the free unknowns (rigid modes: over the largest |K
    /// phi|); computed from K and M after the search; below 1e-8
    std::vector<double> residual;
    double orthonormality = 0.0;            ///< largest entry of |Phi^T M Phi - 1|, computed the same way; below 1e-8
    std::vector<std::vector<Vec3>> shapes;  ///< per mode, per body vertex; phi^T M phi = 1
    double total_mass = 0.0;                ///< [kg]
    int rigid = 0;                          ///< how many are rigid motions; they come first
    std::size_t unknowns = 0;               ///< free ones
    int solves = 0;                         ///< right-hand sides solved for
};

/// `options` are linear_fem's (mass, integration and volume_penalty matter). Free bodies and bodies of several pieces
/// are allowed: each free piece has six rigid modes (three in the plane). Throws Error{bad_usage} when `count` exceeds
/// the unknowns, Error{unsupported} when more than `count` modes lie below the bound, Error{interrupted} when asked to
/// stop.
ModeList body_modes(const std::shared_ptr<const Body>& body, const OptionValues& options, const ModeRequest& request,
                    Progress& progress);
inline ModeList body_modes(const std::shared_ptr<const Body>& body, const OptionValues& options, int count,
                           Progress& progress) {
    return body_modes(body, options, ModeRequest{count, 0.0}, progress);
}

/// The highest pair: what limits an explicit step.
struct TopMode {
    double omega = 0.0;       ///< [rad/s]
    std::vector<Vec3> shape;  ///< per body vertex, largest component 1
};
TopMode highest_mode(const std::shared_ptr<const Body>& body, const OptionValues& options, Progress& progress);

}  // namespace limber
