#include "rig/posed_surface.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>

namespace limber {

Surface posed_surface(const Rig& rig, const Pose& pose) {
    Surface out;
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        const SkinPart& part = rig.parts[p];
        const std::size_t first = out.vertices.size();
        out.vertices.resize(first + part.positions.size());
        skin(rig, p, pose, std::span(out.vertices).subspan(first));
        for (const auto& t : part.triangles) {
            for (const std::int32_t v : t) out.faces.push_back(static_cast<std::int32_t>(first) + v);
            out.face_starts.push_back(static_cast<std::int32_t>(out.faces.size()));
        }
    }
    if (out.face_count() == 0)
        throw Error(Fault::bad_mesh, {rig.source, 0, {}}, "a model without triangles", "a surface");
    if (!std::all_of(out.vertices.begin(), out.vertices.end(), [](const Vec3& v) { return is_finite(v); })) {
        throw Error(Fault::bad_mesh, {rig.source, 0, {}}, "vertices that are not finite in this pose",
                    "bind matrices and scales of sensible size");
    }
    return out;
}

}  // namespace limber
