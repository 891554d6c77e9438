#include "fuzz/fuzz.hpp"

#include "io/files/atomic_file.hpp"

#include <limber/tools/scene.hpp>

#include <filesystem>

namespace {
/// Where s.obj is, the surface that the seeds name: without it every scene with a surface ends at "there is no such
/// file".
const std::string& surfaces() {
    static const std::string kFolder = [] {
        const std::filesystem::path folder = std::filesystem::temp_directory_path() / "limber_fuzz_scene";
        std::filesystem::create_directories(folder);
        limber::write_file((folder / "s.obj").string(),
                           "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nf 1/1 3/1 2/1\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
        return folder.string();
    }();
    return kFolder;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return limber::fuzz::try_input(data, size, [](std::string_view bytes) {
        // Both doors: the one that throws at the JSON's faults, and the one that lists every fault and never throws.
        // A scene may name surfaces and assets, and ask for millions of cells: here only for solids that take no time.
        limber::SceneReading bounded;
        bounded.most_cells = 1000;
        const limber::SceneCheck check = limber::check_scene_text(bytes, "input.json", {}, surfaces(), bounded);
        for (const limber::SceneFault& fault : check.faults)
            limber::fuzz::demand(to_string(fault).find_first_of("\n\r") == std::string::npos);
        limber::fuzz::demand(!check.ok() || check.body != nullptr);
        limber::parse_scene(bytes, "input.json", {}, surfaces(), bounded);
    });
}
