// Element matrices against the flops of B^T D B, assembly against writing the matrix, each beside Eigen's way.
#include "bench.hpp"
#include "plain_fem.hpp"
#include "yardstick.hpp"

#include <memory>
#include "core/text.hpp"
#include "fem/assembly.hpp"

namespace limber::bench {
namespace {

std::shared_ptr<const Body> block(CellKind kind, int n) {
    BodyDescription d;
    d.mesh = dimension_of(kind) == 2 ? make_grid(kind, n * n / 4 + 1, n, {0, 0, 0}, {1, 1, 0})
                                     : make_box(kind, n, n, n, {0, 0, 0}, {1, 1, 1});
    d.materials = {{"", {"soft", 1e4, 0.3, 1000.0, 0.1, 0.01}}};
    return Body::make(d);
}

// D B and then B^T (D B) per quadrature point, dense, as textbooks write it.
double flops_of(const Mesh& mesh) {
    const double dofs = corners_of(mesh.kind) * mesh.dimension(), strains = mesh.dimension() == 2 ? 4 : 6;
    const auto points = static_cast<double>(stiffness_points(mesh.kind).size());
    return static_cast<double>(mesh.cell_count()) * points * 2.0 * (strains * strains * dofs + strains * dofs * dofs);
}

Work element_work(CellKind kind, int n) {
    const auto body = block(kind, n);
    Work w;
    w.subject = [body] {
        ElementMatrices e;
        for (std::size_t c = 0; c < body->mesh().cell_count(); ++c) element_matrices(*body, c, {}, e);
        keep(e.stiffness[0]);
    };
    w.limit = Limit::flops;
    w.against = "B^T D B flops at peak";
    w.bytes = body->mesh().cells.size() * 4 + body->vertex_count() * 24;
    w.flops = flops_of(body->mesh());
    w.baseline = [body] {
        const PlainElement element(*body);
        for (std::size_t c = 0; c < body->mesh().cell_count(); ++c)
            keep(element.stiffness(c)(0, 0) + element.mass(c)(0, 0));
    };
    w.baseline_name = "Eigen::MatrixXd";
    return w;
}

Work assembly_work(CellKind kind, int n) {
    const auto body = block(kind, n);
    Progress silent;
    const FemMatrices fem = assemble(*body, {}, silent);
    Work w;
    w.subject = [body] {
        Progress quiet;
        keep(assemble(*body, {}, quiet).stiffness.values[0]);
    };
    w.limit = Limit::triad;
    w.against = "triad of K, M";
    w.bytes = 8 * (fem.stiffness.values.size() + fem.mass.values.size()) +
              4 * (fem.stiffness.columns.size() + fem.mass.columns.size());
    w.flops = flops_of(body->mesh());
    w.baseline = [body] { keep(plain_assembly(*body).valuePtr()[0]); };
    w.baseline_name = "Eigen triplets";
    w.dear = true;
    return w;
}

}  // namespace

void add_fem_cases(Cases& cases, const Settings& settings) {
    const int n = settings.quick ? 8 : 16;
    for (const CellKind kind : {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8}) {
        const int m = kind == CellKind::tet10 ? n / 2 : n;
        cases.push_back({text("element/", to_string(kind), "_", m), [kind, m] { return element_work(kind, m); }});
        cases.push_back({text("assembly/", to_string(kind), "_", m), [kind, m] { return assembly_work(kind, m); }});
    }
}

}  // namespace limber::bench
