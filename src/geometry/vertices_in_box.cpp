#include <limber/mesh.hpp>

#include <algorithm>

namespace limber {

IndexSet vertices_in_box(const Mesh& mesh, const Vec3& low, const Vec3& high) {
    IndexSet inside;
    if (mesh.vertices.empty()) return inside;
    Vec3 least = mesh.vertices.front(), most = least;
    for (const Vec3& v : mesh.vertices) {
        for (int k = 0; k < 3; ++k) {
            least[k] = std::min(least[k], v[k]);
            most[k] = std::max(most[k], v[k]);
        }
    }
    const double margin = 1e-9 * norm(most - least);  // rounding in the caller's numbers must not lose a face
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const Vec3& v = mesh.vertices[i];
        bool in = true;
        for (int k = 0; k < 3; ++k) in = in && v[k] >= low[k] - margin && v[k] <= high[k] + margin;
        if (in) inside.push_back(static_cast<std::int32_t>(i));
    }
    return inside;
}

}  // namespace limber
