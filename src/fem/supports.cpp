#include "fem/supports.hpp"

#include <algorithm>

namespace limber {

void targets_within(std::size_t count, double part, double duration, const double* start, const double* end,
                    double* now) noexcept {
    const double *u0 = start, *v0 = u0 + count, *u1 = end, *v1 = u1 + count, *a1 = v1 + count;
    double *u = now, *v = u + count, *a = v + count;
    const double t = part, T = duration;
    for (std::size_t i = 0; i < count; ++i) {
        if (part >= 1.0) {
            u[i] = u1[i];
            v[i] = v1[i];
            a[i] = a1[i];
            continue;
        }
        const double d = u1[i] - u0[i], m0 = T * v0[i], m1 = T * v1[i];
        const double c3 = m0 + m1 - 2 * d, c2 = 3 * d - 2 * m0 - m1;
        u[i] = u0[i] + t * (m0 + t * (c2 + t * c3));
        v[i] = (m0 + t * (2 * c2 + 3 * t * c3)) / T;
        a[i] = (2 * c2 + 6 * t * c3) / (T * T);
    }
}

Supports::Supports(const Body& body) : body_(body), anchors_(body.anchors().size()), dim_(body.mesh().dimension()) {
    const auto d = static_cast<std::size_t>(dim_);
    constexpr std::int32_t kFree = -2, kUnused = -1;
    std::vector<std::int32_t> owner(body.vertex_count() * d, kUnused);
    // A vertex that no cell uses has neither mass nor stiffness: it stays where it is.
    for (const std::int32_t v : body.mesh().cells)
        for (std::size_t i = 0; i < d; ++i) owner[static_cast<std::size_t>(v) * d + i] = kFree;
    const auto hold = [&](const IndexSet& vertices, const Axes& axes, std::size_t support) {
        for (const std::int32_t v : vertices) {
            for (int i = 0; i < dim_; ++i) {
                std::int32_t& o = owner[static_cast<std::size_t>(v) * d + static_cast<std::size_t>(i)];
                // Anchors may share vertices: the first one gets the reaction, so that the sum over supports is right.
                if (axes[i] && o == kFree) o = static_cast<std::int32_t>(support);
            }
        }
    };
    for (std::size_t k = 0; k < anchors_; ++k) hold(body.anchors()[k].vertices, body.anchors()[k].axes, k);
    for (std::size_t k = 0; k < body.handles().size(); ++k)
        hold(body.handles()[k].vertices, body.handles()[k].axes, anchors_ + k);
    for (std::size_t i = 0; i < owner.size(); ++i) {
        const auto dof = static_cast<std::int32_t>(i);
        if (owner[i] == kFree) {
            free_.push_back(dof);
            continue;
        }
        prescribed_.push_back(dof);
        owner_.push_back(owner[i]);
        const auto row = static_cast<std::int32_t>(i / d);
        if (rows_.empty() || rows_.back() != row) rows_.push_back(row);
    }
    find_own_targets();
}

void Supports::find_own_targets() {
    const std::vector<std::int32_t>& driven = body_.driven_vertices();
    if (driven.empty()) return;
    const auto d = static_cast<std::size_t>(dim_);
    own_target_.assign(prescribed_.size(), -1);
    std::size_t first = 0;
    for (std::size_t h = 0; h < body_.handles().size(); ++h) {
        const Handle& handle = body_.handles()[h];
        if (!handle.each_vertex) continue;
        for (std::size_t i = 0; i < prescribed_.size(); ++i) {
            if (owner_[i] != static_cast<std::int32_t>(anchors_ + h)) continue;
            const auto vertex = static_cast<std::int32_t>(static_cast<std::size_t>(prescribed_[i]) / d);
            const auto at = std::lower_bound(handle.vertices.begin(), handle.vertices.end(), vertex);
            own_target_[i] = static_cast<std::int32_t>(first) + static_cast<std::int32_t>(at - handle.vertices.begin());
        }
        first += handle.vertices.size();
    }
}

void Supports::targets(const Loads& loads, const double* v_before, double dt, double* u, double* v,
                       double* a) const noexcept {
    const auto d = static_cast<std::size_t>(dim_);
    for (std::size_t i = 0; i < prescribed_.size(); ++i) {
        u[i] = v[i] = a[i] = 0.0;
        const auto dof = static_cast<std::size_t>(prescribed_[i]);
        const int axis = static_cast<int>(dof % d);
        if (!own_target_.empty() && own_target_[i] >= 0) {
            if (loads.vertices.empty()) continue;
            const VertexTarget& t = loads.vertices[static_cast<std::size_t>(own_target_[i])];
            u[i] = t.position[axis] - body_.mesh().vertices[dof / d][axis];
            v[i] = t.velocity[axis];
            if (dt > 0.0) a[i] = (v[i] - v_before[i]) / dt;
            continue;
        }
        if (loads.handles.empty() || owner_[i] < static_cast<std::int32_t>(anchors_)) continue;
        const std::size_t h = static_cast<std::size_t>(owner_[i]) - anchors_;
        const HandleTarget& t = loads.handles[h];
        const Vec3 arm = body_.mesh().vertices[dof / d] - body_.handles()[h].pivot;
        const Vec3 turned = to_matrix(t.rotation) * arm;
        const Vec3 spin = cross(t.angular_velocity, turned);
        u[i] = (t.translation + turned - arm)[axis];
        v[i] = (t.velocity + spin)[axis];
        a[i] = (t.acceleration + cross(t.angular_acceleration, turned) + cross(t.angular_velocity, spin))[axis];
    }
}

void Supports::unit_translation(std::size_t support, int axis, double* u) const noexcept {
    const auto d = static_cast<std::size_t>(dim_);
    for (std::size_t i = 0; i < prescribed_.size(); ++i) {
        u[i] = owner_[i] == static_cast<std::int32_t>(support) &&
                       static_cast<std::size_t>(prescribed_[i]) % d == static_cast<std::size_t>(axis)
                   ? 1.0
                   : 0.0;
    }
}

void Supports::sum_reactions(const double* force, std::span<Wrench> out, const double* u) const noexcept {
    const auto d = static_cast<std::size_t>(dim_);
    std::fill(out.begin(), out.end(), Wrench{});
    for (std::size_t i = 0; i < prescribed_.size(); ++i) {
        if (owner_[i] < 0) continue;
        const auto dof = static_cast<std::size_t>(prescribed_[i]);
        Vec3 f;
        f[static_cast<int>(dof % d)] = force[dof];
        Wrench& w = out[static_cast<std::size_t>(owner_[i])];
        Vec3 lever = body_.mesh().vertices[dof / d];
        for (std::size_t k = 0; u != nullptr && k < d; ++k) lever[static_cast<int>(k)] += u[dof / d * d + k];
        w.force += f;
        w.torque += cross(lever, f);
    }
}

}  // namespace limber
