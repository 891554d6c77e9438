#include "bem/free_response.hpp"

#include "bem/rigid_modes.hpp"
#include "linalg/dense_blas.hpp"
#include "linalg/dense_lu.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace limber {
namespace {

/// Rigid motions as columns, orthonormal over the nodes (Gram-Schmidt, twice).
DenseMatrix rigid_columns(const std::vector<Vec3>& nodes, const Vec3& centre, int dimension, int count) {
    const auto d = static_cast<std::size_t>(dimension);
    DenseMatrix out(d * nodes.size(), static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) {
        double* column = out.column(static_cast<std::size_t>(k));
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Vec3 v = rigid_mode(dimension, static_cast<std::size_t>(k), nodes[i] - centre, 1.0);
            for (std::size_t c = 0; c < d; ++c) column[d * i + c] = v[static_cast<int>(c)];
        }
        for (int pass = 0; pass < 2; ++pass) {
            for (int other = 0; other < k; ++other) {
                const double* o = out.column(static_cast<std::size_t>(other));
                double overlap = 0.0;
                for (std::size_t i = 0; i < out.rows; ++i) overlap += o[i] * column[i];
                for (std::size_t i = 0; i < out.rows; ++i) column[i] -= overlap * o[i];
            }
            double length = 0.0;
            for (std::size_t i = 0; i < out.rows; ++i) length += column[i] * column[i];
            length = std::sqrt(length);
            for (std::size_t i = 0; i < out.rows; ++i) column[i] /= length;
        }
    }
    return out;
}

DenseMatrix bordered(const DenseMatrix& h, const DenseMatrix& rigid) {
    const std::size_t n = h.rows, r = rigid.columns;
    DenseMatrix out(n + r, n + r);
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) out(i, j) = h(i, j);
        for (std::size_t k = 0; k < r; ++k) out(n + k, j) = out(j, n + k) = rigid(j, k);
    }
    return out;
}

/// Body force coefficients (b0, then L row by row) of the inertia that balances a force and a torque about the
/// centroid.
void relief(const Enclosed& body, const Mat3& inverse_inertia, int dimension, const Vec3& force, const Vec3& torque,
            double* out) {
    const auto d = static_cast<std::size_t>(dimension);
    const Vec3 turn = dimension == 2 ? Vec3{0.0, 0.0, torque.z / body.inertia()(2, 2)} : inverse_inertia * torque;
    for (int c = 0; c < dimension; ++c) out[c] = -force[c] / body.measure;
    double* l = out + dimension;  // -[turn] x
    for (std::size_t i = 0; i < d * d; ++i) l[i] = 0.0;
    if (dimension == 2) {
        l[1] = turn.z;
        l[2] = -turn.z;
        return;
    }
    l[1] = turn.z;
    l[2] = -turn.y;
    l[3] = -turn.z;
    l[5] = turn.x;
    l[6] = turn.y;
    l[7] = -turn.x;
}

/// Right-hand sides: one per node and axis (slots of a node summed, over mu), then the body columns.
DenseMatrix right_sides(const BoundarySystem& s, std::size_t border, const std::vector<char>& on) {
    const auto d = static_cast<std::size_t>(s.dimension());
    const std::size_t n = s.unknowns();
    DenseMatrix out(n + border, n + s.body.columns);
    for (std::size_t slot = 0; slot < s.slot_node.size(); ++slot) {
        for (std::size_t c = 0; c < d; ++c) {
            if (!on[d * slot + c]) continue;
            const double* from = s.g.column(d * slot + c);
            double* to = out.column(d * static_cast<std::size_t>(s.slot_node[slot]) + c);
            for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
        }
    }
    for (std::size_t k = 0; k < s.body.columns; ++k)
        for (std::size_t i = 0; i < n; ++i) out(i, n + k) = s.body(i, k);
    return out;
}

/// Where a node and axis has no slot that is on, all are.
std::vector<char> complete(const BoundarySystem& s, std::vector<char> on) {
    const auto d = static_cast<std::size_t>(s.dimension());
    if (on.empty()) on.assign(d * s.slot_node.size(), 1);
    for (const std::vector<std::int32_t>& slots : s.node_slots) {
        for (std::size_t c = 0; c < d; ++c) {
            if (std::none_of(slots.begin(), slots.end(),
                             [&](std::int32_t slot) { return on[d * static_cast<std::size_t>(slot) + c] != 0; })) {
                for (const std::int32_t slot : slots) on[d * static_cast<std::size_t>(slot) + c] = 1;
            }
        }
    }
    return on;
}

}  // namespace

FreeResponse::FreeResponse(BoundarySystem s, Progress& progress, const std::vector<char>& asked)
    : dimension_(s.dimension()), position_(s.nodes), weight_(s.unknowns(), 0.0), enclosed_(enclosed_by(s.shape)) {
    const std::vector<char> on = complete(s, asked);
    const auto d = static_cast<std::size_t>(dimension_);
    arm_.assign(s.unknowns(), Vec3{});
    for_slot_shares(s, {}, [&](const SlotShare& share) {
        for (std::size_t c = 0; c < d; ++c) {
            if (!on[d * share.slot + c]) continue;
            const std::size_t j = d * static_cast<std::size_t>(s.slot_node[share.slot]) + c;
            weight_[j] += share.weight;
            arm_[j] += share.moment;
        }
    });
    for (std::size_t j = 0; j < arm_.size(); ++j) arm_[j] = arm_[j] / weight_[j] - enclosed_.centroid;
    const std::size_t n = size(), r = static_cast<std::size_t>(rigid_count()), forces = s.body.columns;
    const DenseMatrix rigid = rigid_columns(position_, enclosed_.centroid, dimension_, rigid_count());
    DenseMatrix matrix = bordered(s.h, rigid);
    s.h = {};
    DenseMatrix x = right_sides(s, r, on);
    s.g = {};
    const DenseLu lu(std::move(matrix), progress, "solving boundary elements");
    condition_ = lu.condition();
    lu.solve_columns(x, progress, "solving boundary elements");

    // Without the border's rows, and each with the inertia that balances it.
    const Mat3 inverse_inertia = dimension_ == 2 ? Mat3::identity() : inverse(enclosed_.inertia());
    const auto relieve = [&](double* column, const Vec3& force, const Vec3& torque) {
        double coefficients[12];
        relief(enclosed_, inverse_inertia, dimension_, force, torque, coefficients);
        for (std::size_t k = 0; k < forces; ++k) {
            const double* body = x.column(n + k);
            for (std::size_t i = 0; i < n; ++i) column[i] += coefficients[k] * body[i];
        }
    };
    compliance_ = DenseMatrix(n, n);
    for (std::size_t j = 0; j < n; ++j) {
        std::copy(x.column(j), x.column(j) + n, compliance_.column(j));
        Vec3 force;
        force[static_cast<int>(j % d)] = weight_[j];
        relieve(compliance_.column(j), force, cross(arm_[j], force));
    }
    stretch_ = DenseMatrix(n, d * d);
    for (std::size_t k = 0; k < d * d; ++k) {
        std::copy(x.column(n + d + k), x.column(n + d + k) + n, stretch_.column(k));
        const int row = static_cast<int>(k / d), column = static_cast<int>(k % d);
        Vec3 axis;
        axis[row] = 1.0;
        const Vec3 moment{enclosed_.second(0, column), enclosed_.second(1, column), enclosed_.second(2, column)};
        relieve(stretch_.column(k), {}, cross(moment, axis));  // integral of r x b for b = axis r_column
    }
}

void FreeResponse::hold_by_springs(double shear) {
    const auto d = static_cast<std::size_t>(dimension_);
    double surface = 0.0;
    for (std::size_t j = 0; j < size(); j += d) surface += weight_[j];
    // As soft as the body itself: neither the springs nor the elastic part drowns the other in rounding.
    const double length = std::pow(enclosed_.measure, 1.0 / dimension_), give = length / (shear * surface);
    for (int k = 0; k < rigid_count(); ++k) {
        const double amplitude = k < dimension_ ? give : give / (length * length);
        for (std::size_t j = 0; j < size(); ++j) {
            Vec3 unit;
            unit[static_cast<int>(j % d)] = 1.0;
            const double by = amplitude * work(j / d, unit, k);
            double* column = compliance_.column(j);
            for (std::size_t i = 0; i < size(); ++i) column[i] += by * rigid_motion(i / d, k)[static_cast<int>(i % d)];
        }
    }
}

FreeResponse::FreeResponse(const BoundaryShape& shape)
    : dimension_(shape.dimension),
      position_(shape.points),
      weight_(static_cast<std::size_t>(shape.dimension) * shape.points.size(), 0.0),
      arm_(weight_.size()),
      enclosed_(enclosed_by(shape)) {}

namespace {

void save_matrix(ByteWriter& out, const DenseMatrix& m) {
    out.u64(m.rows);
    out.u64(m.columns);
    out.reals(m.values);
}

DenseMatrix load_matrix(ByteReader& in) {
    DenseMatrix m;
    m.rows = static_cast<std::size_t>(in.u64());
    m.columns = static_cast<std::size_t>(in.u64());
    m.values = in.reals();
    if (m.rows > (1u << 30) || m.columns > (1u << 30) || m.values.size() != m.rows * m.columns)
        in.fail("a matrix of the wrong size");
    return m;
}

void save_vecs(ByteWriter& out, const std::vector<Vec3>& v) {
    out.u64(v.size());
    for (const Vec3& p : v)
        for (int i = 0; i < 3; ++i) out.f64(p[i]);
}

std::vector<Vec3> load_vecs(ByteReader& in) {
    const std::uint64_t count = in.u64();
    if (count > in.left() / (3 * sizeof(double))) in.fail("more nodes than bytes");
    std::vector<Vec3> v(static_cast<std::size_t>(count));
    for (Vec3& p : v)
        for (int i = 0; i < 3; ++i) p[i] = in.f64();
    return v;
}

}  // namespace

void FreeResponse::save(ByteWriter& out) const {
    out.i32(dimension_);
    save_vecs(out, position_);
    out.reals(weight_);
    save_vecs(out, arm_);
    out.f64(enclosed_.measure);
    for (int i = 0; i < 3; ++i) out.f64(enclosed_.centroid[i]);
    for (int i = 0; i < 9; ++i) out.f64(enclosed_.second(i / 3, i % 3));
    save_matrix(out, compliance_);
    save_matrix(out, stretch_);
    out.f64(condition_);
}

FreeResponse::FreeResponse(ByteReader& in) {
    dense_one_thread();  // steps factor small systems: the same bits for any number of threads
    dimension_ = in.i32();
    if (dimension_ != 2 && dimension_ != 3) in.fail("a dimension that is neither 2 nor 3");
    position_ = load_vecs(in);
    weight_ = in.reals();
    arm_ = load_vecs(in);
    enclosed_.measure = in.f64();
    for (int i = 0; i < 3; ++i) enclosed_.centroid[i] = in.f64();
    for (int i = 0; i < 9; ++i) enclosed_.second(i / 3, i % 3) = in.f64();
    compliance_ = load_matrix(in);
    stretch_ = load_matrix(in);
    condition_ = in.f64();
    const auto d = static_cast<std::size_t>(dimension_);
    if (weight_.size() != size() || arm_.size() != size() || compliance_.rows != size() ||
        compliance_.columns != size() || stretch_.rows != size() || stretch_.columns != d * d) {
        in.fail("a response of the wrong size");
    }
}

std::uint64_t FreeResponse::next_id() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

Vec3 FreeResponse::rigid_motion(std::size_t node, int k) const {
    return rigid_mode(dimension_, static_cast<std::size_t>(k), position_[node] - enclosed_.centroid, 1.0);
}

double FreeResponse::work(std::size_t node, const Vec3& traction, int k) const {
    double sum = 0.0;
    for (int c = 0; c < dimension_; ++c) {
        sum += traction[c] * weight(node, c) *
               rigid_mode(dimension_, static_cast<std::size_t>(k), arm(node, c), 1.0)[c];
    }
    return sum;
}

Vec3 FreeResponse::torque(std::size_t node, const Vec3& traction) const {
    Vec3 sum;
    for (int c = 0; c < dimension_; ++c) {
        Vec3 force;
        force[c] = traction[c] * weight(node, c);
        sum += cross(arm(node, c), force);
    }
    return sum;
}

}  // namespace limber
