// Accuracy measures: pure functions of two recordings, reference and candidate, possibly on different meshes.
#pragma once

#include <limber/recording.hpp>

#include <span>
#include <string>
#include <vector>

namespace limber {

struct MetricSpec {
    const char* name;
    const char* unit;
    const char* sentence;
    bool symmetric;     ///< swapping the two recordings gives the same number
};
std::span<const MetricSpec> metric_specs();

/// One value per frame of the candidate that the reference has too (times equal within 1e-9 of the step).
struct MetricSeries {
    std::string name;
    std::vector<double> t;
    std::vector<double> value;      ///< finite; a frame where the measure does not exist (0/0 handled as 0) is left out and counted
    std::size_t left_out = 0;
    double stated_error = 0.0;      ///< absolute, of the measure itself (ray grids); 0 = exact up to rounding
};

/// Throws Error{bad_usage} for an unknown name and Error{unsupported} where the recordings lack what it needs.
MetricSeries evaluate_metric(const std::string& name, const Recording& reference, const Recording& candidate);

// The measures themselves, on plain arrays, for those who have their own data.

/// E_n as printed by Alterovitz & Goldberg: |u' - u| / |u|, 0 when both are zero, infinity when only the reference is.
double relative_l2(std::span<const Vec3> reference, std::span<const Vec3> candidate);
/// Area of the symmetric difference of two closed polygons (even-odd inside), exact up to rounding [m^2].
double polygon_xor_area(std::span<const Vec3> a_vertices, std::span<const std::int32_t> a_edges,
                        std::span<const Vec3> b_vertices, std::span<const std::int32_t> b_edges);

}  // namespace limber
