#include <limber/tools/file_axes.hpp>

#include "core/text.hpp"

namespace limber {

double metres_in(LengthUnit unit) {
    switch (unit) {
        case LengthUnit::m: return 1.0;
        case LengthUnit::cm: return 0.01;
        case LengthUnit::mm: return 0.001;
        case LengthUnit::in: return 0.0254;
        case LengthUnit::ft: return 0.3048;
    }
    return 1.0;
}

const char* to_string(LengthUnit unit) {
    switch (unit) {
        case LengthUnit::m: return "m";
        case LengthUnit::cm: return "cm";
        case LengthUnit::mm: return "mm";
        case LengthUnit::in: return "in";
        case LengthUnit::ft: return "ft";
    }
    return "m";
}

const char* to_string(UpAxis up) { return up == UpAxis::z ? "z" : "y"; }

std::string to_string(const FileAxes& axes) {
    return text("lengths in ", to_string(axes.unit()), ", ", to_string(axes.up()), " up");
}

}  // namespace limber
