// What `limber render` is given: scenes, recordings, characters, surfaces and meshes as subjects.
#pragma once

#include "cli/cli.hpp"

#include "show/subject.hpp"

#include <limber/tools/recording.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber::cli {

struct RenderInputs {
    std::vector<std::string> files;  ///< FILE or TITLE=FILE
    std::vector<std::string> sets;   ///< for scenes
    std::string clip;                ///< of rigs; "" = the first, where something moves
    std::string reference;           ///< a recording or scene; "" = none
    Field field = Field::none;
    bool field_given = false;
    bool moving = false;  ///< a movie, filmstrip or time is asked for: rigs play
};

struct LoadedInputs {
    std::vector<std::unique_ptr<Subject>> subjects;
    Field field = Field::none;       ///< the one asked for, or what suits the inputs
    std::vector<std::string> paths;  ///< of the inputs
    std::vector<std::string> about;  ///< for the provenance: scenes with their hashes, files
    std::vector<std::string> remarks;
    bool trouble = false;  ///< a scene stopped early: what there is gets shown
};
/// Scenes are run first. Throws Error.
LoadedInputs load_inputs(const RenderInputs& inputs, bool talk, Progress& progress);

}  // namespace limber::cli
