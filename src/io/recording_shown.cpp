// The surface a recording's body is shown by, as format 3 keeps it.
#include "core/text.hpp"
#include "io/recording_file.hpp"

namespace limber {

namespace {

void save_look(ByteWriter& out, const MaterialLook& look) {
    out.text(look.name);
    for (const double c : look.base_color) out.f64(c);
    out.i32(look.base_picture);
    out.i32(look.normal_picture);
    out.f64(look.metallic);
    out.f64(look.roughness);
    for (const double c : look.emissive) out.f64(c);
    out.text(look.alpha);
    out.f64(look.alpha_cutoff);
    out.u8(look.double_sided ? 1 : 0);
}

MaterialLook load_look(ByteReader& in) {
    MaterialLook look;
    look.name = in.text();
    for (double& c : look.base_color) c = in.f64();
    look.base_picture = in.i32();
    look.normal_picture = in.i32();
    look.metallic = in.f64();
    look.roughness = in.f64();
    for (double& c : look.emissive) c = in.f64();
    look.alpha = in.text();
    look.alpha_cutoff = in.f64();
    look.double_sided = in.u8() != 0;
    return look;
}

std::vector<std::array<double, 2>> load_pairs(ByteReader& in) {
    const std::vector<double> flat = in.reals();
    if (flat.size() % 2 != 0) in.fail(text("texture coordinates with ", flat.size(), " numbers"), "two each");
    std::vector<std::array<double, 2>> out;
    out.reserve(flat.size() / 2);
    for (std::size_t i = 0; i < flat.size(); i += 2) out.push_back({flat[i], flat[i + 1]});
    return out;
}

}  // namespace

void save_shown(ByteWriter& out, const PaintedSurface& p) {
    out.text(p.file);
    out.u8(static_cast<std::uint8_t>(p.unit));
    out.u8(static_cast<std::uint8_t>(p.up));
    out.f64(p.limit);
    save_vectors(out, p.surface.vertices);
    out.ints(p.surface.face_starts);
    out.ints(p.surface.faces);
    std::vector<double> flat;
    for (const auto& uv : p.uvs) flat.insert(flat.end(), uv.begin(), uv.end());
    out.reals(flat);
    out.ints(p.corner_uv);
    save_vectors(out, p.normals);
    out.ints(p.corner_normal);
    out.ints(p.face_look);
    out.u64(p.looks.size());
    for (const MaterialLook& look : p.looks) save_look(out, look);
    out.u64(p.pictures.size());
    for (const Picture& picture : p.pictures) {
        out.text(picture.name);
        out.text(picture.mime);
        out.text({reinterpret_cast<const char*>(picture.bytes.data()), picture.bytes.size()});
    }
}

PaintedSurface load_shown(ByteReader& in) {
    PaintedSurface p;
    p.file = in.text();
    const unsigned unit = in.u8(), up = in.u8();
    if (unit > static_cast<unsigned>(LengthUnit::ft) || up > static_cast<unsigned>(UpAxis::z)) in.fail(text("unit ", unit, ", axis ", up), "those of docs/formats.md");
    p.unit = static_cast<LengthUnit>(unit);
    p.up = static_cast<UpAxis>(up);
    p.limit = in.f64();
    p.surface.vertices = load_vectors(in);
    p.surface.face_starts = in.ints();
    p.surface.faces = in.ints();
    p.uvs = load_pairs(in);
    p.corner_uv = in.ints();
    p.normals = load_vectors(in);
    p.corner_normal = in.ints();
    p.face_look = in.ints();
    for (std::uint64_t n = in.u64(); n > 0; --n) p.looks.push_back(load_look(in));
    for (std::uint64_t n = in.u64(); n > 0; --n) {
        Picture picture;
        picture.name = in.text();
        picture.mime = in.text();
        const std::string bytes = in.text();
        picture.bytes.assign(bytes.begin(), bytes.end());
        p.pictures.push_back(std::move(picture));
    }
    check(p, in.place());
    return p;
}

}  // namespace limber
