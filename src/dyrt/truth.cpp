// A part against finite elements with all their unknowns, under the same bone.
#include "dyrt/oscillators.hpp"
#include "dyrt/part_system.hpp"

#include "core/text.hpp"
#include "geometry/cell_topology.hpp"

#include <limber/error.hpp>
#include <limber/method.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

/// What the bone's motion does to every vertex.
class InertiaForces {
public:
    InertiaForces(const Body& body, const DyrtPart& part, Progress& progress)
        : made_(assemble_part(part.flesh, part.material, part.quadratic, progress)),
          loads_(kDyrtDrives),
          force_(body.vertex_count()),
          field_(made_.system.size()),
          heavy_(field_.size()) {
        const std::vector<double> flat = drive_loads(made_, part.flesh.bind_origin);
        for (std::size_t c = 0; c < kDyrtDrives; ++c) {
            for (std::size_t v = 0; v < body.vertex_count(); ++v) {
                const double* f = flat.data() + (c * body.vertex_count() + v) * 3;
                loads_[c].push_back(Vec3{f[0], f[1], f[2]} * part.amount);
            }
        }
    }
    std::span<const Vec3> under(const DyrtDrive& drive) {
        std::fill(force_.begin(), force_.end(), Vec3{});
        for (std::size_t c = 0; c < kDyrtDrives; ++c)
            for (std::size_t v = 0; drive[c] != 0.0 && v < force_.size(); ++v) force_[v] += loads_[c][v] * drive[c];
        return force_;
    }
    /// -2 M (spin x velocity).
    void coriolis(const Vec3& spin, std::span<const Vec3> velocity, std::span<Vec3> out) {
        for (std::size_t v = 0; v < velocity.size(); ++v) {
            const Vec3 a = cross(spin, velocity[v]) * -2.0;
            for (int i = 0; i < 3; ++i) field_[3 * v + static_cast<std::size_t>(i)] = a[i];
        }
        inertia(made_.system, field_.data(), heavy_.data());
        for (std::size_t v = 0; v < out.size(); ++v) out[v] = {heavy_[3 * v], heavy_[3 * v + 1], heavy_[3 * v + 2]};
    }

private:
    PartSystem made_;                       ///< products with M are all that is needed of it
    std::vector<std::vector<Vec3>> loads_;  ///< per drive, per vertex
    std::vector<Vec3> force_;
    std::vector<double> field_, heavy_;
};

/// The bone over a clip, at any time; a looped one goes on as it began.
class BoneClip {
public:
    BoneClip(const Rig& rig, const DyrtPart& part, std::size_t clip, bool looped, double dt,
             const BakeSettings& settings)
        : rig_(rig), part_(part), clip_(clip), looped_(looped), dt_(dt), settings_(settings) {
        settings_.centripetal = true;  // it is there, whatever the part was told
    }
    struct At {
        DyrtDrive drive;
        Vec3 spin;
    };
    /// The mean over half a step on both sides, so that jumps of velocity at keys count.
    At at(double t) const {
        const double duration = rig_.clips[clip_].duration, half = 0.5 * dt_;
        const bool starts = t<half, ends = t> duration - half;
        if (looped_ &&
            (starts || ends)) {  // half of it before the seam, half after: the bone may be turned otherwise there
            const At before = over(bone(duration - half), repeating(bone(0.0), bone(duration)), half),
                     after = over(bone(0.0), bone(half), half);
            At out;
            for (std::size_t c = 0; c < kDyrtDrives; ++c) out.drive[c] = 0.5 * (before.drive[c] + after.drive[c]);
            out.spin = (before.spin + after.spin) * 0.5;
            return out;
        }
        const double from = std::max(0.0, t - half), to = std::min(duration, t + half);
        return over(bone(from), bone(to), to - from);
    }

private:
    BoneMotion bone(double t) const { return bone_motion_at(part_.flesh, pose_at(rig_, clip_, t)); }
    At over(const BoneMotion& from, const BoneMotion& to, double time) const {
        return {mean_drive(from, to, time, settings_), mean_spin(from, to)};
    }

    const Rig& rig_;
    const DyrtPart& part_;
    std::size_t clip_;
    bool looped_;
    double dt_;
    BakeSettings settings_;
};

double length_of(std::span<const Vec3> v) {
    double sum = 0.0;
    for (const Vec3& x : v) sum += norm2(x);
    return std::sqrt(sum);
}

/// Finite elements with all unknowns in the bone's frame. linear_fem takes forces that are known; Coriolis's depends on
/// the velocities that it leads to, so each step is taken again until both agree.
class PartReference {
public:
    PartReference(const DyrtPart& part, const BoneClip& bone, double dt, Progress& progress)
        : part_(part),
          bone_(bone),
          dt_(dt),
          body_(part_body(part.flesh, part.material, part.quadratic)),
          fem_(require_method("linear_fem").prepare(body_, {{"step", dt}}, progress)),
          forces_(*body_, part, progress),
          state_(fem_->rest_state()),
          scratch_(fem_->make_workspace()),
          velocity_(body_->vertex_count()),
          turned_(velocity_.size()),
          before_(velocity_.size()),
          all_(velocity_.size()) {}
    const Body& body() const { return *body_; }
    void start(std::span<const Vec3> displacement, std::span<const Vec3> velocity) {
        fem_->set_motion(state_, displacement, velocity);
        const BoneClip::At now = bone_.at(0.0);
        forces_.coriolis(now.spin, velocity, turned_);
        before_ = turned_;
        fem_->start(state_, loads(forces_.under(now.drive)), scratch_);
    }
    void step(double t) {
        const BoneClip::At now = bone_.at(t);
        const std::span<const Vec3> pushed = forces_.under(now.drive);
        const State old = state_;
        const std::vector<Vec3> last = turned_;
        for (std::size_t v = 0; v < turned_.size(); ++v) turned_[v] = last[v] * 2.0 - before_[v];
        before_ = last;
        for (int pass = 0; pass < kMostPasses; ++pass) {
            state_ = old;
            const StepReport report = fem_->step(state_, loads(pushed), dt_, scratch_);
            if (report.trouble != Trouble::none) {
                throw Error(Fault::bad_mesh, {part_.name(), 0, {}},
                            text("finite elements in trouble: ", to_string(report.trouble)), "a body they can step");
            }
            fem_->velocities(state_, velocity_);
            const std::vector<Vec3> guess = turned_;
            forces_.coriolis(now.spin, velocity_, turned_);
            for (std::size_t v = 0; v < guess.size(); ++v) all_[v] = turned_[v] - guess[v];
            if (length_of(all_) <= kAgree * (length_of(pushed) + length_of(turned_))) return;
        }
        throw Error(Fault::bad_usage, {part_.name(), 0, {}},
                    text("a bone that turns by ", norm(now.spin) * dt_,
                         " rad in a step of the comparison with finite elements"),
                    "less than 1 rad, or --no-error");
    }
    void displacements(std::span<Vec3> out) const { fem_->displacements(state_, out); }

private:
    static constexpr int kMostPasses = 30;
    static constexpr double kAgree =
        1e-4;  // of all forces; a pass brings them nearer by the angle that the bone turns in a step

    Loads loads(std::span<const Vec3> pushed) {
        for (std::size_t v = 0; v < pushed.size(); ++v) all_[v] = pushed[v] + turned_[v];
        Loads out;
        out.force = all_;
        return out;
    }

    const DyrtPart& part_;
    const BoneClip& bone_;
    double dt_;
    std::shared_ptr<const Body> body_;
    std::shared_ptr<const Deformer> fem_;
    InertiaForces forces_;
    State state_;
    Workspace scratch_;
    std::vector<Vec3> velocity_, turned_, before_, all_;  ///< per vertex; Coriolis's force of this and of the last step
};

/// What was compared with, in words.
std::string reference_words(const DyrtPart& part, double dt) {
    std::string damping;
    if (part.damping_ratio >= 0.0) {
        damping = text(", Rayleigh damping of ratio ", part.damping_ratio, " at ",
                       std::round(part.omega[0] / (0.02 * std::numbers::pi)) / 100.0, " and ",
                       std::round(part.omega[part.modes - 1] / (0.02 * std::numbers::pi)) / 100.0, " Hz");
    }
    return text("linear_fem in the bone's frame with all its inertia forces (", part.quadratic ? "tet10" : "tet4", ", ",
                part.unknowns, " unknowns, Newmark, steps of ", std::round(1e5 * dt) / 100.0, " ms", damping, ")");
}

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
    for (std::size_t c = 0; mesh.kind == CellKind::tet10 && c < mesh.cell_count(); ++c) {
        for (std::size_t e = 0; e < 6; ++e) {
            out[static_cast<std::size_t>(mesh.cell(c)[4 + e])] =
                (out[static_cast<std::size_t>(mesh.cell(c)[kTetEdges[e][0]])] +
                 out[static_cast<std::size_t>(mesh.cell(c)[kTetEdges[e][1]])]) *
                0.5;
        }
    }
    return out;
}

class Comparison {
public:
    explicit Comparison(const DyrtPart& part) : part_(part), shapes_(part.count()), wrong_(part.modes, 0.0) {
        for (std::size_t k = 0; k < part.count(); ++k)
            on_skin(part.flesh, part.shapes.data() + k * part.flesh.mesh.vertices.size(), shapes_[k]);
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
    std::vector<std::vector<Vec3>> shapes_;  ///< per oscillator, per skin vertex
    std::vector<double> wrong_;              ///< with the first k + 1 modes: squares
    std::vector<Vec3> skin_;
    double all_ = 0.0, size_ = 0.0, largest_ = 0.0, most_ = 0.0;
};

}  // namespace

DyrtError error_of(const Rig& rig, const DyrtPart& part, std::size_t clip, const BakeSettings& settings,
                   Progress& progress) {
    const DyrtTrack track = bake_clip(rig, part, clip, settings);
    const auto [frames, per_frame, dt] = sampling_of(rig.clips[clip].duration, settings);
    const std::size_t steps = frames * per_frame, rounds = track.looped ? 2 : 1;
    DyrtError out;
    out.steps = steps * rounds;
    out.reference = reference_words(part, dt);
    const BoneClip bone(rig, part, clip, track.looped, dt, settings);
    PartReference fem(part, bone, dt, progress);
    fem.start(flesh_field(part, track.amplitudes.data(), fem.body()),
              flesh_field(part, track.rates.data(), fem.body()));
    Comparison comparison(part);
    std::vector<Vec3> u(fem.body().vertex_count());
    for (std::size_t i = 1; i <= out.steps; ++i) {
        if (progress.stop_requested()) throw Error(Fault::interrupted, {part.name(), 0, {}}, "interrupted", "");
        const std::size_t now = (i - 1) % steps + 1;
        fem.step(dt * static_cast<double>(now));
        if (i <= (rounds - 1) * steps || i % per_frame != 0) continue;
        fem.displacements(u);
        comparison.add(u, track.amplitudes.data() + now / per_frame * part.count());
        progress.update(static_cast<double>(i) / static_cast<double>(out.steps), "comparing");
    }
    comparison.finish(out);
    return out;
}

}  // namespace limber
