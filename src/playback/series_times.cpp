#include "io/files/scanner.hpp"
#include "playback/series_build.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {
constexpr double kSingle = 1.2e-7;  // two roundings of a 32-bit float

double shortest_decimal(double single) {
    double out = single;
    return parse_real(fmt::format("{}", static_cast<float>(single)), out) ? out : single;
}

std::vector<double> times_of_rate(const SeriesData& data, const SeriesSource& source) {
    const double spacing = data.spacing / source.frame_rate;
    std::vector<double> out;
    for (std::size_t f = 0; f < data.frames.size(); ++f) {
        out.push_back(source.start_time + static_cast<double>(f) * data.spacing / source.frame_rate);
        // A rate may correct the digits of the file, not contradict it.
        if (!data.times.empty() && std::abs(data.times[f] - data.times[0] - (out[f] - out[0])) > 0.01 * spacing) {
            throw Error(Fault::bad_usage, {source.path, 0, {}},
                        text("frame ", f, " is ", data.times[f] - data.times[0], " s after the first"),
                        text(out[f] - out[0], " s by the frame rate ", source.frame_rate));
        }
    }
    return out;
}
}  // namespace

std::vector<double> widened_times(const std::vector<double>& times) {
    std::vector<double> out;
    if (times.size() > 1) {
        const double rate = std::round(static_cast<double>(times.size() - 1) / (times.back() - times.front())),
                     start = shortest_decimal(times.front());
        bool fits = std::isfinite(rate) && rate >= 1;
        for (std::size_t f = 0; fits && f < times.size(); ++f) {
            out.push_back(start + static_cast<double>(f) / rate);
            fits = std::abs(out[f] - times[f]) <= kSingle * std::max(std::abs(times[f]), std::abs(start));
        }
        if (fits) return out;
        out.clear();
    }
    for (const double t : times) out.push_back(shortest_decimal(t));
    return out;
}

std::vector<double> series_times(SeriesData& data, const SeriesSource& source) {
    const InputLocation place{source.path, 0, {}};
    if (!(source.frame_rate >= 0) || !std::isfinite(source.frame_rate) || !std::isfinite(source.start_time)) {
        throw Error(Fault::bad_usage, place,
                    text("a frame rate of ", source.frame_rate, " and a start at ", source.start_time, " s"),
                    "finite numbers, the rate above 0");
    }
    std::vector<double> out;
    if (source.frame_rate > 0) {
        out = times_of_rate(data, source);
        data.remarks.push_back(text("times are made by the frame rate: ", source.frame_rate, " per second from ",
                                    source.start_time, " s",
                                    data.times.empty() ? "" : ", instead of those in the file"));
    } else if (!data.times.empty()) {
        out = data.single_times ? widened_times(data.times) : data.times;
        if (out != data.times)
            data.remarks.push_back("times are the decimals or fractions that the file's 32-bit ones stand for");
    } else if (data.frames.size() == 1) {
        out = {source.start_time};
    } else {
        throw Error(Fault::bad_usage, place, "the file has frames but no times", "a frame rate");
    }
    for (std::size_t f = 0; f < out.size(); ++f) {
        if (!std::isfinite(out[f]) || (f > 0 && !(out[f] > out[f - 1]))) {
            throw Error(
                Fault::bad_data, place,
                text("frame ", f, " is at ", out[f], " s", f > 0 ? text(", the one before at ", out[f - 1], " s") : ""),
                "times that ascend");
        }
    }
    return out;
}

}  // namespace limber
