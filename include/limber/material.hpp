// Material: what a cell is made of; presets in human words, each with its published source.
#pragma once

#include <limber/error.hpp>

#include <span>
#include <string>

namespace limber {

struct Material {
    std::string name;
    double young = 1e5;           ///< Young's modulus E [Pa]
    double poisson = 0.3;         ///< Poisson's ratio nu [1], in (-1, 0.5)
    double density = 1000.0;      ///< rho [kg/m^3]
    double rayleigh_alpha = 0.0;  ///< mass-proportional damping [1/s]
    double rayleigh_beta = 0.0;   ///< stiffness-proportional damping [s]

    double lame_lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }  ///< [Pa]
    double shear() const { return young / (2 * (1 + poisson)); }                                  ///< mu = G [Pa]
    double bulk() const { return young / (3 * (1 - 2 * poisson)); }                               ///< kappa [Pa]
    friend bool operator==(const Material&, const Material&) = default;
};

/// Throws Error{bad_material} at the first value outside its range.
void check(const Material& material, const InputLocation& place = {});

struct MaterialPreset {
    Material material;
    double young_low, young_high;  ///< published range [Pa]
    const char* words;             ///< one human sentence
    const char* source;            ///< where the numbers come from
};
std::span<const MaterialPreset> material_presets();
/// nullptr when there is none of that name.
const MaterialPreset* find_material_preset(const std::string& name);

}  // namespace limber
