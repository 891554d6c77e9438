#include "reproduce/strain/strain_pictures.hpp"

#include "core/text.hpp"
#include "reproduce/strain/strain_cases.hpp"
#include "reproduce/strain/strain_run.hpp"

#include <limber/method.hpp>

namespace limber {
namespace {

PicturedRun run_of(const StrainCase& c, double amplitude, Progress& progress) {
    auto scene = std::make_shared<Scene>(c.scene(amplitude, c.kinds.front()));
    scene->method.name = "linear_fem";
    scene->method.options = strain_options(*find_method("linear_fem"));
    RunResult run = run_scene(*scene, {}, progress);
    if (run.interrupted) throw Error(Fault::interrupted, {}, "interrupted");
    const std::string words = c.say(amplitude);
    return {words.substr(0, words.find(", ")), std::make_shared<const Recording>(std::move(run.recording)), scene};
}

}  // namespace

std::vector<RunPicture> strain_pictures(Progress& progress) {
    std::vector<RunPicture> out;
    for (const auto& [name, words] :
         {std::pair{"swing", "Linear strain takes turning for stretching: the farther it swings, the more it grows."},
          {"bend",
           "The end of a bent beam should come nearer; by linear strain it only goes down, and the beam gets "
           "longer."}}) {
        const StrainCase& c = strain_case(name);
        RunPicture picture{text("strain_", name), c.title, text(c.about, " ", words), {}, Field::displacement};
        for (const double part : {0.1, 0.5, 1.0}) picture.runs.push_back(run_of(c, part * c.largest, progress));
        out.push_back(std::move(picture));
    }
    return out;
}

}  // namespace limber
