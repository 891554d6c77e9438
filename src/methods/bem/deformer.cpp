#include "methods/bem/deformer.hpp"

#include "bem/free_body_state.hpp"
#include "core/text.hpp"
#include "deform/loads_fit.hpp"
#include "deform/option_specs.hpp"
#include "methods/bem/layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

/// Per facet: which axes are prescribed at all its corners. Tractions jump where that changes, and supports pull only
/// there.
std::vector<std::int32_t> held_axes(const BoundaryShape& shape, const Supports& supports) {
    const auto d = static_cast<std::size_t>(shape.dimension);
    std::vector<std::int32_t> prescribed = supports.prescribed(), out(shape.facet_count(), 0);
    std::sort(prescribed.begin(), prescribed.end());
    for (std::size_t f = 0; f < out.size(); ++f) {
        for (std::size_t c = 0; c < d; ++c) {
            bool all = true;
            for (std::size_t k = 0; k < d && all; ++k) {
                const auto vertex = static_cast<std::size_t>(
                    shape.vertex[static_cast<std::size_t>(shape.facets[d * f + k])]);
                all = std::binary_search(prescribed.begin(), prescribed.end(),
                                         static_cast<std::int32_t>(d * vertex + c));
            }
            if (all) out[f] |= 1 << c;
        }
    }
    return out;
}

constexpr double kMostStrain = 0.8;  // nominal, of the reaction that a shape still carries about in full

BoundaryMaterial material_of(const Body& body) {
    const Material& m = body.materials().front();
    const bool plane_stress = body.mesh().dimension() == 2 && body.plane() == Plane::stress;
    return {m.shear(), plane_stress ? m.poisson / (1.0 + m.poisson) : m.poisson};
}

std::unique_ptr<const FreeResponse> make_response(const Body& body, const BoundaryShape& shape,
                                                  const Supports& supports, const BemSettings& settings,
                                                  Progress& progress) {
    if (settings.sections) return std::make_unique<const FreeResponse>(shape);
    const BoundaryMaterial material = material_of(body);
    BoundarySettings boundary;
    boundary.accuracy = settings.accuracy;
    boundary.facet_group = held_axes(shape, supports);
    BoundarySystem system = shape.dimension == 2 ? make_plane_system(shape, material, boundary, progress)
                                                 : make_space_system(shape, material, boundary, progress);
    const auto d = static_cast<std::size_t>(shape.dimension);
    std::vector<char> on(d * system.slot_node.size(), 0);
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        for (std::size_t k = 0; k < d; ++k) {
            for (std::size_t c = 0; c < d; ++c) {
                if (boundary.facet_group[f] & (1 << c))
                    on[d * static_cast<std::size_t>(system.facet_slots[d * f + k]) + c] = 1;
            }
        }
    }
    auto response = std::make_unique<FreeResponse>(std::move(system), progress, on);
    if (body.support() != Support::free) response->hold_by_springs(material.shear);
    return response;
}

}  // namespace

BemDeformer::BemDeformer(std::shared_ptr<const Body> body, const OptionValues& options, Progress& progress,
                         ByteReader* saved)
    : body_(std::move(body)),
      options_(options),
      settings_(read_bem_settings(*body_, options)),
      dim_(body_->mesh().dimension()),
      thickness_(dim_ == 2 ? body_->thickness() : 1.0),
      density_(body_->materials().front().density),
      shape_(boundary_shape(body_->mesh())),
      node_of_(body_->vertex_count(), -1),
      supports_(*body_) {
    for (std::size_t i = 0; i < shape_.vertex.size(); ++i)
        node_of_[static_cast<std::size_t>(shape_.vertex[i])] = static_cast<std::int32_t>(i);
    response_ = saved != nullptr && !settings_.sections ? std::make_unique<const FreeResponse>(*saved)
                                                        : make_response(*body_, shape_, supports_, settings_, progress);
    if (response_->nodes() != shape_.points.size() || response_->dimension() != dim_) {
        throw Error(Fault::bad_data, saved != nullptr ? saved->place() : InputLocation{},
                    "a saved response of another body", "that of this one");
    }
    inner_ = std::make_unique<InnerField>(*body_, shape_, progress);
    stress_ = std::make_unique<StressMap>(*body_, Integration::full);
    if (body_->support() == Support::free) {
        prepare_free(shape_, progress);
        return;
    }
    for (const std::int32_t unknown : supports_.prescribed())
        held_inside_ += node_of_[static_cast<std::size_t>(unknown / dim_)] < 0 && unknown % dim_ == 0;
    held_ = std::make_unique<HeldShape>(
        *body_, supports_, *response_, shape_, node_of_,
        static_cast<std::size_t>(settings_.max_obstacles > 0 ? settings_.max_contacts : 0), settings_.passes);
    support_work_ = std::make_unique<SupportWork>(*response_, shape_, held_axes(shape_, supports_));
    measure_tangents();
}

void BemDeformer::prepare_free(const BoundaryShape& shape, Progress& progress) {
    const Enclosed& e = response_->enclosed();
    const Material& m = body_->materials().front();
    const double size = round_size(dim_, e.measure), stiffness = reaction_stiffness(settings_, m, size);
    reaction_ = std::make_unique<VolumeReaction>(shape, e.centroid, stiffness, thickness_, settings_.stick / stiffness);
    RigidBody rigid;
    rigid.planar = dim_ == 2;
    rigid.mass = density_ * e.measure * thickness_;
    rigid.drag = m.rayleigh_alpha;
    const Mat3 inertia = e.inertia();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) rigid.inertia(i, j) = inertia(i, j) * density_ * thickness_;
    if (rigid.planar)
        rigid.inverse_inertia(2, 2) = 1.0 / rigid.inertia(2, 2);
    else
        rigid.inverse_inertia = inverse(rigid.inertia);
    motion_ = std::make_unique<RigidMotion>(
        rigid, *reaction_, ContactSettings{settings_.internal_friction / m.young, settings_.friction, 1e-4}, e.measure);
    const ShapeSettings contact{settings_.passes, settings_.stick, settings_.friction,
                                kMostStrain * m.young * e.measure / size};
    const auto capacity = static_cast<std::size_t>(settings_.max_contacts);
    if (settings_.sections) {
        sections_ = std::make_unique<SectionShape>(
            shape, e, material_of(*body_),
            SectionShape::Settings{{settings_.section_nodes, SectionSettings{}.corner_degrees, settings_.alpha},
                                   contact,
                                   kMostStrain * m.young,
                                   capacity},
            progress);
    } else {
        contact_ = std::make_unique<ContactShape>(*response_, shape, contact, capacity);
    }
    if (settings_.vibration)
        ringing_ = std::make_unique<Ringing>(*response_, shape, density_, settings_.vibration_damping);
}

std::size_t BemDeformer::memory() const {
    return response_->bytes() + inner_->bytes() + (sections_ ? sections_->bytes() : 0);
}

std::vector<std::pair<std::string, double>> BemDeformer::facts() const {
    std::vector<std::pair<std::string, double>> out{
        {"boundary_vertices", static_cast<double>(response_->nodes())},
        {"condition", sections_ ? sections_->condition() : response_->condition()},
        {"response_bytes", static_cast<double>(response_->bytes() + (sections_ ? sections_->bytes() : 0))}};
    if (held()) return out;
    out.emplace_back("reaction_stiffness", reaction_->stiffness());
    out.emplace_back("contact_step", motion_->contact_step());
    if (ringing_) out.emplace_back("ringing_frequency", ringing_->omega() / (2.0 * std::numbers::pi));
    return out;
}

std::vector<std::string> BemDeformer::remarks() const {
    std::vector<std::string> out;
    if (held()) out.push_back("a body that is held is in static balance at each step: it has no inertia here");
    if (sections_) {
        out.push_back(
            "the shape comes from two cross-sections: contact away from them, forces on vertices and turning do not "
            "bend it");
    }
    if (held_inside_ > 0) {
        out.push_back(
            text(held_inside_, held_inside_ == 1 ? " vertex" : " vertices",
                 " of anchors and handles inside the body, free to follow: boundary elements hold the surface only"));
    }
    return out;
}

State BemDeformer::rest_state() const {
    const Layout p(*this);
    State s;
    s.reals.assign(p.reals(), 0.0);
    s.marks.assign(p.marks(), 0);
    put_rigid(s, {{response_->enclosed().centroid, {}}, {}, {}});
    return s;
}

Workspace BemDeformer::make_workspace() const {
    Workspace w;
    w.reals.assign(Layout(*this).scratch(), 0.0);
    return w;
}

RigidState BemDeformer::rigid(const State& s) const noexcept {
    const double* r = s.reals.data();
    const FreeBodyState at = free_body_state(s.reals);
    return {{at.centre, at.rotation}, {r[7], r[8], r[9]}, {r[10], r[11], r[12]}};
}

void BemDeformer::put_rigid(State& s, const RigidState& now) const noexcept {
    double* r = s.reals.data();
    const Quat& q = now.pose.rotation;
    for (int i = 0; i < 3; ++i) {
        r[i] = now.pose.position[i];
        r[7 + i] = now.velocity[i];
        r[10 + i] = now.spin_momentum[i];
    }
    r[3] = q.w;
    r[4] = q.x;
    r[5] = q.y;
    r[6] = q.z;
}

Vec3 BemDeformer::local(const double* field, std::size_t v) const noexcept {
    const auto d = static_cast<std::size_t>(dim_);
    return {field[d * v], field[d * v + 1], d == 3 ? field[d * v + 2] : 0.0};
}

bool BemDeformer::can_take(const Loads& loads) const noexcept {
    return loads_fit(*body_, loads, true) && loads.live.empty() &&
           loads.obstacles.size() <= static_cast<std::size_t>(settings_.max_obstacles);
}

StepReport BemDeformer::step(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept {
    const Layout p(*this);
    StepReport report;
    if (state.reals.size() != p.reals() || state.marks.size() != p.marks() || scratch.reals.size() < p.scratch()) {
        report.trouble |= Trouble::bad_state;
        return report;
    }
    if (!(dt > 0.0) || !std::isfinite(dt)) report.trouble |= Trouble::wrong_step;
    if (!can_take(loads)) report.trouble |= Trouble::bad_loads;
    if (report.trouble != Trouble::none) return report;
    report = held() ? step_held(state, loads, dt, scratch) : step_free(state, loads, dt, scratch);
    if (held()) report.solver = "low_rank";
    state.time += dt;
    return report;
}

void BemDeformer::forces_on_nodes(double* full, double* nodes, Workspace& scratch) const noexcept {
    const Layout p(*this);
    inner_->condense(full, p.inner_memory(scratch.reals.data()));
    for (std::size_t i = 0; i < p.nodes; ++i) {
        for (std::size_t c = 0; c < p.d; ++c)
            nodes[p.d * i + c] = full[p.d * static_cast<std::size_t>(shape_.vertex[i]) + c];
    }
}

void BemDeformer::finish_field(State& state, const double* nodes, const double* inner_force, double dt,
                               Workspace& scratch) const noexcept {
    const Layout p(*this);
    double *u = state.reals.data() + p.u(), *rate = state.reals.data() + p.rate();
    for (std::size_t i = 0; i < p.field; ++i) rate[i] = u[i];
    if (!held()) {
        std::copy(nodes, nodes + p.size, u);
    } else {
        for (std::size_t i = 0; i < p.nodes; ++i) {
            for (std::size_t c = 0; c < p.d; ++c)
                u[p.d * static_cast<std::size_t>(shape_.vertex[i]) + c] = nodes[p.d * i + c];
        }
        inner_->extend(u, inner_force, p.inner_memory(scratch.reals.data()));
    }
    for (std::size_t i = 0; i < p.field; ++i) rate[i] = (u[i] - rate[i]) / dt;
}

StepReport BemDeformer::step_held(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept {
    const Layout p(*this);
    double *w = scratch.reals.data(), *full = p.forces(w), *nodes = p.on_nodes(w), *targets = p.targets(w);
    supports_.targets(loads, nullptr, 0.0, targets, targets + p.prescribed, targets + 2 * p.prescribed);
    const auto fill_forces = [&](bool gravity) {
        for (std::size_t v = 0; v < body_->vertex_count(); ++v) {
            for (std::size_t c = 0; c < p.d; ++c) {
                full[p.d * v + c] = (loads.force.empty() ? 0.0 : loads.force[v][static_cast<int>(c)]) +
                                    (gravity ? inner_->weight()[v] * loads.gravity[static_cast<int>(c)] : 0.0);
            }
        }
    };
    fill_forces(false);
    forces_on_nodes(full, nodes, scratch);
    Wrench* wrenches = reinterpret_cast<Wrench*>(p.wrench(w));
    std::fill(wrenches, wrenches + p.supports + p.obstacles, Wrench{});
    const Vec3 weight = loads.gravity * (density_ * response_->enclosed().measure * thickness_);
    double *u = p.shape(w), *support = p.support(w);
    for (std::size_t i = 0; i < p.size; ++i)
        u[i] = state.reals[p.u() + p.d * static_cast<std::size_t>(shape_.vertex[i / p.d]) + i % p.d];
    const HeldShape::Report found = held_->solve(
        {targets, nodes, weight, loads.obstacles, thickness_}, state.marks.data() + p.contacts(), u, support,
        state.reals.data() + p.traction(), wrenches + p.supports, p.rank_memory(w), p.item_memory(w));
    StepReport report;
    report.iterations = found.passes;
    report.residual = found.depth;
    if (!found.solved || !found.settled) report.trouble |= Trouble::not_converged;
    if (found.dropped) report.trouble |= Trouble::constraint_conflict;
    if (found.inside >= 0) {
        report.trouble |= Trouble::constraint_conflict;
        report.where = shape_.vertex[static_cast<std::size_t>(found.inside)];
    }
    if (!found.solved) return report;
    fill_forces(true);
    finish_field(state, u, full, dt, scratch);
    state.reals[p.energy()] = 0.0;
    state.reals[p.energy() + 1] = held_energy(state, full, support, found, scratch);
    for (std::size_t i = 0; i < p.vertices; ++i) full[i] = 0.0;
    for (std::size_t i = 0; i < p.size; ++i)
        full[p.d * static_cast<std::size_t>(shape_.vertex[i / p.d]) + i % p.d] = support[i];
    supports_.sum_reactions(full, {wrenches, p.supports});
    for (std::size_t k = 0; k < p.prescribed; ++k) {  // where the supports' tractions act, not where their vertices are
        const std::int32_t node = node_of_[static_cast<std::size_t>(supports_.prescribed()[k] / dim_)];
        if (node < 0 || supports_.owners()[k] < 0) continue;
        const int axis = supports_.prescribed()[k] % dim_;
        const auto i = static_cast<std::size_t>(node);
        Vec3 force;
        force[axis] = support[p.d * i + static_cast<std::size_t>(axis)];
        wrenches[supports_.owners()[k]].torque += cross(
            response_->enclosed().centroid + response_->arm(i, axis) - response_->position(i), force);
    }
    std::copy(reinterpret_cast<double*>(wrenches), reinterpret_cast<double*>(wrenches + p.supports + p.obstacles),
              state.reals.begin() + static_cast<std::ptrdiff_t>(p.wrenches()));
    return report;
}

double BemDeformer::held_energy(const State& state, const double* force, const double* support,
                                const HeldShape::Report& found, Workspace& scratch) const noexcept {
    const Layout p(*this);
    const double* field = state.reals.data() + p.u();
    double *elastic = p.base(scratch.reals.data()), work = found.contact_work;
    for (std::size_t v = 0; v < body_->vertex_count(); ++v) {
        const Vec3 u = elastic_part(*response_, found.rigid, local(field, v), body_->mesh().vertices[v]);
        for (std::size_t c = 0; c < p.d; ++c) {
            work += force[p.d * v + c] * u[static_cast<int>(c)];
            if (node_of_[v] >= 0) elastic[p.d * static_cast<std::size_t>(node_of_[v]) + c] = u[static_cast<int>(c)];
        }
    }
    return 0.5 * (work + (*support_work_)(support, p.shape(scratch.reals.data()), elastic, found.rigid));
}

void BemDeformer::save(ByteWriter& out) const {
    save_options(out, options_);
    if (!sections_) response_->save(out);  // sections are made anew in less time
}

}  // namespace limber
