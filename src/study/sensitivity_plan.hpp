// Which runs a derivative needs: the places where a parameter is tried, and the changes to the scene that put it there.
#pragma once

#include "study/parameter.hpp"

#include <string>
#include <utility>
#include <vector>

namespace limber {

/// One parameter of one scene and where it is tried.
struct Variation {
    enum class Kind {
        scaled,   ///< p e^x, x = ± step, and two nudges for the noise
        shifted,  ///< p + x: a parameter that is 0 or may change its sign (Poisson's ratio near 0)
        nodes,    ///< at the whole numbers there are
    };
    struct Trial {
        double x = 0.0;  ///< ln(p / p0), or p - p0 when shifted
        std::vector<std::string> sets;
    };
    std::string name, unit, way;
    Kind kind = Kind::scaled;
    double value = 0.0;         ///< p0
    std::vector<Trial> trials;  ///< scaled and shifted: -s, +s for every s, largest first, then the nudges - and +
    std::size_t nudges = 0;     ///< how many of the last trials are nudges
    std::string left_out;       ///< why there are none; "" = there are
};

/// Every number of a scene that a derivative makes sense for: materials, step, cell size, the method's real options.
std::vector<std::string> default_parameters(const JsonValue& root, const Scene& scene);

/// `scene` and `root` are the same scene. Throws Error{bad_usage} or SceneError for a path that is no number.
Variation plan_variation(const JsonValue& root, const Scene& scene, const std::string& path);

}  // namespace limber
