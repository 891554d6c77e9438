// Pictures and movies of a study's runs, side by side, on its page. A machine that cannot draw still gets its page.
#pragma once

#include "report/page.hpp"
#include "show/field.hpp"

#include <limber/progress.hpp>
#include <limber/tools/recording.hpp>
#include <limber/tools/scene.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace limber {

struct PicturedRun {
    std::string title;
    std::shared_ptr<const Recording> recording;
    std::shared_ptr<const Scene> scene{};  ///< for its forces; may be null
};

struct RunPicture {
    std::string name;  ///< of the files, without ending
    std::string title, caption;
    std::vector<PicturedRun> runs;
    Field field = Field::displacement;
    std::shared_ptr<const Recording> reference{};  ///< for Field::error
    std::optional<double> time{};                  ///< of the picture [s]; unset: where the first run has moved most
    bool movie = true;                             ///< when ffmpeg is there
    std::string about{};                           ///< for the files: which scene
    /// Where the colours end, in SI units; what is above has the last one. Unset: nothing is.
    std::optional<double> highest{};
};

/// Draws them into `directory` and shows them on the page; says in one line why not where that cannot be,
/// or where it was interrupted. Throws Error{bad_file}.
void add_run_pictures(Page& page, const std::string& directory, std::span<const RunPicture> pictures,
                      Progress& progress);

/// At most `most` frames, evenly chosen, the first and the last among them: enough to be looked at.
std::shared_ptr<const Recording> thinned(const Recording& recording, std::size_t most);

}  // namespace limber
