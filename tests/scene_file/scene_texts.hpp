// A small sound scene as text, and ways to look at what a check found.
#pragma once

#include <limber/tools/scene.hpp>

#include <filesystem>
#include <ostream>
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

/// One wrong thing in a sound scene, and what must be said of it.
struct Slip {
    const char* from;
    const char* to;
    const char* field;
    const char* found;     ///< part of the line
    const char* expected;  ///< part of the line

    /// Of letters, digits and single underscores: where it is and what was found there.
    std::string name() const {
        std::string name;
        for (const char c : std::string(field).substr(1) + " " + found) {
            const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (kept || name.back() != '_') name += kept ? c : '_';
        }
        if (name.back() == '_') name.pop_back();
        return name;
    }
    friend void PrintTo(const Slip& slip, std::ostream* out) {
        *out << slip.field << ": " << slip.found << " (" << slip.from << " -> " << slip.to << ")";
    }
};

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
