// Wavefront OBJ: vertices and faces; texture coordinates, normals, groups and materials are passed over.
#include "io/files/written_by.hpp"
#include "io/surface/surfaces.hpp"

#include "core/text.hpp"

#include <limber/tools/mesh_io.hpp>

#include <cmath>
#include <limits>

namespace limber {

namespace {
bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view next_word(std::string_view& line) {
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    std::size_t n = 0;
    while (n < line.size() && !is_blank(line[n])) ++n;
    const std::string_view word = line.substr(0, n);
    line.remove_prefix(n);
    return word;
}

// A line, together with those it continues on after a backslash. `joined` keeps the text alive.
std::string_view logical_line(Scanner& in, std::string& joined) {
    std::string_view line = in.line();
    if (line.empty() || line.back() != '\\') return line;
    joined.assign(line.substr(0, line.size() - 1));
    while (in.left() > 0) {
        line = in.line();
        const bool more = !line.empty() && line.back() == '\\';
        joined += ' ';
        joined += line.substr(0, line.size() - (more ? 1 : 0));
        if (!more) break;
    }
    return joined;
}

class ObjReader {
public:
    ObjReader(std::string_view bytes, const std::string& name) : in_(bytes, name) {}

    Surface read() {
        // Faces may name vertices that come later, so their number is needed first.
        for_each_line([&](std::string_view keyword, std::string_view) { total_ += keyword == "v" ? 1 : 0; });
        check_size(in_, total_, "vertices");
        in_.seek(0);
        for_each_line([&](std::string_view keyword, std::string_view rest) {
            if (keyword == "v") add_vertex(rest);
            if (keyword == "f") add_face(rest);
        });
        if (surface_.face_count() == 0)
            in_.fail_at(in_.bytes().size(), Fault::bad_mesh, "the file has no faces", "lines such as 'f 1 2 3'");
        return std::move(surface_);
    }

private:
    template <class F>
    void for_each_line(F&& f) {
        std::string joined;
        while (in_.left() > 0) {
            start_ = in_.position();
            std::string_view line = logical_line(in_, joined);
            const std::string_view keyword = next_word(line);
            f(keyword, line);
        }
    }
    [[noreturn]] void fail(Fault fault, const std::string& found, const std::string& expected) const {
        in_.fail_at(start_, fault, found, expected);
    }

    void add_vertex(std::string_view rest) {
        Vec3 p;
        for (double* c : {&p.x, &p.y, &p.z}) {
            const std::string_view word = next_word(rest);
            if (!parse_real(word, *c)) {
                fail(Fault::bad_file,
                     text("vertex ", surface_.vertices.size() + 1, " has ",
                          word.empty() ? "too few coordinates" : in_quotes(word)),
                     "three numbers");
            }
            if (!std::isfinite(*c)) {
                fail(Fault::bad_mesh, text("vertex ", surface_.vertices.size() + 1, " has the coordinate ", *c),
                     "finite numbers");
            }
        }
        surface_.vertices.push_back(p);
    }

    std::int32_t corner(std::string_view word) const {
        // "7", "7/2", "7//3", "7/2/3": only the vertex matters here.
        const std::string_view number = word.substr(0, word.find('/'));
        std::int64_t index = 0;
        if (!parse_integer(number, index))
            fail(Fault::bad_file, text("a face has the corner ", in_quotes(word)), "a vertex number, or v/vt/vn");
        // Negative ones count back from the last vertex so far.
        const auto so_far = static_cast<std::int64_t>(surface_.vertices.size());
        const bool relative_ok = index < 0 && index >= -so_far;
        if (relative_ok) return static_cast<std::int32_t>(so_far + index);
        if (index < 1 || static_cast<std::uint64_t>(index) > total_) {
            fail(Fault::bad_mesh,
                 text("face ", surface_.face_count() + 1, " names vertex ", index, ", but ",
                      index < 0 ? text(counted(surface_.vertices.size(), "vertex line"), " came before it")
                                : text("the file has ", total_, " vertices (numbered from 1)")),
                 {});
        }
        return static_cast<std::int32_t>(index - 1);
    }

    void add_face(std::string_view rest) {
        const std::size_t first = surface_.faces.size();
        for (std::string_view word = next_word(rest); !word.empty() && word[0] != '#'; word = next_word(rest))
            surface_.faces.push_back(corner(word));
        const std::size_t corners = surface_.faces.size() - first;
        if (corners < 3) {
            fail(Fault::bad_mesh, text("face ", surface_.face_count() + 1, " has ", counted(corners, "corner")),
                 "3 or more");
        }
        check_size(in_, surface_.faces.size(), "face corners");
        surface_.face_starts.push_back(static_cast<std::int32_t>(surface_.faces.size()));
    }

    Scanner in_;
    Surface surface_;
    std::size_t total_ = 0;  ///< vertices in the whole file
    std::size_t start_ = 0;  ///< of the current line
};
}  // namespace

void check_size(const Scanner& in, std::size_t n, const char* what) {
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
    if (n > most) in.fail(text("more than ", most, " ", what), "32-bit numbers to suffice");
}

Surface parse_obj(std::string_view bytes, const std::string& name) { return ObjReader(bytes, name).read(); }

std::string format_obj(const Surface& surface, const std::string& about) {
    std::string out = text("# ", written_by(about), "\n");
    for (const Vec3& p : surface.vertices)
        fmt::format_to(std::back_inserter(out), "v {:.17g} {:.17g} {:.17g}\n", p.x, p.y, p.z);
    for (std::size_t f = 0; f < surface.face_count(); ++f) {
        out += 'f';
        for (std::int32_t c = surface.face_starts[f]; c < surface.face_starts[f + 1]; ++c)
            fmt::format_to(std::back_inserter(out), " {}", surface.faces[static_cast<std::size_t>(c)] + 1);
        out += '\n';
    }
    return out;
}

}  // namespace limber
