// From SeriesData to a Recording.
#pragma once

#include "playback/series_data.hpp"

#include <memory>
#include <vector>

namespace limber {

/// One per frame, ascending [s]: those of the file, or made by the frame rate. Adds to data.remarks.
std::vector<double> series_times(SeriesData& data, const SeriesSource& source);

/// The times that 32-bit ones stand for: multiples of 1 / n where all of them fit, otherwise the shortest decimals.
std::vector<double> widened_times(const std::vector<double>& times);

/// Metres and y up, times, vertices, velocities. `data` is in the file's own unit and axes.
Recording build_series(SeriesData data, const SeriesSource& source, std::shared_ptr<const Body> body);

}  // namespace limber
