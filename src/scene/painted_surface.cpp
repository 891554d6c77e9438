#include <limber/tools/painted_surface.hpp>

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

class Checker {
public:
    explicit Checker(const InputLocation& place) : place_(place) {}

    [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
        throw Error(Fault::bad_data, place_, text("the shown surface has ", found), expected);
    }

    void indices(const std::vector<std::int32_t>& list, std::int32_t least, std::size_t count, const char* what) const {
        for (const std::int32_t i : list) {
            if (i < least || i >= static_cast<std::int64_t>(count))
                fail(text(what, " ", i), text(least, " to below ", count));
        }
    }
    void optional_indices(const std::vector<std::int32_t>& list, std::size_t size, std::size_t count,
                          const char* what) const {
        if (list.empty()) return;
        if (list.size() != size) fail(text(list.size(), " ", what, "s"), text(size, ", or none"));
        indices(list, -1, count, what);
    }
    void finite(bool fine, const char* what) const {
        if (!fine) fail(text("a ", what, " that is not finite"), "finite numbers");
    }

private:
    const InputLocation& place_;
};

void check_faces(const Surface& s, const Checker& checker) {
    if (s.face_starts.empty() || s.face_starts.front() != 0 ||
        static_cast<std::size_t>(s.face_starts.back()) != s.faces.size()) {
        checker.fail("faces that do not begin and end with the list of corners", "starts from 0 to its length");
    }
    for (std::size_t f = 0; f + 1 < s.face_starts.size(); ++f) {
        if (s.face_starts[f + 1] - s.face_starts[f] < 3)
            checker.fail(text("face ", f, " with fewer than three corners"), "three or more");
    }
    checker.indices(s.faces, 0, s.vertices.size(), "corner");
}

std::int32_t shifted(std::int32_t i, std::size_t by) { return i < 0 ? i : i + static_cast<std::int32_t>(by); }

/// Appends to a list that may be missing on either side: what is missing is -1.
void append(std::vector<std::int32_t>& to, std::size_t so_far, const std::vector<std::int32_t>& from, std::size_t more,
            std::size_t shift) {
    if (to.empty() && from.empty()) return;
    to.resize(so_far, -1);
    for (const std::int32_t i : from) to.push_back(shifted(i, shift));
    to.resize(so_far + more, -1);
}

std::array<const PictureUse*, 5> maps_of(const MaterialLook& look) {
    return {&look.base_map, &look.normal_map, &look.metal_rough_map, &look.occlusion_map, &look.emissive_map};
}

/// Where one of them has no such numbers: white, or 0.
void append(std::vector<VertexNumbers>& to, std::size_t so_far, const std::vector<VertexNumbers>& from,
            std::size_t more) {
    for (const VertexNumbers& a : from) {
        if (std::none_of(to.begin(), to.end(),
                         [&](const VertexNumbers& b) { return a.name == b.name && a.width == b.width; })) {
            to.push_back({a.name, a.width, {}});
        }
    }
    for (VertexNumbers& a : to) {
        const double missing = a.name.starts_with("COLOR_") ? 1.0 : 0.0;
        a.values.resize(a.width * so_far, missing);
        for (const VertexNumbers& b : from) {
            if (a.name == b.name && a.width == b.width)
                a.values.insert(a.values.end(), b.values.begin(), b.values.end());
        }
        a.values.resize(a.width * (so_far + more), missing);
    }
}

}  // namespace

void check(const PaintedSurface& p, const InputLocation& place) {
    const Checker checker(place);
    const Surface& s = p.surface;
    check_faces(s, checker);
    const auto finite3 = [](const std::vector<Vec3>& list) {
        return std::all_of(list.begin(), list.end(), [](const Vec3& v) { return is_finite(v); });
    };
    checker.finite(finite3(s.vertices), "vertex");
    checker.finite(finite3(p.normals), "normal");
    checker.finite(std::all_of(p.uvs.begin(), p.uvs.end(),
                               [](const auto& uv) { return std::isfinite(uv[0]) && std::isfinite(uv[1]); }),
                   "texture coordinate");
    checker.finite(std::isfinite(p.limit) && p.limit >= 0.0, "limit");
    checker.optional_indices(p.corner_uv, s.faces.size(), p.uvs.size(), "texture corner");
    checker.optional_indices(p.corner_normal, s.faces.size(), p.normals.size(), "normal corner");
    checker.optional_indices(p.face_look, s.face_count(), p.looks.size(), "look");
    for (const MaterialLook& look : p.looks) {
        bool fine = std::isfinite(look.metallic) && std::isfinite(look.roughness) && std::isfinite(look.alpha_cutoff) &&
                    std::isfinite(look.emissive_strength);
        for (const PictureUse* use : maps_of(look)) {
            checker.indices({use->picture}, -1, p.pictures.size(), "picture");
            for (const double x :
                 {use->offset[0], use->offset[1], use->scale[0], use->scale[1], use->rotation, use->strength}) {
                fine = fine && std::isfinite(x);
            }
        }
        for (const double c : look.base_color) fine = fine && std::isfinite(c);
        for (const double c : look.emissive) fine = fine && std::isfinite(c);
        checker.finite(fine, "look");
    }
    for (const VertexNumbers& a : p.attributes) {
        if (a.width < 1 || a.width > 4 || a.values.size() != a.width * s.vertices.size()) {
            checker.fail(text(a.values.size(), " numbers of ", a.name),
                         text(a.width, " for each of ", s.vertices.size(), " vertices"));
        }
        checker.finite(std::all_of(a.values.begin(), a.values.end(), [](double v) { return std::isfinite(v); }),
                       "number of a vertex");
    }
}

PaintedSurface joined(std::span<const PaintedSurface> surfaces) {
    PaintedSurface out;
    for (const PaintedSurface& p : surfaces) {
        Surface& s = out.surface;
        const std::size_t vertices = s.vertices.size(), corners = s.faces.size(), faces = s.face_count(),
                          looks = out.looks.size(), pictures = out.pictures.size();
        append(out.corner_uv, corners, p.corner_uv, p.surface.faces.size(), out.uvs.size());
        append(out.corner_normal, corners, p.corner_normal, p.surface.faces.size(), out.normals.size());
        append(out.face_look, faces, p.face_look, p.surface.face_count(), looks);
        s.vertices.insert(s.vertices.end(), p.surface.vertices.begin(), p.surface.vertices.end());
        for (const std::int32_t c : p.surface.faces) s.faces.push_back(shifted(c, vertices));
        for (std::size_t f = 1; f < p.surface.face_starts.size(); ++f)
            s.face_starts.push_back(shifted(p.surface.face_starts[f], corners));
        out.uvs.insert(out.uvs.end(), p.uvs.begin(), p.uvs.end());
        out.normals.insert(out.normals.end(), p.normals.begin(), p.normals.end());
        append(out.attributes, vertices, p.attributes, p.surface.vertices.size());
        for (MaterialLook look : p.looks) {
            for (PictureUse* use :
                 {&look.base_map, &look.normal_map, &look.metal_rough_map, &look.occlusion_map, &look.emissive_map}) {
                use->picture = shifted(use->picture, pictures);
            }
            out.looks.push_back(std::move(look));
        }
        out.pictures.insert(out.pictures.end(), p.pictures.begin(), p.pictures.end());
        out.limit = std::max(out.limit, p.limit);
    }
    // Kept texts name textures by number: those of several files do not go together, and their looks are written from
    // what they say here.
    if (surfaces.size() == 1) {
        out.file = surfaces[0].file;
        out.unit = surfaces[0].unit;
        out.up = surfaces[0].up;
        out.kept = surfaces[0].kept;
    }
    return out;
}

}  // namespace limber
