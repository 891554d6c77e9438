#include "io/element_types.hpp"

#include "core/text.hpp"
#include "io/files/scanner.hpp"

#include <algorithm>
#include <iterator>

namespace limber {

namespace {
constexpr int k(CellKind kind) { return static_cast<int>(kind); }

constexpr ElementType kTypes[] = {
    {15, 1, "point", 0, 1, -1},
    {0, 2, "poly-vertex", 0, 0, -1},
    {1, 3, "line", 1, 2, -1},
    {0, 4, "poly-line", 1, 0, -1},
    {8, 21, "3-node line", 1, 3, -1},
    {26, 35, "4-node line", 1, 4, -1},
    {27, -1, "5-node line", 1, 5, -1},
    {28, -1, "6-node line", 1, 6, -1},
    {2, 5, "tri3", 2, 3, k(CellKind::tri3)},
    {3, 9, "quad4", 2, 4, k(CellKind::quad4)},
    {0, 6, "triangle strip", 2, 0, -1},
    {0, 7, "polygon", 2, 0, -1},
    {0, 8, "pixel", 2, 4, -1},
    {9, 22, "tri6", 2, 6, -1},
    {10, 28, "quad9", 2, 9, -1},
    {16, 23, "quad8", 2, 8, -1},
    {20, -1, "tri9", 2, 9, -1},
    {21, -1, "tri10", 2, 10, -1},
    {22, -1, "tri12", 2, 12, -1},
    {23, -1, "tri15", 2, 15, -1},
    {24, -1, "incomplete tri15", 2, 15, -1},
    {25, -1, "tri21", 2, 21, -1},
    {36, -1, "quad16", 2, 16, -1},
    {37, -1, "quad25", 2, 25, -1},
    {38, -1, "quad36", 2, 36, -1},
    {4, 10, "tet4", 3, 4, k(CellKind::tet4)},
    {5, 12, "hex8", 3, 8, k(CellKind::hex8)},
    {11, 24, "tet10", 3, 10, k(CellKind::tet10)},
    {6, 13, "prism6", 3, 6, -1},
    {7, 14, "pyramid5", 3, 5, -1},
    {0, 11, "voxel", 3, 8, -1},
    {12, 29, "hex27", 3, 27, -1},
    {13, 32, "prism18", 3, 18, -1},
    {14, -1, "pyramid14", 3, 14, -1},
    {17, 25, "hex20", 3, 20, -1},
    {18, 26, "prism15", 3, 15, -1},
    {19, 27, "pyramid13", 3, 13, -1},
    {29, -1, "tet20", 3, 20, -1},
    {30, -1, "tet35", 3, 35, -1},
    {31, -1, "tet56", 3, 56, -1},
    {92, -1, "hex64", 3, 64, -1},
    {93, -1, "hex125", 3, 125, -1},
    {0, 42, "polyhedron", 3, 0, -1},
};

void check_indices(const std::string& path, const char* what, std::span<const std::int32_t> indices,
                   std::size_t limit) {
    for (const std::int32_t i : indices) {
        if (i < 0 || static_cast<std::size_t>(i) >= limit) {
            throw Error(Fault::bad_mesh, {path, 0, {}},
                        text("not written: ", what, " names ", i, ", but there are ", limit, " (numbered from 0)"));
        }
    }
}

void check_points(const std::string& path, std::span<const Vec3> vertices) {
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        if (!is_finite(vertices[v]))
            throw Error(Fault::bad_mesh, {path, 0, {}}, text("not written: vertex ", v, " is not finite"));
    }
}
}  // namespace

std::span<const ElementType> element_types() { return kTypes; }

const ElementType* gmsh_type(std::int64_t number) {
    const auto* found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                     [&](const ElementType& t) { return t.gmsh == number; });
    return number < 1 || found == std::end(kTypes) ? nullptr : found;
}

const ElementType* vtk_type(std::int64_t number) {
    const auto* found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                     [&](const ElementType& t) { return t.vtk == number; });
    return number < 0 || found == std::end(kTypes) ? nullptr : found;
}

const ElementType& element_type(CellKind kind) {
    return *std::find_if(std::begin(kTypes), std::end(kTypes), [&](const ElementType& t) { return t.kind == k(kind); });
}

const ElementType& choose_cells(const ElementCounts& counts, const InputLocation& place) {
    int top = -1;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0) top = std::max(top, kTypes[i].dimension);
    const ElementType* chosen = nullptr;
    int kinds = 0;
    std::string list;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0 || kTypes[i].dimension != top) continue;
        chosen = &kTypes[i];
        ++kinds;
        list += text(list.empty() ? "" : ", ", counts[i], " ", kTypes[i].name);
    }
    const char* expected = "cells of one kind: tri3, quad4, tet4, tet10 or hex8";
    if (kinds == 0) throw Error(Fault::bad_mesh, place, "the mesh has no elements", expected);
    if (kinds > 1) throw Error(Fault::bad_mesh, place, text("the mesh mixes ", list, " elements"), expected);
    if (chosen->kind < 0)
        throw Error(Fault::bad_mesh, place, text("the mesh is made of ", list, " elements"), expected);
    return *chosen;
}

void check_writable(const std::string& path, const Mesh& mesh) {
    const auto fail = [&](const std::string& found) {
        throw Error(Fault::bad_mesh, {path, 0, {}}, "not written: " + found);
    };
    if (mesh.cells.empty()) fail("the mesh has no cells");
    if (mesh.cells.size() % static_cast<std::size_t>(corners_of(mesh.kind)) != 0)
        fail(text("the cell list has ", mesh.cells.size(), " corners, not a multiple of ", corners_of(mesh.kind)));
    check_points(path, mesh.vertices);
    check_indices(path, "a cell", mesh.cells, mesh.vertices.size());
    for (const auto* sets : {&mesh.vertex_sets, &mesh.cell_sets}) {
        for (const auto& [name, set] : *sets) {
            if (!is_name(name))
                fail(text("the set name ", in_quotes(name), " is empty, not UTF-8 or has control characters"));
            if (std::adjacent_find(set.begin(), set.end(), std::greater_equal<>()) != set.end())
                fail(text("the set '", name, "' is not in ascending order without repeats"));
            check_indices(path, text("the set '", name, "'").c_str(), set,
                          sets == &mesh.cell_sets ? mesh.cell_count() : mesh.vertices.size());
        }
    }
}

void check_writable(const std::string& path, const Surface& surface) {
    const auto fail = [&](const std::string& found) {
        throw Error(Fault::bad_mesh, {path, 0, {}}, "not written: " + found);
    };
    const std::vector<std::int32_t>& starts = surface.face_starts;
    if (starts.size() < 2) fail("the surface has no faces");
    if (starts.front() != 0 || static_cast<std::size_t>(starts.back()) != surface.faces.size())
        fail("face_starts does not span the faces");
    for (std::size_t f = 0; f + 1 < starts.size(); ++f) {
        if (starts[f + 1] < starts[f] || starts[f + 1] - starts[f] < 3)
            fail(text("face ", f, " has fewer than 3 corners"));
    }
    check_points(path, surface.vertices);
    check_indices(path, "a face", surface.faces, surface.vertices.size());
}

void sort_set(IndexSet& set) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
}

}  // namespace limber
