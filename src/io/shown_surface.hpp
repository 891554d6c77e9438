// ShownSurface: the surface a recording is shown on, and how it moves with the body.
#pragma once

#include "geometry/smooth_normals.hpp"
#include "io/obj_series.hpp"

#include <limber/embedding.hpp>
#include <limber/recording.hpp>
#include <limber/rig.hpp>
#include <limber/surface_series.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace limber {

/// From metres, y up, to a file's unit and axes and back. Vectors without a length (normals) are only turned.
class FileFrame {
public:
    FileFrame(LengthUnit unit, UpAxis up) : unit_(unit), up_(up) {}
    Vec3 turned_to_file(const Vec3& v) const { return up_ == UpAxis::z ? Vec3{v.x, 0.0 - v.z, v.y} : v; }
    Vec3 turned_from_file(const Vec3& v) const { return up_ == UpAxis::z ? Vec3{v.x, v.z, 0.0 - v.y} : v; }
    Vec3 to_file(const Vec3& v) const { return unit_ == LengthUnit::m ? turned_to_file(v) : turned_to_file(v) / metres_in(unit_); }
    Vec3 from_file(const Vec3& v) const { return unit_ == LengthUnit::m ? turned_from_file(v) : turned_from_file(v) * metres_in(unit_); }
    friend bool operator==(const FileFrame& a, const FileFrame& b) { return a.unit_ == b.unit_ && a.up_ == b.up_; }

private:
    LengthUnit unit_;
    UpAxis up_;
};

class ShownSurface {
public:
    /// The matched file on the body, or the body's own boundary.
    ShownSurface(const Body& body, const SurfaceSeriesTarget& target);

    const Surface& surface() const { return surface_; }                     ///< at rest [m], y up; faces of the file
    const std::optional<ObjModel>& obj() const { return obj_; }             ///< when the matched file is one
    /// When the matched file is a glTF: its parts in the rest pose, one after the other, are the vertices of surface().
    const std::optional<Rig>& rig() const { return rig_; }
    const std::vector<std::string>& remarks() const { return remarks_; }

    /// Per vertex, from one displacement per body vertex [m].
    void displacements(std::span<const Vec3> body, std::span<Vec3> out) const;
    /// Rest plus `displacement` in the frame `out`: exactly what the file holds where nothing moved and the frame is its own.
    std::vector<Vec3> in_file(std::span<const Vec3> displacement, const FileFrame& out) const;

    /// Normals per slot, y up: smooth ones, or those of the file turned along with the surface.
    const std::vector<std::int32_t>& normal_of_corner() const { return normals_->of_corner(); }
    std::vector<Vec3> normals(std::span<const Vec3> displacement) const;
    /// One per vn line of the OBJ file, in the frame `out`; of a line used at several places, their mean.
    std::vector<Vec3> obj_normals(std::span<const Vec3> displacement, const FileFrame& out) const;

private:
    void take_boundary(const Mesh& mesh);
    void take_file(const Body& body, const SurfaceSeriesTarget& target);
    void take_rig();
    void prepare_normals(double crease_degrees);

    Surface surface_;
    std::vector<Vec3> as_in_file_;                  ///< vertices before they were turned and scaled
    FileFrame own_;
    std::optional<ObjModel> obj_;
    std::optional<Rig> rig_;
    std::vector<Vec3> file_normals_;                ///< as the file has them
    std::vector<std::int32_t> corner_normal_;       ///< per face corner into those; -1 = none; empty = the file has none
    std::vector<std::int32_t> body_vertex_;         ///< without a match
    std::optional<EmbeddedSurface> embedded_;       ///< with one
    std::optional<SmoothNormals> normals_;
    std::vector<Vec3> smooth_at_rest_;              ///< per slot
    std::vector<Vec3> given_;                       ///< per slot: the file's normal, y up and unit length; zero = none
    std::vector<std::string> remarks_;
};

}  // namespace limber
