#include "fuzz/fuzz.hpp"

#include <limber/tools/mesh_io.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return limber::fuzz::try_input(
        data, size, [](std::string_view bytes) { limber::fuzz::use_mesh(limber::parse_inp(bytes, "input.inp")); });
}
