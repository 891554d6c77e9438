// test_corpus [--variants N] [--cells N] [--triangles N] [--first N] [--folder DIR]: runs the corpus and prints one
// line per variant. With --folder every surface in it is run as well; LIMBER_ASSETS names another one. Exit code 1 when
// anything failed, 77 when there was nothing to run because the folder is not there.
#include "assets/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace {

using namespace limber::testing;

struct Arguments {
    std::size_t variants = 216, first = 0;
    int cells = 20000, triangles = 12000;
    std::string folder;
};

bool parse(int count, char** values, Arguments& a) {
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = values[i];
        if (name == "--variants")
            a.variants = static_cast<std::size_t>(std::atoi(values[i + 1]));
        else if (name == "--first")
            a.first = static_cast<std::size_t>(std::atoi(values[i + 1]));
        else if (name == "--cells")
            a.cells = std::atoi(values[i + 1]);
        else if (name == "--triangles")
            a.triangles = std::atoi(values[i + 1]);
        else if (name == "--folder")
            a.folder = values[i + 1];
        else
            return false;
    }
    return count % 2 == 1;
}

struct Tally {
    std::size_t runs = 0, failures = 0;
    double worst_volume = 0.0, worst_angle = 180.0;

    void add(const Outcome& o) {
        ++runs;
        failures += o.fault.empty() ? 0 : 1;
        worst_volume = std::max(worst_volume, std::abs(o.volume_error));
        if (o.cells > 0) worst_angle = std::min(worst_angle, o.smallest_angle);
        fmt::print("{:>4} {} volume {:+.2f} %, angle {:.1f}, {} cells, {} parts, sag {:.2g}, {:.1f} s: {}{}{}\n", runs,
                   o.fault.empty() ? "ok  " : "FAIL", 100.0 * o.volume_error, o.smallest_angle, o.cells, o.parts, o.sag,
                   o.seconds, o.about, o.fault.empty() ? "" : ": ", o.fault);
        std::fflush(stdout);
    }
};

std::vector<std::string> surfaces_in(const std::string& folder) {
    std::vector<std::string> files;
    if (std::filesystem::is_directory(folder)) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            for (const char* ending : {".obj", ".ply", ".stl", ".glb", ".gltf"})
                if (entry.path().extension() == ending) files.push_back(entry.path().string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

int main(int count, char** values) {
    Arguments a;
    if (!parse(count, values, a)) {
        fmt::print(stderr, "usage: {} [--variants N] [--first N] [--cells N] [--triangles N] [--folder DIR]\n",
                   values[0]);
        return 2;
    }
    if (const char* elsewhere = std::getenv("LIMBER_ASSETS"); elsewhere && !a.folder.empty()) a.folder = elsewhere;
    if (a.variants == 0 && surfaces_in(a.folder).empty()) {
        fmt::print("skipped: no surfaces in '{}' (LIMBER_ASSETS names another folder)\n", a.folder);
        return 77;
    }
    std::string scratch = (std::filesystem::temp_directory_path() / "limber_corpus_XXXXXX").string();
    if (::mkdtemp(scratch.data()) == nullptr) return 2;
    CorpusRun run(a.cells, a.triangles, scratch);
    Tally tally;
    const std::vector<Variant> all = corpus(a.first + a.variants);
    for (std::size_t i = a.first; i < all.size(); ++i) tally.add(run.run(all[i]));
    for (const std::string& file : surfaces_in(a.folder)) tally.add(run.run_file(file));
    std::filesystem::remove_all(scratch);
    fmt::print("{} runs, {} failed; worst volume error {:.2f} %, smallest angle {:.1f} degrees\n", tally.runs,
               tally.failures, 100.0 * tally.worst_volume, tally.worst_angle);
    return tally.failures == 0 ? 0 : 1;
}
