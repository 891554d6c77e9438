#include "playback/series_resample.hpp"

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
    for (std::size_t f = 0; f < frames.size(); ++f) {
        if (!(std::abs(frames[f].time - frames[0].time - static_cast<double>(f) * spacing) <= kEven * spacing)) {
            odd = f;
            return 0.0;
        }
    }
    return spacing;
}

// 1 / (1 / 60) need not be 60 in the last digit.
double tidy(double rate) { return std::abs(rate - std::round(rate)) <= 1e-9 * rate ? std::round(rate) : rate; }
}  // namespace

FrameMix frames_at(const Recording& recording, double time) {
    const std::vector<Frame>& frames = recording.frames;
    const double slack = 1e-9 * std::max(1.0, std::abs(frames.back().time));
    const auto after = std::lower_bound(frames.begin(), frames.end(), time - slack,
                                        [](const Frame& f, double t) { return f.time < t; });
    if (after == frames.end()) return {frames.size() - 1, frames.size() - 1, 0.0};
    const auto second = static_cast<std::size_t>(after - frames.begin());
    if (second == 0 || std::abs(after->time - time) <= slack) return {second, second, 0.0};
    const double before = frames[second - 1].time;
    return {second - 1, second, (time - before) / (after->time - before)};
}

std::vector<Vec3> blended(const Recording& recording, const FrameMix& mix, std::vector<Vec3> Frame::*field) {
    const std::vector<Vec3>&a = recording.frames[mix.first].*field, &b = recording.frames[mix.second].*field;
    if (mix.part == 0.0) return a;
    std::vector<Vec3> out;
    out.reserve(a.size());
    for (std::size_t v = 0; v < a.size(); ++v) out.push_back((1.0 - mix.part) * a[v] + mix.part * b[v]);
    return out;
}

Resampled resample(const Recording& recording, double rate, bool even, const InputLocation& place) {
    const std::vector<Frame>& frames = recording.frames;
    if (!(rate >= 0) || !std::isfinite(rate))
        throw Error(Fault::bad_usage, place, text("a frame rate of ", rate), "a number above 0");
    std::size_t odd = 0;
    const double spacing = spacing_of(frames, odd);
    if ((even || rate > 0) && spacing == 0 && frames.size() > 1) {
        throw Error(Fault::unsupported, place,
                    text("the frames are not evenly spaced: frame ", odd, " is at ", frames[odd].time, " s"),
                    "even times for a frame rate (npz, vtu and mdd without --rate keep uneven ones)");
    }
    Resampled out;
    if (rate == 0 || frames.size() < 2) {
        for (const Frame& f : frames) {
            out.displacements.push_back(f.displacement);
            out.times.push_back(f.time);
        }
        out.frame_rate = spacing > 0 ? tidy(1.0 / spacing) : rate;
        return out;
    }
    const double samples = std::floor((frames.back().time - frames.front().time) * rate + kEven) + 1;
    if (samples > static_cast<double>(kMostPerFrame * frames.size())) {
        throw Error(Fault::bad_usage, place,
                    text("a frame rate of ", rate, " for frames that are ", spacing, " s apart"),
                    text("at most ", kMostPerFrame, " samples for each frame"));
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(samples); ++k) {
        const double at = static_cast<double>(k) / rate / spacing;
        const auto below = std::min(static_cast<std::size_t>(at + kEven), frames.size() - 1),
                   above = std::min(below + 1, frames.size() - 1);
        const double part = at - static_cast<double>(below);
        const bool between = part > kEven;
        out.displacements.push_back(blended(recording, {below, above, between ? part : 0.0}));
        out.times.push_back(frames.front().time + static_cast<double>(k) / rate);
        out.blended += between ? 1 : 0;
    }
    out.frame_rate = rate;
    return out;
}

}  // namespace limber
