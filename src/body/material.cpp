#include <limber/material.hpp>

#include "core/text.hpp"

#include <cmath>

namespace limber {
namespace {

// Beyond these, products such as lambda * volume lose all meaning long before they overflow.
constexpr double kLargestYoung = 1e15;
constexpr double kLargestDensity = 1e9;
constexpr double kLargestDamping = 1e9;

struct Range {
    const char* field;
    const char* unit;
    double low;
    double high;
    bool low_included;
};

void check_value(const Material& material, double value, const Range& range, const InputLocation& place) {
    const bool above = range.low_included ? value >= range.low : value > range.low;
    if (std::isfinite(value) && above && value <= range.high) return;
    const std::string who = material.name.empty() ? "material" : text("material '", material.name, "'");
    throw Error(
        Fault::bad_material, place, text(who, ": ", range.field, " is ", value, range.unit),
        text(range.low_included ? "at least " : "more than ", range.low, " and at most ", range.high, range.unit));
}

}  // namespace

void check(const Material& material, const InputLocation& place) {
    check_value(material, material.young, {"young", " Pa", 0.0, kLargestYoung, false}, place);
    if (!(material.poisson > -1.0 && material.poisson < 0.5)) {
        const std::string who = material.name.empty() ? "material" : text("material '", material.name, "'");
        const bool half = material.poisson >= 0.5;
        throw Error(Fault::bad_material, place, text(who, ": poisson is ", material.poisson),
                    text("more than -1 and less than 0.5", half ? " (0.495 is as good as incompressible)" : ""));
    }
    check_value(material, material.density, {"density", " kg/m^3", 0.0, kLargestDensity, false}, place);
    check_value(material, material.rayleigh_alpha, {"rayleigh_alpha", " 1/s", 0.0, kLargestDamping, true}, place);
    check_value(material, material.rayleigh_beta, {"rayleigh_beta", " s", 0.0, kLargestDamping, true}, place);
}

}  // namespace limber
