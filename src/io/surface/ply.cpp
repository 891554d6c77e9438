// PLY: any layout of elements and properties; x y z of "vertex" and the index list of "face" are kept.
#include "io/files/written_by.hpp"
#include "io/surface/surfaces.hpp"

#include "core/text.hpp"

#include <limber/tools/mesh_io.hpp>

#include <cmath>
#include <map>

namespace limber {

namespace {
enum class Number { i8, u8, i16, u16, i32, u32, f32, f64 };
constexpr std::size_t kWidth[] = {1, 1, 2, 2, 4, 4, 4, 8};
std::size_t width(Number n) { return kWidth[static_cast<std::size_t>(n)]; }

struct Property {
    std::string name;
    bool list = false;
    Number count = Number::u8;  ///< type of a list's length
    Number value = Number::f32;
};

struct Element {
    std::string name;
    std::size_t count = 0;
    std::size_t declared_at = 0;  ///< byte of its line
    std::vector<Property> properties;
};

Number number_type(Scanner& in, std::string_view word) {
    static const std::map<std::string_view, Number> types = {
        {"char", Number::i8},   {"int8", Number::i8},     {"uchar", Number::u8},   {"uint8", Number::u8},
        {"short", Number::i16}, {"int16", Number::i16},   {"ushort", Number::u16}, {"uint16", Number::u16},
        {"int", Number::i32},   {"int32", Number::i32},   {"uint", Number::u32},   {"uint32", Number::u32},
        {"float", Number::f32}, {"float32", Number::f32}, {"double", Number::f64}, {"float64", Number::f64}};
    const auto found = types.find(word);
    if (found == types.end()) in.fail(text("found ", in_quotes(word)), "a PLY number type such as float or int32");
    return found->second;
}

struct Header {
    bool binary = false;
    bool big_endian = false;
    std::vector<Element> elements;
};

Property read_property(Scanner& in) {
    Property p;
    std::string_view word = in.token();
    p.list = word == "list";
    if (p.list) {
        p.count = number_type(in, in.token());
        if (p.count == Number::f32 || p.count == Number::f64)
            in.fail("a list length of a real type", "an integer type");
        word = in.token();
    }
    p.value = number_type(in, word);
    p.name = in.token();
    if (p.name.empty()) in.fail("the file ends", "a property name");
    return p;
}

void read_format(Scanner& in, Header& head) {
    const std::string_view word = in.token();
    if (word != "ascii" && word != "binary_little_endian" && word != "binary_big_endian")
        in.fail(text("found ", in_quotes(word)), "ascii, binary_little_endian or binary_big_endian");
    head.binary = word != "ascii";
    head.big_endian = word == "binary_big_endian";
    in.expect("1.0");
}

Header read_header(Scanner& in) {
    Header head;
    in.expect("ply");
    in.expect("format");
    read_format(in, head);
    for (std::string_view word = in.token(); word != "end_header"; word = in.token()) {
        if (word == "comment" || word == "obj_info") {
            in.line();
        } else if (word == "element") {
            Element e;
            e.declared_at = in.position();
            e.name = in.token();
            const std::int64_t n = in.integer("a number of elements");
            if (n < 0) in.fail(text("a number of elements of ", n), "zero or more");
            e.count = static_cast<std::size_t>(n);
            head.elements.push_back(std::move(e));
        } else if (word == "property") {
            if (head.elements.empty()) in.fail("a property before any element", "an element line first");
            head.elements.back().properties.push_back(read_property(in));
        } else {
            in.fail(word.empty() ? "the file ends in the header" : text("found ", in_quotes(word)),
                    "element, property, comment or end_header");
        }
    }
    in.end_line();
    return head;
}

class PlyReader {
public:
    PlyReader(std::string_view bytes, const std::string& name) : in_(bytes, name) {}

    Surface read() {
        const Header head = read_header(in_);
        binary_ = head.binary;
        if (head.binary) in_.set_binary(head.big_endian);
        for (const Element& e : head.elements) {
            check_fits(e);
            if (e.name == "vertex")
                read_vertices(e);
            else if (e.name == "face")
                read_faces(e);
            else
                for (std::size_t i = 0; i < e.count && !e.properties.empty(); ++i) skip_properties(e);
        }
        check_corners();
        return std::move(surface_);
    }

private:
    // What the file cannot hold is refused before any memory is taken.
    void check_fits(const Element& e) const {
        std::size_t least = 0;
        for (const Property& p : e.properties) least += binary_ ? width(p.list ? p.count : p.value) : 2;
        if (least > 0 && e.count > (in_.left() + 1) / least) {
            in_.fail_at(e.declared_at, Fault::bad_file,
                        text("element ", in_quotes(e.name), " has ", e.count, " entries, but only ", in_.left(),
                             " bytes of data are left"),
                        text("at most ", (in_.left() + 1) / least));
        }
    }

    double real(Number n) {
        if (!binary_) return in_.real("a property value");
        switch (n) {
            case Number::f32: return static_cast<double>(in_.raw<float>("a property value"));
            case Number::f64: return in_.raw<double>("a property value");
            default: return static_cast<double>(integer(n));
        }
    }
    std::int64_t integer(Number n) {
        if (!binary_) return in_.integer("an integer property value");
        switch (n) {
            case Number::i8: return in_.raw<std::int8_t>("a value");
            case Number::u8: return in_.raw<std::uint8_t>("a value");
            case Number::i16: return in_.raw<std::int16_t>("a value");
            case Number::u16: return in_.raw<std::uint16_t>("a value");
            case Number::i32: return in_.raw<std::int32_t>("a value");
            case Number::u32: return in_.raw<std::uint32_t>("a value");
            default: in_.fail("a real number", "an integer type for vertex indices");
        }
    }
    std::size_t list_length(const Property& p) {
        const std::int64_t n = integer(p.count);
        in_.check_count("the length of a list", n, binary_ ? width(p.value) : 2);
        return static_cast<std::size_t>(n);
    }
    void skip_property(const Property& p) {
        const std::size_t n = p.list ? list_length(p) : 1;
        if (binary_)
            in_.skip(n * width(p.value), "property values");
        else
            for (std::size_t i = 0; i < n; ++i) in_.real("a property value");
    }
    void skip_properties(const Element& e) {
        for (const Property& p : e.properties) skip_property(p);
    }

    void read_vertices(const Element& e) {
        if (!surface_.vertices.empty()) in_.fail_at(e.declared_at, Fault::bad_file, "a second element 'vertex'");
        check_size(in_, e.count, "vertices");
        bool has[3] = {};
        for (const Property& p : e.properties) {
            for (std::size_t c = 0; c < 3; ++c)
                has[c] = has[c] || (!p.list && p.name.size() == 1 && p.name[0] == "xyz"[c]);
        }
        if (!has[0] || !has[1] || !has[2]) {
            in_.fail_at(e.declared_at, Fault::bad_file, "the element 'vertex' lacks x, y or z",
                        "three scalar properties x, y, z");
        }
        surface_.vertices.reserve(e.count);
        for (std::size_t i = 0; i < e.count; ++i) {
            Vec3 v;
            for (const Property& p : e.properties) {
                double* c = p.list          ? nullptr
                            : p.name == "x" ? &v.x
                            : p.name == "y" ? &v.y
                            : p.name == "z" ? &v.z
                                            : nullptr;
                if (c == nullptr)
                    skip_property(p);
                else
                    *c = real(p.value);
                if (c != nullptr && !std::isfinite(*c))
                    in_.fail(Fault::bad_mesh, text("vertex ", i, " has the coordinate ", *c), "finite numbers");
            }
            surface_.vertices.push_back(v);
        }
    }

    void read_faces(const Element& e) {
        for (std::size_t i = 0; i < e.count && !e.properties.empty(); ++i) {
            bool found = false;
            for (const Property& p : e.properties) {
                if (found || !p.list || (p.name != "vertex_indices" && p.name != "vertex_index")) {
                    skip_property(p);
                    continue;
                }
                found = true;
                add_face(p);
            }
            if (!found) {
                in_.fail_at(e.declared_at, Fault::bad_file, "the element 'face' has no list of vertices",
                            "property list uchar int vertex_indices");
            }
        }
    }

    void add_face(const Property& p) {
        const std::size_t n = list_length(p);
        if (n < 3)
            in_.fail(Fault::bad_mesh, text("face ", surface_.face_count(), " has ", counted(n, "corner")), "3 or more");
        for (std::size_t c = 0; c < n; ++c) {
            const std::int64_t v = integer(p.value);
            // The vertices may come after the faces; their number is checked at the end.
            if (v < 0 || v > 2147483647)
                in_.fail(Fault::bad_mesh, text("face ", surface_.face_count(), " names vertex ", v), "0 or more");
            surface_.faces.push_back(static_cast<std::int32_t>(v));
        }
        check_size(in_, surface_.faces.size(), "face corners");
        surface_.face_starts.push_back(static_cast<std::int32_t>(surface_.faces.size()));
        face_at_.push_back(in_.position());
    }

    void check_corners() const {
        if (surface_.face_count() == 0)
            in_.fail(Fault::bad_mesh, "the file has no faces", "an element 'face' with a list vertex_indices");
        for (std::size_t f = 0; f < surface_.face_count(); ++f) {
            for (std::int32_t c = surface_.face_starts[f]; c < surface_.face_starts[f + 1]; ++c) {
                const std::int32_t v = surface_.faces[static_cast<std::size_t>(c)];
                if (static_cast<std::size_t>(v) >= surface_.vertices.size()) {
                    in_.fail_at(face_at_[f], Fault::bad_mesh,
                                text("face ", f, " names vertex ", v, ", but the file has ", surface_.vertices.size(),
                                     " vertices (numbered from 0)"));
                }
            }
        }
    }

    Scanner in_;
    bool binary_ = false;
    Surface surface_;
    std::vector<std::size_t> face_at_;  ///< byte of each face, for messages
};

template <class T>
void put_raw(std::string& out, T value) {
    const std::size_t at = out.size();
    out.resize(at + sizeof(T));
    std::memcpy(out.data() + at, &value, sizeof(T));
}
}  // namespace

Surface parse_ply(std::string_view bytes, const std::string& name) { return PlyReader(bytes, name).read(); }

std::string format_ply(const Surface& surface, const std::string& about) {
    std::int32_t longest = 0;
    for (std::size_t f = 0; f < surface.face_count(); ++f)
        longest = std::max(longest, surface.face_starts[f + 1] - surface.face_starts[f]);
    const bool wide = longest > 255;
    std::string out = text(
        "ply\nformat binary_little_endian 1.0\ncomment ", written_by(about), "\nelement vertex ",
        surface.vertices.size(), "\nproperty double x\nproperty double y\nproperty double z\nelement face ",
        surface.face_count(), "\nproperty list ", wide ? "uint" : "uchar", " int vertex_indices\nend_header\n");
    for (const Vec3& p : surface.vertices) {
        put_raw(out, p.x);
        put_raw(out, p.y);
        put_raw(out, p.z);
    }
    for (std::size_t f = 0; f < surface.face_count(); ++f) {
        const std::int32_t first = surface.face_starts[f], end = surface.face_starts[f + 1];
        if (wide)
            put_raw(out, static_cast<std::uint32_t>(end - first));
        else
            put_raw(out, static_cast<std::uint8_t>(end - first));
        for (std::int32_t c = first; c < end; ++c) put_raw(out, surface.faces[static_cast<std::size_t>(c)]);
    }
    return out;
}

}  // namespace limber
