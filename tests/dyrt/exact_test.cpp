// All modes kept: the oscillators are the finite elements, and a matrix exponential of those says so.
#include "dyrt_fixtures.hpp"

#include "dyrt/oscillators.hpp"
#include "dyrt/part_basis.hpp"

#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A block on a bone: small enough for dense matrices.
FleshPart block() {
    FleshPart part;
    part.name = "block";
    part.mesh = make_box(CellKind::tet4, 3, 2, 2, {0.0, 0.0, 0.0}, {0.15, 0.1, 0.1});
    part.mesh.vertex_sets["held"] = part.mesh.vertex_sets.at("left");
    part.bind_origin = {-0.05, 0.02, 0.03};
    return part;
}

MatrixXd dense(const Csr& a) {
    MatrixXd out = MatrixXd::Zero(static_cast<Eigen::Index>(a.rows()), static_cast<Eigen::Index>(a.rows()));
    for (std::size_t r = 0; r < a.rows(); ++r) {
        for (auto i = a.starts[r]; i < a.starts[r + 1]; ++i) {
            out(static_cast<Eigen::Index>(r),
                a.columns[static_cast<std::size_t>(i)]) = a.values[static_cast<std::size_t>(i)];
        }
    }
    return out;
}

struct Exact {
    FleshPart flesh = block();
    Material material{"flesh", 5000.0, 0.3, 1000.0, 1.5, 0.003};
    PartSystem system;
    DyrtPart part;  ///< oscillators in the modes' own scale
    PartBasis basis;

    Exact() {
        Progress quiet;
        system = make_part_system(flesh, material, false, quiet);
        DyrtSettings all;
        all.modes = static_cast<int>(system.system.free.size());
        all.residuals = 0;
        basis = make_part_basis(system, flesh.bind_origin, all, quiet);
        part.omega = basis.omega;
        part.modes = basis.modes;
        part.transfer = basis.transfer;
        for (const double w : part.omega)
            part.decay.push_back(0.5 * (material.rayleigh_alpha + material.rayleigh_beta * w * w));
    }
    /// Displacements of the free unknowns.
    VectorXd put_together(const Amplitudes& a) const {
        VectorXd u = VectorXd::Zero(static_cast<Eigen::Index>(system.system.free.size()));
        for (std::size_t k = 0; k < basis.count(); ++k) {
            for (std::size_t i = 0; i < system.system.free.size(); ++i)
                u[static_cast<Eigen::Index>(i)] += a.q[k] * basis.shape(k)[system.system.free[i]];
        }
        return u;
    }
};

DyrtDrive some_drive(int step) {
    DyrtDrive d{};
    for (std::size_t c = 0; c < kDyrtDrives; ++c) d[c] = 3.0 * std::sin(0.7 * step + 1.3 * static_cast<double>(c));
    return d;
}

// The same M, C, K under the same accelerations of the bone, held over each step, stepped by dense algebra that knows
// nothing of modes.
TEST(DyrtExact, WithAllModesItIsTheMatrixExponential) {
    const Exact e;
    const auto n = static_cast<Eigen::Index>(e.system.system.free.size());
    ASSERT_LE(n, 600);
    const MatrixXd m = dense(effective_matrix(e.system.system, 1.0, 0.0, 0.0)),
                   k = dense(effective_matrix(e.system.system, 0.0, 0.0, 1.0));
    const MatrixXd c = e.material.rayleigh_alpha * m + e.material.rayleigh_beta * k;
    const Eigen::LLT<MatrixXd> mass(m);
    const double dt = 1.0 / 60.0;
    MatrixXd a = MatrixXd::Zero(2 * n, 2 * n);
    a.topRightCorner(n, n).setIdentity();
    a.bottomLeftCorner(n, n) = -mass.solve(k);
    a.bottomRightCorner(n, n) = -mass.solve(c);
    const MatrixXd flow = (a * dt).exp();
    const std::vector<double> loads = drive_loads(e.system, e.flesh.bind_origin);
    VectorXd x = VectorXd::Zero(2 * n);
    const Oscillators oscillators(e.part, dt, false);
    Amplitudes amplitudes = oscillators.at_rest();
    double wrong = 0.0, size = 0.0;
    for (int step = 0; step < 40; ++step) {
        const DyrtDrive d = some_drive(step);
        VectorXd force = VectorXd::Zero(n);
        for (Eigen::Index i = 0; i < n; ++i) {
            for (std::size_t g = 0; g < kDyrtDrives; ++g) {
                force[i] += loads[g * e.system.system.size() +
                                  static_cast<std::size_t>(e.system.system.free[static_cast<std::size_t>(i)])] *
                            d[g];
            }
        }
        // Constant force: the way from where it would come to rest decays freely.
        VectorXd rest = VectorXd::Zero(2 * n);
        rest.head(n) = k.ldlt().solve(force);
        x = rest + flow * (x - rest);
        oscillators.step(amplitudes, d, {});
        const VectorXd u = e.put_together(amplitudes);
        wrong = std::max(wrong, (u - x.head(n)).cwiseAbs().maxCoeff());
        size = std::max(size, x.head(n).cwiseAbs().maxCoeff());
    }
    EXPECT_GT(size, 1e-4);
    EXPECT_LT(wrong, 1e-8 * size);
}

// Coriolis's force does no work, and its table says so: antisymmetric in M's inner product. A lost sign or factor shows
// in the second half.
TEST(DyrtExact, CoriolisTableIsThatOfTheCrossProduct) {
    const Exact e;
    const std::vector<double> table = coriolis_table(e.system, e.basis);
    const std::size_t m = e.basis.count(), n = e.system.system.size();
    for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t k = 0; k < m; k += 7) {
            for (std::size_t j = 0; j < m; j += 5)
                EXPECT_NEAR(table[(a * m + k) * m + j], -table[(a * m + j) * m + k], 1e-9);
        }
    }
    const Vec3 w{0.4, -1.1, 0.8};
    std::vector<double> turned(n), heavy(n);
    const std::size_t j = 3, k = 8;
    for (std::size_t v = 0; v < n; v += 3) {
        const Vec3 f = cross(w, Vec3{e.basis.shape(j)[v], e.basis.shape(j)[v + 1], e.basis.shape(j)[v + 2]}) * -2.0;
        for (int i = 0; i < 3; ++i) turned[v + static_cast<std::size_t>(i)] = f[i];
    }
    inertia(e.system.system, turned.data(), heavy.data());
    double expected = 0.0, got = 0.0;
    for (std::size_t i = 0; i < n; ++i) expected += e.basis.shape(k)[i] * heavy[i];
    for (int a = 0; a < 3; ++a) got += table[(static_cast<std::size_t>(a) * m + k) * m + j] * w[a];
    EXPECT_NEAR(got, expected, 1e-12 * (1.0 + std::abs(expected)));
}

}  // namespace
}  // namespace limber
