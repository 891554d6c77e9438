#include <limber/scene.hpp>

#include "core/text.hpp"

#include <utility>

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

std::string to_string(const SceneFault& fault) {
    // Error knows how a message is laid out and keeps it on one line.
    std::string line = Error(fault.fault, fault.place, fault.found, fault.expected).what();
    if (!fault.suggestion.empty()) line += text("; did you mean \"", fault.suggestion, "\"?");
    return line;
}

namespace {
SceneFault first_of(const std::vector<SceneFault>& faults) {
    if (faults.empty()) return SceneFault{};
    SceneFault first = faults.front();
    if (!first.suggestion.empty()) {
        first.expected += text(first.expected.empty() ? "" : "; ", "did you mean \"", first.suggestion, "\"?");
        first.suggestion.clear();
    }
    if (faults.size() > 1) first.found += text(" (and ", counted(faults.size() - 1, "more fault"), ")");
    return first;
}
}  // namespace

SceneError::SceneError(std::vector<SceneFault> faults)
    : Error(first_of(faults).fault, first_of(faults).place, first_of(faults).found, first_of(faults).expected),
      faults_(std::move(faults)) {}

}  // namespace limber
