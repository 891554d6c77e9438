#include "methods/bem/settings.hpp"

#include "bem/boundary_shape.hpp"
#include "core/text.hpp"
#include "deform/option_specs.hpp"

#include <cmath>
#include <numbers>

namespace limber {

OptionTable bem_options() {
    return {
        real_option("stiffness", "N/m^3", 0.0, 0.0, 1e15,
                    "Reaction per volume that pierces an obstacle undeformed; 0 = 2 E / ((1 - nu^2) size), which is "
                    "Hertz's ball pressed in by a fifth of its radius."),
        real_option("internal_friction", "Pa s", 0.0, 0.0, 1e9,
                    "Viscosity that slows squashing and rebound, added to the material's beta times E."),
        real_option("friction", "", 0.5, 0.0, 10.0, "Coulomb's coefficient between body and obstacles."),
        real_option("stick", "Pa", 0.0, 0.0, 1e9,
                    "Tension that contact bears before it lets go: a jelly's wet bottom. At most Young's modulus."),
        choice_option("vibration", {"off", "on"},
                      "Whether the shape rings after an impact; the energy for it is taken from the bounce."),
        real_option("vibration_damping", "", 0.1, 0.0, 1.0, "Share of critical damping of that ringing."),
        integer_option("passes", 8, 0, 100,
                       "Most rounds in which contact points come in and go out; 0 = points that pierce undeformed, "
                       "once (the paper's first simulation), 1 = once more."),
        integer_option("max_contacts", 1200, 8, 4000,
                       "Contact equations at most: one per point, one more per axis where it sticks; what is beyond is "
                       "moved out of obstacles without deforming the rest."),
        integer_option("max_obstacles", 100, 0, 100, "Obstacles at most."),
        choice_option("shape", {"surface", "sections"},
                      "Whether a free body in space takes its shape from all of its surface or from two cross-sections "
                      "through the contact."),
        real_option(
            "alpha", "", 1.5, 0.01, 100.0,
            "Of cross-sections: how much nearer sides count for more; small = both alike, large = the nearer alone."),
        integer_option("section_nodes", 48, 8, 256, "Of cross-sections: boundary nodes of each."),
        real_option("accuracy", "", 1e-5, 1e-9, 1e-3,
                    "Relative error of integrals over triangles; those in the plane have closed forms."),
    };
}

namespace {

/// Pulled by Young's modulus a body would be twice as long: beyond, linear shapes are pulled through the floor
/// (measured from 1.5 E on).
void check_stick(const Body& body, const BemSettings& s) {
    const Material& m = body.materials().front();
    const double size = round_size(body.mesh().dimension(), measure_of(body.mesh())),
                 stiffness = reaction_stiffness(s, m, size), reach = s.stick / stiffness;
    const InputLocation place{"", 0, "/method/options/stick"};
    if (s.stick > m.young) {
        throw Error(Fault::bad_option, place, text(s.stick, " Pa, which is more than Young's modulus"),
                    text("at most ", m.young, " Pa: small strain cannot tear"));
    }
    if (reach > 0.5 * size) {
        throw Error(Fault::bad_option, place,
                    text(s.stick, " Pa, which over the reaction's stiffness holds on ", fmt::format("{:.3g}", reach),
                         " m above the floor"),
                    text("half of the body's size at most: ", fmt::format("{:.3g}", 0.5 * size * stiffness), " Pa"));
    }
}

}  // namespace

BemSettings read_bem_settings(const Body& body, const OptionValues& given) {
    const Options o(bem_options(), given, {"", 0, "/method/options"});
    if (body.support() == Support::partial) {
        throw Error(Fault::unsupported, {}, "anchors and handles that leave some rigid motion free",
                    "a body that is held, or one that is free: boundary elements balance forces at once");
    }
    if (body.materials().size() > 1) {
        throw Error(Fault::unsupported, {}, text(body.materials().size(), " materials"),
                    "one: boundary elements see the surface only");
    }
    if (const std::size_t parts = part_count(boundary_shape(body.mesh())); parts != 1) {
        throw Error(Fault::unsupported, {}, text("a surface of ", parts, " separate parts"),
                    "one: boundary elements take a single closed body");
    }
    BemSettings s;
    const Material& m = body.materials().front();
    s.accuracy = o.real("accuracy");
    s.stiffness = o.real("stiffness");
    s.internal_friction = o.real("internal_friction") + m.young * m.rayleigh_beta;
    s.friction = o.real("friction");
    s.stick = o.real("stick");
    s.passes = o.integer("passes");
    s.max_contacts = o.integer("max_contacts");
    s.max_obstacles = o.integer("max_obstacles");
    s.vibration = o.choice("vibration") == "on";
    s.vibration_damping = o.real("vibration_damping");
    s.sections = o.choice("shape") == "sections";
    s.alpha = o.real("alpha");
    s.section_nodes = o.integer("section_nodes");
    check_stick(body, s);
    if (s.sections && (body.mesh().dimension() == 2 || body.support() != Support::free)) {
        throw Error(Fault::unsupported, {"", 0, "/method/options/shape"},
                    text("cross-sections of a ", body.mesh().dimension() == 2 ? "plane" : "held", " body"),
                    "a free body in space");
    }
    if (s.sections && (s.vibration || s.stick > 0.0)) {
        throw Error(Fault::unsupported, {"", 0, "/method/options/shape"}, "cross-sections with vibration or stick",
                    "shape: surface for these");
    }
    return s;
}

double round_size(int dimension, double measure) {
    return dimension == 2 ? 2.0 * std::sqrt(measure / std::numbers::pi) : std::cbrt(6.0 * measure / std::numbers::pi);
}

double reaction_stiffness(const BemSettings& s, const Material& m, double size) {
    return s.stiffness > 0.0 ? s.stiffness : 2.0 * m.young / ((1.0 - m.poisson * m.poisson) * size);
}

}  // namespace limber
