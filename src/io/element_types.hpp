// The element types of Gmsh and VTK files: their size, and which of them limber has as cells.
#pragma once

#include <limber/error.hpp>
#include <limber/mesh.hpp>

#include <span>
#include <vector>

namespace limber {

struct ElementType {
    int gmsh;  ///< number in MSH files, 0 = none
    int vtk;   ///< number in VTU files, -1 = none
    const char* name;
    int dimension;
    int nodes;  ///< 0 = any number
    int kind;   ///< CellKind, or -1 when limber has no such cell
};

/// nullptr when unknown.
const ElementType* gmsh_type(std::int64_t number);
const ElementType* vtk_type(std::int64_t number);
const ElementType& element_type(CellKind kind);
std::span<const ElementType> element_types();

/// How often each of element_types() occurs, in that order.
using ElementCounts = std::vector<std::size_t>;

/// The one kind of the highest dimension; throws Error{bad_mesh} naming the counts when there are several or limber has
/// no such cell.
const ElementType& choose_cells(const ElementCounts& counts, const InputLocation& place);

/// Throws Error{bad_mesh} on what no file can hold: indices out of range, values not finite, no cells, names that are
/// no text.
void check_writable(const std::string& path, const Mesh& mesh);
void check_writable(const std::string& path, const Surface& surface);

/// The same for what was just read: ascending and without repeats.
void sort_set(IndexSet& set);

}  // namespace limber
