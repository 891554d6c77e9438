// Where plain elements would lock: nearly incompressible materials on cells of full integration, and thin bodies of any
// material.
#include <limber/tools/scene.hpp>

#include "core/text.hpp"
#include "geometry/quadrature.hpp"
#include "geometry/shape.hpp"
#include "geometry/thickness.hpp"
#include "scene/bending.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace limber {

namespace {

/// From here on the volumetric stiffness dominates the answer of fully integrated linear cells.
constexpr double kLockingPoisson = 0.45;

/// How much too little plain tet10 in a single layer bend at worst (beams and plates of 1 x 1 to 8 x 8 cells, nu 0.45
/// to 0.4999).
constexpr double kOneLayer = 0.25;

/// Of bending by parasitic shear: from here on less than half of the motion is left.
constexpr double kMostlyWithheld = 0.5;
/// Beyond this the estimate is far too large itself: up to 2.4 times at 28.
constexpr double kManyTimes = 10.0;
/// How much too far a single layer of hex8 with averaged volume bends at worst (beams of 20 to 80 cells, nu 0.3 to
/// 0.45).
constexpr double kSingleBrick = 2.3;
/// Shorter bodies hardly bend.
constexpr double kSlender = 4.0;
/// Cells of a large mesh that tell enough.
constexpr std::size_t kLookedAt = 100'000;

bool has_only_linear_shape(CellKind kind) { return kind != CellKind::tet10; }

std::string advice(CellKind kind) {
    const bool bricks = kind == CellKind::quad4 || kind == CellKind::hex8;
    return bricks ? "use \"integration\": \"bbar\""
                  : (kind == CellKind::tet4 ? "use \"integration\": \"bbar\" or tet10 cells"
                                            : "use \"integration\": \"bbar\" or quad4 cells");
}

/// A body bent about its middle without change of volume: fibres along `a` are stretched in proportion to x_b.
struct Bending {
    Vec3 middle;
    int a, b, dimension;

    Vec3 displacement(const Vec3& point) const {
        const Vec3 x = point - middle;
        const int c = 3 - a - b;
        Vec3 u;
        u[a] = x[a] * x[b];
        u[b] = dimension == 3 ? -0.5 * x[a] * x[a] - 0.25 * (x[b] * x[b] - x[c] * x[c])
                              : -0.5 * (x[a] * x[a] + x[b] * x[b]);
        if (dimension == 3) u[c] = -0.5 * x[b] * x[c];
        return u;
    }
    /// e:e
    double strain2(const Vec3& point) const {
        return (dimension == 3 ? 1.5 : 2.0) * (point[b] - middle[b]) * (point[b] - middle[b]);
    }
};

/// Points at which plain cells measure strain (those of linear_fem's stiffness).
int plain_degree(CellKind kind) {
    return kind == CellKind::tri3 || kind == CellKind::tet4 ? 1 : kind == CellKind::tet10 ? 2 : 3;
}

Mat3 strain_at(const Mesh& mesh, std::size_t cell, const QuadraturePoint& q, const Bending& field, double& weight,
               Vec3& place) {
    std::array<Vec3, kMaxCorners> x{}, dn{};
    std::array<double, kMaxCorners> n{};
    gather_corners(mesh, cell, x.data());
    shape_gradients(mesh.kind, q.xi, dn.data());
    shape_values(mesh.kind, q.xi, n.data());
    const Mat3 jacobian = cell_jacobian(mesh.kind, x.data(), q.xi), back = transpose(inverse(jacobian));
    weight = q.weight * determinant(jacobian);
    place = {};
    Mat3 e;
    for (std::size_t k = 0; k < static_cast<std::size_t>(corners_of(mesh.kind)); ++k) {
        const Vec3 g = back * dn[k], u = field.displacement(x[k]);
        place = place + n[k] * x[k];
        for (int i = 0; i < field.dimension; ++i)
            for (int j = 0; j < field.dimension; ++j) e(i, j) += 0.5 * (u[i] * g[j] + u[j] * g[i]);
    }
    return e;
}

/// `averaged`: as if a change of volume cost nothing, which is what averaging leaves of it at best. `stride`: every so
/// many cells.
double withheld(const Body& body, const Bending& field, bool averaged = false, std::size_t stride = 1) {
    const Mesh& mesh = body.mesh();
    double exact = 0.0, plain = 0.0;
    const auto rule = quadrature(mesh.kind, plain_degree(mesh.kind));
    for (std::size_t c = 0; c < mesh.cell_count(); c += stride) {
        for (const QuadraturePoint& q : rule) {
            double weight = 0.0, square = 0.0, trace = 0.0;
            Vec3 place;
            const Mat3 e = strain_at(mesh, c, q, field, weight, place);
            for (int i = 0; i < 3; ++i) {
                trace += e(i, i);
                for (int j = 0; j < 3; ++j) square += e(i, j) * e(i, j);
            }
            const Material& m = body.material_of(c);
            exact += weight * m.shear() * field.strain2(place);
            plain += weight * (averaged ? m.shear() * (square - trace * trace / field.dimension)
                                        : m.shear() * square + m.lame_lambda() / 2 * trace * trace);
        }
    }
    return plain > exact && plain > 0.0 ? 1.0 - exact / plain : 0.0;
}

struct Span {
    Vec3 middle;
    int along = 0, across = 0;  ///< the longest and the shortest side of its box
    double slenderness = 1.0;   ///< how much longer the longest is
};

Span span_of(const Mesh& mesh) {
    const int dimension = mesh.dimension();
    Vec3 low = mesh.vertices.at(0), high = low;
    for (const Vec3& x : mesh.vertices) {
        for (int i = 0; i < dimension; ++i) {
            low[i] = std::min(low[i], x[i]);
            high[i] = std::max(high[i], x[i]);
        }
    }
    Span out;
    out.middle = 0.5 * (low + high);
    const Vec3 size = high - low;
    for (int i = 1; i < dimension; ++i) {
        if (size[i] > size[out.along]) out.along = i;
        if (size[i] < size[out.across]) out.across = i;
    }
    if (size[out.across] > 0.0) out.slenderness = size[out.along] / size[out.across];
    return out;
}

}  // namespace

double estimate_locking(const Body& body) {
    const Span span = span_of(body.mesh());
    const int dimension = body.mesh().dimension();
    double sum = 0.0;
    for (int b = 0; b < dimension; ++b)
        if (b != span.along) sum += withheld(body, {span.middle, span.along, b, dimension});
    return sum / (dimension - 1);
}

double estimate_shear_locking(const Body& body) {
    const Span span = span_of(body.mesh());
    if (!has_only_linear_shape(body.mesh().kind) || span.slenderness < kSlender) return 0.0;
    return withheld(body, {span.middle, span.along, span.across, body.mesh().dimension()}, true,
                    1 + body.mesh().cell_count() / kLookedAt);
}

std::string bending_warning(const Body& body, bool averaged) {
    const CellKind kind = body.mesh().kind;
    if (averaged && (kind == CellKind::tri3 || kind == CellKind::tet4))
        return {};  // their averages bend freely: at most 1.5 times too little
    const double missing = estimate_shear_locking(body);
    if (missing < kMostlyWithheld) {
        const bool single = averaged && kind == CellKind::hex8 && span_of(body.mesh()).slenderness >= kSlender &&
                            is_one_cell_thick(body.mesh());
        if (!single) return {};
        return text("a single layer of hex8 cells with averaged volume bends across its thin side up to ", kSingleBrick,
                    " times too far; two layers do not, nor do tet10 cells");
    }
    const bool plane = body.mesh().dimension() == 2;
    const double times = 1.0 / (1.0 - missing);
    return text("too few ", to_string(kind), " cells for a body this thin: bent across its thin side it moves ",
                times < kManyTimes ? fmt::format("about {:.2g}", times) : std::string("more than 10"),
                " times too little, whatever Poisson's ratio; ",
                plane ? "shorter cells and more layers of them help"
                      : "more layers of shorter cells help, and tet10 cells far more");
}

std::vector<LockingRisk> locking_risks(const Body& body, bool full_integration) {
    std::vector<LockingRisk> risks;
    const CellKind kind = body.mesh().kind;
    // Plane stress lets the body thin freely in depth, so nothing has to keep its area.
    const bool free_in_depth = body.mesh().dimension() == 2 && body.plane() == Plane::stress;
    const bool one_layer = kind == CellKind::tet10 && is_one_cell_thick(body.mesh());
    if (!(one_layer || (full_integration && has_only_linear_shape(kind))) || free_in_depth) return risks;

    std::set<std::int32_t> used;
    double missing = -1.0;  // of the whole body: found where somebody asks
    for (std::size_t c = 0; c < body.mesh().cell_count(); ++c) used.insert(body.material_index(c));
    for (const std::int32_t index : used) {
        const Material& m = body.materials()[static_cast<std::size_t>(index)];
        if (m.poisson < kLockingPoisson) continue;
        LockingRisk risk;
        risk.material = static_cast<std::size_t>(index);
        risk.poisson = m.poisson;
        risk.stiffening = m.bulk() / m.shear();
        if (missing < 0.0) missing = one_layer ? kOneLayer : estimate_locking(body);
        risk.missing = missing;
        if (one_layer) {
            risk.message = text(
                "Poisson's ratio ", m.poisson, " on a single layer of tet10 cells: it bends up to ", 100 * kOneLayer,
                " % too little (with \"integration\": \"bbar\" 35 to 50 % too far); two layers are within 13 %");
            risks.push_back(std::move(risk));
            continue;
        }
        risk.message = text("Poisson's ratio ", m.poisson, " on plain ", to_string(kind),
                            " cells will lock: volume change is ", fmt::format("{:.3g}", risk.stiffening),
                            " times as stiff as shear, and the body will move too little when bent, by about ",
                            plain_number(100.0 * missing, 2), " %; ", advice(kind));
        risks.push_back(std::move(risk));
    }
    return risks;
}

}  // namespace limber
