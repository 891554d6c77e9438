#include "capi/handles.hpp"
#include "capi/layouts.hpp"

using namespace limber;
using namespace limber::capi;

namespace {

CellKind kind_of(limber_cell_kind kind) {
    switch (kind) {
        case LIMBER_TRI3: return CellKind::tri3;
        case LIMBER_QUAD4: return CellKind::quad4;
        case LIMBER_TET4: return CellKind::tet4;
        case LIMBER_TET10: return CellKind::tet10;
        case LIMBER_HEX8: return CellKind::hex8;
    }
    throw Error(Fault::bad_usage, {}, "cell kind " + std::to_string(static_cast<int>(kind)), "one of limber_cell_kind");
}

Axes axes_of(unsigned axes) {
    if (axes == 0 || axes > LIMBER_XYZ) {
        throw Error(Fault::bad_usage, {}, "axes is " + std::to_string(axes),
                    "LIMBER_X, LIMBER_Y, LIMBER_Z, or several of them added up");
    }
    return {(axes & LIMBER_X) != 0, (axes & LIMBER_Y) != 0, (axes & LIMBER_Z) != 0};
}

IndexSet sorted(const int32_t* items, size_t count, const char* name) {
    given_list(items, count, name);
    IndexSet set(items, items + count);
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    return set;
}

const IndexSet& set_named(const limber_body_maker& maker, const char* name) {
    const auto& sets = maker.description.mesh.vertex_sets;
    const auto found = sets.find(&given(name, "vertex_set"));
    if (found != sets.end()) return found->second;
    std::string known;
    for (const auto& [other, members] : sets) known += (known.empty() ? "one of " : ", ") + other;
    throw Error(Fault::bad_usage, {}, std::string("no vertex set named '") + name + "'",
                known.empty() ? "a set added by limber_body_maker_vertex_set" : known);
}

Material material_of(const limber_material& m) {
    return {"", m.young, m.poisson, m.density, m.rayleigh_alpha, m.rayleigh_beta};
}

template <class T>
const T* list(const std::vector<T>& from, size_t* count) {
    if (count != nullptr) *count = from.size();
    return from.empty() ? nullptr : from.data();
}

}  // namespace

limber_status limber_material_preset(const char* name, limber_material* out, limber_error* error) {
    return guarded(error, [&] {
        given(out, "out");
        const MaterialPreset* found = find_material_preset(&given(name, "name"));
        if (found == nullptr) {
            std::vector<std::string> known;
            for (const MaterialPreset& preset : material_presets()) known.push_back(preset.material.name);
            const std::string near = nearest_name(name, known);
            throw Error(Fault::bad_material, {}, std::string("no material named '") + name + "'",
                        near.empty() ? "a name that `limber materials` lists" : near);
        }
        const Material& m = found->material;
        *out = {m.young, m.poisson, m.density, m.rayleigh_alpha, m.rayleigh_beta};
    });
}

limber_status limber_body_maker_new(limber_cell_kind kind, const limber_vec3* positions, size_t vertex_count,
                                    const int32_t* cells, size_t cell_count, limber_body_maker** out,
                                    limber_error* error) {
    return guarded(error, [&] {
        given(out, "out");
        given_list(positions, vertex_count, "positions");
        given_list(cells, cell_count, "cells");
        auto maker = std::make_unique<limber_body_maker>();
        Mesh& mesh = maker->description.mesh;
        mesh.kind = kind_of(kind);
        const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
        if (cell_count > std::numeric_limits<std::int32_t>::max() / corners ||
            vertex_count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
            throw Error(Fault::bad_mesh, {},
                        std::to_string(vertex_count) + " vertices, " + std::to_string(cell_count) + " cells",
                        "indices that fit into 31 bits");
        }
        for (size_t v = 0; v < vertex_count; ++v) mesh.vertices.push_back(from_c(positions[v]));
        mesh.cells.assign(cells, cells + cell_count * corners);
        *out = maker.release();
    });
}

limber_status limber_body_maker_new_box(limber_cell_kind kind, int nx, int ny, int nz, limber_vec3 low,
                                        limber_vec3 high, limber_body_maker** out, limber_error* error) {
    return guarded(error, [&] {
        given(out, "out");
        const CellKind cells = kind_of(kind);
        const bool planar = dimension_of(cells) == 2;
        if (nx < 1 || ny < 1 || (!planar && nz < 1)) {
            throw Error(Fault::bad_usage, {},
                        std::to_string(nx) + " x " + std::to_string(ny) + " x " + std::to_string(nz) + " cells",
                        "at least one along each axis");
        }
        auto maker = std::make_unique<limber_body_maker>();
        maker->description.mesh = planar ? make_grid(cells, nx, ny, from_c(low), from_c(high))
                                         : make_box(cells, nx, ny, nz, from_c(low), from_c(high));
        *out = maker.release();
    });
}

void limber_body_maker_free(limber_body_maker* maker) { delete maker; }

limber_status limber_body_maker_vertex_set(limber_body_maker* maker, const char* name, const int32_t* vertices,
                                           size_t count, limber_error* error) {
    return guarded(error, [&] {
        given(maker, "maker").description.mesh.vertex_sets[&given(name, "name")] = sorted(vertices, count, "vertices");
    });
}

limber_status limber_body_maker_cell_set(limber_body_maker* maker, const char* name, const int32_t* cells, size_t count,
                                         limber_error* error) {
    return guarded(error, [&] {
        given(maker, "maker").description.mesh.cell_sets[&given(name, "name")] = sorted(cells, count, "cells");
    });
}

limber_status limber_body_maker_material(limber_body_maker* maker, const char* cell_set,
                                         const limber_material* material, limber_error* error) {
    return guarded(error, [&] {
        const Material m = material_of(given(material, "material"));
        given(maker, "maker").description.materials.push_back({cell_set == nullptr ? "" : cell_set, m});
    });
}

limber_status limber_body_maker_planar(limber_body_maker* maker, double thickness, bool plane_stress,
                                       limber_error* error) {
    return guarded(error, [&] {
        BodyDescription& d = given(maker, "maker").description;
        d.thickness = thickness;
        d.plane = plane_stress ? Plane::stress : Plane::strain;
    });
}

limber_status limber_body_maker_anchor(limber_body_maker* maker, const char* name, const char* vertex_set,
                                       unsigned axes, limber_error* error) {
    return guarded(error, [&] {
        given(maker, "maker");
        maker->description.anchors.push_back({&given(name, "name"), set_named(*maker, vertex_set), axes_of(axes)});
    });
}

limber_status limber_body_maker_handle(limber_body_maker* maker, const char* name, const char* vertex_set,
                                       unsigned axes, limber_vec3 pivot, bool each_vertex, limber_error* error) {
    return guarded(error, [&] {
        given(maker, "maker");
        maker->description.handles.push_back(
            {&given(name, "name"), set_named(*maker, vertex_set), axes_of(axes), from_c(pivot), each_vertex});
    });
}

limber_status limber_body_make(const limber_body_maker* maker, const char* name, limber_body** out,
                               limber_error* error) {
    return guarded(error, [&] {
        given(out, "out");
        BodyDescription description = given(maker, "maker").description;
        if (name != nullptr) description.name = name;
        *out = new limber_body{Body::make(std::move(description))};
    });
}

void limber_body_free(limber_body* body) { delete body; }

size_t limber_body_vertex_count(const limber_body* body) { return body == nullptr ? 0 : body->body->vertex_count(); }
size_t limber_body_cell_count(const limber_body* body) { return body == nullptr ? 0 : body->body->mesh().cell_count(); }
const limber_vec3* limber_body_positions(const limber_body* body) {
    return body == nullptr ? nullptr : seen_from_c(body->body->mesh().vertices.data());
}
const int32_t* limber_body_cells(const limber_body* body) {
    return body == nullptr ? nullptr : body->body->mesh().cells.data();
}

const int32_t* limber_body_vertex_set(const limber_body* body, const char* name, size_t* count) {
    if (count != nullptr) *count = 0;
    if (body == nullptr || name == nullptr) return nullptr;
    for (const auto& [known, set] : body->body->mesh().vertex_sets)
        if (known == name) return list(set, count);
    return nullptr;
}

const int32_t* limber_body_driven_vertices(const limber_body* body, size_t* count) {
    if (count != nullptr) *count = 0;
    return body == nullptr ? nullptr : list(body->body->driven_vertices(), count);
}

int32_t limber_body_nearest_vertex(const limber_body* body, limber_vec3 point) {
    if (body == nullptr) return -1;
    const std::vector<Vec3>& at = body->body->mesh().vertices;
    const auto nearer = [&](const Vec3& a, const Vec3& b) {
        return norm2(a - from_c(point)) < norm2(b - from_c(point));
    };
    return static_cast<int32_t>(std::min_element(at.begin(), at.end(), nearer) - at.begin());
}
