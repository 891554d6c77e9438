#include "dense_model.hpp"

#include <cmath>

namespace outside {
namespace {

using limber::Body;
using limber::Vec3;

std::size_t component(std::int32_t vertex, int axis) {
    return 3 * static_cast<std::size_t>(vertex) + static_cast<std::size_t>(axis);
}

void add_cell(const Body& body, std::size_t cell, DenseModel& model) {
    Vec3 g[4];
    const double volume = tet_gradients(body.mesh(), cell, g);
    const limber::Material& material = body.material_of(cell);
    const double lambda = material.lame_lambda(), mu = material.shear();
    const std::int32_t* corner = body.mesh().cell(cell);
    for (int a = 0; a < 4; ++a) {
        model.mass[static_cast<std::size_t>(corner[a])] += material.density * volume / 4;
        for (int b = 0; b < 4; ++b) {
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) {
                    const double same = i == j ? mu * dot(g[a], g[b]) : 0.0;
                    model.stiffness[component(corner[a], i) * model.size + component(corner[b], j)] +=
                        volume * (lambda * g[a][i] * g[b][j] + mu * g[a][j] * g[b][i] + same);
                }
            }
        }
    }
}

template <class Support>
void claim(const Support& support, int owner, DenseModel& model) {
    for (const std::int32_t vertex : support.vertices) {
        for (int axis = 0; axis < 3; ++axis)
            if (support.axes[axis]) model.owner[component(vertex, axis)] = owner;
    }
}

void factor_free(DenseModel& model) {
    const std::size_t n = model.free.size();
    model.factor.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = model.stiffness[model.free[i] * model.size + model.free[j]];
            for (std::size_t k = 0; k < j; ++k) sum -= model.factor[i * n + k] * model.factor[j * n + k];
            if (i != j) {
                model.factor[i * n + j] = sum / model.factor[j * n + j];
                continue;
            }
            const double scale = model.stiffness[model.free[i] * model.size + model.free[i]];
            if (!(sum > 1e-12 * scale)) {
                throw limber::Error(limber::Fault::unsupported, {}, "a body that can still move without deforming",
                                    "anchors or handles that stop every rigid motion");
            }
            model.factor[i * n + i] = std::sqrt(sum);
        }
    }
}

// Moves one support by a unit along `axis`, lets the free components follow, and sums the forces on the support.
Vec3 reaction_to_unit(const DenseModel& model, int owner, int axis) {
    std::vector<double> u(model.size, 0.0), rhs(model.free.size(), 0.0);
    for (std::size_t c = 0; c < model.size; ++c)
        if (model.owner[c] == owner && static_cast<int>(c % 3) == axis) u[c] = 1.0;
    for (std::size_t i = 0; i < rhs.size(); ++i)
        for (std::size_t c = 0; c < model.size; ++c) rhs[i] -= model.stiffness[model.free[i] * model.size + c] * u[c];
    solve_free(model, rhs.data());
    for (std::size_t i = 0; i < rhs.size(); ++i) u[model.free[i]] = rhs[i];
    Vec3 force;
    for (std::size_t c = 0; c < model.size; ++c) {
        if (model.owner[c] != owner) continue;
        for (std::size_t d = 0; d < model.size; ++d)
            force[static_cast<int>(c % 3)] += model.stiffness[c * model.size + d] * u[d];
    }
    return force;
}

}  // namespace

double tet_gradients(const limber::Mesh& mesh, std::size_t cell, Vec3 (&gradient)[4]) noexcept {
    const std::int32_t* corner = mesh.cell(cell);
    const Vec3 origin = mesh.vertices[static_cast<std::size_t>(corner[0])];
    const Vec3 a = mesh.vertices[static_cast<std::size_t>(corner[1])] - origin;
    const Vec3 b = mesh.vertices[static_cast<std::size_t>(corner[2])] - origin;
    const Vec3 c = mesh.vertices[static_cast<std::size_t>(corner[3])] - origin;
    const double six_volumes = dot(a, cross(b, c));
    gradient[1] = cross(b, c) / six_volumes;
    gradient[2] = cross(c, a) / six_volumes;
    gradient[3] = cross(a, b) / six_volumes;
    gradient[0] = -(gradient[1] + gradient[2] + gradient[3]);
    return six_volumes / 6;
}

void solve_free(const DenseModel& model, double* x) noexcept {
    const std::size_t n = model.free.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) x[i] -= model.factor[i * n + k] * x[k];
        x[i] /= model.factor[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        x[i] /= model.factor[i * n + i];
        for (std::size_t k = 0; k < i; ++k) x[k] -= model.factor[i * n + k] * x[i];
    }
}

DenseModel make_dense_model(const Body& body) {
    DenseModel model;
    model.size = 3 * body.vertex_count();
    model.stiffness.assign(model.size * model.size, 0.0);
    model.mass.assign(body.vertex_count(), 0.0);
    for (std::size_t cell = 0; cell < body.mesh().cell_count(); ++cell) add_cell(body, cell, model);

    model.owner.assign(model.size, kFree);
    const int anchors = static_cast<int>(body.anchors().size()), handles = static_cast<int>(body.handles().size());
    for (int i = 0; i < handles; ++i) claim(body.handles()[static_cast<std::size_t>(i)], anchors + i, model);
    for (int i = 0; i < anchors; ++i) claim(body.anchors()[static_cast<std::size_t>(i)], i, model);
    for (std::size_t c = 0; c < model.size; ++c)
        if (model.owner[c] == kFree) model.free.push_back(c);
    factor_free(model);

    for (int owner = 0; owner < anchors + handles; ++owner) {
        limber::Mat3 columns;
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 force = reaction_to_unit(model, owner, axis);
            for (int i = 0; i < 3; ++i) columns(i, axis) = force[i];
        }
        model.support_stiffness.push_back(columns);
    }
    return model;
}

}  // namespace outside
