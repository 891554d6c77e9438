// A small sound scene as text, and ways to look at what a check found.
#pragma once

#include <limber/scene.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace limber::testing_io {

inline const std::string kSoundScene = R"({
  "format": 1,
  "name": "sound",
  "bodies": [
    {
      "name": "bar",
      "mesh": {"shape": "box", "kind": "hex8", "counts": [2, 1, 1], "high": [2, 1, 1]},
      "materials": [{"young": 1000, "poisson": 0.3, "density": 1000}],
      "sets": [{"name": "end", "box": [[2, 0, 0], [2, 1, 1]]}],
      "anchors": [{"set": "left"}],
      "handles": [{"name": "grip", "set": "end", "keyframes": [{"t": 0}, {"t": 0.5, "translation": [0.1, 0, 0]}]}]
    }
  ],
  "method": {"name": "linear_fem", "options": {"scheme": "bdf2"}},
  "step": "1/30",
  "duration": 1
})";

/// Replaces the first occurrence; the test is wrong when there is none.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) return "the test replaces what is not there: " + from;
    return text.replace(at, from.size(), to);
}

inline SceneCheck check_text(const std::string& text) { return check_scene_text(text, "test.json"); }

inline std::vector<std::string> fields_of(const std::vector<SceneFault>& faults) {
    std::vector<std::string> fields;
    for (const SceneFault& f : faults) fields.push_back(f.place.field);
    return fields;
}

inline std::string all_lines(const std::vector<SceneFault>& faults) {
    std::string lines;
    for (const SceneFault& f : faults) lines += to_string(f) + "\n";
    return lines;
}

/// The top of the source tree; tests compile from there.
inline std::filesystem::path source_root() {
    return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
}

}  // namespace limber::testing_io
