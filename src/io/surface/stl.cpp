// STL: triangles without shared corners; corners of exactly equal coordinates are joined again.
#include "io/files/written_by.hpp"
#include "io/surface/surfaces.hpp"

#include "core/text.hpp"

#include <limber/tools/mesh_io.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace limber {

namespace {
constexpr std::size_t kHead = 84, kTriangle = 50;

// Joins equal corners; the vertices come in the order of their first appearance.
Surface weld(const std::vector<Vec3>& corners) {
    const auto key = [&](std::size_t i) { return std::tie(corners[i].x, corners[i].y, corners[i].z); };
    std::vector<std::size_t> order(corners.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
    std::vector<std::size_t> first(corners.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        first[order[i]] = i > 0 && key(order[i]) == key(order[i - 1]) ? first[order[i - 1]] : order[i];

    Surface out;
    std::vector<std::int32_t> number(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (first[i] == i) {
            number[i] = static_cast<std::int32_t>(out.vertices.size());
            out.vertices.push_back(corners[i]);
        }
        out.faces.push_back(number[first[i]]);
        if (i % 3 == 2) out.face_starts.push_back(static_cast<std::int32_t>(i + 1));
    }
    return out;
}

std::vector<Vec3> read_binary(Scanner& in, std::size_t triangles) {
    std::vector<Vec3> corners;
    corners.reserve(3 * triangles);
    in.set_binary(false);
    in.seek(kHead);
    for (std::size_t t = 0; t < triangles; ++t) {
        in.skip(12, "a normal");
        for (int c = 0; c < 3; ++c) {
            Vec3 p;
            for (double* x : {&p.x, &p.y, &p.z}) *x = static_cast<double>(in.raw<float>("a coordinate"));
            if (!is_finite(p)) {
                in.fail(Fault::bad_mesh, text("triangle ", t, " has a corner that is not finite"),
                        "finite coordinates");
            }
            corners.push_back(p);
        }
        in.skip(2, "the attribute of a triangle");
    }
    return corners;
}

std::vector<Vec3> read_text(Scanner& in) {
    std::vector<Vec3> corners;
    in.expect("solid");
    in.line();
    for (std::string_view word = in.token(); !word.empty(); word = in.token()) {
        if (word == "endsolid" || word == "solid") {  // several solids may follow each other
            in.line();
            continue;
        }
        if (word != "facet") in.fail(text("found ", in_quotes(word)), "facet or endsolid");
        in.expect("normal");
        for (int i = 0; i < 3; ++i) in.real("a normal's component");
        in.expect("outer");
        in.expect("loop");
        for (int c = 0; c < 3; ++c) {
            in.expect("vertex");
            Vec3 p;
            for (double* x : {&p.x, &p.y, &p.z}) *x = in.coordinate();
            corners.push_back(p);
        }
        in.expect("endloop");
        in.expect("endfacet");
    }
    return corners;
}

void put(std::string& out, double value) {
    const auto f = static_cast<float>(value);
    out.append(reinterpret_cast<const char*>(&f), sizeof f);
}
void put(std::string& out, const Vec3& p) {
    put(out, p.x);
    put(out, p.y);
    put(out, p.z);
}
}  // namespace

Surface parse_stl(std::string_view bytes, const std::string& name) {
    Scanner in(bytes, name);
    // The size decides, not the first word: many binary files start with "solid" too.
    std::uint32_t triangles = 0;
    if (bytes.size() >= kHead) std::memcpy(&triangles, bytes.data() + kHead - 4, 4);
    const std::uint64_t binary_size = kHead + kTriangle * static_cast<std::uint64_t>(triangles);
    std::vector<Vec3> corners;
    if (bytes.size() >= kHead && bytes.size() == binary_size) {
        corners = read_binary(in, triangles);
    } else if (in.token() == "solid") {
        in.seek(0);
        corners = read_text(in);
    } else if (bytes.size() < kHead) {
        in.fail(text("found ", counted(bytes.size(), "byte"), " that do not start with 'solid'"), "an STL file");
    } else {
        in.set_binary(false);
        in.fail(text("a binary STL of ", triangles, " triangles, which takes ", binary_size,
                     " bytes, but the file has ", bytes.size()),
                "the two to agree");
    }
    if (corners.empty()) in.fail(Fault::bad_mesh, "the file has no triangles");
    check_size(in, corners.size(), "corners");
    return weld(corners);
}

std::string format_stl(const Surface& surface) {
    std::string out = written_by().substr(0, kHead - 4);  // never "solid": that is how text files start
    out.resize(kHead, '\0');
    // As the file will have them: the normal is that of the triangle which is read back. Kept in memory, since GCC 12
    // at -O2 leaves out a rounding to float and back within an expression.
    std::vector<std::array<float, 3>> rounded;
    for (const Vec3& p : surface.vertices)
        rounded.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    std::uint32_t triangles = 0;
    for (std::size_t f = 0; f < surface.face_count(); ++f) {
        for (std::int32_t c = surface.face_starts[f] + 1; c + 1 < surface.face_starts[f + 1]; ++c, ++triangles) {
            const auto vertex = [&](std::int32_t i) {
                const std::array<float, 3>& p =
                    rounded[static_cast<std::size_t>(surface.faces[static_cast<std::size_t>(i)])];
                return Vec3{p[0], p[1], p[2]};
            };
            const Vec3 a = vertex(surface.face_starts[f]), b = vertex(c), d = vertex(c + 1);
            const Vec3 n = cross(b - a, d - a);
            const double length = norm(n);
            put(out, length > 0.0 && std::isfinite(length) ? n / length : Vec3{});
            for (const Vec3& p : {a, b, d}) put(out, p);
            out.append(2, '\0');
        }
    }
    std::memcpy(out.data() + kHead - 4, &triangles, 4);
    return out;
}

}  // namespace limber
