// What the derivative of R adds to the tangent of a cell whose rotation is that of its centre: quad4, hex8, tet10.
//
// In the cell's own axes, with corners y = R^T x, f = K (y - X), T = tr S - S, and as corners move by e:
//     w = W e,   W = T^-1 G,   G e = sum of g x e          how R turns
//     dy = J e,  J = 1 - Y W,  Y w = w x y                 what is left of the motion
//     forces F = J^T f = f - n x g,   n = T^-1 (sum of y x f)
//     dF = J^T K J e + w x F - W^T (sum of dy x f - dT n),   dT = tr dS - dS,   dS = sym(sum of dy g^T)
// J^T K J is positive semi-definite; the rest need not be.
#pragma once

#include "fem_large/laws.hpp"

namespace limber {

template <int dim, int corners>
class CellTurning {
public:
    static constexpr int dofs = dim * corners;
    struct Cell {
        const double* stiffness;  // K: dofs x dofs, symmetric
        const double* gradients;  // at the centre, in rest axes
        const double* y;
        const double* f;  // K (y - X)
        Mat3 inverse;     // T^-1
    };

    explicit CellTurning(const Cell& cell) noexcept : cell_(cell) {
        for (int i = 0; i < dofs; ++i) {
            const Vec3 turn = cell.inverse * cross(at(cell.gradients, i / dim), unit(i % dim));
            for (int k = 0; k < 3; ++k) {
                w_[k][i] = turn[k];
                y_[k][i] = cross(unit(k), at(cell.y, i / dim))[i % dim];
            }
        }
        for (int k = 0; k < 3; ++k)
            for (int i = 0; i < dofs; ++i) ky_[k][i] = dot_of(cell.stiffness + i * dofs, y_[k]);
    }

    /// out (dofs x dofs) += s times what is missing from K; `positive`: J^T K J - K alone.
    void add(double s, bool positive, double* out) const noexcept {
        // Both parts have the form - (A W + W^T A^T) / 2 + W^T B W.
        double a[3][dofs], b[3][3];
        for (int k = 0; k < 3; ++k)
            for (int i = 0; i < dofs; ++i) a[k][i] = 2.0 * ky_[k][i];
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l) b[k][l] = dot_of(y_[k], ky_[l]);
        if (!positive) add_stress_part(a, b);
        for (int i = 0; i < dofs; ++i) {
            for (int j = 0; j < dofs; ++j) {
                double sum = 0.0;
                for (int k = 0; k < 3; ++k) {
                    sum -= 0.5 * (a[k][i] * w_[k][j] + w_[k][i] * a[k][j]);
                    for (int l = 0; l < 3; ++l) sum += 0.5 * (b[k][l] + b[l][k]) * w_[k][i] * w_[l][j];
                }
                out[i * dofs + j] += s * sum;
            }
        }
    }

private:
    static Vec3 at(const double* p, int corner) {
        const double* c = p + corner * dim;
        if constexpr (dim == 2)
            return {c[0], c[1], 0.0};
        else
            return {c[0], c[1], c[2]};
    }
    static Vec3 unit(int axis) {
        Vec3 e;
        e[axis] = 1.0;
        return e;
    }
    static double dot_of(const double* p, const double* q) {
        double sum = 0.0;
        for (int i = 0; i < dofs; ++i) sum += p[i] * q[i];
        return sum;
    }

    // w x F, and q = (sum of dy x f) - dT n as a matrix of three rows.
    void add_stress_part(double (&a)[3][dofs], double (&b)[3][3]) const noexcept {
        Vec3 torque;
        for (int c = 0; c < corners; ++c) torque += cross(at(cell_.y, c), at(cell_.f, c));
        const Vec3 n = cell_.inverse * torque;
        double q[3][dofs];
        for (int i = 0; i < dofs; ++i) {
            const Vec3 g = at(cell_.gradients, i / dim), e = unit(i % dim), own = at(cell_.f, i / dim),
                       force = own - cross(n, g);
            // dS = (e g^T + g e^T)/2
            const Vec3 stretch = g[i % dim] * n - 0.5 * (dot(g, n) * e + n[i % dim] * g);
            const Vec3 row = cross(e, own) - stretch;
            for (int k = 0; k < 3; ++k) {
                q[k][i] = row[k];
                a[k][i] += row[k] - cross(unit(k), force)[i % dim];
            }
        }
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l) b[k][l] += dot_of(q[k], y_[l]);
    }

    Cell cell_;
    double w_[3][dofs], y_[3][dofs], ky_[3][dofs];
};

}  // namespace limber
