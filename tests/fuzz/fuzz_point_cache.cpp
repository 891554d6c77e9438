#include "fuzz/fuzz.hpp"
#include "io/points/point_cache.hpp"

// The first byte chooses the format; what was read must be written back as the same bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    return limber::fuzz::try_input(data + 1, size - 1, [&](std::string_view bytes) {
        const bool pc2 = data[0] % 2 == 0;
        const limber::PointCache cache = pc2 ? limber::parse_pc2(bytes, "input") : limber::parse_mdd(bytes, "input");
        limber::fuzz::demand((pc2 ? limber::format_pc2(cache, "out") : limber::format_mdd(cache, "out")) == bytes);
    });
}
