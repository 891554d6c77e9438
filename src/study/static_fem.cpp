// A static problem by finite elements: conditions become handles and consistent forces of a quasi-static linear_fem.
#include "core/text.hpp"
#include "fem/stress.hpp"
#include "geometry/quadrature.hpp"
#include "geometry/shape.hpp"
#include "study/static_study.hpp"

#include <limber/method.hpp>
#include <limber/tools/sim.hpp>

#include <algorithm>
#include <array>

namespace limber {

namespace {

/// One face of a cell on the boundary: 2, 3, 4 or (tet10) 6 nodes, the body on its inner side.
struct LoadedFace {
    std::array<std::int32_t, 6> node{};
    int count = 0;
};

/// boundary_of() gives the faces of a tet10 as four triangles; here they are one again: three corners, then three
/// middles.
std::vector<LoadedFace> faces_of(const Mesh& mesh) {
    const Boundary boundary = boundary_of(mesh);
    std::vector<LoadedFace> faces;
    const auto corners = static_cast<std::size_t>(boundary.corners);
    const std::size_t together = mesh.kind == CellKind::tet10 ? 4 : 1;
    for (std::size_t f = 0; f + together <= boundary.facet_count(); f += together) {
        const std::int32_t* v = boundary.facets.data() + f * corners;
        LoadedFace face;
        if (together == 4)
            face = {{v[0], v[4], v[8], v[1], v[5], v[2]}, 6};
        else {
            face.count = boundary.corners;
            std::copy(v, v + corners, face.node.begin());
        }
        faces.push_back(face);
    }
    return faces;
}

/// Shape functions of a face and their derivatives at a reference point.
struct FaceShape {
    std::array<double, 6> n{};
    std::array<Vec3, 6> dn{};  ///< along the two reference directions

    FaceShape(int count, const Vec3& xi) {
        if (count == 2) {
            n = {0.5 * (1 - xi.x), 0.5 * (1 + xi.x)};
            dn[0].x = -0.5;
            dn[1].x = 0.5;
        } else if (count == 6) {
            const double l[3] = {1 - xi.x - xi.y, xi.x, xi.y};
            const Vec3 dl[3] = {{-1, -1, 0}, {1, 0, 0}, {0, 1, 0}};
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t j = (k + 1) % 3;
                n[k] = l[k] * (2 * l[k] - 1);
                dn[k] = dl[k] * (4 * l[k] - 1);
                n[3 + k] = 4 * l[k] * l[j];
                dn[3 + k] = 4 * (dl[k] * l[j] + dl[j] * l[k]);
            }
        } else {
            const CellKind kind = count == 3 ? CellKind::tri3 : CellKind::quad4;
            shape_values(kind, xi, n.data());
            shape_gradients(kind, xi, dn.data());
        }
    }
};

/// Points and weights over the reference face.
std::vector<QuadraturePoint> face_rule(int count) {
    if (count == 2) return {{{-0.5773502691896257, 0, 0}, 1.0}, {{0.5773502691896257, 0, 0}, 1.0}};
    const std::span<const QuadraturePoint> rule = quadrature(count == 4 ? CellKind::quad4 : CellKind::tri3,
                                                             count == 6 ? 5 : 3);
    return {rule.begin(), rule.end()};
}

/// Adds the consistent forces of a traction and a pressure on the faces whose nodes are all in the set.
void add_tractions(const Body& body, const std::vector<LoadedFace>& faces, const ConditionSpec& condition,
                   std::vector<Vec3>& force) {
    const Mesh& mesh = body.mesh();
    const IndexSet& set = mesh.vertex_sets.at(condition.set);
    const double depth = mesh.dimension() == 2 ? body.thickness() : 1.0;
    for (const LoadedFace& face : faces) {
        const auto nodes = std::span(face.node).first(static_cast<std::size_t>(face.count));
        if (!std::all_of(nodes.begin(), nodes.end(),
                         [&](std::int32_t v) { return std::binary_search(set.begin(), set.end(), v); })) {
            continue;
        }
        for (const QuadraturePoint& q : face_rule(face.count)) {
            const FaceShape shape(face.count, q.xi);
            Vec3 a, b;
            for (std::size_t k = 0; k < nodes.size(); ++k) {
                a += shape.dn[k].x * mesh.vertices[static_cast<std::size_t>(nodes[k])];
                b += shape.dn[k].y * mesh.vertices[static_cast<std::size_t>(nodes[k])];
            }
            const Vec3 area = face.count == 2 ? Vec3{a.y, -a.x, 0.0}
                                              : cross(a, b);  // outward, as long as the face is large here
            const Vec3 load = (condition.traction * norm(area) - condition.pressure * area) * (q.weight * depth);
            for (std::size_t k = 0; k < nodes.size(); ++k)
                force[static_cast<std::size_t>(nodes[k])] += shape.n[k] * load;
        }
    }
}

/// Consistent forces of gravity and of the body spinning about an axis through `centre`.
std::vector<Vec3> body_forces(const Body& body, const Vec3& gravity, const Vec3& spin, const Vec3& centre) {
    std::vector<Vec3> force(body.vertex_count());
    const Mesh& mesh = body.mesh();
    const double depth = mesh.dimension() == 2 ? body.thickness() : 1.0;
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Vec3 x[kMaxCorners];
        gather_corners(mesh, c, x);
        for (const QuadraturePoint& q : quadrature(mesh.kind, mesh.kind == CellKind::tet10 ? 5 : 3)) {
            double n[kMaxCorners];
            shape_values(mesh.kind, q.xi, n);
            const double mass = body.material_of(c).density * depth * q.weight *
                                determinant(cell_jacobian(mesh.kind, x, q.xi));
            const Vec3 here = mass * (gravity - cross(spin, cross(spin, map_to_cell(mesh.kind, x, q.xi) - centre)));
            for (std::size_t a = 0; a < corners; ++a) force[static_cast<std::size_t>(mesh.cell(c)[a])] += n[a] * here;
        }
    }
    return force;
}

/// What conditions hold, as handles of one component each; vertices held twice at the same value belong to the first.
struct ConditionHandles {
    BodyDescription body;
    std::vector<HandleTarget> targets;
    std::vector<std::size_t> condition;  ///< of each handle

    ConditionHandles(const Body& plain, const Scene& scene) : body(plain.description()) {
        const std::vector<ConditionSpec>& conditions = scene.bodies[0].conditions;
        const int dimension = plain.mesh().dimension();
        std::vector<std::array<std::int32_t, 3>> holder(plain.vertex_count(), {-1, -1, -1});
        for (std::size_t i = 0; i < conditions.size(); ++i) {
            for (int axis = 0; axis < dimension; ++axis) {
                const auto& value = conditions[i].displacement[static_cast<std::size_t>(axis)];
                if (!value) continue;
                IndexSet vertices;
                for (const std::int32_t v : plain.mesh().vertex_sets.at(conditions[i].set)) {
                    std::int32_t& who = holder[static_cast<std::size_t>(v)][static_cast<std::size_t>(axis)];
                    if (who < 0) {
                        who = static_cast<std::int32_t>(i);
                        vertices.push_back(v);
                    } else if (const auto& other = conditions[static_cast<std::size_t>(who)];
                               other.displacement[static_cast<std::size_t>(axis)] != value) {
                        throw Error(Fault::bad_scene,
                                    {scene.source, 0, text("/bodies/0/conditions/", i, "/displacement")},
                                    text("vertex ", v, " is held along ", "xyz"[axis], " by \"", other.name,
                                         "\" too, elsewhere"),
                                    "one place for each vertex");
                    }
                }
                if (vertices.empty()) continue;
                HandleTarget target;
                target.translation[axis] = *value;
                targets.push_back(target);
                condition.push_back(i);
                body.handles.push_back({text(conditions[i].name, " ", i, " ", "xyz"[axis]),
                                        std::move(vertices),
                                        {axis == 0, axis == 1, axis == 2},
                                        {}});
            }
        }
    }
};

void add_force(const Vec3& at, const Vec3& force, const Vec3& about, StaticForce& out) {
    out.force += force;
    out.torque += cross(at - about, force);
}

/// Stress at the probes: cell values averaged to vertices, then as the cell interpolates.
void read_probes(const Scene& scene, const Body& body, const Deformer& deformer, const State& state,
                 StaticAnswer& out) {
    std::vector<SymMat3> cells(body.mesh().cell_count()), vertices(body.vertex_count());
    const bool known = deformer.cell_stress(state, cells);
    StressMap(body, Integration::full).to_vertices(cells, vertices);
    const std::vector<Probe> probes = make_probes(scene, body);
    for (std::size_t i = 0; i < probes.size(); ++i) {
        out.probes[i].displacement = probes[i].value(out.displacement);
        SymMat3& s = out.probes[i].stress;
        for (std::size_t k = 0; known && k < probes[i].vertices.size(); ++k) {
            const SymMat3& at = vertices[static_cast<std::size_t>(probes[i].vertices[k])];
            const double w = probes[i].weights[k];
            s.xx += w * at.xx;
            s.yy += w * at.yy;
            s.zz += w * at.zz;
            s.xy += w * at.xy;
            s.yz += w * at.yz;
            s.zx += w * at.zx;
        }
    }
}

}  // namespace

void solve_static_fem(const Scene& scene, const Body& body, StaticAnswer& out, Progress& progress) {
    const BodySpec& spec = scene.bodies[0];
    const ConditionHandles supports(body, scene);
    const std::shared_ptr<const Body> held = Body::make(supports.body, {scene.source, 0, "/bodies/0"});
    if (held->support() != Support::held) {
        throw Error(Fault::unsupported, {scene.source, 0, "/static/method"},
                    "linear_fem with conditions that leave the body some rigid motion",
                    "displacements that stop every rigid motion, or the method bem");
    }
    const Mesh& mesh = body.mesh();
    const std::vector<LoadedFace> faces = faces_of(mesh);
    std::vector<Vec3> force(mesh.vertices.size());
    for (std::size_t i = 0; i < spec.conditions.size(); ++i) {
        std::vector<Vec3> own(mesh.vertices.size());
        add_tractions(body, faces, spec.conditions[i], own);
        for (std::size_t v = 0; v < own.size(); ++v) {
            for (int axis = 0; axis < 3; ++axis) {
                if (spec.conditions[i].displacement[static_cast<std::size_t>(axis)]) own[v][axis] = 0.0;
            }  // there the support answers, not the traction
            add_force(mesh.vertices[v], own[v], out.torque_about, out.forces[i]);
            force[v] += own[v];
        }
    }
    Vec3 gravity = scene.gravity.vector;
    if (body.mesh().dimension() == 2) gravity.z = 0.0;
    const std::vector<Vec3> inner = body_forces(body, gravity, spec.motion.spin, out.torque_about);
    for (std::size_t v = 0; v < inner.size(); ++v) {
        force[v] += inner[v];
        add_force(mesh.vertices[v], inner[v], out.torque_about, out.body_force);
    }

    const Method& method = require_method("linear_fem");
    const std::unique_ptr<Deformer> deformer = method.prepare(
        held, {{"scheme", std::string("quasi_static")}, {"step", 1.0}}, progress);
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    Loads loads;
    loads.force = force;
    loads.handles = supports.targets;
    const StepReport report = deformer->step(state, loads, 1.0, scratch);
    if (report.trouble != Trouble::none) {
        throw Error(Fault::bad_usage, {scene.source, 0, "/static"},
                    text("linear_fem ended in trouble: ", to_string(report.trouble)));
    }
    out.displacement.resize(mesh.vertices.size());
    deformer->displacements(state, out.displacement);
    for (std::size_t h = 0; h < supports.condition.size(); ++h) {
        const Wrench w = deformer->reaction(state, {SupportRef::Kind::handle, static_cast<int>(h)});
        out.forces[supports.condition[h]].force += w.force;
        out.forces[supports.condition[h]].torque += w.torque - cross(out.torque_about, w.force);
    }
    read_probes(scene, body, *deformer, state, out);
    out.unknowns = static_cast<std::size_t>(mesh.dimension()) * mesh.vertices.size();
    for (const Handle& h : held->handles()) out.unknowns -= h.vertices.size();
}

}  // namespace limber
