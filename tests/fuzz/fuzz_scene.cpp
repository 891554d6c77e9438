#include "fuzz/fuzz.hpp"

#include <limber/scene.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return limber::fuzz::try_input(data, size, [](std::string_view bytes) {
        // Both doors: the one that throws at the JSON's faults, and the one that lists every fault and never throws.
        // A scene may name surfaces and assets, and ask for millions of cells: here only for solids that take no time.
        limber::SceneReading bounded;
        bounded.most_cells = 1000;
        const limber::SceneCheck check = limber::check_scene_text(bytes, "input.json", {}, {}, bounded);
        for (const limber::SceneFault& fault : check.faults) limber::fuzz::demand(to_string(fault).find_first_of("\n\r") == std::string::npos);
        limber::fuzz::demand(!check.ok() || check.body != nullptr);
        limber::parse_scene(bytes, "input.json", {}, {}, bounded);
    });
}
