// ShownModel: what a recording is shown by, ready to draw at any frame: the surface that rides on its body, or the
// body's own boundary.
//
//     const Recording run = read_recording("duck.limber");
//     const ShownModel model(run);
//     std::vector<Vec3> positions(model.vertex_count()), normals(model.vertex_count());
//     for (const Frame& frame : run.frames) {
//         model.at(frame.displacement, positions, normals);
//         draw(positions, normals, model.triangles(), model.uvs(), model.triangle_look(), model.looks());
//     }
#pragma once

#include <limber/tools/recording.hpp>
#include <limber/tools/rig.hpp>
#include <limber/tools/surface_series.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace limber {

/// Immutable once built; any number of threads may ask. Vertices are split where texture coordinates or normals are:
/// vertex v stands for vertex surface_vertex()[v] of the surface, whose order is the file's.
class ShownModel {
public:
    /// The recording's own surface, that of `choice.match`, or the boundary (`choice.boundary`, or where there is
    /// nothing else). Of `choice`, only match, match_unit, match_up, limit, boundary and crease_degrees count. Throws
    /// Error as write_surface_series.
    explicit ShownModel(const Recording& recording, const SurfaceSeriesTarget& choice = {});
    ~ShownModel();
    ShownModel(ShownModel&&) noexcept;
    ShownModel& operator=(ShownModel&&) noexcept;

    // What does not change over time.
    std::size_t vertex_count() const;
    const std::vector<std::array<std::int32_t, 3>>& triangles() const;  ///< counter-clockwise from outside
    const std::vector<std::int32_t>& triangle_look() const;             ///< per triangle, into looks(); never -1
    const std::vector<MaterialLook>& looks() const;                     ///< a plain grey one where the surface has none
    const std::vector<Picture>& pictures() const;
    const std::vector<std::array<double, 2>>& uvs()
        const;  ///< per vertex, v grows downwards; empty = the surface has none
    const std::vector<std::int32_t>& surface_vertex() const;  ///< per vertex, into surface().vertices
    const Surface& surface() const;                           ///< at rest [m], y up
    const std::vector<std::string>& remarks() const;  ///< what a person should know (vertices outside the body ...)

    // At one moment, from one value per body vertex (Frame::displacement). Spans have vertex_count() entries.
    void at(std::span<const Vec3> displacement, std::span<Vec3> positions, std::span<Vec3> normals) const;
    /// Any other field of the body, to colour by; a point outside the body takes the nearest cell's value there.
    void carry(std::span<const double> per_body_vertex, std::span<double> out) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace limber
