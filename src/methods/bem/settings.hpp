// What the bem method can be asked for.
#pragma once

#include <limber/body.hpp>
#include <limber/options.hpp>

namespace limber {

struct BemSettings {
    double accuracy = 1e-5;          ///< of integrals (those in the plane are exact)
    double stiffness = 0.0;          ///< k of (17) [N/m^3]
    double internal_friction = 0.0;  ///< [Pa s], the material's beta E included
    double friction = 0.5;
    double stick = 0.0;  ///< [Pa]
    int passes = 8;
    int max_contacts = 1200;
    int max_obstacles = 100;
    bool vibration = false;
    double vibration_damping = 0.1;
    bool sections = false;  ///< the shape from two cross-sections
    double alpha = 1.5;     ///< of (18)
    int section_nodes = 48;
};

OptionTable bem_options();
/// Throws Error for what contradicts the body.
BemSettings read_bem_settings(const Body& body, const OptionValues& given);

/// Of the disc or ball of equal area or volume: its diameter [m].
double round_size(int dimension, double measure);
/// k of (17): as asked for, or Hertz's ball pressed in by a fifth of its radius [N/m^3].
double reaction_stiffness(const BemSettings& settings, const Material& material, double size);

}  // namespace limber
