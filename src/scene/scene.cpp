#include <limber/tools/scene.hpp>

#include "core/text.hpp"

#include <utility>

namespace limber {

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
