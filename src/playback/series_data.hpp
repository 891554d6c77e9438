// SeriesData: the frames of a file as it has them (its own unit, axes and points), before they are put on a body.
#pragma once

#include <limber/mesh.hpp>
#include <limber/tools/series.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

struct SeriesData {
    std::size_t points = 0;
    std::vector<std::vector<Vec3>> frames;      ///< positions, or displacements; all finite, `points` each
    bool displaced = false;                     ///< the frames are displacements
    std::vector<std::vector<Vec3>> velocities;  ///< as many as frames, or none
    std::vector<double> times;                  ///< as many as frames, or none [s]
    bool single_times = false;                  ///< the times have 32 bits
    double spacing = 1.0;                       ///< PC2: frames from one sample to the next
    std::vector<Vec3> rest;                     ///< empty: not in the file
    std::optional<Mesh> mesh;  ///< the file's cells, on as many vertices as points (their places are those of `rest`)
    std::vector<Energies> energies;  ///< as many as frames, or none [J]
    std::vector<double> step_ms;     ///< as many as frames, or none
    double prepare_ms = 0.0, prepared_bytes = 0.0;
    std::vector<std::string> remarks;
};

SeriesData load_npz_series(std::string_view bytes, const std::string& name, const SeriesArrays& arrays);
std::vector<Vec3> load_npz_points(std::string_view bytes, const std::string& name,
                                  const SeriesArrays& arrays);                 ///< `rest`, or the first positions
SeriesData load_point_cache(std::string_view bytes, const std::string& name);  ///< PC2 or MDD, by the ending of `name`
/// .pvd, one .vtu, or numbered ones ("frame_*.vtu").
SeriesData load_vtu_series(const std::string& path);

/// The points of any file that has some, for SeriesSource::rest: a mesh, a surface, the first frame of a cache, an
/// npz's `rest`.
std::vector<Vec3> load_points(const std::string& path, const SeriesArrays& arrays);

}  // namespace limber
