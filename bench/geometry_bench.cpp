// Finding points in a mesh, against reading the mesh once and against asking every cell.
#include "bench.hpp"
#include "yardstick.hpp"

#include "core/text.hpp"
#include "geometry/embedding.hpp"
#include "linalg/test_matrices.hpp"

#include <algorithm>
#include <memory>

namespace limber::bench {
namespace {

struct Search {
    Mesh mesh;
    std::unique_ptr<PointLocator> locator;
    std::vector<Vec3> points;
};

// The cell whose box holds the point, by asking all of them: without even solving for the weights.
int scan(const Mesh& mesh, const Vec3& p) {
    int found = 0;
    const auto n = static_cast<std::size_t>(corners_of(mesh.kind));
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Vec3 low = mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[0])], high = low;
        for (std::size_t a = 1; a < n; ++a) {
            const Vec3& v = mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[a])];
            for (int i = 0; i < 3; ++i) {
                low[i] = std::min(low[i], v[i]);
                high[i] = std::max(high[i], v[i]);
            }
        }
        found += p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
    }
    return found;
}

Work locate_work(CellKind kind, int n, bool outside) {
    auto s = std::make_shared<Search>();
    s->mesh = make_box(kind, n, n, n, {0, 0, 0}, {1, 1, 1});
    s->locator = std::make_unique<PointLocator>(s->mesh);
    testing::Random random(5);
    for (int i = 0; i < 200; ++i) {
        const double reach = outside ? 1.5 : 0.499;
        s->points.push_back({0.5 + reach * random(), 0.5 + reach * random(), 0.5 + reach * random()});
    }
    Work w;
    w.subject = [s] {
        for (const Vec3& p : s->points) keep(s->locator->locate(p).weights[0]);
    };
    w.against = "mesh read once a point";
    w.bytes = 24 * s->mesh.vertices.size() + 4 * s->mesh.cells.size();
    w.passes = static_cast<double>(s->points.size());
    w.baseline = [s] {
        for (const Vec3& p : s->points) keep(scan(s->mesh, p));
    };
    w.baseline_name = "every cell's box";
    w.units = static_cast<int>(s->points.size());
    return w;
}

Work embed_work(int n) {
    auto s = std::make_shared<Search>();
    s->mesh = make_box(CellKind::tet4, n, n, n, {0, 0, 0}, {1, 1, 1});
    s->locator = std::make_unique<PointLocator>(s->mesh);
    auto locations = std::make_shared<std::vector<Location>>();
    auto field = std::make_shared<std::vector<Vec3>>(s->mesh.vertices);
    testing::Random random(6);
    for (int i = 0; i < 20000; ++i)
        locations->push_back(
            s->locator->locate({0.5 + 0.499 * random(), 0.5 + 0.499 * random(), 0.5 + 0.499 * random()}));
    Work w;
    w.subject = [s, locations, field] {
        Vec3 sum;
        for (const Location& at : *locations) sum += interpolate(s->mesh, at, *field);
        keep(sum.x);
    };
    w.against = "locations read once";
    w.bytes = locations->size() * sizeof(Location);
    return w;
}

}  // namespace

void add_geometry_cases(Cases& cases, const Settings& settings) {
    const int n = settings.quick ? 10 : 20;
    cases.push_back({text("locate/tet4_", n), [n] { return locate_work(CellKind::tet4, n, false); }});
    cases.push_back({text("locate/hex8_", n), [n] { return locate_work(CellKind::hex8, n, false); }});
    cases.push_back({text("locate_outside/tet4_", n), [n] { return locate_work(CellKind::tet4, n, true); }});
    cases.push_back({text("embed/tet4_", n), [n] { return embed_work(n); }});
}

}  // namespace limber::bench
