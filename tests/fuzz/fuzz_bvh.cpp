#include "fuzz/fuzz_rig.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return limber::fuzz::try_input(
        data, size, [](std::string_view bytes) { limber::fuzz::use_rig(limber::parse_bvh(bytes, "input.bvh")); });
}
