// The options of the modal method.
#pragma once

#include "fem/assembly.hpp"

#include <limber/options.hpp>

namespace limber {

struct ModalSettings {
    AssemblySettings assembly;
    int modes = 20;
    double frequency_limit = 0.0;  ///< [Hz]; 0 = none
    bool own_ratio = false;        ///< damping_ratio instead of the material's damping
    double damping_ratio = 0.05;
    bool correct_supports = true;  ///< static shapes for gravity and moving handles
    bool correct_forces = true;    ///< a static solve for vertex forces
};

OptionTable modal_options();
/// Throws Error for values that contradict the body.
ModalSettings read_modal_settings(const Body& body, const OptionValues& given);

}  // namespace limber
