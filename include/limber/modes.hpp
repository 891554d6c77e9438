// Natural modes of a body: pairs of K phi = omega^2 M phi with anchors and handles held.
#pragma once

#include <limber/body.hpp>
#include <limber/options.hpp>
#include <limber/progress.hpp>

#include <memory>
#include <vector>

namespace limber {

struct ModeList {
    std::vector<double> omega;                  ///< angular frequencies, ascending [rad/s]; rigid ones are 0
    std::vector<Vec3> effective_mass;           ///< (phi^T M e)^2 per axis e, M's free rows and all columns [kg]
    std::vector<double> residual;               ///< relative, of each pair
    std::vector<std::vector<Vec3>> shapes;      ///< per mode, per body vertex; phi^T M phi = 1
    double total_mass = 0.0;                    ///< [kg]
    int rigid = 0;                              ///< how many are rigid motions
};

/// `options` are linear_fem's (mass, integration and volume_penalty matter). Throws Error when `count` exceeds the unknowns.
ModeList body_modes(std::shared_ptr<const Body> body, const OptionValues& options, int count, Progress& progress);

/// The highest pair: what limits an explicit step.
struct TopMode {
    double omega = 0.0;             ///< [rad/s]
    std::vector<Vec3> shape;        ///< per body vertex, largest component 1
};
TopMode highest_mode(std::shared_ptr<const Body> body, const OptionValues& options, Progress& progress);

}  // namespace limber
