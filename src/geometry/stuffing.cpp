// Each lattice tetrahedron is cut to its part inside. Faces cut into quadrilaterals must be split the same way from
// both sides: the diagonal ends at the crossing of the long edge, or, when both crossings are on short edges, starts at
// the lower point. (Diagonals that avoid the long edge's crossing leave angles of 6 degrees; this rule none below 10.)
#include "geometry/stuffing.hpp"

#include "geometry/stuffing_field.hpp"
#include "geometry/tet_quality.hpp"

#include <algorithm>
#include <array>

namespace limber {
namespace {

/// A corner of the mesh to be: a lattice point, or the crossing of an edge from inside to outside.
struct Corner {
    std::int32_t point = -1;
    std::int32_t out = -1;  ///< -1: the lattice point itself
};
using Tet = std::array<Corner, 4>;

class Stuffer {
public:
    Stuffer(const BccLattice& lattice, const StuffingField& field)
        : lattice_(lattice),
          field_(field),
          lattice_number_(static_cast<std::size_t>(lattice.size()), -1),
          crossing_number_(field.crossing_numbers(), -1) {}

    void add(const std::array<std::int32_t, 4>& points) {
        std::array<std::int32_t, 4> in{}, on{}, out{};
        std::size_t n_in = 0, n_on = 0, n_out = 0;
        for (const std::int32_t p : points) {
            const int side = field_.side(p);
            if (side > 0)
                in[n_in++] = p;
            else if (side < 0)
                out[n_out++] = p;
            else
                on[n_on++] = p;
        }
        if (n_in == 0) return;
        if (n_out == 0)
            emit({Corner{points[0]}, {points[1]}, {points[2]}, {points[3]}});
        else if (n_in == 1)
            emit_tip(in[0], on, n_on, out, n_out);
        else if (n_in == 2 && n_on == 1)
            emit_pyramid(in, on[0], out[0]);
        else if (n_in == 2)
            emit_wedge(in, out);
        else
            emit_stump({in[0], in[1], in[2]}, out[0]);
    }

    Mesh take() {
        std::sort(surface_.begin(), surface_.end());
        mesh_.vertex_sets["surface"] = std::move(surface_);
        return std::move(mesh_);
    }

private:
    static Corner point(std::int32_t p) { return {p, -1}; }
    static Corner cut(std::int32_t in, std::int32_t out) { return {in, out}; }

    Vec3 position(const Corner& c) const {
        return c.out < 0 ? field_.position(c.point) : field_.crossing(c.point, c.out);
    }

    std::int32_t number(const Corner& c) {
        std::int32_t& n = c.out < 0 ? lattice_number_[static_cast<std::size_t>(c.point)]
                                    : crossing_number_[field_.crossing_number(c.point, c.out)];
        if (n < 0) {
            n = static_cast<std::int32_t>(mesh_.vertices.size());
            mesh_.vertices.push_back(position(c));
            if (c.out >= 0 || field_.side(c.point) == 0) surface_.push_back(n);
        }
        return n;
    }

    void emit(const Tet& tet) {
        std::array<Vec3, 4> p;
        for (std::size_t k = 0; k < 4; ++k) p[k] = position(tet[k]);
        const bool positive = dot(p[1] - p[0], cross(p[2] - p[0], p[3] - p[0])) > 0.0;
        const std::array<std::size_t, 4> order = positive ? std::array<std::size_t, 4>{0, 1, 2, 3}
                                                          : std::array<std::size_t, 4>{0, 2, 1, 3};
        for (const std::size_t k : order) mesh_.cells.push_back(number(tet[k]));
    }

    void emit_tip(std::int32_t in, const std::array<std::int32_t, 4>& on, std::size_t n_on,
                  const std::array<std::int32_t, 4>& out, std::size_t n_out) {
        Tet tet{point(in)};
        std::size_t k = 1;
        for (std::size_t i = 0; i < n_on; ++i) tet[k++] = point(on[i]);
        for (std::size_t i = 0; i < n_out; ++i) tet[k++] = cut(in, out[i]);
        emit(tet);
    }

    /// Whether the quadrilateral p, q, crossing(q, out), crossing(p, out) is split from p (to the crossing of q) rather
    /// than from q.
    bool split_from_first(std::int32_t p, std::int32_t q, std::int32_t out) const {
        if (lattice_.is_long(q, out)) return true;
        if (lattice_.is_long(p, out)) return false;
        return p < q;  // same colour, so the numbers order them along their axis
    }

    void emit_pyramid(const std::array<std::int32_t, 4>& in, std::int32_t apex, std::int32_t out) {
        std::int32_t p = in[0], q = in[1];
        if (!split_from_first(p, q, out)) std::swap(p, q);
        emit({point(p), point(q), cut(q, out), point(apex)});
        emit({point(p), cut(q, out), cut(p, out), point(apex)});
    }

    /// Two inside, two outside: a prism whose third quadrilateral lies on the boundary and may be split at will.
    void emit_wedge(const std::array<std::int32_t, 4>& in, const std::array<std::int32_t, 4>& out) {
        const std::int32_t p = in[0], q = in[1], r = out[0], s = out[1];
        const bool at_r = split_from_first(p, q, r), at_s = split_from_first(p, q, s);
        if (at_r == at_s) {
            const std::int32_t a = at_r ? p : q, b = at_r ? q : p;
            emit({point(a), point(b), cut(b, r), cut(b, s)});
            const std::array<Tet, 2> one{Tet{point(a), cut(b, r), cut(b, s), cut(a, r)},
                                         Tet{point(a), cut(a, r), cut(a, s), cut(b, s)}};
            const std::array<Tet, 2> two{Tet{point(a), cut(b, r), cut(b, s), cut(a, s)},
                                         Tet{point(a), cut(a, r), cut(a, s), cut(b, r)}};
            for (const Tet& tet : worst_angle(one) >= worst_angle(two) ? one : two) emit(tet);
            return;
        }
        // Split from p at r and from q at s (or the other way round): the diagonal on the boundary joins the two far
        // crossings.
        const std::int32_t c = at_r ? r : s, d = at_r ? s : r;
        emit({point(p), point(q), cut(q, c), cut(p, d)});
        emit({point(p), cut(q, c), cut(p, c), cut(p, d)});
        emit({point(q), cut(q, c), cut(q, d), cut(p, d)});
    }

    double worst_angle(const std::array<Tet, 2>& tets) const {
        double worst = 180.0;
        for (const Tet& tet : tets) {
            const DihedralRange range = dihedral_range(
                {position(tet[0]), position(tet[1]), position(tet[2]), position(tet[3])});
            worst = std::min({worst, range.smallest, 180.0 - range.largest});
        }
        return worst;
    }

    /// Three inside, one outside: a prism with all three quadrilaterals shared. One corner has both of its diagonals.
    void emit_stump(const std::array<std::int32_t, 3>& in, std::int32_t out) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t a = in[k], b = in[(k + 1) % 3], c = in[(k + 2) % 3];
            if (!split_from_first(a, b, out) || !split_from_first(a, c, out)) continue;
            const std::int32_t first = split_from_first(b, c, out) ? b : c, second = first == b ? c : b;
            emit({point(a), cut(a, out), cut(b, out), cut(c, out)});
            emit({point(a), point(first), point(second), cut(second, out)});
            emit({point(a), point(first), cut(first, out), cut(second, out)});
            return;
        }
    }

    const BccLattice& lattice_;
    const StuffingField& field_;
    std::vector<std::int32_t> lattice_number_, crossing_number_;
    Mesh mesh_;
    IndexSet surface_;
};

/// The four tetrahedra around the long edge from a red point along an axis; false at the lattice's rim.
void add_around_edge(const BccLattice& lattice, std::int32_t red, std::size_t axis, Stuffer& stuffer) {
    static constexpr int kRing[5][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}, {1, 1}};
    const BccLattice::Half h = lattice.half(red);
    BccLattice::Half end = h;
    end[axis] += 2;
    const std::int32_t other = lattice.id(end);
    if (other < 0) return;
    for (int k = 0; k < 4; ++k) {
        std::int32_t ring[2];
        for (int e = 0; e < 2; ++e) {
            BccLattice::Half b = h;
            b[axis] += 1;
            b[(axis + 1) % 3] += kRing[k + e][0];
            b[(axis + 2) % 3] += kRing[k + e][1];
            ring[e] = lattice.id(b);
        }
        if (ring[0] >= 0 && ring[1] >= 0) stuffer.add({red, other, ring[0], ring[1]});
    }
}

}  // namespace

Mesh stuff(const InsideTest& inside, const Box3& box, double cell_size, Progress& progress) {
    const BccLattice lattice(box, cell_size);
    const StuffingField field(lattice, inside, progress);
    Stuffer stuffer(lattice, field);
    progress.update(0.9, "cutting tetrahedra");
    for (std::int32_t red = 0; red < lattice.red_count(); ++red)
        for (std::size_t axis = 0; axis < 3; ++axis) add_around_edge(lattice, red, axis, stuffer);
    progress.update(1.0, "cutting tetrahedra");
    return stuffer.take();
}

}  // namespace limber
