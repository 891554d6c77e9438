#include "fuzz/fuzz.hpp"
#include "playback/series_vtu.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return limber::fuzz::try_input(data, size, [](std::string_view bytes) {
        const limber::VtuPoints read = limber::parse_vtu_points(bytes, "input.vtu");
        limber::fuzz::demand(!read.points.empty());
        for (const auto* field : {&read.displacement, &read.velocity})
            limber::fuzz::demand(field->empty() || field->size() == read.points.size());
        for (const auto* field : {&read.points, &read.displacement, &read.velocity})
            for (const limber::Vec3& v : *field) limber::fuzz::demand(is_finite(v));
    });
}
