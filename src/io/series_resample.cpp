#include "io/series_resample.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {
constexpr double kEven = 1e-6;              // of the spacing
constexpr std::size_t kMostPerFrame = 100;  // samples for each recorded frame: more is a mistake, not a wish

/// Spacing of the frames [s]; 0 when they are not even. `odd` is the first frame out of line.
double spacing_of(const std::vector<Frame>& frames, std::size_t& odd) {
    if (frames.size() < 2) return 0.0;
    const double spacing = (frames.back().time - frames.front().time) / static_cast<double>(frames.size() - 1);
    for (std::size_t f = 0; f < frames.size(); ++f)
        if (!(std::abs(frames[f].time - frames[0].time - static_cast<double>(f) * spacing) <= kEven * spacing)) {
            odd = f;
            return 0.0;
        }
    return spacing;
}

// 1 / (1 / 60) need not be 60 in the last digit.
double tidy(double rate) { return std::abs(rate - std::round(rate)) <= 1e-9 * rate ? std::round(rate) : rate; }

std::vector<Vec3> blend(const Frame& a, const Frame& b, double part) {
    std::vector<Vec3> out;
    out.reserve(a.displacement.size());
    for (std::size_t v = 0; v < a.displacement.size(); ++v) out.push_back((1.0 - part) * a.displacement[v] + part * b.displacement[v]);
    return out;
}
}  // namespace

Resampled resample(const Recording& recording, double rate, bool even, const InputLocation& place) {
    const std::vector<Frame>& frames = recording.frames;
    if (!(rate >= 0) || !std::isfinite(rate)) throw Error(Fault::bad_usage, place, text("a frame rate of ", rate), "a number above 0");
    std::size_t odd = 0;
    const double spacing = spacing_of(frames, odd);
    if ((even || rate > 0) && spacing == 0 && frames.size() > 1)
        throw Error(Fault::unsupported, place, text("the frames are not evenly spaced: frame ", odd, " is at ", frames[odd].time, " s"), "even times for a frame rate (npz, vtu and mdd without --rate keep uneven ones)");
    Resampled out;
    if (rate == 0 || frames.size() < 2) {
        for (const Frame& f : frames) out.displacements.push_back(f.displacement), out.times.push_back(f.time);
        out.frame_rate = spacing > 0 ? tidy(1.0 / spacing) : rate;
        return out;
    }
    const double samples = std::floor((frames.back().time - frames.front().time) * rate + kEven) + 1;
    if (samples > static_cast<double>(kMostPerFrame * frames.size()))
        throw Error(Fault::bad_usage, place, text("a frame rate of ", rate, " for frames that are ", spacing, " s apart"), text("at most ", kMostPerFrame, " samples for each frame"));
    for (std::size_t k = 0; k < static_cast<std::size_t>(samples); ++k) {
        const double at = static_cast<double>(k) / rate / spacing;
        const auto below = std::min(static_cast<std::size_t>(at + kEven), frames.size() - 1), above = std::min(below + 1, frames.size() - 1);
        const double part = at - static_cast<double>(below);
        const bool between = part > kEven;
        out.displacements.push_back(between ? blend(frames[below], frames[above], part) : frames[below].displacement);
        out.times.push_back(frames.front().time + static_cast<double>(k) / rate);
        out.blended += between ? 1 : 0;
    }
    out.frame_rate = rate;
    return out;
}

}  // namespace limber
