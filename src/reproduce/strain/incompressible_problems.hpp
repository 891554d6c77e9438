// Two plane-strain problems with closed solutions for every Poisson's ratio up to and including 0.5, as scenes.
#pragma once

#include <limber/tools/scene.hpp>

#include <functional>
#include <string>
#include <vector>

namespace limber {

struct IncompressibleProblem {
    std::string name;  ///< "cylinder" or "bending"
    std::string about;
    double strain = 0.0;  ///< a typical one at nu = 0.5: what volume change is measured against [1]
    std::function<Vec3(const Material&, const Vec3& at)> displacement;  ///< the closed form [m]
    std::function<double(const Material&)> volume_strain;               ///< root mean square of div u, closed form [1]
    /// Quasi-static, one step; `cells` through the wall (even). The method's options are the caller's.
    std::function<Scene(const Material& loaded, CellKind kind, int cells)> scene;
};

/// A thick tube under inner pressure, and a strip bent by a couple. The load is fixed, whatever the material.
const std::vector<IncompressibleProblem>& incompressible_problems();
/// E = 10 kPa; poisson may be 0.5 exactly in the closed forms.
Material incompressible_material(double poisson);

}  // namespace limber
