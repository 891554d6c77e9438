// A part against finite elements with all their unknowns, under the same bone.
#include "dyrt/part_system.hpp"

#include "core/text.hpp"
#include "geometry/cell_topology.hpp"

#include <limber/error.hpp>
#include <limber/method.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

/// The force of a drive on every vertex.
class DriveForce {
public:
    DriveForce(const Body& body, const DyrtPart& part, Progress& progress) : loads_(kDyrtDrives), force_(body.vertex_count()) {
        const PartSystem made = assemble_part(part.flesh, part.material, part.quadratic, progress);     // a product with M is all it needs
        const std::vector<double> flat = drive_loads(made, part.flesh.bind_origin);
        for (std::size_t c = 0; c < kDyrtDrives; ++c)
            for (std::size_t v = 0; v < body.vertex_count(); ++v) {
                const double* f = flat.data() + (c * body.vertex_count() + v) * 3;
                loads_[c].push_back(Vec3{f[0], f[1], f[2]} * part.amount);
            }
    }
    std::span<const Vec3> under(const DyrtDrive& drive) {
        std::fill(force_.begin(), force_.end(), Vec3{});
        for (std::size_t c = 0; c < kDyrtDrives; ++c)
            for (std::size_t v = 0; drive[c] != 0.0 && v < force_.size(); ++v) force_[v] += loads_[c][v] * drive[c];
        return force_;
    }

private:
    std::vector<std::vector<Vec3>> loads_;      ///< per drive, per vertex
    std::vector<Vec3> force_;
};

/// What a displacement of the flesh is on the skin, in the bind pose.
void on_skin(const FleshPart& flesh, const Vec3* u, std::vector<Vec3>& out) {
    out.resize(flesh.skin.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const FleshSkinVertex& s = flesh.skin[i];
        Vec3 sum;
        for (std::size_t k = 0; k < 4; ++k) sum += u[s.corner[k]] * s.weight[k];
        out[i] = sum * s.blend;
    }
}

/// Amplitudes as a displacement (or velocity) of every vertex of the body.
std::vector<Vec3> flesh_field(const DyrtPart& part, const double* amplitudes, const Body& body) {
    const std::size_t n = part.flesh.mesh.vertices.size();
    std::vector<Vec3> out(body.vertex_count());
    for (std::size_t k = 0; k < part.count(); ++k)
        for (std::size_t v = 0; v < n; ++v) out[v] += part.shapes[k * n + v] * amplitudes[k];
    const Mesh& mesh = body.mesh();
    for (std::size_t c = 0; mesh.kind == CellKind::tet10 && c < mesh.cell_count(); ++c)
        for (std::size_t e = 0; e < 6; ++e)
            out[static_cast<std::size_t>(mesh.cell(c)[4 + e])] = (out[static_cast<std::size_t>(mesh.cell(c)[kTetEdges[e][0]])] + out[static_cast<std::size_t>(mesh.cell(c)[kTetEdges[e][1]])]) * 0.5;
    return out;
}

class Comparison {
public:
    explicit Comparison(const DyrtPart& part) : part_(part), shapes_(part.count()), wrong_(part.modes, 0.0) {
        for (std::size_t k = 0; k < part.count(); ++k) on_skin(part.flesh, part.shapes.data() + k * part.flesh.mesh.vertices.size(), shapes_[k]);
    }
    void add(std::span<const Vec3> truth, const double* amplitudes) {
        on_skin(part_.flesh, truth.data(), skin_);
        for (std::size_t i = 0; i < skin_.size(); ++i) {
            Vec3 u;
            for (std::size_t k = 0; k < part_.count(); ++k) {
                u += shapes_[k][i] * amplitudes[k];
                if (k < part_.modes) wrong_[k] += norm2(u - skin_[i]);
            }
            all_ += norm2(u - skin_[i]);
            size_ += norm2(skin_[i]);
            largest_ = std::max(largest_, norm(u - skin_[i]));
            most_ = std::max(most_, norm(skin_[i]));
        }
    }
    void finish(DyrtError& out) const {
        const auto share = [&](double square) { return size_ > 0.0 ? std::sqrt(square / size_) : 0.0; };
        out.relative_l2 = share(all_);
        out.largest = largest_;
        out.most = most_;
        for (const double w : wrong_) out.by_modes.push_back(share(w));
    }

private:
    const DyrtPart& part_;
    std::vector<std::vector<Vec3>> shapes_;     ///< per oscillator, per skin vertex
    std::vector<double> wrong_;                 ///< with the first k + 1 modes: squares
    std::vector<Vec3> skin_;
    double all_ = 0.0, size_ = 0.0, largest_ = 0.0, most_ = 0.0;
};

}  // namespace

DyrtError error_of(const Rig& rig, const DyrtPart& part, std::size_t clip, const BakeSettings& settings, Progress& progress) {
    const DyrtTrack track = bake_clip(rig, part, clip, settings);
    const double duration = rig.clips[clip].duration;
    const BakeSampling sampling = sampling_of(duration, settings);
    const std::size_t frames = sampling.frames, per_frame = sampling.per_frame, rounds = track.looped ? 2 : 1;
    const double dt = sampling.dt;
    DyrtError out;
    out.steps = frames * per_frame * rounds;
    const auto body = part_body(part.flesh, part.material, part.quadratic);
    const auto fem = require_method("linear_fem").prepare(body, {{"step", dt}}, progress);
    out.reference = text("linear_fem in the bone's frame (", part.quadratic ? "tet10" : "tet4", ", ", part.unknowns, " unknowns, Newmark, steps of ", std::round(1e5 * dt) / 100.0, " ms)");
    DriveForce force(*body, part, progress);
    // The drive at a step's end: the mean over half a step on both sides, so that jumps of velocity at keys count.
    const auto frame = [&](double t) { return frame_at(part.flesh, pose_at(rig, clip, track.looped ? t - duration * std::floor(t / duration) : t)); };
    const auto drive = [&](double t) {
        const double from = track.looped ? t - 0.5 * dt : std::max(0.0, t - 0.5 * dt), to = track.looped ? t + 0.5 * dt : std::min(duration, t + 0.5 * dt);
        return mean_drive(frame(from), frame(to), to - from, settings);
    };
    State state = fem->rest_state();
    Workspace scratch = fem->make_workspace();
    fem->set_motion(state, flesh_field(part, track.amplitudes.data(), *body), flesh_field(part, track.rates.data(), *body));
    Loads loads;
    loads.force = force.under(drive(0.0));
    fem->start(state, loads, scratch);
    Comparison comparison(part);
    std::vector<Vec3> u(body->vertex_count());
    for (std::size_t i = 1; i <= out.steps; ++i) {
        if (progress.stop_requested()) throw Error(Fault::interrupted, {part.name(), 0, {}}, "interrupted", "");
        const std::size_t now = (i - 1) % (frames * per_frame) + 1;
        loads.force = force.under(drive(dt * static_cast<double>(now)));
        const StepReport report = fem->step(state, loads, dt, scratch);
        if (report.trouble != Trouble::none) throw Error(Fault::bad_mesh, {part.name(), 0, {}}, text("finite elements in trouble: ", to_string(report.trouble)), "a body they can step");
        if (i <= (rounds - 1) * frames * per_frame || i % per_frame != 0) continue;
        fem->displacements(state, u);
        comparison.add(u, track.amplitudes.data() + now / per_frame * part.count());
        progress.update(static_cast<double>(i) / static_cast<double>(out.steps), "comparing");
    }
    comparison.finish(out);
    return out;
}

}  // namespace limber
