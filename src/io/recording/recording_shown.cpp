// The surface a recording's body is shown by, as formats 3 and 7 keep it.
#include "core/text.hpp"
#include "io/recording/recording_file.hpp"

#include <algorithm>
#include <array>

namespace limber {

namespace {

template <class Look>
auto further_maps(Look& look) {
    return std::array{&look.base_map, &look.normal_map, &look.metal_rough_map, &look.occlusion_map, &look.emissive_map};
}

void save_use(ByteWriter& out, const PictureUse& use) {
    out.i32(use.picture);
    out.i32(use.coordinates);
    for (const double x : {use.offset[0], use.offset[1], use.scale[0], use.scale[1], use.rotation, use.strength})
        out.f64(x);
    out.u8(static_cast<std::uint8_t>(use.wrap_u));
    out.u8(static_cast<std::uint8_t>(use.wrap_v));
    out.u8(use.nearest ? 1 : 0);
}

PictureUse load_use(ByteReader& in) {
    PictureUse use;
    use.picture = in.i32();
    use.coordinates = in.i32();
    for (double* x : {&use.offset[0], &use.offset[1], &use.scale[0], &use.scale[1], &use.rotation, &use.strength})
        *x = in.f64();
    const unsigned u = in.u8(), v = in.u8();
    if (u > static_cast<unsigned>(PictureUse::Wrap::mirror) || v > static_cast<unsigned>(PictureUse::Wrap::mirror))
        in.fail(text("edges of a picture: ", u, ", ", v), "0 to 2");
    use.wrap_u = static_cast<PictureUse::Wrap>(u);
    use.wrap_v = static_cast<PictureUse::Wrap>(v);
    use.nearest = in.u8() != 0;
    return use;
}

void save_look(ByteWriter& out, const MaterialLook& look, bool all) {
    out.text(look.name);
    for (const double c : look.base_color) out.f64(c);
    if (!all) {
        out.i32(look.base_map.picture);
        out.i32(look.normal_map.picture);
    }
    out.f64(look.metallic);
    out.f64(look.roughness);
    for (const double c : look.emissive) out.f64(c);
    out.text(look.alpha);
    out.f64(look.alpha_cutoff);
    out.u8(look.double_sided ? 1 : 0);
    if (!all) return;
    for (const PictureUse* use : further_maps(look)) save_use(out, *use);
    out.f64(look.emissive_strength);
    out.u8(look.unlit ? 1 : 0);
    out.text(look.kept);
}

MaterialLook load_look(ByteReader& in, bool all) {
    MaterialLook look;
    look.name = in.text();
    for (double& c : look.base_color) c = in.f64();
    if (!all) {
        look.base_map.picture = in.i32();
        look.normal_map.picture = in.i32();
    }
    look.metallic = in.f64();
    look.roughness = in.f64();
    for (double& c : look.emissive) c = in.f64();
    look.alpha = in.text();
    look.alpha_cutoff = in.f64();
    look.double_sided = in.u8() != 0;
    if (!all) return look;
    for (PictureUse* use : further_maps(look)) *use = load_use(in);
    look.emissive_strength = in.f64();
    look.unlit = in.u8() != 0;
    look.kept = in.text();
    return look;
}

/// What format 7 adds behind the pictures.
void save_rest(ByteWriter& out, const PaintedSurface& p) {
    for (const Picture& picture : p.pictures) {
        out.text(picture.problem);
        out.text(picture.kept);
    }
    out.u64(p.attributes.size());
    for (const VertexNumbers& a : p.attributes) {
        out.text(a.name);
        out.u64(a.width);
        out.reals(a.values);
    }
    out.text(p.kept);
}

void load_rest(ByteReader& in, PaintedSurface& p) {
    for (Picture& picture : p.pictures) {
        picture.problem = in.text();
        picture.kept = in.text();
    }
    for (std::uint64_t n = in.u64(); n > 0; --n) {
        VertexNumbers a;
        a.name = in.text();
        a.width = static_cast<std::size_t>(in.u64());
        a.values = in.reals();
        p.attributes.push_back(std::move(a));
    }
    p.kept = in.text();
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

bool has_all_looks(const PaintedSurface& p) {
    const auto more = [](const MaterialLook& look) {
        MaterialLook plain = look;
        plain.base_map = {}, plain.normal_map = {};
        plain.base_map.picture = look.base_map.picture;
        plain.normal_map.picture = look.normal_map.picture;
        plain.metal_rough_map = plain.occlusion_map = plain.emissive_map = {};
        plain.emissive_strength = 1.0;
        plain.unlit = false;
        plain.kept.clear();
        return !(plain == look);
    };
    return !p.attributes.empty() || !p.kept.empty() || std::any_of(p.looks.begin(), p.looks.end(), more) ||
           std::any_of(p.pictures.begin(), p.pictures.end(),
                       [](const Picture& picture) { return !picture.problem.empty() || !picture.kept.empty(); });
}

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
    const bool all_looks = has_all_looks(p);
    for (const MaterialLook& look : p.looks) save_look(out, look, all_looks);
    out.u64(p.pictures.size());
    for (const Picture& picture : p.pictures) {
        out.text(picture.name);
        out.text(picture.mime);
        out.text({reinterpret_cast<const char*>(picture.bytes.data()), picture.bytes.size()});
    }
    if (all_looks) save_rest(out, p);
}

PaintedSurface load_shown(ByteReader& in, bool all_looks) {
    PaintedSurface p;
    p.file = in.text();
    const unsigned unit = in.u8(), up = in.u8();
    if (unit > static_cast<unsigned>(LengthUnit::ft) || up > static_cast<unsigned>(UpAxis::z))
        in.fail(text("unit ", unit, ", axis ", up), "those of docs/formats.md");
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
    for (std::uint64_t n = in.u64(); n > 0; --n) p.looks.push_back(load_look(in, all_looks));
    for (std::uint64_t n = in.u64(); n > 0; --n) {
        Picture picture;
        picture.name = in.text();
        picture.mime = in.text();
        const std::string bytes = in.text();
        picture.bytes.assign(bytes.begin(), bytes.end());
        p.pictures.push_back(std::move(picture));
    }
    if (all_looks) load_rest(in, p);
    check(p, in.place());
    return p;
}

}  // namespace limber
