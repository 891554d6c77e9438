// Recording: the frames of one run, with the rest mesh and the provenance. Read back up to the last whole frame.
#pragma once

#include <limber/body.hpp>
#include <limber/deformer.hpp>
#include <limber/tools/file_axes.hpp>

#include <map>
#include <string>
#include <vector>

namespace limber {

struct PaintedSurface;

struct Frame {
    double time = 0.0;               ///< [s]
    std::vector<Vec3> displacement;  ///< per body vertex [m]
    std::vector<Vec3> velocity;      ///< per body vertex [m/s]
    /// Cauchy stress per body cell, world axes, as the method computes it [Pa]; empty = not recorded.
    std::vector<SymMat3> stress;
    std::vector<Obstacle> obstacles;  ///< where they are at that time; Recording::obstacle_count of them
    Energies energies;
    std::vector<Wrench> reactions;  ///< anchors first, then handles, in body order, then obstacles
    StepReport report;              ///< of the step that made it
    double step_ms = 0.0;           ///< cost of that step, wall clock (not part of equality: noisy)
};

struct Recording {
    std::string file;   ///< read from; "" = made in memory
    std::string scene;  ///< name or path
    std::uint64_t scene_hash = 0;
    std::string method;
    std::string provenance;  ///< JSON text
    double step = 0.0;       ///< [s]
    double prepare_ms = 0.0;
    std::size_t prepared_bytes = 0;
    std::shared_ptr<const Body> body;  ///< rest mesh, materials, anchors
    /// Of the file the body came from; here everything is in metres, y up, all the same.
    LengthUnit unit = LengthUnit::m;
    /// Of that file; what is written for other programs goes back to both unless told otherwise.
    UpAxis up = UpAxis::y;
    /// What the body is shown by (painted_surface.hpp); nullptr = its own boundary.
    std::shared_ptr<const PaintedSurface> shown;
    std::size_t obstacle_count = 0;  ///< obstacles in every frame
    std::vector<Frame> frames;
    bool cut_short = false;  ///< the file ended in the middle of a frame, or the run was interrupted
    // Series of other programs may lack these (series.hpp); measures that need them refuse.
    bool has_energies = true;  ///< false: energies are zero because they are not known
    bool has_velocity = true;  ///< false: velocities are differences of frames
    bool has_stress = false;   ///< true: every frame has the stress of each cell
    /// True: frames tell linearisations and solver of their steps (nonlinear methods).
    bool has_linearisations = false;
    bool has_cost = true;  ///< false: step_ms, prepare_ms and prepared_bytes are zero because they are not known
    std::vector<std::string> remarks;  ///< what a reader assumed, one line each
};

/// Writes the whole recording ("limber recording", docs/formats.md); the file appears complete or not at all.
void write_recording(const std::string& path, const Recording& recording);
/// Reads up to the last whole frame and says so in cut_short. Throws Error{bad_file | bad_data}.
Recording read_recording(const std::string& path);

/// Writes frame by frame while a run goes on, under a temporary name (PATH.PROCESS-NUMBER.tmp) until close(). What a
/// killed run leaves under that name reads as cut short.
class RecordingWriter {
public:
    RecordingWriter(const std::string& path, const Recording& head);
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter&) = delete;
    RecordingWriter& operator=(const RecordingWriter&) = delete;
    void add(const Frame& frame);
    /// Marks the file as complete, or as `cut_short` when the run was, and puts it in its place. Without it, or when it
    /// throws, there is no file.
    void close(bool cut_short = false);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace limber
