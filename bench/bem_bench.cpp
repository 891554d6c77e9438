// Boundary elements in space: integrating a body's surface, factoring, and solving for one load and for many.
#include "bench.hpp"
#include "yardstick.hpp"

#include "bem/boundary_system.hpp"
#include "core/text.hpp"
#include "linalg/dense_lu.hpp"

#include <Eigen/LU>

#include <memory>
#include <numbers>

namespace limber::bench {
namespace {

BoundaryShape cube_surface(int across) {
    return boundary_shape(make_box(CellKind::hex8, across, across, across, {}, {1.0, 1.0, 1.0}));
}

// What a first program would do: seven points for every facet and node, kernels as printed, near ones wrong.
double plain_integrals(const BoundaryShape& shape) {
    constexpr double a = 0.47014206410511508, b = 0.10128650732345633, wa = 0.13239415278850619,
                     wb = 0.12593918054482717;
    constexpr double rule[7][3] = {{1.0 / 3, 1.0 / 3, 0.225}, {a, a, wa}, {a, 1 - 2 * a, wa},
                                   {1 - 2 * a, a, wa},        {b, b, wb}, {b, 1 - 2 * b, wb},
                                   {1 - 2 * b, b, wb}};
    constexpr double nu = 0.3;
    const std::size_t rows = 3 * shape.points.size();
    DenseMatrix h(rows, rows), g(rows, rows);
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        Vec3 corner[3];
        std::size_t column[3];
        for (std::size_t k = 0; k < 3; ++k) {
            column[k] = static_cast<std::size_t>(shape.facets[3 * f + k]);
            corner[k] = shape.points[column[k]];
        }
        const Vec3 twice = cross(corner[1] - corner[0], corner[2] - corner[0]), n = twice / norm(twice);
        for (std::size_t node = 0; node < shape.points.size(); ++node) {
            for (const auto& [x, y, w] : rule) {
                const double shape_function[3] = {1.0 - x - y, x, y};
                const Vec3 r = shape_function[0] * corner[0] + x * corner[1] + y * corner[2] - shape.points[node];
                const double length = norm(r), area = 0.5 * norm(twice) * w, dn = dot(r, n) / length;
                const Vec3 e = r / length;
                for (std::size_t i = 0; i < 3; ++i) {
                    for (std::size_t j = 0; j < 3; ++j) {
                        const int p = static_cast<int>(i), q = static_cast<int>(j);
                        const double delta = i == j ? 1.0 : 0.0;
                        const double u = area * ((3 - 4 * nu) * delta + e[p] * e[q]) /
                                         (16 * std::numbers::pi * (1 - nu) * length);
                        const double t = -area *
                                         (dn * ((1 - 2 * nu) * delta + 3 * e[p] * e[q]) -
                                          (1 - 2 * nu) * (e[p] * n[q] - e[q] * n[p])) /
                                         (8 * std::numbers::pi * (1 - nu) * length * length);
                        for (std::size_t k = 0; k < 3; ++k) {
                            g(3 * node + i, 3 * column[k] + j) += shape_function[k] * u;
                            h(3 * node + i, 3 * column[k] + j) += shape_function[k] * t;
                        }
                    }
                }
            }
        }
    }
    return h(0, 0) + g(0, 0);
}

Work integrate_work(int across) {
    const auto shape = std::make_shared<BoundaryShape>(cube_surface(across));
    const double pairs = static_cast<double>(shape->points.size()) * static_cast<double>(shape->facet_count());
    Work w;
    w.subject = [shape] {
        Progress quiet;
        keep(make_space_system(*shape, {1.0, 0.3}, {}, quiet).h(0, 0));
    };
    w.limit = Limit::flops;
    w.against = "seven points of 120 flops per facet and node";
    w.flops = pairs * 7 * 120;
    w.bytes = std::size_t{2} * 9 * 8 * shape->points.size() * shape->points.size();
    w.baseline = [shape] { keep(plain_integrals(*shape)); };
    w.baseline_name = "seven points everywhere, kernels as printed (near ones wrong)";
    w.dear = true;
    return w;
}

// Rows that a factor takes well: as diagonal-heavy as H of a held body.
DenseMatrix heavy_matrix(std::size_t n) {
    DenseMatrix a(n, n);
    std::uint64_t state = 1;
    for (double& v : a.values) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        v = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
    }
    for (std::size_t i = 0; i < n; ++i) a(i, i) += 0.5 * static_cast<double>(n);
    return a;
}

Work factor_work(std::size_t n) {
    const auto a = std::make_shared<DenseMatrix>(heavy_matrix(n));
    Work w;
    w.subject = [a] {
        Progress quiet;
        keep(DenseLu(*a, quiet, "factoring").condition());
    };
    w.limit = Limit::flops;
    w.against = "2/3 n^3 flops";
    const auto size = static_cast<double>(n);
    w.flops = 2.0 / 3.0 * size * size * size;
    w.bytes = 8 * n * n;
    if (n <= 3000) {
        w.baseline = [a, n] {
            const auto size_of = static_cast<Eigen::Index>(n);
            keep(Eigen::PartialPivLU<Eigen::MatrixXd>(
                     Eigen::Map<const Eigen::MatrixXd>(a->values.data(), size_of, size_of))
                     .matrixLU()(0, 0));
        };
    }
    w.baseline_name = "Eigen PartialPivLU";
    w.dear = true;
    return w;
}

Work solve_work(std::size_t n, std::size_t columns) {
    Progress quiet;
    const auto lu = std::make_shared<DenseLu>(heavy_matrix(n), quiet, "factoring");
    const auto b = std::make_shared<DenseMatrix>(n, columns);
    Work w;
    w.subject = [lu, b, columns] {
        Progress silent;
        for (double& v : b->values) v = 1.0;
        if (columns == 1)
            lu->solve(b->values.data());
        else
            lu->solve_columns(*b, silent, "solving");
        keep(b->values[0]);
    };
    w.bytes = 8 * n * n;
    w.limit = columns == 1 ? Limit::read : Limit::flops;
    w.against = columns == 1 ? "factor read once" : "2 n^2 flops per column";
    w.flops = 2.0 * static_cast<double>(n * n * columns);
    w.dear = columns > 1;
    return w;
}

}  // namespace

void add_bem_cases(Cases& cases, const Settings& settings) {
    for (const int across : settings.quick ? std::vector<int>{5} : std::vector<int>{9, 13, 18})
        cases.push_back({text("bem/integrate_", 6 * across * across + 2), [across] { return integrate_work(across); }});
    for (const std::size_t n :
         settings.quick ? std::vector<std::size_t>{450} : std::vector<std::size_t>{1500, 3000, 6000}) {
        cases.push_back({text("bem/factor_", n), [n] { return factor_work(n); }});
        cases.push_back({text("bem/solve_", n), [n] { return solve_work(n, 1); }});
        cases.push_back({text("bem/solve_many_", n), [n] { return solve_work(n, n); }});
    }
}

}  // namespace limber::bench
