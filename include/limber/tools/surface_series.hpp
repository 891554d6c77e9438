// Recordings as moving surfaces: GLB, numbered OBJ, PLY or STL files, point caches on the vertices of an artist's own
// surface.
#pragma once

#include <limber/progress.hpp>
#include <limber/tools/recording.hpp>
#include <limber/tools/scene.hpp>
#include <limber/tools/series.hpp>

#include <optional>
#include <string>

namespace limber {

enum class SurfaceSeriesFormat : std::uint8_t { obj, ply, stl, glb, pc2, mdd };
const char* to_string(SurfaceSeriesFormat format);

/// Where and how to write.
struct SurfaceSeriesTarget {
    std::string path;  ///< obj, ply, stl: a folder of numbered files; a file when `time` is given
    SurfaceSeriesFormat format = SurfaceSeriesFormat::obj;
    std::optional<double> time;  ///< one shape instead of all frames [s]; between frames it is blended

    std::string match;      ///< .obj .ply .stl .glb whose vertices ride on the body; "" = the recording's own surface
    bool boundary = false;  ///< the body's own boundary, also where the recording has a surface
    LengthUnit match_unit = LengthUnit::m;  ///< of that file
    UpAxis match_up = UpAxis::y;
    double limit = 0.0;            ///< see EmbeddingSettings
    double crease_degrees = 60.0;  ///< edges sharper than this stay hard where the file has no normals

    /// Of what is written; not given: that of the shown file, else the recording's. GLB is always in m.
    std::optional<LengthUnit> unit;
    std::optional<UpAxis> up;  ///< the same; GLB always has y up
    /// Frames per second; those between recorded ones are blended linearly; 0 = every frame as it is.
    double frame_rate = 0.0;

    // GLB plays the run by morph targets.
    std::size_t targets = 0;  ///< at most so many; 0 = as many as 0.1 % of the largest displacement needs, up to 32
    bool target_per_frame = false;  ///< every frame a target of its own: exact and large
    bool positive_weights = false;  ///< weights in [0, 1], for Blender: a target for each sign
    /// Not owned; when it wants to stop, Error{interrupted} is thrown and nothing is written.
    Progress* progress = nullptr;
};

/// `remarks` of the result tell what was approximated and by how much, and which vertices lie outside the body.
/// Throws Error{bad_usage | bad_file | bad_mesh | unsupported | interrupted}; files appear complete or not at all.
SeriesWritten write_surface_series(const Recording& recording, const SurfaceSeriesTarget& target);

}  // namespace limber
