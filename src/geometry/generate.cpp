#include "geometry/generate.hpp"

#include <limber/error.hpp>

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

[[noreturn]] void refuse(const char* generator, const std::string& found, std::string expected) {
    throw Error(Fault::bad_usage, {}, text(generator, ": ", found), std::move(expected));
}

}  // namespace

void require_kind(const char* generator, CellKind kind, std::initializer_list<CellKind> allowed) {
    std::string names;
    for (const CellKind k : allowed) {
        if (k == kind) return;
        names += names.empty() ? to_string(k) : text(" or ", to_string(k));
    }
    refuse(generator, text("cells of kind ", to_string(kind)), names);
}

void require_count(const char* generator, const char* name, int count, int least) {
    if (count < least) refuse(generator, text(name, " = ", count), text("at least ", least));
}

void require_cells(const char* generator, std::initializer_list<std::int64_t> factors) {
    double cells = 1.0;  // a double cannot overflow here
    for (const std::int64_t factor : factors) cells *= static_cast<double>(factor);
    if (cells > static_cast<double>(kMaxGeneratedCells))
        refuse(generator, text("about ", cells, " cells"), text("at most ", kMaxGeneratedCells, " cells"));
}

void require_size(const char* generator, const char* name, double size) {
    if (!(size > 0.0 && size <= kMaxCoordinate))
        refuse(generator, text(name, " = ", size), text("a number above 0 and at most ", kMaxCoordinate));
}

void require_less(const char* generator, const char* small_name, double small, const char* large_name, double large) {
    if (!(small < large))
        refuse(generator, text(small_name, " = ", small), text("less than ", large_name, ", which is ", large));
}

void require_point(const char* generator, const char* name, const Vec3& point) {
    for (int axis = 0; axis < 3; ++axis) {
        if (!(std::abs(point[axis]) <= kMaxCoordinate)) {
            refuse(generator, text(name, " has ", "xyz"[axis], " = ", point[axis]),
                   text("a number within ", kMaxCoordinate));
        }
    }
}

void require_range(const char* generator, int axis, const Vec3& low, const Vec3& high) {
    const double a = low[axis], b = high[axis];
    if (!(a < b && std::abs(a) <= kMaxCoordinate && std::abs(b) <= kMaxCoordinate)) {
        refuse(generator, text("the range ", a, " to ", b, " along ", "xyz"[axis]),
               text("low < high, both within ", kMaxCoordinate));
    }
}

int cells_per_hex(CellKind kind) { return kind == CellKind::hex8 ? 1 : 6; }

}  // namespace limber
