// The points of one VTU file with the vectors on them that matter to a series.
#pragma once

#include <limber/vec3.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

struct VtuPoints {
    std::vector<Vec3> points;
    std::string displacement_name, velocity_name;  ///< as the file spells them; "" = there is none
    std::vector<Vec3> displacement, velocity;      ///< one per point, or none
    std::optional<double> time;                    ///< the field "TimeValue" [s]
};

/// Any unstructured grid, cells of any kind (also none that limber has). Throws Error{bad_file | bad_mesh |
/// unsupported}.
VtuPoints parse_vtu_points(std::string_view bytes, const std::string& name);

}  // namespace limber
