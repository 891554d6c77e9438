#include "bem/free_response.hpp"

namespace limber {
namespace {

void add_product(Mat3& to, const Vec3& a, const Vec3& b, double scale) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) to(i, j) += scale * a[i] * b[j];
}

// The simplex between `from` and a facet: measure, and the integral of r r^T with r from `from`.
struct Fan {
    double measure = 0.0;
    Vec3 first;  // integral of r
    Mat3 second;
};

Fan fan_of(const BoundaryShape& shape, const Vec3& from) {
    Fan sum;
    const auto d = static_cast<std::size_t>(shape.dimension);
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        Vec3 corner[3], total;
        for (std::size_t k = 0; k < d; ++k)
            total += corner[k] = shape.points[static_cast<std::size_t>(shape.facets[d * f + k])] - from;
        const double m = d == 2 ? 0.5 * (corner[0].x * corner[1].y - corner[0].y * corner[1].x)
                                : dot(corner[0], cross(corner[1], corner[2])) / 6.0;
        sum.measure += m;
        sum.first += total * (m / static_cast<double>(d + 1));
        // Over a simplex with one corner at zero: int r r^T = m / ((d+1)(d+2)) (sum c c^T + total total^T).
        const double scale = m / static_cast<double>((d + 1) * (d + 2));
        add_product(sum.second, total, total, scale);
        for (std::size_t k = 0; k < d; ++k) add_product(sum.second, corner[k], corner[k], scale);
    }
    return sum;
}

}  // namespace

Enclosed enclosed_by(const BoundaryShape& shape) {
    Vec3 middle;
    for (const Vec3& p : shape.points) middle += p;
    if (!shape.points.empty()) middle = middle / static_cast<double>(shape.points.size());
    const Fan rough = fan_of(shape, middle);
    Enclosed out;
    out.centroid = middle + rough.first / rough.measure;
    const Fan exact = fan_of(shape, out.centroid);
    out.measure = exact.measure;
    out.second = exact.second;
    return out;
}

Mat3 Enclosed::inertia() const {
    const double trace = second(0, 0) + second(1, 1) + second(2, 2);
    Mat3 out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out(i, j) = (i == j ? trace : 0.0) - second(i, j);
    return out;
}

}  // namespace limber
