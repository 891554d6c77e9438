#include "methods/modal/settings.hpp"

#include "deform/option_specs.hpp"
#include "fem/integration.hpp"

namespace limber {

OptionTable modal_options() {
    const OptionTable shared = assembly_options();
    return {
        integer_option("modes", 20, 1, 2000,
                       "How many of the lowest modes are kept (at most as many as there are free unknowns)."),
        real_option("frequency_limit", "Hz", 0.0, 0.0, 1e9, "Modes above this frequency are left out; 0 = no limit."),
        choice_option("correction", {"all", "supports", "none"},
                      "What the modes left out would add at rest: for every load, for gravity and moving handles only "
                      "(no solve per step), or nothing."),
        choice_option("damped_by", {"material", "ratio"},
                      "Each mode's damping: from the material's alpha and beta, or one ratio for all."),
        real_option("damping_ratio", "", 0.05, 0.0, 5.0,
                    "Share of critical damping of every mode, with damped_by = ratio."),
        shared[0],
        shared[1],
        shared[2],
    };
}

ModalSettings read_modal_settings(const Body& body, const OptionValues& given) {
    const Options o(modal_options(), given, {"", 0, "/method/options"});
    if (body.support() == Support::partial) {
        throw Error(Fault::unsupported, {}, "anchors and handles that leave some rigid motion free",
                    "supports that hold the body: the modal method has no rest shape otherwise");
    }
    ModalSettings s;
    s.assembly = read_assembly_options(body, o);
    s.modes = o.integer("modes");
    s.frequency_limit = o.real("frequency_limit");
    s.own_ratio = o.choice("damped_by") == "ratio";
    s.damping_ratio = o.real("damping_ratio");
    s.correct_supports = o.choice("correction") != "none";
    s.correct_forces = o.choice("correction") == "all";
    return s;
}

}  // namespace limber
