// Which corners a mesh is drawn with.
#include "core/text.hpp"
#include "render/draw_list.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace limber {

namespace {

/// Everything that makes two corners different.
using CornerKey = std::tuple<std::int32_t, std::int32_t, std::int32_t, float, float>;

struct TriangleHash {
    std::size_t operator()(const std::array<std::int32_t, 3>& t) const noexcept {
        std::uint64_t h = 0;
        for (const std::int32_t v : t) {
            h = (h ^ static_cast<std::uint32_t>(v)) * 0x9E3779B97F4A7C15U;
            h ^= h >> 29;
        }
        return static_cast<std::size_t>(h);
    }
};

class TopologyMaker {
public:
    explicit TopologyMaker(const DrawPolygons& polygons) : in_(polygons) {
        out_->vertex_count = in_.vertex_count;
        for (const std::int32_t n : in_.normal_of_corner) {
            if (n < 0) throw Error(Fault::bad_mesh, {}, text("a corner with normal ", n), "0 or more");
            out_->normal_count = std::max(out_->normal_count, static_cast<std::size_t>(n) + 1);
        }
        if (in_.normal_of_corner.empty()) out_->normal_count = in_.vertex_count;
        for (const auto& uv : in_.second_uv)
            out_->second_uv.push_back({static_cast<float>(uv[0]), static_cast<float>(uv[1])});
    }

    /// The faces' corners [begin, end) as a fan.
    void face(std::size_t index, std::size_t begin, std::size_t end) {
        if (end < begin + 3) return;
        const std::int32_t first = corner(index, begin);
        for (std::size_t k = begin + 1; k + 1 < end; ++k) {
            const std::array<std::int32_t, 3> triangle{first, corner(index, k), corner(index, k + 1)};
            if (!drawn_.insert(lowest_first(triangle)).second) continue;  // the same again would only cost time
            out_->triangles.push_back(triangle);
            const unsigned starts = k == begin + 1 ? 1U : 0U, closes = k + 2 == end ? 4U : 0U;
            out_->edges.push_back(static_cast<std::uint8_t>(starts | 2U | closes));
        }
    }
    std::shared_ptr<const DrawTopology> done() {
        out_->closed = is_closed();
        return std::move(out_);
    }

private:
    static std::array<std::int32_t, 3> lowest_first(std::array<std::int32_t, 3> triangle) {
        std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
        return triangle;
    }

    bool is_closed() const {
        std::vector<std::pair<std::int32_t, std::int32_t>> sides, back;
        for (const auto& triangle : out_->triangles) {
            for (std::size_t k = 0; k < 3; ++k) {
                const std::int32_t a = out_->vertex[static_cast<std::size_t>(triangle[k])],
                                   b = out_->vertex[static_cast<std::size_t>(triangle[(k + 1) % 3])];
                sides.emplace_back(a, b);
                back.emplace_back(b, a);
            }
        }
        std::sort(sides.begin(), sides.end());
        std::sort(back.begin(), back.end());
        return !sides.empty() && sides == back && std::adjacent_find(sides.begin(), sides.end()) == sides.end();
    }

    std::int32_t corner(std::size_t face_index, std::size_t at) {
        const std::int32_t v = in_.faces[at];
        if (v < 0 || static_cast<std::size_t>(v) >= in_.vertex_count) {
            throw Error(Fault::bad_mesh, {}, text("face ", face_index, " names vertex ", v),
                        text("0 to ", in_.vertex_count, " - 1"));
        }
        const std::int32_t n = in_.normal_of_corner.empty() ? v : in_.normal_of_corner[at];
        const std::int32_t paint = in_.paint_of_face.empty() ? 0 : in_.paint_of_face[face_index];
        const std::array<double, 2> uv = in_.uv_of_corner.empty() ? std::array<double, 2>{} : in_.uv_of_corner[at];
        const CornerKey key{v, n, paint, static_cast<float>(uv[0]), static_cast<float>(uv[1])};
        const auto [entry, is_new] = known_.emplace(key, static_cast<std::int32_t>(out_->vertex.size()));
        if (is_new) {
            out_->vertex.push_back(v);
            out_->normal.push_back(n);
            if (!in_.paint_of_face.empty()) out_->paint.push_back(paint);
            if (!in_.uv_of_corner.empty()) out_->uv.push_back({std::get<3>(key), std::get<4>(key)});
        }
        return entry->second;
    }

    const DrawPolygons& in_;
    std::shared_ptr<DrawTopology> out_ = std::make_shared<DrawTopology>();
    std::map<CornerKey, std::int32_t> known_;
    std::unordered_set<std::array<std::int32_t, 3>, TriangleHash> drawn_;
};

}  // namespace

std::shared_ptr<const DrawTopology> make_topology(const DrawPolygons& polygons) {
    const std::size_t corners = polygons.faces.size();
    const std::size_t faces = polygons.face_starts.empty() ? corners / 3 : polygons.face_starts.size() - 1;
    const auto fits = [](std::size_t given, std::size_t expected) { return given == 0 || given == expected; };
    if (!fits(polygons.normal_of_corner.size(), corners) || !fits(polygons.uv_of_corner.size(), corners) ||
        !fits(polygons.paint_of_face.size(), faces) || !fits(polygons.second_uv.size(), polygons.vertex_count) ||
        (polygons.face_starts.empty() && corners % 3 != 0)) {
        throw Error(Fault::bad_mesh, {},
                    text("arrays of other lengths than ", counted(faces, "face"), " with ", counted(corners, "corner")),
                    "one entry per corner or face");
    }

    TopologyMaker maker(polygons);
    for (std::size_t f = 0; f < faces; ++f) {
        if (polygons.face_starts.empty()) {
            maker.face(f, 3 * f, 3 * f + 3);
            continue;
        }
        const auto begin = static_cast<std::size_t>(polygons.face_starts[f]),
                   end = static_cast<std::size_t>(polygons.face_starts[f + 1]);
        if (end > corners)
            throw Error(Fault::bad_mesh, {}, text("face ", f, " ends at corner ", end), text("at most ", corners));
        maker.face(f, begin, end);
    }
    return maker.done();
}

}  // namespace limber
