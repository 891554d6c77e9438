// The strain averaged around a vertex as a point of its own: what a law's tangent there gives for any two vertices of
// the patch.
#pragma once

#include "fem_large/laws.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

/// How much of each matrix a point gives, times its volume.
struct BlockWeights {
    double stiffness, viscosity;
    bool positive;
};

/// Second derivatives of a point's energy by F, and so by the displacements of two vertices with gradients a and b:
///   block(i, j) = sum over k, l of t(i, k, j, l) a_k b_l
class PointTangent {
public:
    PointTangent(const StvkPoint& at, LameModuli m, const BlockWeights& w) {
        add_material(at.f, m, w.stiffness + w.viscosity);
        add_spin(scaled(w.positive ? positive_part(at.s) : at.s, w.stiffness));
    }
    PointTangent(const NeoHookeanPoint& at, LameModuli m, const BlockWeights& w) {
        if (w.viscosity != 0.0) add_material(at.f, m, w.viscosity);
        if (w.positive)
            add_positive(at, w.stiffness);
        else
            add_exact(at, w.stiffness);
    }

    /// What one vertex's gradient makes of it: any other's blocks are then cheap.
    template <int dim>
    struct Row {
        double r[dim * dim * dim];  ///< (l, i, j)
        void add(const double* b, double* block) const noexcept {
            for (int ij = 0; ij < dim * dim; ++ij) {
                double sum = 0.0;
                for (int l = 0; l < dim; ++l) sum += r[l * dim * dim + ij] * b[l];
                block[ij] += sum;
            }
        }
    };
    template <int dim>
    Row<dim> row(const double* a) const noexcept {
        Row<dim> out{};
        for (int i = 0; i < dim; ++i) {
            for (int k = 0; k < dim; ++k) {
                for (int j = 0; j < dim; ++j)
                    for (int l = 0; l < dim; ++l) out.r[(l * dim + i) * dim + j] += t_[at(i, k, j, l)] * a[k];
            }
        }
        return out;
    }

private:
    static constexpr int at(int i, int k, int j, int l) { return ((i * 3 + k) * 3 + j) * 3 + l; }
    // lambda F F + mu (F crossed, and F F^T along the diagonal): the material part that both laws damp with
    void add_material(const Mat3& f, LameModuli m, double weight) {
        const Mat3 even = scaled(f * transpose(f), weight * m.mu);
        const double wl = weight * m.lambda, wm = weight * m.mu;
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                for (int j = 0; j < 3; ++j) {
                    for (int l = 0; l < 3; ++l) {
                        t_[at(i, k, j, l)] += wl * f(i, k) * f(j, l) + wm * f(i, l) * f(j, k) +
                                              (k == l ? even(i, j) : 0.0);
                    }
                }
            }
        }
    }
    void add_spin(const Mat3& s) {
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) t_[at(i, k, i, l)] += s(k, l);
        }
    }
    void add_exact(const NeoHookeanPoint& p, double weight) {
        const double up = p.invariant + 1, plain = weight * p.m * p.invariant / up, wf = weight * 2 * p.m / (up * up),
                     wc = weight * p.l;
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                t_[at(i, k, i, k)] += plain;
                for (int j = 0; j < 3; ++j) {
                    for (int l = 0; l < 3; ++l)
                        t_[at(i, k, j, l)] += wf * p.f(i, k) * p.f(j, l) + wc * p.cof(i, k) * p.cof(j, l);
                }
                // d2J/dF2: what is left of F without rows i, j and columns k, l
                const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
                const double wq = weight * p.q;
                t_[at(i, k, i1, k1)] += wq * p.f(i2, k2);
                t_[at(i, k, i2, k2)] += wq * p.f(i1, k1);
                t_[at(i, k, i1, k2)] -= wq * p.f(i2, k1);
                t_[at(i, k, i2, k1)] -= wq * p.f(i1, k2);
            }
        }
    }
    void add_positive(const NeoHookeanPoint& p, double weight);

    double t_[81] = {};
};

/// P of the damping that both laws share: 2 mu E' + lambda tr E' in the axes of rest, brought forward.
inline Mat3 viscous_piola(const Mat3& f, const Mat3& rate, LameModuli m) {
    const Mat3 turned = transpose(f) * rate;
    Mat3 s = scaled(sum_of(turned, transpose(turned)), m.mu);
    for (int i = 0; i < 3; ++i) s(i, i) += m.lambda * trace_of(turned);
    return f * s;
}

}  // namespace limber
