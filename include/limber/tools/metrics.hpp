// Accuracy measures: pure functions of two recordings, reference and candidate, possibly on different meshes.
// Formulas, units and limits of each: docs/metrics.md.
#pragma once

#include <limber/tools/recording.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace limber {

struct MetricSpec {
    const char* name;
    const char* unit;  ///< "1", "m", "degree", or "m^d" (m^2 in the plane, m^3 in space)
    const char* sentence;
    bool symmetric;  ///< on equal meshes, swapping the two recordings gives the same bits
    bool triangle;   ///< on equal meshes, the distance from a to c is at most that from a to b plus that from b to c
};
/// Every measure of bodies that evaluate_metric knows, in the order of the documentation.
std::span<const MetricSpec> metric_specs();
/// Those on the surface that the reference is shown by (Recording::shown); it rides on both bodies. evaluate_metric
/// knows them too.
std::span<const MetricSpec> shown_metric_specs();
/// Those of bodies, and the others too where the reference is shown by a surface.
std::vector<MetricSpec> metric_specs_for(const Recording& reference);

/// One value per frame of the candidate that the reference has too (times equal within 1e-9 of the step or 1e-12 s).
struct MetricSeries {
    std::string name;
    std::vector<double> t;      ///< the candidate's times [s]
    std::vector<double> value;  ///< finite; both at rest counts as 0
    /// Common frames without a value: the reference's scale is 0 and the candidate's is not, or it overflowed.
    std::size_t left_out = 0;
    double stated_error = 0.0;         ///< absolute, of the measure itself (ray grids); 0 = exact up to rounding
    std::vector<double> overflowed{};  ///< times of the left-out frames whose value is too large for a double [s]: no
                                       ///< error is larger than theirs
};

/// Throws Error{bad_usage} for an unknown name or no common times, Error{bad_data} for frames that do not fit their
/// body, and Error{unsupported} where the recordings lack what it needs.
MetricSeries evaluate_metric(const std::string& name, const Recording& reference, const Recording& candidate);

// The measures themselves, on plain arrays, for those who have their own data.

/// E_n as printed by Alterovitz & Goldberg: |u' - u| / |u|; 0 when both are zero, infinity when only the reference is.
/// Throws Error{bad_usage} on different sizes.
double relative_l2(std::span<const Vec3> reference, std::span<const Vec3> candidate);
/// Area of the symmetric difference of two closed outlines (even-odd inside), exact up to rounding [m^2]. z is ignored;
/// edges are pairs of vertex numbers in any order and direction. Throws Error{bad_usage} on numbers out of range or
/// non-finite points.
double polygon_xor_area(std::span<const Vec3> a_vertices, std::span<const std::int32_t> a_edges,
                        std::span<const Vec3> b_vertices, std::span<const std::int32_t> b_edges);

}  // namespace limber
