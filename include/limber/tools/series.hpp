// Series: frames of moving points as other programs write and read them (VTU/PVD, PC2, MDD, npz). Conventions:
// docs/formats.md.
#pragma once

#include <limber/progress.hpp>
#include <limber/tools/recording.hpp>
#include <limber/tools/scene.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber {

/// How the points of a series find the vertices of a body.
enum class SeriesMatch : std::uint8_t {
    automatic,  ///< by index where the rest shapes agree or none is known, then by rest position, then on the file's
                ///< own mesh
    by_index,   ///< point i is vertex i: the counts must be equal
    by_rest_position,  ///< each vertex takes the point that rests within 1e-6 of the body's diagonal; other points are
                       ///< left out
};
const char* to_string(SeriesMatch match);

/// Names of arrays in an npz file; "" = the documented ones (docs/formats.md).
struct SeriesArrays {
    std::string positions;      ///< [frames, vertices, 3 or 2]
    std::string displacements;  ///< the same shape; used instead of positions where both are there
    std::string velocities;     ///< the same shape
    std::string times;          ///< [frames], in seconds
    std::string rest;           ///< [vertices, 3 or 2]
};

/// A file of frames and what it does not say itself.
struct SeriesSource {
    std::string path;  ///< .limber .pvd .vtu .pc2 .mdd .npz; a '*' in the name of a .vtu stands for numbers
    SeriesMatch match = SeriesMatch::automatic;
    LengthUnit unit = LengthUnit::m;  ///< of the file's lengths
    UpAxis up = UpAxis::y;            ///< of the file
    /// Frames per second; 0 = the times in the file. Needed where it has none (PC2, '*', npz without times).
    double frame_rate = 0.0;
    double start_time = 0.0;   ///< of the first frame, where frame_rate makes the times [s]
    SeriesArrays arrays = {};  ///< npz only
    std::string rest = {};     ///< file whose points are the rest shape, in the same unit and axes; "" = see below
    /// Where it is false and the file has no rest shape either, the body's own is taken.
    bool first_frame_is_rest = false;
};

/// The series as a recording on `body`'s vertices; or, when it is on another mesh and the file has cells, on a body
/// made of that mesh and `body`'s materials. Velocities that the file lacks are differences of frames, energies and
/// costs zero: has_velocity, has_energies and has_cost say so, and `remarks` tells everything that was assumed. A
/// .limber file is read as it is. Throws Error{bad_file | bad_data | bad_mesh | bad_usage | unsupported} that names the
/// frame, point or byte.
Recording read_series(const SeriesSource& source, std::shared_ptr<const Body> body);

enum class SeriesFormat : std::uint8_t { npz, pc2, mdd, vtu };
const char* to_string(SeriesFormat format);

/// Where and how to write a recording for other programs.
struct SeriesTarget {
    std::string path;  ///< vtu: a folder, or a .pvd with the files beside it
    SeriesFormat format = SeriesFormat::npz;
    std::optional<LengthUnit> unit = {};  ///< of positions, displacements and velocities; energies, forces and torques
                                          ///< stay in SI. Not given: the recording's
    std::optional<UpAxis> up = {};        ///< of all vectors; not given: the recording's
    /// PC2 and MDD: frames between the recorded ones are blended linearly; 0 = every frame as it is.
    double frame_rate = 0.0;
    /// Not owned; when it wants to stop, Error{interrupted} is thrown and nothing is written.
    Progress* progress = nullptr;
};

/// What write_series made, for those who tell the user.
struct SeriesWritten {
    std::string path;  ///< the file to open
    std::size_t frames = 0;
    double frame_rate = 0.0;                  ///< 0 = the times are in the file
    std::size_t vertices = 0;                 ///< that each frame has
    std::vector<std::string> remarks;         ///< what the format cannot hold, what was blended
    FileAxes axes{LengthUnit::m, UpAxis::y};  ///< of what is written
};

/// Throws Error{bad_usage | bad_file | unsupported | interrupted}; files appear complete or not at all.
SeriesWritten write_series(const Recording& recording, const SeriesTarget& target);

}  // namespace limber
