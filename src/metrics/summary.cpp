#include "metrics/summary.hpp"

#include <cmath>
#include <limits>

namespace limber {

MetricSummary summarize(const MetricSeries& series) {
    MetricSummary out;
    out.frames = series.value.size();
    if (!series.overflowed.empty()) {
        constexpr double kTooLarge = std::numeric_limits<double>::infinity();
        out.maximum = out.mean = kTooLarge;
        out.time_of_maximum = series.overflowed.front();
        const bool at_the_end = series.t.empty() || series.overflowed.back() > series.t.back();
        out.final_value = at_the_end ? kTooLarge : series.value.back();
        return out;
    }
    if (series.value.empty()) return out;
    const auto count = static_cast<double>(out.frames);
    out.maximum = series.value.front();
    out.time_of_maximum = series.t.front();
    for (std::size_t i = 0; i < out.frames; ++i) {
        out.mean += series.value[i] / count;  // divided first: a sum of huge values would overflow
        if (std::abs(series.value[i]) > std::abs(out.maximum)) {
            out.maximum = series.value[i];
            out.time_of_maximum = series.t[i];
        }
    }
    out.final_value = series.value.back();
    return out;
}

}  // namespace limber
