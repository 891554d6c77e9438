// The law of a corotated point: energy, stress, damping and tangent of one averaged deformation gradient.
//
//   energy = mu |E|^2 + lambda/2 tr(E)^2 + bulk/2 (det F - 1)^2,    E = S - 1,  F = R S        moduli times the point's
//   volume [J]
#pragma once

#include "fem_large/corotated_parts.hpp"

namespace limber {

struct CorotatedModuli {
    double lambda = 0.0, mu = 0.0, bulk = 0.0;
};

struct CorotatedPoint {
    CorotatedPoint(const Mat3& gradient, const Quat& q, const CorotatedModuli& m)
        : moduli(m), r(to_matrix(q)), strain(strain_of(gradient, q)), f(deformation(gradient)), cof(cofactor(f)) {
        change = volume_change(strain);  // det S = det F
    }

    double energy() const {
        return strain_squares(strain, {moduli.lambda, moduli.mu}) + moduli.bulk / 2 * change * change;
    }
    Mat3 piola() const {
        Mat3 s = scaled(strain, 2 * moduli.mu);
        for (int i = 0; i < 3; ++i) s(i, i) += moduli.lambda * trace_of(strain);
        return sum_of(r * s, scaled(cof, moduli.bulk * change));
    }

    /// P of damping, for F changing at `rate`. S' = sym(B - [w]_x S), B = R^T F', w = T^-1 (axial vector of B - B^T)
    /// the speed at which R turns, T = tr S - S. Its stress s does work on w too: P = R (s + [n]_x), n = T^-1 (axial
    /// vector of S s - s S).
    Mat3 viscous(const Mat3& rate) const {
        const Mat3 s = deformation(strain), b = transpose(r) * rate;
        Mat3 t;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) t(i, j) = (i == j ? trace_of(s) : 0.0) - 0.5 * (s(i, j) + s(j, i));
        const bool turns = determinant(t) >
                           1e-3;  // else nearly flat or inside out: the rotation may choose, and is left out
        const Mat3 over = turns ? inverse(t) : Mat3{};
        const Mat3 half = sum_of(b, scaled(crossing(over * axial(b)) * s, -1.0)),
                   stretching = scaled(sum_of(half, transpose(half)), 0.5);
        const Mat3 swelling = cofactor(s);
        Mat3 stress = sum_of(scaled(stretching, 2 * moduli.mu),
                             scaled(swelling, moduli.bulk * product_of(swelling, stretching)));
        for (int i = 0; i < 3; ++i) stress(i, i) += moduli.lambda * trace_of(stretching);
        return r * sum_of(stress, crossing(over * axial(s * stress)));
    }

    /// The axial vector of a - a^T.
    static Vec3 axial(const Mat3& a) { return {a(2, 1) - a(1, 2), a(0, 2) - a(2, 0), a(1, 0) - a(0, 1)}; }
    static Mat3 crossing(const Vec3& a) { return {{{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}}}; }

    CorotatedModuli moduli;
    Mat3 r, strain, f, cof;
    double change = 0.0;
};

/// Second derivatives by the displacements of two vertices with gradients a and b, times weights:
///   material (lambda h_a h_b^T + mu h_b h_a^T + mu (h_a . h_b) 1 + bulk c_a c_b^T) + [h_a]_x^T turning [h_b]_x -
///   [pressing (h_a x h_b)]_x,    h = R g, c = cof(F) g
struct CorotatedTangent {
    CorotatedTangent(const CorotatedPoint& at, const TangentWeights& w, double viscosity_share, bool exact)
        : r(at.r), cof(at.cof) {
        const double material = w.stiffness + w.viscosity * viscosity_share;
        moduli = {material * at.moduli.lambda, material * at.moduli.mu, material * at.moduli.bulk};
        if (!exact) return;
        const Mat3 stretch = at.f * transpose(at.r);
        turning = turning_stiffness(stretch, w.stiffness * at.moduli.lambda, w.stiffness * at.moduli.mu, w.positive);
        if (!w.positive) pressure = w.stiffness * at.moduli.bulk * at.change;
        pressing = scaled(stretch, pressure);
        turns = true;
    }

    Mat3 block(const Vec3& a, const Vec3& b) const noexcept {
        const Vec3 ha = r * a, hb = r * b, ca = cof * a, cb = cof * b;
        const double along = moduli.mu * dot(ha, hb);
        Mat3 k;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                k(i, j) = moduli.lambda * ha[i] * hb[j] + moduli.mu * hb[i] * ha[j] + moduli.bulk * ca[i] * cb[j] +
                          (i == j ? along : 0.0);
            }
        }
        if (!turns) return k;
        const auto crossing = CorotatedPoint::crossing;
        return sum_of(k, sum_of(transpose(crossing(ha)) * turning * crossing(hb),
                                scaled(crossing(pressing * cross(ha, hb)), -1.0)));
    }

    CorotatedModuli moduli;
    Mat3 r, cof, turning, pressing;
    double pressure = 0.0;
    bool turns = false;
};

}  // namespace limber
