// Energy densities of large strain, at one point, as functions of the displacement gradient H = F - 1. Written in H, so
// that nothing cancels near rest.
//
//   StVK           psi = mu E:E + lambda/2 (tr E)^2,   E = (F^T F - 1)/2                       theta = tr E
//   neo-Hookean    psi = m/2 (I - 3) - m/2 log((I + 1)/4) - 3/4 m (J - 1) + l/2 (J - 1)^2        theta = J - 1
//                  I = F:F, m = 4/3 mu, l = lambda + 5/6 mu      [Smith, de Goes & Kim 2018, with their mapping]
//
// theta is the volume change that mean dilatation averages over a cell: with bbar the coefficient of its square drops
// by the bulk modulus (lambda becomes lambda - kappa = -2/3 mu) and the cell adds kappa/2 V mean(theta)^2, whose
// pressure p = kappa mean(theta) enters here.
#pragma once

#include <limber/vec3.hpp>

#include <cmath>

namespace limber {

struct LameModuli {
    double lambda = 0.0, mu = 0.0;  ///< [Pa]
};

constexpr Mat3 scaled(const Mat3& a, double s) {
    Mat3 b;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) b(i, j) = s * a(i, j);
    return b;
}
constexpr Mat3 sum_of(const Mat3& a, const Mat3& b) {
    Mat3 c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) c(i, j) = a(i, j) + b(i, j);
    return c;
}
constexpr double trace_of(const Mat3& a) { return a(0, 0) + a(1, 1) + a(2, 2); }
constexpr double product_of(const Mat3& a, const Mat3& b) {
    double s = 0.0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) s += a(i, j) * b(i, j);
    return s;
}
/// d det(A) / dA
constexpr Mat3 cofactor(const Mat3& a) {
    Mat3 c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int p = (i + 1) % 3, q = (i + 2) % 3, s = (j + 1) % 3, t = (j + 2) % 3;
            c(i, j) = a(p, s) * a(q, t) - a(p, t) * a(q, s);
        }
    }
    return c;
}
/// Green's strain (F^T F - 1)/2
constexpr Mat3 green_strain(const Mat3& h) {
    Mat3 e;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j)
            e(i, j) = e(j, i) = (h(i, j) + h(j, i) + h(0, i) * h(0, j) + h(1, i) * h(1, j) + h(2, i) * h(2, j)) / 2;
    }
    return e;
}
constexpr Mat3 deformation(const Mat3& h) { return sum_of(h, Mat3::identity()); }
/// det(1 + H) - 1
constexpr double volume_change(const Mat3& h) { return trace_of(h) + trace_of(cofactor(h)) + determinant(h); }

/// mu |e|^2 + lambda/2 (tr e)^2 as a sum of squares with positive factors: never negative, for any material.
constexpr double strain_squares(const Mat3& e, LameModuli m) {
    const double t = trace_of(e), third = t / 3;
    double deviator = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double d = e(i, j) - (i == j ? third : 0.0);
            deviator += d * d;
        }
    }
    return m.mu * deviator + (m.lambda + 2.0 / 3.0 * m.mu) / 2 * t * t;
}

/// x - log(1 + x), also for small x
inline double less_its_logarithm(double x) {
    if (std::fabs(x) > 0.01) return x - std::log1p(x);
    double sum = 0.0;
    for (int k = 10; k >= 2; --k) sum = 1.0 / k - x * sum;
    return x * x * sum;
}

/// The symmetric matrix without its negative eigenvalues.
Mat3 positive_part(const Mat3& symmetric);

/// One point of a StVK body. Its second derivative by nodal displacements a and b (g: shape gradients) is
///   lambda f_a f_b^T + mu f_b f_a^T + mu (g_a . g_b) F F^T + (g_a . S g_b) 1,    f = F g
struct StvkPoint {
    StvkPoint(const Mat3& h, LameModuli m, double p) : moduli(m), f(deformation(h)), e(green_strain(h)), pressure(p) {
        const double t = m.lambda * trace_of(e) + p;
        s = scaled(e, 2 * m.mu);
        for (int i = 0; i < 3; ++i) s(i, i) += t;
    }
    static double theta(const Mat3& h) { return trace_of(green_strain(h)); }
    double energy() const { return strain_squares(e, moduli); }
    Mat3 piola() const { return f * s; }    ///< P = d psi / dF + p d theta / dF
    Mat3 theta_slope() const { return f; }  ///< d theta / dF
    LameModuli moduli;
    Mat3 f, e, s;
    double pressure;
};

/// One point of a neo-Hookean body. Second derivative:
///   m I/(I+1) (g_a . g_b) 1 + 2 m/(I+1)^2 f_a f_b^T + l c_a c_b^T - q [F (g_a x g_b)]_x,    c = cof F g,  q = l (J -
///   1) - 3/4 m + p
struct NeoHookeanPoint {
    NeoHookeanPoint(const Mat3& h, LameModuli small, double p)
        : m(4.0 / 3.0 * small.mu),
          l(small.lambda + 5.0 / 6.0 * small.mu),
          grad(h),
          f(deformation(h)),
          cof(cofactor(f)),
          strain(green_strain(h)),
          change(volume_change(h)),
          stretch(trace_of(strain)),
          pressure(p) {
        invariant = 3 + 2 * stretch;
        q = l * change - 0.75 * m + p;
    }
    static double theta(const Mat3& h) { return volume_change(h); }
    double energy() const {
        const double y = stretch / 2;
        if (change < -0.5) {
            const double apart = product_of(grad, grad) / 2 - trace_of(cofactor(grad)) - determinant(grad);
            return 0.75 * m * apart + m / 2 * less_its_logarithm(y) + l / 2 * change * change;
        }
        // tr E - (J - 1) is of second order in the strain. Written in H it is a difference of numbers as large as the
        // rotation; in E, with J^2 = det(1 + 2 E), it is not:
        //   (2 + c) (t - c) = 2 |E|^2 - 2 t^2 + t c - 8 det E,    t = tr E,  c = J - 1
        const double t = stretch, squares = product_of(strain, strain), third = determinant(strain);
        const double more = 2 * t + 2 * (t * t - squares) + 8 * third, c = more / (1 + std::sqrt(1 + more));
        const double apart = (2 * squares - 2 * t * t + t * c - 8 * third) / (2 + c);
        return 0.75 * m * apart + m / 2 * less_its_logarithm(y) + l / 2 * c * c;
    }
    Mat3 piola() const {
        // F - cof F = H + H^T - tr H - cof H
        const Mat3 small = cofactor(grad);
        const double t = trace_of(grad), bulk = l * change + pressure, shear = m * stretch / (2 * (invariant + 1));
        Mat3 out;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                const double apart = grad(i, j) + grad(j, i) - (i == j ? t : 0.0) - small(i, j);
                out(i, j) = 0.75 * m * apart + shear * f(i, j) + bulk * cof(i, j);
            }
        }
        return out;
    }
    Mat3 theta_slope() const { return cof; }
    double m, l;
    Mat3 grad, f, cof, strain;
    double change, stretch, pressure, invariant = 3.0, q = 0.0;
};

}  // namespace limber
