// A recording as a subject: its surface, coloured by a field, with anchors, handles and forces.
#include "core/text.hpp"
#include "playback/series_resample.hpp"
#include "playback/shown_surface.hpp"
#include "render/glyphs.hpp"
#include "report/table.hpp"
#include "show/looks.hpp"
#include "show/obstacle_shapes.hpp"
#include "show/studio.hpp"
#include "show/subject.hpp"

#include <limber/tools/painted_surface.hpp>
#include <limber/tools/sim.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace limber {
namespace {

constexpr std::size_t kMostPins = 60;  // of one anchor: more only hide what they hold
const Colour kFlesh = rgb(0xC9CFD6);
/// Faces of equal look are drawn together. From so many looks on, those that differ in their colour only are, too.
constexpr std::size_t kManyCoats = 64;
/// Every coat takes a copy of all vertices and a draw call.
constexpr std::size_t kMostCoats = 2000, kMostCoatVertices = 5'000'000;

/// Materials are those of cells: they are shown on the body's own boundary, everything else on what the recording is
/// shown by.
SurfaceSeriesTarget shown_by(Field field) {
    SurfaceSeriesTarget out;
    out.boundary = field == Field::material;
    return out;
}

class BodySubject : public Subject {
public:
    BodySubject(std::shared_ptr<const Recording> recording, const BodySubjectSettings& settings)
        : recording_(std::move(recording)),
          settings_(settings),
          shown_(*recording_, shown_by(settings.field)),
          field_(*recording_, settings.field, settings.reference.get()) {
        if (settings.field == Field::material)
            add_coat({}, material_of_face());
        else if (settings.field == Field::none && !shown_.painted().face_look.empty())
            add_painted_coats();
        else
            add_coat({}, {});
        if (settings.scene) timeline_ = std::make_unique<Timeline>(*settings.scene, recording_->body);
        find_pins();
        floor_ = floor_level(*recording_);
    }

    std::string title() const override {
        return settings_.title.empty() ? text(recording_->scene, ", ", recording_->method) : settings_.title;
    }

    std::string line(double time) const override {
        const double cost = recording_->has_cost ? median_ms() : 0.0;
        const Frame& frame = recording_->frames[frames_at(*recording_, time).first];
        const bool torn = has(frame.report.trouble, Trouble::inverted_cell);
        const std::string size = text(torn ? "cells inside out, " : "", recording_->body->vertex_count(), " vertices");
        return cost > 0.0 ? text(size, ", ", short_number(cost, 2), " ms per step") : size;
    }

    std::string figure(double time) const override {
        if (!is_difference(settings_.field)) return {};
        const FieldOnBody::Distance d = field_.distance(time);
        const ShownUnit unit = shown_unit(words_of(settings_.field).unit, d.largest);
        return text("off by at most ", short_number(d.largest / unit.factor, 3), " ", unit.name, ", ",
                    short_number(100 * d.share, 2), settings_.field == Field::error ? " % in L2" : " % of the largest");
    }

    double begin() const override { return recording_->frames.front().time; }
    double end() const override { return recording_->frames.back().time; }
    std::optional<double> last_time() const override { return end(); }
    std::optional<double> ground_level() const override { return floor_; }
    std::vector<std::string> remarks() const override { return remarks_; }
    bool planar() const override { return recording_->body->mesh().dimension() == 2; }

    double preferred_time(std::string& why) const override {
        double most = -1.0, at = end();
        for (const Frame& frame : recording_->frames) {
            double sum = 0.0;
            for (const Vec3& u : frame.displacement) sum += norm2(u);
            if (sum > most * (1 + 1e-12)) {
                most = sum;
                at = frame.time;
            }
        }
        why = at == end() ? "the last frame" : "where it has moved most";
        return at;
    }

    std::vector<std::pair<Colour, std::string>> named_colours(const SubjectLook& look) const override {
        std::vector<std::pair<Colour, std::string>> out;
        if (look.field != Field::material) return out;
        const std::vector<Material>& materials = recording_->body->materials();
        for (std::size_t m = 0; m < materials.size(); ++m) {
            std::string name = recording_->body->description().materials.size() > m
                                   ? recording_->body->description().materials[m].cell_set
                                   : "";
            if (name.empty() || name == "*") name = materials.size() == 1 ? "material" : "rest";
            out.emplace_back(category(m), text(name, ", E = ", short_number(materials[m].young / 1e3, 3), " kPa"));
        }
        return out;
    }

    void draw(double time, const SubjectLook& look, DrawList& out) const override {
        std::vector<Vec3> u = blended(*recording_, frames_at(*recording_, time));
        if (settings_.stretch != 1.0)
            for (Vec3& v : u) v *= settings_.stretch;
        std::vector<Vec3> moved(shown_.surface().vertices.size());
        shown_.displacements(u, moved);
        DrawMesh mesh;
        mesh.normals = shown_.normals(moved);
        mesh.positions = shown_.surface().vertices;
        for (std::size_t v = 0; v < moved.size(); ++v) mesh.positions[v] += moved[v];
        mesh.values = on_surface(field_.at(time));
        if (look.range) mesh.range = *look.range;
        if (look.field == Field::material)
            for (std::size_t m = 0; m < recording_->body->materials().size(); ++m) mesh.paints.push_back(category(m));
        if (settings_.field == Field::none) mesh.colours = colours_;
        for (const Coat& coat : coats_) {
            mesh.topology = coat.topology;
            mesh.look = coat.look;
            if (!coat.paints.empty()) mesh.paints = coat.paints;
            mesh.look.wireframe = look.wireframe;
            out.meshes.push_back(mesh);
        }
        if (recording_->obstacle_count > 0) {
            ShownBeside beside;
            beside.planar = planar();
            for (const Vec3& p : mesh.positions) beside.now.add(p);
            for (const Vec3& p : recording_->body->mesh().vertices) beside.rest.add(p);
            add_obstacles(obstacles_at(*recording_, time), beside, floor_, out);
        }
        if (look.glyphs && look.glyph_size > 0.0) add_glyphs(time, u, look.glyph_size, out);
    }

private:
    /// Faces of one look; all coats share the surface's vertices.
    struct Coat {
        std::shared_ptr<const DrawTopology> topology;
        DrawLook look;
        std::vector<Colour> paints;  ///< that its faces have; empty: none
    };
    struct Pin {
        std::int32_t vertex;
        Vec3 outward;
    };

    double median_ms() const {
        std::vector<double> costs;
        for (const Frame& f : recording_->frames)
            if (f.step_ms > 0.0) costs.push_back(f.step_ms);
        if (costs.empty()) return 0.0;
        std::nth_element(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2), costs.end());
        return costs[costs.size() / 2];
    }

    std::vector<std::int32_t> material_of_face() const {
        const Mesh& mesh = recording_->body->mesh();
        std::vector<std::int32_t> owner, out;
        if (mesh.dimension() == 3) owner = boundary_of(mesh).owner;
        for (std::size_t f = 0; f < shown_.surface().face_count(); ++f)
            out.push_back(recording_->body->material_index(owner.empty() ? f : static_cast<std::size_t>(owner[f])));
        return out;
    }

    /// All faces without a list of them; `paint` per face, or none.
    void add_coat(const std::vector<std::size_t>& faces, const std::vector<std::int32_t>& paint) {
        const Surface& surface = shown_.surface();
        if (faces.empty()) {
            coats_.push_back({make_topology({surface.face_starts,
                                             surface.faces,
                                             shown_.normal_of_corner(),
                                             paint,
                                             {},
                                             surface.vertices.size()}),
                              {},
                              {}});
            coats_.back().look.base = paint.empty() ? kFlesh : rgb(0xFFFFFF);
            return;
        }
        const PaintedSurface& painted = shown_.painted();
        std::vector<std::int32_t> starts{0}, corners, normals;
        std::vector<std::array<double, 2>> uvs;
        std::vector<std::int32_t> paints;
        for (const std::size_t f : faces) {
            if (!paint.empty()) paints.push_back(paint[f]);
            for (auto c = static_cast<std::size_t>(surface.face_starts[f]);
                 c < static_cast<std::size_t>(surface.face_starts[f + 1]); ++c) {
                corners.push_back(surface.faces[c]);
                normals.push_back(shown_.normal_of_corner()[c]);
                if (!painted.corner_uv.empty()) {
                    uvs.push_back(painted.corner_uv[c] < 0
                                      ? std::array<double, 2>{}
                                      : painted.uvs[static_cast<std::size_t>(painted.corner_uv[c])]);
                }
            }
            starts.push_back(static_cast<std::int32_t>(corners.size()));
        }
        std::vector<std::array<double, 2>> second;
        for (const VertexNumbers& a : painted.attributes) {
            for (std::size_t i = 0; a.name == "TEXCOORD_1" && a.width == 2 && i + 1 < a.values.size(); i += 2)
                second.push_back({a.values[i], a.values[i + 1]});
        }
        auto topology = std::make_shared<DrawTopology>(
            *make_topology({starts, corners, normals, paints, uvs, surface.vertices.size(), second}));
        // All coats take the surface's whole list of normals, also those of other coats.
        topology->normal_count = static_cast<std::size_t>(*std::max_element(shown_.normal_of_corner().begin(),
                                                                            shown_.normal_of_corner().end())) +
                                 1;
        coats_.push_back({std::move(topology), {}, {}});
    }

    void add_painted_coats() {
        const PaintedSurface& painted = shown_.painted();
        const Textures textures = decode_textures(painted.pictures, painted.looks,
                                                  painted.file.empty() ? recording_->scene : painted.file, remarks_);
        for (const VertexNumbers& a : painted.attributes) {
            for (std::size_t i = 0; a.name == "COLOR_0" && a.width == 4 && i + 3 < a.values.size(); i += 4)
                colours_.push_back(from_linear({a.values[i], a.values[i + 1], a.values[i + 2], a.values[i + 3]}));
        }
        std::map<LookKey, std::vector<std::size_t>> faces = faces_by_look(painted, false);
        const bool by_paint = faces.size() > kManyCoats;
        if (by_paint) faces = faces_by_look(painted, true);
        const std::size_t size = painted.surface.vertices.size() + painted.looks.size();
        if (faces.size() > kMostCoats || faces.size() * size > std::max(kMostCoatVertices, 2 * size)) {
            throw Error(Fault::unsupported, {painted.file, 0, {}},
                        text("a surface of ", painted.surface.vertices.size(), " vertices in ", faces.size(),
                             " different looks to draw"),
                        text("at most ", kMostCoats, " looks, and ", kMostCoatVertices, " as their product"));
        }
        std::vector<const std::vector<std::size_t>*> order;
        order.reserve(faces.size());
        for (const auto& entry : faces) order.push_back(&entry.second);
        const auto look_of = [&](const std::vector<std::size_t>* list) { return painted.face_look[list->front()]; };
        std::sort(order.begin(), order.end(),
                  [&](const auto* a, const auto* b) {  // as the file lists them, those without a look last
                      return static_cast<std::uint32_t>(look_of(a)) < static_cast<std::uint32_t>(look_of(b));
                  });
        for (const auto* list : order) {
            const std::int32_t look = look_of(list);
            const bool painted_faces = by_paint && look >= 0;
            add_coat(*list, painted_faces ? painted.face_look : std::vector<std::int32_t>{});
            if (look < 0) continue;
            coats_.back().look = draw_look(painted.looks[static_cast<std::size_t>(look)], textures);
            if (!painted_faces) continue;
            coats_.back().look.base = rgb(0xFFFFFF);
            for (const MaterialLook& l : painted.looks) coats_.back().paints.push_back(from_linear(l.base_color));
        }
    }

    /// What makes two looks different in a picture. Without the colour: of those that hide what is behind them.
    using LookKey = std::vector<double>;
    static LookKey key_of(const MaterialLook& look, bool without_colour) {
        const bool solid = look.base_color[3] >= 1.0;
        LookKey out{look.metallic,
                    look.roughness,
                    look.emissive_strength,
                    look.alpha == "MASK" ? look.alpha_cutoff : 0.0,
                    look.alpha == "BLEND" ? 1.0 : 0.0,
                    look.unlit ? 1.0 : 0.0};
        out.insert(out.end(), look.emissive.begin(), look.emissive.end());
        for (const PictureUse* use :
             {&look.base_map, &look.normal_map, &look.metal_rough_map, &look.occlusion_map, &look.emissive_map}) {
            out.insert(out.end(),
                       {static_cast<double>(use->picture), static_cast<double>(use->coordinates), use->offset[0],
                        use->offset[1], use->scale[0], use->scale[1], use->rotation, use->strength,
                        static_cast<double>(use->wrap_u), static_cast<double>(use->wrap_v), use->nearest ? 1.0 : 0.0});
        }
        if (!without_colour || !solid) out.insert(out.end(), look.base_color.begin(), look.base_color.end());
        return out;
    }
    static std::map<LookKey, std::vector<std::size_t>> faces_by_look(const PaintedSurface& painted,
                                                                     bool without_colour) {
        std::map<LookKey, std::vector<std::size_t>> out;
        std::vector<std::vector<std::size_t>*> of_look(painted.looks.size(), nullptr);
        for (std::size_t l = 0; l < painted.looks.size(); ++l)
            of_look[l] = &out[key_of(painted.looks[l], without_colour)];
        std::vector<std::size_t> plain;
        for (std::size_t f = 0; f < painted.face_look.size(); ++f)
            (painted.face_look[f] < 0 ? plain : *of_look[static_cast<std::size_t>(painted.face_look[f])]).push_back(f);
        if (!plain.empty()) out[LookKey{}] = std::move(plain);
        std::erase_if(out, [](const auto& entry) { return entry.second.empty(); });
        return out;
    }

    /// A value per body vertex carried to the shown surface.
    std::vector<double> on_surface(const std::vector<double>& values) const {
        std::vector<double> out;
        if (values.empty()) return out;
        for (std::size_t v = 0; v < shown_.surface().vertices.size(); ++v) out.push_back(shown_.value_at(v, values));
        // Weights outside a cell may be negative; what has no sign must not get one.
        if (!is_signed(settings_.field))
            for (double& value : out) value = std::max(0.0, value);
        return out;
    }

    /// Sums of facet normals at the vertices; with `within`, of those facets only that it holds entirely.
    static std::vector<Vec3> facet_normals(const Mesh& mesh, const Boundary& boundary, const IndexSet* within) {
        std::vector<Vec3> out(mesh.vertices.size());
        const auto corners = static_cast<std::size_t>(boundary.corners);
        for (std::size_t f = 0; f < boundary.facet_count(); ++f) {
            const std::int32_t* c = boundary.facets.data() + f * corners;
            if (within && !std::all_of(c, c + corners, [&](std::int32_t v) {
                    return std::binary_search(within->begin(), within->end(), v);
                })) {
                continue;
            }
            const auto at = [&](std::size_t k) -> const Vec3& { return mesh.vertices[static_cast<std::size_t>(c[k])]; };
            const Vec3 along = at(1) - at(0);
            const Vec3 n = corners == 2 ? Vec3{along.y, -along.x, 0.0} : cross(along, at(2) - at(0));
            for (std::size_t k = 0; k < corners; ++k) out[static_cast<std::size_t>(c[k])] += n;
        }
        return out;
    }

    /// Where anchors get their pins: vertices of the boundary, evenly thinned, each pointing away from the body. The
    /// corners of a held face belong to its neighbours too: where whole facets are held, only those say what is away.
    void find_pins() {
        const Mesh& mesh = recording_->body->mesh();
        const Boundary boundary = boundary_of(mesh);
        const std::vector<Vec3> all = facet_normals(mesh, boundary, nullptr);
        for (const Anchor& anchor : recording_->body->anchors()) {
            const std::vector<Vec3> held = facet_normals(mesh, boundary, &anchor.vertices);
            std::vector<Pin> pins;
            for (const std::int32_t v : anchor.vertices) {
                const auto at = static_cast<std::size_t>(v);
                const Vec3& n = norm2(held[at]) > 0.0 ? held[at] : all[at];
                if (norm2(n) > 0.0) pins.push_back({v, n / norm(n)});
            }
            const std::size_t stride = std::max<std::size_t>(1, (pins.size() + kMostPins - 1) / kMostPins);
            for (std::size_t i = stride / 2; i < pins.size(); i += stride) pins_.push_back(pins[i]);
        }
    }

    void add_glyphs(double time, const std::vector<Vec3>& u, double size, DrawList& out) const {
        const Mesh& mesh = recording_->body->mesh();
        const auto position_of = [&](std::int32_t v) {
            return mesh.vertices[static_cast<std::size_t>(v)] + u[static_cast<std::size_t>(v)];
        };
        Glyphs glyphs, handles;
        for (const Pin& pin : pins_) glyphs.anchor(position_of(pin.vertex), pin.outward, 0.55 * size);
        for (const Handle& handle : recording_->body->handles()) {
            Vec3 middle;
            for (const std::int32_t v : handle.vertices) middle += position_of(v);
            if (!handle.vertices.empty())
                handles.handle(middle / static_cast<double>(handle.vertices.size()), 0.8 * size);
        }
        add_forces(time, position_of, size, glyphs);
        if (!glyphs.empty()) out.meshes.push_back(glyphs.mesh());
        if (handles.empty()) return;
        out.meshes.push_back(handles.mesh());
        out.meshes.back().layer = DrawLayer::overlay;  // the middle of what a handle holds is often inside the body
    }

    /// One arrow per force of the scene, in the middle of the vertices it acts on; its length grows with the force's
    /// share of the largest.
    template <class PositionOf>
    void add_forces(double time, const PositionOf& position_of, double size, Glyphs& glyphs) const {
        if (!timeline_) return;
        const Loads& loads = timeline_->at(time);
        if (loads.force.empty()) return;
        double largest = 0.0;
        for (const ForceSpec& force : settings_.scene->bodies[0].forces) largest = std::max(largest, norm(force.force));
        for (const ForceSpec& force : settings_.scene->bodies[0].forces) {
            const auto set = recording_->body->mesh().vertex_sets.find(force.set);
            if (set == recording_->body->mesh().vertex_sets.end() || set->second.empty() || !(largest > 0.0)) continue;
            Vec3 middle, now;
            for (const std::int32_t v : set->second) {
                middle += position_of(v);
                now += loads.force[static_cast<std::size_t>(v)];
            }
            middle = middle / static_cast<double>(set->second.size());
            const double share = norm(now) / (largest * (force.total ? 1.0 : static_cast<double>(set->second.size())));
            if (!(share > 1e-3)) continue;
            const Vec3 along = now / norm(now) * (3.0 * size * std::min(1.5, 0.35 + 0.65 * share));
            glyphs.arrow(middle, middle + along, 0.16 * size);
        }
    }

    std::shared_ptr<const Recording> recording_;
    BodySubjectSettings settings_;
    ShownSurface shown_;
    FieldOnBody field_;
    std::vector<Colour> colours_;  ///< per vertex of the surface; empty: white
    std::vector<std::string> remarks_;
    std::vector<Coat> coats_;
    std::unique_ptr<Timeline> timeline_;
    std::vector<Pin> pins_;
    std::optional<double> floor_;  ///< shown by the picture's ground
};

}  // namespace

std::unique_ptr<Subject> make_body_subject(std::shared_ptr<const Recording> recording,
                                           const BodySubjectSettings& settings) {
    if (recording->frames.empty()) {
        throw Error(Fault::bad_data, {recording->scene, 0, {}}, "a recording without frames",
                    "at least one frame to show");
    }
    if (!recording->body) {
        throw Error(Fault::unsupported, {recording->scene, 0, {}}, "a recording without its body",
                    "one with its rest mesh");
    }
    return std::make_unique<BodySubject>(std::move(recording), settings);
}

}  // namespace limber
