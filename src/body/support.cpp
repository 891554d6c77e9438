#include "body/support.hpp"

#include "core/joined.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

constexpr std::size_t kModes = 6;
using Gram = std::array<std::array<double, kModes>, kModes>;

// Eigenvalues of a small symmetric matrix by cyclic Jacobi rotations: a rank that does not hinge on a pivot order.
std::array<double, kModes> eigenvalues(Gram a) {
    for (int sweep = 0; sweep < 60; ++sweep) {
        double off = 0.0;
        for (std::size_t p = 0; p < kModes; ++p) {
            for (std::size_t q = p + 1; q < kModes; ++q) {
                off += a[p][q] * a[p][q];
                if (a[p][q] == 0.0) continue;
                const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                const double t = (theta >= 0 ? 1.0 : -1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1.0));
                const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
                for (std::size_t k = 0; k < kModes; ++k) {
                    const double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for (std::size_t k = 0; k < kModes; ++k) {
                    const double pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                }
            }
        }
        if (off == 0.0) break;
    }
    std::array<double, kModes> values{};
    for (std::size_t i = 0; i < kModes; ++i) values[i] = a[i][i];
    return values;
}

// Part number per vertex (the lowest vertex of the part), -1 where no cell is.
std::vector<std::int32_t> parts_of(const Mesh& mesh) {
    Joined joined(mesh.vertices.size());
    const std::size_t corners = static_cast<std::size_t>(corners_of(mesh.kind));
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        for (std::size_t i = 1; i < corners; ++i) joined.join(mesh.cell(c)[0], mesh.cell(c)[i]);
    std::vector<std::int32_t> part(mesh.vertices.size(), -1);
    for (const std::int32_t v : mesh.cells) part[static_cast<std::size_t>(v)] = joined.root(v);
    return part;
}

struct Row {
    std::int32_t part;
    Vec3 at;
    int axis;
};

std::vector<Row> prescribed_rows(const BodyDescription& body, const std::vector<std::int32_t>& part) {
    const int dimension = body.mesh.dimension();
    std::vector<Row> rows;
    const auto add = [&](const IndexSet& vertices, const Axes& axes) {
        for (const std::int32_t v : vertices) {
            for (int axis = 0; axis < dimension; ++axis) {
                if (axes[axis] && part[static_cast<std::size_t>(v)] >= 0) {
                    rows.push_back(
                        {part[static_cast<std::size_t>(v)], body.mesh.vertices[static_cast<std::size_t>(v)], axis});
                }
            }
        }
    };
    for (const Anchor& anchor : body.anchors) add(anchor.vertices, anchor.axes);
    for (const Handle& handle : body.handles) add(handle.vertices, handle.axes);
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.part < b.part; });
    return rows;
}

// The velocity along `axis` at r of the rigid motion (translation, rotation): e . (t + w x r) = (e, r x e) . (t, w).
void add_row(Gram& gram, const Vec3& r, int axis) {
    Vec3 e;
    e[axis] = 1.0;
    const Vec3 turn = cross(r, e);
    const std::array<double, kModes> row{e.x, e.y, e.z, turn.x, turn.y, turn.z};
    for (std::size_t i = 0; i < kModes; ++i)
        for (std::size_t j = 0; j < kModes; ++j) gram[i][j] += row[i] * row[j];
}

int rank_of(std::span<const Row> rows, double size, int dimension) {
    if (rows.empty()) return 0;
    Vec3 centre;
    for (const Row& row : rows) centre += row.at / static_cast<double>(rows.size());
    Gram gram{};
    for (const Row& row : rows) {
        Vec3 r = (row.at - centre) / size;
        if (dimension == 2) r.z = 0.0;
        add_row(gram, r, row.axis);
    }
    if (dimension == 2)  // only x, y and the turn about z are ways to move
    {
        for (const std::size_t out : {2u, 3u, 4u})
            for (std::size_t k = 0; k < kModes; ++k) gram[out][k] = gram[k][out] = 0.0;
    }
    const std::array<double, kModes> values = eigenvalues(gram);
    const double largest = *std::max_element(values.begin(), values.end());
    // The Gram matrix squares lengths: supports less than a millionth of the body apart count as one point.
    return static_cast<int>(std::count_if(values.begin(), values.end(), [&](double v) { return v > 1e-12 * largest; }));
}

}  // namespace

std::vector<PartSupport> part_supports(const BodyDescription& body) {
    const std::vector<std::int32_t> part = parts_of(body.mesh);
    const std::vector<Row> rows = prescribed_rows(body, part);
    const int dimension = body.mesh.dimension();
    const double diagonal = diagonal_of(body.mesh), size = diagonal > 0.0 ? diagonal : 1.0;
    std::vector<PartSupport> out;
    std::size_t at = 0;
    for (std::size_t v = 0; v < part.size(); ++v) {
        const std::int32_t id = static_cast<std::int32_t>(v);
        if (part[v] != id) continue;
        const std::size_t begin = at;
        while (at < rows.size() && rows[at].part == id) ++at;
        out.push_back({id, rank_of({rows.data() + begin, at - begin}, size, dimension), dimension == 3 ? 6 : 3});
    }
    return out;
}

Support joint_support(const std::vector<PartSupport>& parts) {
    const auto all = [&](Support s) {
        return std::all_of(parts.begin(), parts.end(), [&](const PartSupport& p) { return p.support() == s; });
    };
    return all(Support::held) ? Support::held : (all(Support::free) ? Support::free : Support::partial);
}

}  // namespace limber
