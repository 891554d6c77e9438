// Area of the even-odd inside of an edge soup: the heart of the 2D surface error. Two outlines in one soup give the
// area of their symmetric difference, because a point inside exactly one of them is crossed an odd number of times.
#pragma once

#include <vector>

namespace limber {

/// Extended precision, so that rest position + displacement keeps the digits of a displacement of 1e-9 of the body.
using Real = long double;

/// A straight edge in the plane [m]; direction does not matter.
struct Edge2 {
    Real x0, y0, x1, y1;
};

struct EvenOddArea {
    Real area = 0;   ///< [m^2]
    Real error = 0;  ///< estimated, [m^2]; 0 = exact up to rounding
};

/// Every vertex must have an even number of edges (closed outlines) and finite coordinates; then the result is exact up
/// to rounding (about 1e-19 of width times height), does not depend on the order of the edges to the last bit, and
/// edges that appear twice cancel exactly. A jumble of more than millions of slab pieces (a run that blew up) is
/// measured on scan lines instead and states its error.
EvenOddArea even_odd_area(std::vector<Edge2> edges);

}  // namespace limber
