// Tiny scenes for experiments, and a folder that goes away.
#pragma once

#include "study/parameter.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

namespace limber::testing_study {

/// A planar strip of two cells, shaken for a few steps: a run takes well under a millisecond.
inline SceneText strip(std::vector<std::string> sets = {}) {
    return {"strip.json", "", R"({"format": 1, "name": "strip", "bodies": [{
      "mesh": {"shape": "grid", "kind": "quad4", "counts": [2, 1], "high": [2, 1]},
      "materials": [{"young": 1000, "poisson": 0.3, "density": 100, "rayleigh_alpha": 0.1, "rayleigh_beta": 0.01}],
      "anchors": [{"name": "wall", "set": "left"}], "forces": [{"set": "right", "total": [0, -5, 0]}]}],
      "method": {"name": "linear_fem"}, "step": 0.02, "duration": 0.2,
      "output": {"every": 2, "probes": [{"name": "tip", "point": [2, 1]}]}})",
            std::move(sets)};
}

/// A bar pulled at one end, with nothing in the way of its thinning: linear cells are exact. 2 x 0.5 x 0.25 m, 8 N.
inline SceneText bar(std::vector<std::string> sets = {}) {
    return {"bar.json", "", R"({"format": 1, "name": "bar", "bodies": [{
      "mesh": {"shape": "box", "kind": "hex8", "counts": [4, 1, 1], "high": [2, 0.5, 0.25]},
      "materials": [{"young": 5000, "poisson": 0.3, "density": 900}],
      "sets": [{"name": "corner", "nearest": [0, 0, 0]}, {"name": "edge", "box": [[0, 0, 0], [0, 9, 0]]}],
      "anchors": [{"set": "left", "axes": "x"}, {"set": "corner", "axes": "y"}, {"set": "edge", "axes": "z"}],
      "forces": [{"set": "right", "total": [8, 0, 0]}]}],
      "method": {"name": "linear_fem", "options": {"scheme": "quasi_static"}}, "step": 1, "duration": 1,
      "output": {"probes": [{"name": "tip", "vertex": 19}]}})",
            std::move(sets)};
}

class Folder {
public:
    Folder() {
        static int serial = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("limber_study_" + std::to_string(::getpid()) + "_" + std::to_string(serial++));
        std::filesystem::create_directories(path_);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string path(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

}  // namespace limber::testing_study
