#include "reproduce/accuracy/accuracy_pictures.hpp"

#include "core/text.hpp"
#include "reproduce/accuracy/accuracy_bench.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr double kShown = 4.0;  // [s]: the needle rests from 2 s on, the rod has swung to and fro

PicturedRun run_of(const Bench& bench, const std::string& scheme, const std::string& title, double duration,
                   Progress& progress) {
    auto scene = std::make_shared<Scene>(bench_scene(bench, scheme, duration));
    return {title, std::make_shared<const Recording>(run_bench(*scene, progress).recording), scene};
}

}  // namespace

std::vector<RunPicture> accuracy_pictures(const AccuracySettings& settings, Progress& progress) {
    const double duration = std::min(settings.duration, kShown);
    RunPicture rod{"rod_schemes",
                   "The rod by four schemes",
                   "Let go under gravity, all at one time and on one scale. Mass lumping alone changes the motion "
                   "little; without inertia the rod is at its end at once.",
                   {},
                   Field::displacement,
                   nullptr,
                   duration / 2};
    for (const auto& [scheme, title] : {std::pair{"implicit", "implicit"},
                                        {"implicit_lumped", "implicit, lumped mass"},
                                        {"explicit_lumped", "explicit, lumped mass"},
                                        {"quasi_static", "quasi-static"}}) {
        rod.runs.push_back(run_of(rod_bench(), scheme, title, duration, progress));
    }
    RunPicture error{"rod_errors",
                     "How far they are from the implicit scheme",
                     "Distance of every point from where implicit integration has it, half way through.",
                     {rod.runs.begin() + 1, rod.runs.end()},
                     Field::error,
                     rod.runs[0].recording,
                     duration / 2,
                     false};
    RunPicture block{"block_needle",
                     "The block and the needle",
                     "Two materials, MP1 and MP2, while the needle goes in and stays.",
                     {},
                     Field::displacement};
    for (const char* material : {"MP1", "MP2"}) {
        block.runs.push_back(
            run_of(block_bench(settings, material), "implicit", text(material, ", implicit"), duration, progress));
    }
    return {std::move(rod), std::move(error), std::move(block)};
}

}  // namespace limber
