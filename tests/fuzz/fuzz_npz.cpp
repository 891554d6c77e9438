#include "fuzz/fuzz.hpp"
#include "playback/series_data.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return limber::fuzz::try_input(data, size, [](std::string_view bytes) {
        const limber::SeriesData series = limber::load_npz_series(bytes, "input.npz", {});
        limber::fuzz::demand(!series.frames.empty());
        for (const auto& frame : series.frames) {
            limber::fuzz::demand(frame.size() == series.points);
            for (const limber::Vec3& v : frame) limber::fuzz::demand(is_finite(v));
        }
    });
}
