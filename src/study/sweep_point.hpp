// One point of a sweep or of a difference: a scene is run and turned into a row of numbers.
#pragma once

#include <limber/tools/recording.hpp>
#include <limber/tools/sim.hpp>

#include <memory>
#include <string>
#include <vector>

namespace limber {

/// A group of columns that can be asked for by name.
struct PointQuantity {
    const char* name;
    const char* sentence;
    bool standard;  ///< measured unless others are asked for
};
const std::vector<PointQuantity>& point_quantities();

struct PointColumn {
    std::string name;      ///< "tip end ux"
    std::string unit;      ///< "" when it has none
    std::string quantity;  ///< its group
};

/// What is measured at every point.
struct PointRequest {
    std::vector<PointColumn> columns;
    std::shared_ptr<const Recording> reference;  ///< of errors; may be null
};
/// Columns of a scene's probes, supports and so on. `asked` are names of quantities, metrics (with a reference) or
/// single columns; empty = the standard ones, and with a reference "errors". Throws Error{bad_usage} with a suggestion
/// for an unknown name.
PointRequest make_point_request(const Scene& scene, const std::vector<std::string>& asked,
                                std::shared_ptr<const Recording> reference);

enum class PointStatus : std::uint8_t { done, refused, trouble };
const char* to_string(PointStatus status);

struct PointResult {
    PointStatus status = PointStatus::refused;
    std::string cause;           ///< one line; of a point that is done: what could not be measured, or ""
    std::size_t steps = 0;       ///< good ones
    std::vector<double> values;  ///< one per column; not a number where there is none
    double prepare_ms = 0.0, step_ms = 0.0, total_ms = 0.0;  ///< wall clock; step_ms is the median
};

/// Bytes that preparing a scene with a direct solver takes, roughly and from its mesh alone.
double estimated_bytes(const Scene& scene);

/// Peaks are over every step, whatever the scene records. Whatever goes wrong is told in the result; throws
/// Error{interrupted} only.
PointResult measure_point(const Scene& scene, const PointRequest& request, Progress& progress);
/// A row of a point that could not even be read.
PointResult refused_point(const PointRequest& request, const std::string& cause);

}  // namespace limber
