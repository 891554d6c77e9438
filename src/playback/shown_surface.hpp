// ShownSurface: the surface a recording is shown on, and how it moves with the body.
#pragma once

#include "geometry/smooth_normals.hpp"
#include "geometry/triangles.hpp"
#include "io/surface/painted_file.hpp"

#include <limber/embedding.hpp>
#include <limber/tools/recording.hpp>
#include <limber/tools/surface_series.hpp>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace limber {

class ShownSurface {
public:
    /// The matched file on the body, the recording's own surface, or the body's boundary, as `target` wants it.
    ShownSurface(const Recording& recording, const SurfaceSeriesTarget& target);

    const PaintedSurface& painted() const { return file_.painted; }
    const Surface& surface() const { return file_.painted.surface; }  ///< at rest [m], y up; faces of the file
    const std::optional<ObjModel>& obj() const { return file_.obj; }  ///< when what is shown is such a file
    /// When it is a glTF file: its parts in the rest pose, one after the other, are the vertices of surface().
    const std::optional<Rig>& rig() const { return file_.rig; }
    const FileAxes& axes() const { return own_; }  ///< of the file; of the one the body came from, for its boundary
    bool of_file() const { return embedded_.has_value(); }  ///< not the body's own boundary
    const std::string& name() const { return name_; }       ///< of the file without folder and ending, or of the body
    const std::vector<std::string>& remarks() const { return remarks_; }

    /// Per vertex, from one displacement per body vertex [m].
    void displacements(std::span<const Vec3> body, std::span<Vec3> out) const;
    /// The value of another field of the body at one vertex.
    double value_at(std::size_t vertex, std::span<const double> per_body_vertex) const;
    /// Rest plus `displacement` in the axes `out`: exactly what the file holds where nothing moved and the axes are
    /// its own.
    std::vector<Vec3> in_file(std::span<const Vec3> displacement, const FileAxes& out) const;

    /// Normals per slot, y up: smooth ones, or those of the file turned along with the surface.
    const std::vector<std::int32_t>& normal_of_corner() const { return normals_->of_corner(); }
    std::vector<Vec3> normals(std::span<const Vec3> displacement) const;
    /// One per vn line of the OBJ file, in the axes `out`; of a line used at several places, their mean.
    std::vector<Vec3> obj_normals(std::span<const Vec3> displacement, const FileAxes& out) const;

private:
    void take_boundary(const Body& body, const FileAxes& own);
    void take_file(const std::string& path, LengthUnit unit, UpAxis up);
    void take_recorded(const PaintedSurface& shown, const std::string& recording);
    bool take_if_same(const PaintedSurface& shown, const std::string& path, std::string& why);
    void embed(const Body& body, double limit);
    void prepare_normals(double crease_degrees);

    PaintedFile file_;
    FileAxes own_{LengthUnit::m, UpAxis::y};
    std::string name_;
    std::string from_;                         ///< for messages: the file, or "the recording's surface"
    std::vector<std::int32_t> body_vertex_;    ///< of a boundary
    std::optional<EmbeddedSurface> embedded_;  ///< of anything else
    std::optional<SmoothNormals> normals_;
    std::vector<Vec3> smooth_at_rest_;  ///< per slot
    std::vector<Vec3> given_;           ///< per slot: the file's normal, y up and unit length; zero = none
    std::vector<std::string> remarks_;
};

/// One drawn vertex: where it comes from.
struct CornerSource {
    std::int32_t vertex, uv, normal;  ///< into the surface, its uvs (-1 = none) and the normal slots
    auto operator<=>(const CornerSource&) const = default;
};
/// Triangles whose vertices are split where texture coordinates or normals are.
struct SplitTriangles {
    std::vector<CornerSource> sources;  ///< ascending: the order of the file, split vertices next to each other
    std::vector<std::array<std::int32_t, 3>> triangles;
};
/// Of those `members` of the surface's own `triangles`.
SplitTriangles split_triangles(const ShownSurface& shown, const Triangles& triangles,
                               std::span<const std::size_t> members);

/// glTF's own default look is bare metal, which is black without surroundings to reflect: this one is grey.
MaterialLook plain_look();

}  // namespace limber
