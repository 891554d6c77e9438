// A metric's series in four numbers, for tables.
#pragma once

#include <limber/tools/metrics.hpp>

namespace limber {

/// All zero when the series is empty (frames says so). Values that overflowed count: the largest, and the mean, are
/// then infinite.
struct MetricSummary {
    double maximum = 0.0;          ///< the value of largest magnitude, with its sign
    double time_of_maximum = 0.0;  ///< [s]; the first, if it is reached several times
    double mean = 0.0;             ///< plain mean over the frames: signed measures may cancel
    double final_value = 0.0;
    std::size_t frames = 0;
};
MetricSummary summarize(const MetricSeries& series);

}  // namespace limber
