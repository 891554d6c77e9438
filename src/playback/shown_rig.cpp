#include "playback/shown_rig.hpp"

#include "core/text.hpp"
#include "playback/principal_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace limber {

namespace {
using Field = std::vector<Vec3>;
constexpr std::size_t kMostAutomatic = 32, kMostTargets = 1000, kGuaranteed = 4;
constexpr double kTolerance = 1e-3;  // of the largest displacement

std::size_t rig_index(std::int32_t i) { return static_cast<std::size_t>(i); }

struct PartPlan {
    std::vector<CornerSource> sources;
    SkinPart part;
};

using Targets = ShownTargets;

class RigBuilder {
public:
    RigBuilder(const ShownSurface& shown, const Resampled& samples, const SurfaceSeriesTarget& target,
               std::vector<std::string>& remarks)
        : shown_(shown),
          samples_(samples),
          target_(target),
          remarks_(remarks),
          still_(shown.surface().vertices.size()),
          rest_normals_(shown.normals(still_)) {}

    Rig build(const std::string& name) {
        if (shown_.rig())
            return model_with_targets(shown_, target_.target_per_frame ? frame_targets() : principal_targets(),
                                      clip_times());
        rig_.joints.push_back({name, -1, {}});
        rig_.materials = shown_.painted().looks;
        rig_.pictures = shown_.painted().pictures;
        rig_.kept = shown_.painted().kept;
        const Targets targets = target_.target_per_frame ? frame_targets() : principal_targets();
        for (PartPlan& plan : plan_parts()) {
            fill(plan, targets);
            plan.part.name = name;
            if (plan.part.material < 0) plan.part.material = add_plain_look();
            rig_.parts.push_back(std::move(plan.part));
        }
        if (!targets.positions.empty()) add_clip(targets);
        rig_.source = shown_.painted().file;
        return std::move(rig_);
    }

private:
    std::int32_t add_plain_look() {
        rig_.materials.push_back(plain_look());
        return static_cast<std::int32_t>(rig_.materials.size() - 1);
    }
    Field moved(std::size_t sample) const {
        Field out(still_.size());
        shown_.displacements(samples_.displacements[sample], out);
        return out;
    }
    Field normal_change(std::size_t sample) const {
        Field out = shown_.normals(moved(sample));
        for (std::size_t n = 0; n < out.size(); ++n) out[n] -= rest_normals_[n];
        return out;
    }

    Targets frame_targets() const {
        const std::size_t n = samples_.displacements.size();
        if (n > kMostTargets) {
            throw Error(Fault::unsupported, {target_.path, 0, {}},
                        text("not written: ", n, " frames, each a target of its own"),
                        text("at most ", kMostTargets, ": take a lower --rate, or principal shapes"));
        }
        Targets out;
        for (std::size_t f = 0; f < n; ++f) {
            out.positions.push_back(moved(f));
            out.normals.push_back(normal_change(f));
            out.names.push_back(text("frame_", f));
            out.weights.emplace_back(n, 0.0);
            out.weights.back()[f] = 1.0;
        }
        remarks_.push_back(text(counted(n, "morph target"), ", one per frame: exact to 32 bits, linear in between"));
        return out;
    }

    Targets principal_targets() const {
        std::vector<Field> frames;
        for (std::size_t f = 0; f < samples_.displacements.size(); ++f) frames.push_back(moved(f));
        const std::size_t most = target_.targets > 0 ? target_.targets : kMostAutomatic;
        PrincipalShapes shapes = principal_shapes(std::move(frames), most, target_.targets > 0 ? 0.0 : kTolerance);
        Targets out;
        out.positions = std::move(shapes.shapes);
        out.weights = std::move(shapes.weights);
        out.normals = fitted_normals(out);
        for (std::size_t k = 0; k < out.positions.size(); ++k) out.names.push_back(text("shape_", k));
        if (out.positions.empty()) {
            remarks_.push_back(samples_.displacements.size() == 1 ? "a single frame: written without morph targets"
                                                                  : "nothing moves: written without morph targets");
        } else {
            remarks_.push_back(
                fmt::format("{} morph target{} (principal shapes): every vertex of every frame within {:.3g} m ({:.2g} "
                            "% of the largest displacement), {:.3g} m rms",
                            out.positions.size(), out.positions.size() == 1 ? "" : "s", shapes.worst,
                            shapes.largest > 0 ? 100 * shapes.worst / shapes.largest : 0.0, shapes.rms));
        }
        if (target_.positive_weights) split_signs(out);
        if (out.positions.size() > kGuaranteed) {
            remarks_.push_back(text("glTF promises room for only ", kGuaranteed,
                                    " targets with normals; three.js and Blender take all ", out.positions.size(),
                                    ", --targets ", kGuaranteed, " suits every client"));
        }
        return out;
    }

    // Least squares over the frames. The weights of different shapes are orthogonal where all frames made the shapes,
    // and nearly so otherwise: taking one shape after the other, each from what is left, is then the same.
    std::vector<Field> fitted_normals(const Targets& t) const {
        const std::size_t shapes = t.positions.size();
        std::vector<Field> out(shapes, Field(rest_normals_.size()));
        std::vector<double> squares(shapes, 0.0);
        for (const auto& w : t.weights)
            for (std::size_t k = 0; k < shapes; ++k) squares[k] += w[k] * w[k];
        for (std::size_t f = 0; f < t.weights.size(); ++f) {
            const Field change = normal_change(f);
            for (std::size_t k = 0; k < shapes; ++k)
                for (std::size_t n = 0; n < change.size(); ++n) out[k][n] += (t.weights[f][k] / squares[k]) * change[n];
        }
        return out;
    }

    // Blender cuts weights to [0, 1]: each shape once forwards and once backwards, as far as it is needed.
    static void split_signs(Targets& t) {
        Targets out;
        out.weights.resize(t.weights.size());
        for (std::size_t k = 0; k < t.positions.size(); ++k) {
            for (const double sign : {1.0, -1.0}) {
                double most = 0.0;
                for (const auto& w : t.weights) most = std::max(most, sign * w[k]);
                if (most == 0.0) continue;
                for (std::size_t f = 0; f < t.weights.size(); ++f)
                    out.weights[f].push_back(std::clamp(sign * t.weights[f][k] / most, 0.0, 1.0));
                out.positions.push_back(t.positions[k]);
                out.normals.push_back(t.normals[k]);
                for (Field* field : {&out.positions.back(), &out.normals.back()})
                    for (Vec3& v : *field) v *= sign * most;
                out.names.push_back(t.names[k] + (sign > 0 ? "_plus" : "_minus"));
            }
        }
        t = std::move(out);
    }

    std::vector<PartPlan> plan_parts() const {
        const PaintedSurface& painted = shown_.painted();
        const Triangles triangles = triangulate(painted.surface);
        std::map<std::int32_t, std::vector<std::size_t>> by_look;
        for (std::size_t t = 0; t < triangles.size(); ++t)
            by_look[painted.face_look.empty() ? -1 : painted.face_look[rig_index(triangles.face[t])]].push_back(t);
        std::vector<PartPlan> out;
        for (const auto& [look, members] : by_look) {
            SplitTriangles split = split_triangles(shown_, triangles, members);
            PartPlan plan;
            plan.part.material = look;
            plan.part.triangles = std::move(split.triangles);
            plan.sources = std::move(split.sources);
            out.push_back(std::move(plan));
        }
        return out;
    }

    void fill(PartPlan& plan, const Targets& targets) const {
        SkinPart& part = plan.part;
        part.joint = 0;
        const bool textured = std::any_of(plan.sources.begin(), plan.sources.end(),
                                          [](const CornerSource& s) { return s.uv >= 0; });
        part.paint.push_back({"_VERTEX", {}});
        for (const CornerSource& s : plan.sources) {
            part.positions.push_back(shown_.surface().vertices[rig_index(s.vertex)]);
            part.normals.push_back(rest_normals_[rig_index(s.normal)]);
            part.paint[0].values.push_back(s.vertex);
            if (textured) part.uvs.push_back(s.uv < 0 ? std::array{0.0, 0.0} : shown_.painted().uvs[rig_index(s.uv)]);
        }
        for (const VertexNumbers& a : shown_.painted().attributes) {
            VertexNumbers& own = part.attributes.emplace_back(VertexNumbers{a.name, a.width, {}});
            for (const CornerSource& s : plan.sources) {
                for (std::size_t k = 0; k < a.width; ++k)
                    own.values.push_back(a.values[a.width * rig_index(s.vertex) + k]);
            }
        }
        for (std::size_t k = 0; k < targets.positions.size(); ++k) {
            Morph morph;
            morph.name = targets.names[k];
            for (const CornerSource& s : plan.sources) {
                morph.positions.push_back(targets.positions[k][rig_index(s.vertex)]);
                morph.normals.push_back(targets.normals[k][rig_index(s.normal)]);
            }
            part.morphs.push_back(std::move(morph));
        }
    }

    std::vector<double> clip_times() const {
        std::vector<double> times = samples_.times;
        const double first = times.front();
        if (first < 0)
            for (double& t : times) t -= first;
        for (std::size_t i = 1; i < times.size(); ++i) {
            if (!(static_cast<float>(times[i]) > static_cast<float>(times[i - 1]))) {
                throw Error(Fault::unsupported, {target_.path, 0, {}},
                            text("not written: the frames at ", times[i - 1], " and ", times[i],
                                 " s are one in glTF's 32-bit times"),
                            "a lower --rate");
            }
        }
        return times;
    }

    void add_clip(const Targets& targets) {
        Channel channel;
        channel.joint = 0;
        channel.target = Channel::Target::weights;
        channel.times = clip_times();
        for (const auto& w : targets.weights) channel.values.insert(channel.values.end(), w.begin(), w.end());
        Clip clip;
        clip.name = "run";
        clip.duration = channel.times.back();
        clip.channels.push_back(std::move(channel));
        rig_.clips.push_back(std::move(clip));
    }

    const ShownSurface& shown_;
    const Resampled& samples_;
    const SurfaceSeriesTarget& target_;
    std::vector<std::string>& remarks_;
    Field still_;         ///< no displacement
    Field rest_normals_;  ///< per slot
    Rig rig_;
};
}  // namespace

Rig shown_rig(const ShownSurface& shown, const Resampled& samples, const SurfaceSeriesTarget& target,
              const std::string& name, std::vector<std::string>& remarks) {
    return RigBuilder(shown, samples, target, remarks).build(name);
}

}  // namespace limber
