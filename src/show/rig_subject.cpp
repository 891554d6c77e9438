// A rigged character as a subject: its skin in its own looks, moved by a clip, and its bones.
#include "core/text.hpp"
#include "render/glyphs.hpp"
#include "show/looks.hpp"
#include "show/subject.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

/// A crowd of this size is a cloud of dots on any screen, and more would not fit into memory.
constexpr std::size_t kMostBones = 12000;
/// Each takes a draw call of its own.
constexpr std::size_t kMostParts = 5000;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

class RigSubject : public Subject {
public:
    RigSubject(std::shared_ptr<const Rig> rig, std::optional<std::size_t> clip, const std::string& title,
               RigPaint paint)
        : rig_(std::move(rig)), clip_(clip), title_(title), paint_(std::move(paint)), pose_(rest_pose(*rig_)) {
        if (rig_->parts.size() > kMostParts) {
            throw Error(Fault::unsupported, {rig_->source, 0, {}},
                        text("a model of ", rig_->parts.size(), " parts to draw"), text("at most ", kMostParts));
        }
        textures_ = decode_textures(rig_->pictures, rig_->materials, rig_->source, remarks_);
        for (const SkinPart& part : rig_->parts) add_part(part);
    }

    std::string title() const override {
        return clip_ && !rig_->clips[*clip_].name.empty() ? text(title_, ", ", rig_->clips[*clip_].name) : title_;
    }
    std::string line(double) const override {
        std::size_t vertices = 0;
        for (const SkinPart& part : rig_->parts) vertices += part.positions.size();
        return text(vertices, " vertices, ", counted(rig_->joints.size(), "bone"));
    }
    std::vector<std::pair<Colour, std::string>> named_colours(const SubjectLook&) const override {
        return paint_.names;
    }
    double end() const override { return clip_ ? rig_->clips[*clip_].duration : 0.0; }
    double preferred_time(std::string& why) const override {
        why = clip_ ? "the beginning of the clip" : rig_->clips.empty() ? "" : "the rest pose";
        return 0.0;
    }

    std::vector<std::string> remarks() const override { return remarks_; }

    void draw(double time, const SubjectLook& look, DrawList& out) const override {
        if (clip_) {
            pose_at(*rig_, *clip_, time == end() ? time : looped(rig_->clips[*clip_], time), pose_);
        }  // the end is the end, not the beginning again
        for (std::size_t p = 0; p < rig_->parts.size(); ++p) {
            const SkinPart& part = rig_->parts[p];
            if (part.triangles.empty()) continue;
            DrawMesh mesh;
            mesh.topology = topology_[p];
            mesh.positions.resize(part.positions.size());
            if (!part.normals.empty()) mesh.normals.resize(part.normals.size());
            skin(*rig_, p, pose_, mesh.positions, mesh.normals);
            if (paint_.of_pose)
                mesh.colours = paint_.of_pose(p, pose_);
            else if (!paint_.colours.empty())
                mesh.colours = paint_.colours[p];
            if (mesh.colours.empty()) {
                mesh.look = looks_[p];
                mesh.colours = colours_[p];
            } else
                mesh.look.base = rgb(0xFFFFFF);
            mesh.look.wireframe = look.wireframe;
            out.meshes.push_back(std::move(mesh));
        }
        if (look.skeleton || rig_->parts.empty()) add_bones(out);
    }

private:
    void add_part(const SkinPart& part) {
        std::vector<std::int32_t> faces;
        std::vector<std::array<double, 2>> uv;
        for (const auto& triangle : part.triangles) {
            for (const std::int32_t v : triangle) {
                faces.push_back(v);
                if (!part.uvs.empty()) uv.push_back(part.uvs[at(v)]);
            }
        }
        std::vector<std::array<double, 2>> second;
        for (const VertexNumbers& a : part.attributes) {
            for (std::size_t i = 0; a.name == "TEXCOORD_1" && a.width == 2 && i + 1 < a.values.size(); i += 2)
                second.push_back({a.values[i], a.values[i + 1]});
        }
        topology_.push_back(make_topology({{}, faces, {}, {}, uv, part.positions.size(), second}));
        colours_.push_back(vertex_colours(part));
        looks_.push_back(part.material < 0 ? DrawLook{} : draw_look(rig_->materials[at(part.material)], textures_));
    }

    /// The file's own, which multiply the base colour.
    static std::vector<Colour> vertex_colours(const SkinPart& part) {
        std::vector<std::array<double, 4>> linear;
        for (const Paint& paint : part.paint) {
            for (std::size_t c = 0; c < 4; ++c) {
                if (paint.name != text("COLOR_0.", "rgba"[c])) continue;
                linear.resize(part.positions.size(), {1.0, 1.0, 1.0, 1.0});
                for (std::size_t v = 0; v < linear.size(); ++v) linear[v][c] = paint.values[v];
            }
        }
        std::vector<Colour> out;
        out.reserve(linear.size());
        for (const auto& c : linear) out.push_back(from_linear(c));
        return out;
    }

    void add_bones(DrawList& out) const {
        if (rig_->joints.size() > kMostBones) {
            throw Error(Fault::unsupported, {rig_->source, 0, {}},
                        text("a skeleton of ", rig_->joints.size(), " bones to draw"), text("at most ", kMostBones));
        }
        Glyphs bones;
        std::vector<bool> has_child(rig_->joints.size(), false);
        for (std::size_t j = 0; j < rig_->joints.size(); ++j) {
            const std::int32_t parent = rig_->joints[j].parent;
            if (parent < 0) continue;
            has_child[at(parent)] = true;
            const Vec3 head = pose_.position(at(parent)), tail = pose_.position(j);
            bones.bone(head, tail, std::min(0.12 * norm(tail - head), 0.03));
        }
        if (bones.empty()) return;
        DrawMesh mesh = bones.mesh();
        mesh.layer = rig_->parts.empty() ? DrawLayer::scene : DrawLayer::overlay;
        out.meshes.push_back(std::move(mesh));
    }

    std::shared_ptr<const Rig> rig_;
    std::optional<std::size_t> clip_;
    std::string title_;
    RigPaint paint_;
    mutable Pose pose_;  ///< used again and again: posing then takes no memory
    Textures textures_;
    std::vector<std::shared_ptr<const DrawTopology>> topology_;
    std::vector<DrawLook> looks_;
    std::vector<std::vector<Colour>> colours_;
    std::vector<std::string> remarks_;
};

}  // namespace

std::unique_ptr<Subject> make_rig_subject(std::shared_ptr<const Rig> rig, std::optional<std::size_t> clip,
                                          const std::string& title, RigPaint paint) {
    return std::make_unique<RigSubject>(std::move(rig), clip, title, std::move(paint));
}

std::unique_ptr<Subject> make_region_subject(std::shared_ptr<const Rig> rig, const Region& region,
                                             const std::string& title) {
    constexpr Colour kHeld = rgb(0xB9C2CC), kSeam = rgb(0xF2C14E), kFree = rgb(0xD9534F);
    RigPaint paint;
    for (const std::vector<double>& part : freedom_of(*rig, region)) {
        std::vector<Colour>& colours = paint.colours.emplace_back();
        for (const double f : part) colours.push_back(f >= 1.0 ? kFree : f > 0.0 ? kSeam : kHeld);
    }
    paint.names = {{kFree, "free"}, {kSeam, "seam"}, {kHeld, "held"}};
    return make_rig_subject(std::move(rig), std::nullopt, title, std::move(paint));
}

}  // namespace limber
