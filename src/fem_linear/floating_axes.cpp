#include "fem_linear/floating_axes.hpp"

#include "core/rotation.hpp"
#include "fem/triples.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

Quat turn_of(const double* axes) { return {axes[3], axes[4], axes[5], axes[6]}; }
void put_turn(double* axes, const Quat& q) {
    axes[3] = q.w;
    axes[4] = q.x;
    axes[5] = q.y;
    axes[6] = q.z;
}
enum : std::size_t { kPosition = 0, kVelocity = 7, kMomentum = 10, kForce = 13, kTorque = 16 };

// Inverse of a small symmetric positive definite matrix (Gauss-Jordan).
std::vector<double> invert(std::vector<double> a, std::size_t n) {
    std::vector<double> b(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) b[i * n + i] = 1.0;
    for (std::size_t k = 0; k < n; ++k) {
        const double pivot = a[k * n + k];
        for (std::size_t j = 0; j < n; ++j) {
            a[k * n + j] /= pivot;
            b[k * n + j] /= pivot;
        }
        for (std::size_t i = 0; i < n; ++i) {
            const double f = a[i * n + k];
            if (i == k || f == 0.0) continue;
            for (std::size_t j = 0; j < n; ++j) {
                a[i * n + j] -= f * a[k * n + j];
                b[i * n + j] -= f * b[k * n + j];
            }
        }
    }
    return b;
}

void apply_mass(const System& s, const double* x, double* y) {
    if (!s.is_lumped()) return multiply(s.mass, x, y);
    const auto b = static_cast<std::size_t>(s.stiffness.block);
    for (std::size_t i = 0; i < s.size(); ++i) y[i] = s.lumped[i / b] * x[i];
}

Vec3 vec_of(const double* field, std::size_t vertex, int dim) {
    const double* p = field + vertex * static_cast<std::size_t>(dim);
    return {p[0], p[1], dim == 3 ? p[2] : 0.0};
}

}  // namespace

FloatingAxes::FloatingAxes(const Body& body, const System& system, double mass_alpha)
    : body_(body), dim_(body.mesh().dimension()), modes_(dim_ == 3 ? 6 : 3), alpha_(mass_alpha) {
    const std::size_t n = system.size(), vertices = body.vertex_count();
    const auto d = static_cast<std::size_t>(dim_);
    std::vector<double> field(n, 0.0), product(n, 0.0);
    for (std::size_t v = 0; v < vertices; ++v) field[v * d] = 1.0;
    apply_mass(system, field.data(), product.data());
    weight_.resize(vertices);
    for (std::size_t v = 0; v < vertices; ++v) {
        weight_[v] = product[v * d];
        mass_ += weight_[v];
        centre_ += weight_[v] * body.mesh().vertices[v];
    }
    centre_ = centre_ / mass_;

    rigid_.assign(static_cast<std::size_t>(modes_) * n, 0.0);
    mass_rigid_.assign(rigid_.size(), 0.0);
    for (int k = 0; k < modes_; ++k) {
        double* mode = rigid_.data() + static_cast<std::size_t>(k) * n;
        Vec3 axis;
        const int turn = k - dim_;
        if (turn >= 0) axis[dim_ == 3 ? turn : 2] = 1.0;
        for (std::size_t v = 0; v < vertices; ++v) {
            const Vec3 w = turn >= 0 ? cross(axis, body.mesh().vertices[v] - centre_)
                                     : Vec3{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
            for (int i = 0; i < dim_; ++i) mode[v * d + static_cast<std::size_t>(i)] = w[i];
        }
        apply_mass(system, mode, mass_rigid_.data() + static_cast<std::size_t>(k) * n);
    }
    const auto m = static_cast<std::size_t>(modes_);
    std::vector<double> gram(m * m, 0.0);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < m; ++j)
            for (std::size_t k = 0; k < n; ++k) gram[i * m + j] += rigid_[i * n + k] * mass_rigid_[j * n + k];
    }
    inertia_ = Mat3::identity();
    for (std::size_t i = d; i < m; ++i) {
        for (std::size_t j = d; j < m; ++j) {
            const int a = dim_ == 3 ? static_cast<int>(i - d) : 2, b = dim_ == 3 ? static_cast<int>(j - d) : 2;
            inertia_(a, b) = gram[i * m + j];
        }
    }
    inverse_inertia_ = inverse(inertia_);
    gram_inverse_ = invert(std::move(gram), m);

    for (std::size_t v = 0; v < vertices; ++v) {
        for (int i = 0; i < dim_; ++i)
            field[v * d + static_cast<std::size_t>(i)] = (body.mesh().vertices[v] - centre_)[i];
    }
    apply_mass(system, field.data(), product.data());
    for (std::size_t v = 0; v < vertices; ++v) mass_arm_.push_back(vec_of(product.data(), v, dim_));
}

void FloatingAxes::reset(double* axes) const noexcept {
    std::fill_n(axes, kReals, 0.0);
    axes[3] = 1.0;
}

Vec3 FloatingAxes::arm(std::size_t vertex, const double* u) const noexcept {
    return body_.mesh().vertices[vertex] - centre_ + vec_of(u, vertex, dim_);
}

Vec3 FloatingAxes::spin(const double* axes) const noexcept {
    const Mat3 r = to_matrix(turn_of(axes));
    return r * (inverse_inertia_ * (transpose(r) * get3(axes + kMomentum)));
}

Wrench FloatingAxes::total(const double* axes, const double* u, std::span<const Vec3> force,
                           const Vec3& gravity) const noexcept {
    Wrench sum{mass_ * gravity, {}};  // gravity acts through the centre of mass: no torque
    const Mat3 r = to_matrix(turn_of(axes));
    for (std::size_t v = 0; v < force.size(); ++v) {
        if (weight_[v] == 0.0) continue;  // no cell uses it
        sum.force += force[v];
        sum.torque += cross(r * arm(v, u), force[v]);
    }
    if (dim_ == 2) sum.force.z = sum.torque.x = sum.torque.y = 0.0;
    return sum;
}

void FloatingAxes::remember(double* axes, const Wrench& now) const noexcept {
    put3(axes + kForce, now.force);
    put3(axes + kTorque, now.torque);
}

void FloatingAxes::advance(double* axes, const Wrench& end, double h) const noexcept {
    // Trapezoidal rule for both momenta; the turn by the implicit midpoint, which keeps energy near and angular
    // momentum exact.
    const double keep = 1 - alpha_ * h / 2, grow = 1 + alpha_ * h / 2;
    const Vec3 v0 = get3(axes + kVelocity), l0 = get3(axes + kMomentum);
    const Vec3 v1 = (keep * v0 + (h / 2 / mass_) * (get3(axes + kForce) + end.force)) / grow;
    const Vec3 l1 = (keep * l0 + (h / 2) * (get3(axes + kTorque) + end.torque)) / grow;
    put3(axes + kPosition, get3(axes + kPosition) + (h / 2) * (v0 + v1));
    const Quat q0 = turn_of(axes);
    const Vec3 middle = 0.5 * (l0 + l1);
    Quat half = q0;
    Vec3 omega;
    for (int i = 0; i < 6;
         ++i) {  // a contraction for |omega| h below about 2; six rounds reach rounding for usual spins
        const Mat3 r = to_matrix(half);
        omega = r * (inverse_inertia_ * (transpose(r) * middle));
        half = normalized(from_rotation_vector((h / 2) * omega) * q0);
    }
    put_turn(axes, normalized(from_rotation_vector(h * omega) * q0));
    put3(axes + kVelocity, v1);
    put3(axes + kMomentum, l1);
    remember(axes, end);
}

// The torque at the step's end depends on where the body is then: predict, then correct with that (second order).
void FloatingAxes::advance_under(double* axes, const double* before, const double* u, std::span<const Vec3> force,
                                 const Vec3& gravity, const Wrench& constant, double h) const noexcept {
    std::copy_n(before, kReals, axes);
    Wrench end = total(axes, u, force, gravity);
    for (int round = 0; round < 2; ++round) {
        std::copy_n(before, kReals, axes);
        advance(axes, {end.force + 2.0 * constant.force, end.torque + 2.0 * constant.torque}, h);
        end = total(axes, u, force, gravity);
    }
    remember(axes, end);
}

void FloatingAxes::push(double* axes, const Wrench& impulse) const noexcept {
    put3(axes + kVelocity, get3(axes + kVelocity) + impulse.force / mass_);
    put3(axes + kMomentum, get3(axes + kMomentum) + impulse.torque);
}

FloatingAxes::Pose FloatingAxes::pose(const double* axes) const noexcept {
    return {centre_ + get3(axes + kPosition), to_matrix(turn_of(axes)), get3(axes + kVelocity), spin(axes)};
}

Mat3 FloatingAxes::rigid_response(const Vec3& arm, const Vec3& pushed_arm) const noexcept {
    Mat3 out;
    for (int j = 0; j < dim_; ++j) {
        Vec3 force;
        force[j] = 1.0;
        const Vec3 answer = force / mass_ + cross(inverse_inertia_ * cross(pushed_arm, force), arm);
        for (int i = 0; i < dim_; ++i) out(i, j) = answer[i];
    }
    return out;
}

void FloatingAxes::deforming_force(const double* axes, std::span<const Vec3> force, double* out) const noexcept {
    const auto d = static_cast<std::size_t>(dim_);
    const std::size_t n = mass_arm_.size() * d, m = static_cast<std::size_t>(modes_);
    const Mat3 back = transpose(to_matrix(turn_of(axes)));
    const Vec3 w = back * spin(axes);
    for (std::size_t v = 0; v < mass_arm_.size(); ++v) {
        Vec3 f = -cross(w, cross(w, mass_arm_[v]));
        if (!force.empty() && weight_[v] != 0.0) f += back * force[v];
        for (std::size_t i = 0; i < d; ++i) out[v * d + i] = f[static_cast<int>(i)];
    }
    double share[6] = {}, amount[6] = {};
    for (std::size_t k = 0; k < m; ++k)
        for (std::size_t i = 0; i < n; ++i) share[k] += rigid_[k * n + i] * out[i];
    for (std::size_t k = 0; k < m; ++k)
        for (std::size_t j = 0; j < m; ++j) amount[k] += gram_inverse_[k * m + j] * share[j];
    for (std::size_t k = 0; k < m; ++k)
        for (std::size_t i = 0; i < n; ++i) out[i] -= amount[k] * mass_rigid_[k * n + i];
}

// The field's share of each rigid mode, also as a translation and a turn.
std::pair<Vec3, Vec3> FloatingAxes::rigid_part(const double* field, double* amount) const noexcept {
    const std::size_t n = mass_arm_.size() * static_cast<std::size_t>(dim_), m = static_cast<std::size_t>(modes_);
    double share[6] = {};
    for (std::size_t k = 0; k < m; ++k)
        for (std::size_t i = 0; i < n; ++i) share[k] += mass_rigid_[k * n + i] * field[i];
    for (std::size_t k = 0; k < m; ++k) {
        amount[k] = 0.0;
        for (std::size_t j = 0; j < m; ++j) amount[k] += gram_inverse_[k * m + j] * share[j];
    }
    if (dim_ == 3) return {{amount[0], amount[1], amount[2]}, {amount[3], amount[4], amount[5]}};
    return {{amount[0], amount[1], 0.0}, {0.0, 0.0, amount[2]}};
}

void FloatingAxes::remove_rigid(double* field) const noexcept {
    const std::size_t n = mass_arm_.size() * static_cast<std::size_t>(dim_), m = static_cast<std::size_t>(modes_);
    double amount[6];
    rigid_part(field, amount);
    for (std::size_t k = 0; k < m; ++k)
        for (std::size_t i = 0; i < n; ++i) field[i] -= amount[k] * rigid_[k * n + i];
}

void FloatingAxes::world_displacements(const double* axes, const double* u, std::span<Vec3> out) const noexcept {
    const Mat3 r = to_matrix(turn_of(axes));
    const Vec3 centre = centre_ + get3(axes + kPosition);
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = centre + r * arm(v, u) - body_.mesh().vertices[v];
}

void FloatingAxes::world_velocities(const double* axes, const double* u, const double* v,
                                    std::span<Vec3> out) const noexcept {
    const Mat3 r = to_matrix(turn_of(axes));
    const Vec3 w = spin(axes), centre = get3(axes + kVelocity);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = centre + cross(w, r * arm(i, u)) + r * vec_of(v, i, dim_);
}

void FloatingAxes::put_vec(double* field, std::size_t vertex, const Vec3& value) const noexcept {
    for (int k = 0; k < dim_; ++k)
        field[vertex * static_cast<std::size_t>(dim_) + static_cast<std::size_t>(k)] = value[k];
}

void FloatingAxes::to_world(const double* axes, std::span<SymMat3> tensors) const noexcept {
    const Mat3 r = to_matrix(turn_of(axes));
    for (SymMat3& t : tensors) t = turned(r, t);
}

double FloatingAxes::kinetic(const double* axes) const noexcept {
    return 0.5 * mass_ * norm2(get3(axes + kVelocity)) + 0.5 * dot(spin(axes), get3(axes + kMomentum));
}

// The turn that maps rest arms onto present ones best: rounds on the torque they exert on each other, from rest and
// from half turns (where that torque vanishes although the fit is the worst one).
Quat FloatingAxes::best_turn(std::span<const Vec3> displacement, const Vec3& centre) const noexcept {
    const auto& rest = body_.mesh().vertices;
    Quat best;
    double best_fit = -1e300;
    for (const Quat& start : {Quat{1, 0, 0, 0}, Quat{0, 1, 0, 0}, Quat{0, 0, 1, 0}, Quat{0, 0, 0, 1}}) {
        if (dim_ == 2 && (start.x != 0.0 || start.y != 0.0)) continue;
        Quat q = start;
        double fit = 0.0;
        for (int round = 0; round < 100; ++round) {
            const Mat3 r = to_matrix(q);
            Vec3 torque;
            fit = 0.0;
            for (std::size_t i = 0; i < rest.size(); ++i) {
                const Vec3 a = r * (rest[i] - centre_), x = rest[i] + displacement[i] - centre;
                torque += weight_[i] * cross(a, x);
                fit += weight_[i] * dot(a, x);
            }
            if (!(std::abs(fit) > 0.0) || norm(torque) < 1e-15 * std::abs(fit)) break;
            q = normalized(from_rotation_vector(torque / std::abs(fit)) * q);
        }
        if (fit > best_fit) {
            best_fit = fit;
            best = q;
        }
    }
    return best;
}

void FloatingAxes::fit(std::span<const Vec3> displacement, std::span<const Vec3> velocity, double* axes, double* u,
                       double* v) const noexcept {
    reset(axes);
    const auto& rest = body_.mesh().vertices;
    Vec3 centre, speed;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        centre += (weight_[i] / mass_) * (rest[i] + displacement[i]);
        speed += (weight_[i] / mass_) * velocity[i];
    }
    Quat q = best_turn(displacement, centre);
    // Mean axes by the mass matrix itself: what is still rigid in the deformation moves into the axes, until nothing
    // is.
    double share[6];
    for (int round = 0; round < 30; ++round) {
        const Mat3 back = transpose(to_matrix(q));
        for (std::size_t i = 0; i < rest.size(); ++i)
            put_vec(u, i, back * (rest[i] + displacement[i] - centre) - (rest[i] - centre_));
        const auto [shift, turn] = rigid_part(u, share);
        centre += to_matrix(q) * shift;
        q = normalized(q * from_rotation_vector(turn));
        if (norm(turn) + norm(shift) / std::sqrt(norm2(rest.front() - centre_) + 1e-300) < 1e-15) break;
    }
    put3(axes + kPosition, centre - centre_);
    put_turn(axes, q);
    const Mat3 r = to_matrix(q), back = transpose(r);
    Vec3 omega;
    for (int round = 0; round < 30; ++round) {
        for (std::size_t i = 0; i < rest.size(); ++i)
            put_vec(v, i, back * (velocity[i] - speed - cross(omega, rest[i] + displacement[i] - centre)));
        const auto [shift, turn] = rigid_part(v, share);
        speed += r * shift;
        omega += r * turn;
    }
    put3(axes + kVelocity, speed);
    put3(axes + kMomentum, r * (inertia_ * (back * omega)));
}

}  // namespace limber
