#include "body/body_hash.hpp"

#include <bit>
#include <string_view>

namespace limber {
namespace {

class Fnv {
public:
    void byte(std::uint8_t v) { hash_ = (hash_ ^ v) * 0x100000001b3ull; }
    void number(std::uint64_t v) {
        for (int i = 0; i < 8; ++i) byte(static_cast<std::uint8_t>(v >> (8 * i)));
    }
    void integer(std::int64_t v) { number(static_cast<std::uint64_t>(v)); }
    void real(double v) { number(std::bit_cast<std::uint64_t>(v + 0.0)); }  // + 0.0: minus zero is zero
    void point(const Vec3& p) {
        real(p.x);
        real(p.y);
        real(p.z);
    }
    // Lengths go in first, so that neighbours cannot trade elements unseen.
    void name(std::string_view v) {
        number(v.size());
        for (const char c : v) byte(static_cast<std::uint8_t>(c));
    }
    void list(std::span<const std::int32_t> v) {
        number(v.size());
        for (const std::int32_t i : v) integer(i);
    }
    void axes(const Axes& a) { byte(static_cast<std::uint8_t>((a.x ? 1 : 0) | (a.y ? 2 : 0) | (a.z ? 4 : 0))); }
    std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

void add(Fnv& hash, const Material& m) {
    for (const double v : {m.young, m.poisson, m.density, m.rayleigh_alpha, m.rayleigh_beta}) hash.real(v);
}

}  // namespace

std::uint64_t hash_of(const BodyDescription& body, std::span<const Material> materials,
                      std::span<const std::int32_t> material_index) {
    Fnv hash;
    hash.byte(static_cast<std::uint8_t>(body.mesh.kind));
    hash.number(body.mesh.vertices.size());
    for (const Vec3& p : body.mesh.vertices) hash.point(p);
    hash.list(body.mesh.cells);
    hash.byte(static_cast<std::uint8_t>(body.plane));
    hash.real(body.thickness);
    hash.number(materials.size());
    for (const Material& m : materials) add(hash, m);
    hash.list(material_index);
    hash.number(body.anchors.size());
    for (const Anchor& anchor : body.anchors) {
        hash.name(anchor.name);
        hash.list(anchor.vertices);
        hash.axes(anchor.axes);
    }
    hash.number(body.handles.size());
    for (const Handle& handle : body.handles) {
        hash.name(handle.name);
        hash.list(handle.vertices);
        hash.axes(handle.axes);
        hash.point(handle.pivot);
        if (handle.each_vertex) hash.name("each vertex");  // others keep the hash they had before this was possible
    }
    return hash.value();
}

}  // namespace limber
