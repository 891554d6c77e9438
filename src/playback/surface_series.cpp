#include <limber/tools/surface_series.hpp>

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/atomic_folder.hpp"
#include "io/files/written_by.hpp"
#include "io/gltf/gltf_write.hpp"
#include "io/points/point_cache.hpp"
#include "playback/series_data.hpp"
#include "playback/series_resample.hpp"
#include "playback/shown_rig.hpp"
#include "playback/shown_surface.hpp"

#include <limber/tools/doctor.hpp>
#include <limber/tools/mesh_io.hpp>

#include <algorithm>
#include <filesystem>

namespace limber {

const char* to_string(SurfaceSeriesFormat format) {
    switch (format) {
        case SurfaceSeriesFormat::obj: return "obj";
        case SurfaceSeriesFormat::ply: return "ply";
        case SurfaceSeriesFormat::stl: return "stl";
        case SurfaceSeriesFormat::glb: return "glb";
        case SurfaceSeriesFormat::pc2: return "pc2";
        case SurfaceSeriesFormat::mdd: return "mdd";
    }
    return "?";
}

namespace {
using Format = SurfaceSeriesFormat;
namespace fs = std::filesystem;

/// The shape at one time, blended from the frames around it.
Resampled at_time(const Recording& r, double time, const InputLocation& place) {
    const std::vector<Frame>& frames = r.frames;
    const double slack = 1e-9 * std::max(1.0, std::abs(frames.back().time));
    if (!(time >= frames.front().time - slack && time <= frames.back().time + slack)) {
        throw Error(
            Fault::bad_usage, place, text("the time ", time, " s"),
            text("one between the first frame, ", frames.front().time, " s, and the last, ", frames.back().time, " s"));
    }
    const FrameMix mix = frames_at(r, time);
    return {{blended(r, mix)}, {time}, 0.0, mix.part > 0.0 ? std::size_t{1} : 0};
}

class SurfaceSeriesWriter {
public:
    SurfaceSeriesWriter(const Recording& r, const SurfaceSeriesTarget& target) : r_(r), target_(target) {}

    SeriesWritten write() {
        check();
        report_progress(0.0);
        const bool even = target_.format == Format::pc2;
        samples_ = target_.time ? at_time(r_, *target_.time, place()) : resample(r_, target_.frame_rate, even, place());
        const ShownSurface shown(r_, target_);
        if (target_.format != Format::glb)
            axes_ = FileAxes(target_.unit.value_or(shown.axes().unit()), target_.up.value_or(shown.axes().up()));
        out_.vertices = shown.surface().vertices.size();
        out_.remarks = shown.remarks();
        if (shown.of_file() && !cache()) remark_faces(shown);
        out_.path = target_.path;
        out_.axes = axes_;
        out_.frames = samples_.times.size();
        out_.frame_rate = samples_.frame_rate;
        if (samples_.blended > 0) {
            out_.remarks.push_back(text(samples_.blended, " of ", counted(out_.frames, "frame"),
                                        samples_.blended == 1 ? " is" : " are",
                                        " blended linearly from the recorded ones"));
        }
        if (target_.format == Format::glb)
            write_model(shown);
        else if (target_.format == Format::pc2 || target_.format == Format::mdd)
            write_cache(shown);
        else
            write_files(shown);
        return std::move(out_);
    }

private:
    InputLocation place() const { return {target_.path, 0, {}}; }
    std::string about() const { return text("scene ", r_.scene, " ", fmt::format("{:#018x}", r_.scene_hash)); }
    bool cache() const { return target_.format == Format::pc2 || target_.format == Format::mdd; }

    void check() const {
        if (!r_.body || r_.frames.empty())
            throw Error(Fault::bad_usage, place(), "not written: a recording without frames", "one or more");
        for (const Frame& f : r_.frames) {
            if (f.displacement.size() != r_.body->vertex_count()) {
                throw Error(
                    Fault::bad_usage, place(),
                    text("not written: the frame at ", f.time, " s has ", f.displacement.size(), " displacements"),
                    text(r_.body->vertex_count()));
            }
        }
        if (target_.time && target_.frame_rate > 0)
            throw Error(Fault::bad_usage, place(), "both a time and a frame rate", "one of them");
        if (target_.time && cache()) {
            throw Error(Fault::bad_usage, place(), text("one time for ", to_string(target_.format)),
                        "all frames: it is a series");
        }
        const bool other = (target_.unit && *target_.unit != LengthUnit::m) || (target_.up && *target_.up != UpAxis::y);
        if (target_.format == Format::glb && other)
            throw Error(Fault::bad_usage, place(), "another unit or axis for glb", "metres and y up, as glTF demands");
    }

    void report_progress(double fraction) const {
        if (target_.progress == nullptr) return;
        if (target_.progress->stop_requested())
            throw Error(Fault::interrupted, place(), "interrupted; nothing was written");
        target_.progress->update(fraction, "writing");
    }

    /// Solids are made of surfaces however dirty, so a run says nothing of what is wrong with the one that is shown.
    void remark_faces(const ShownSurface& shown) {
        RepairReport report;
        repair(shown.surface(), report);
        std::string faults;
        if (report.turned_faces > 0) faults = text(counted(report.turned_faces, "face"), " turned the wrong way");
        if (report.repeated_faces > 0) {
            faults += text(faults.empty() ? "" : " and ", counted(report.repeated_faces, "face"), " given before");
        }
        if (faults.empty()) return;
        const std::string& file = shown.painted().file.empty() ? shown.name() : shown.painted().file;
        out_.remarks.push_back(text(file, " has ", faults, ", which are written as they are and look torn: mend it (",
                                    "limber mesh doctor ", file, " --fix -o MENDED) and use that instead"));
    }

    std::vector<Vec3> moved(const ShownSurface& shown, std::size_t sample) const {
        std::vector<Vec3> out(shown.surface().vertices.size());
        shown.displacements(samples_.displacements[sample], out);
        return out;
    }

    void write_model(const ShownSurface& shown) {
        Rig rig = shown_rig(shown, samples_, target_, shown.name(), out_.remarks);
        write_glb(target_.path, rig, about());
    }

    void write_cache(const ShownSurface& shown) {
        PointCache cache;
        cache.points = shown.surface().vertices.size();
        for (std::size_t s = 0; s < samples_.times.size(); ++s) {
            report_progress(static_cast<double>(s) / static_cast<double>(samples_.times.size()));
            cache.frames.push_back(shown.in_file(moved(shown, s), axes_));
        }
        cache.times = samples_.times;
        const bool pc2 = target_.format == Format::pc2;
        if (pc2 && out_.frame_rate > 0)
            out_.remarks.push_back(text("PC2 has no seconds: play it at ", out_.frame_rate, " frames per second"));
        out_.remarks.push_back("coordinates have 32 bits, about seven digits");
        write_file(target_.path, pc2 ? format_pc2(cache, target_.path) : format_mdd(cache, target_.path));
    }

    void write_sample(const std::string& path, const ShownSurface& shown, std::size_t sample) const {
        const std::vector<Vec3> displacement = moved(shown, sample);
        std::vector<Vec3> positions = shown.in_file(displacement, axes_);
        if (target_.format == Format::obj && shown.obj()) {
            return write_file(path, rewrite_obj(*shown.obj(), positions, shown.obj_normals(displacement, axes_),
                                                written_by(text("moved to t = ", samples_.times[sample], " s of ",
                                                                about(), "; ", to_string(axes_)))));
        }
        Surface surface = shown.surface();
        surface.vertices = std::move(positions);
        write_surface(path, surface,
                      target_.format == Format::obj   ? MeshFormat::obj
                      : target_.format == Format::ply ? MeshFormat::ply
                                                      : MeshFormat::stl,
                      text("t = ", samples_.times[sample], " s of ", about(), "; ", to_string(axes_)));
    }

    void write_files(const ShownSurface& shown) {
        if (shown.obj() && target_.format == Format::obj) {
            for (const std::string& library : shown.obj()->libraries)
                out_.remarks.push_back(text("the files name the materials of ", library, ": keep a copy beside them"));
        }
        if ((!shown.obj() || target_.format != Format::obj) &&
            (!shown.painted().uvs.empty() || !shown.painted().looks.empty())) {
            out_.remarks.push_back(
                text("texture coordinates and materials stay behind: ", to_string(target_.format),
                     " files hold vertices and faces here (glb keeps them, and obj those of an obj)"));
        }
        if (target_.time) return write_sample(target_.path, shown, 0);
        const std::string ending = text(".", to_string(target_.format));
        AtomicFolder folder(target_.path, std::string("limber export"));
        for (std::size_t s = 0; s < samples_.times.size(); ++s) {
            report_progress(static_cast<double>(s) / static_cast<double>(samples_.times.size()));
            write_sample(folder.file(fmt::format("frame_{:06}{}", s, ending)), shown, s);
        }
        folder.commit();
        if (out_.frame_rate > 0) out_.remarks.push_back(text("play them at ", out_.frame_rate, " frames per second"));
    }

    const Recording& r_;
    const SurfaceSeriesTarget& target_;
    FileAxes axes_{LengthUnit::m, UpAxis::y};  ///< of what is written
    Resampled samples_;
    SeriesWritten out_;
};
}  // namespace

SeriesWritten write_surface_series(const Recording& recording, const SurfaceSeriesTarget& target) {
    return SurfaceSeriesWriter(recording, target).write();
}

}  // namespace limber
