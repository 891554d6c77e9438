// Both files in one input: the points before the first '@', the elements after it.
#include "fuzz/fuzz.hpp"

#include <limber/tools/mesh_io.hpp>

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return limber::fuzz::try_input(data, size, [](std::string_view bytes) {
        const std::size_t at = std::min(bytes.find('@'), bytes.size());
        limber::fuzz::use_mesh(limber::parse_tetgen(bytes.substr(0, at), "input.node",
                                                    bytes.substr(std::min(at + 1, bytes.size())), "input.ele"));
    });
}
