// VTU: unstructured grids of VTK. The arrays called "set:<name>" are limber's sets.
#include "io/element_types.hpp"
#include "io/vtk/vtu_arrays.hpp"

#include "core/text.hpp"

#include <limber/tools/mesh_io.hpp>

#include <cmath>
#include <limits>

namespace limber {

namespace {
constexpr std::string_view kSetPrefix = "set:";

// All cells of all pieces, of any type.
struct VtuCells {
    std::vector<std::int32_t> corners;   ///< vertex numbers, flat
    std::vector<std::size_t> starts{0};  ///< cell c has corners starts[c] .. starts[c+1]
    std::vector<const ElementType*> types;
    std::map<std::string, IndexSet> sets;  ///< by cell number among all cells
};

class VtuReader {
public:
    VtuReader(Scanner& in, const XmlElement& root) : arrays_(in, root), root_(root) {}

    Mesh read() {
        const XmlElement* grid = root_.child("UnstructuredGrid");
        const std::string* type = root_.attribute("type");
        if (grid == nullptr || root_.name != "VTKFile") {
            arrays_.fail(root_, text("a file of type ", in_quotes(type != nullptr ? *type : std::string(root_.name))),
                         "a VTKFile of type UnstructuredGrid");
        }
        bool any = false;
        for (const XmlElement& piece : grid->children) {
            if (piece.name != "Piece") continue;
            any = true;
            read_piece(piece);
        }
        if (!any) arrays_.fail(*grid, "the grid has no Piece");
        keep_cells();
        return std::move(mesh_);
    }

private:
    std::size_t declared(const XmlElement& piece, std::string_view key) {
        const std::string* words = piece.attribute(key);
        std::int64_t n = 0;
        if (words == nullptr || !parse_integer(*words, n) || n < 0)
            arrays_.fail(piece, text(key, " is ", words == nullptr ? "missing" : in_quotes(*words)), "a count");
        return static_cast<std::size_t>(n);
    }
    const XmlElement& inner(const XmlElement& e, std::string_view key) {
        const XmlElement* found = e.child(key);
        if (found == nullptr) arrays_.fail(e, text("the element ", in_quotes(e.name), " has no ", key));
        return *found;
    }
    const XmlElement& named_array(const XmlElement& cells, std::string_view name) {
        for (const XmlElement& a : cells.children) {
            if (const std::string* n = a.attribute("Name"); a.name == "DataArray" && n != nullptr && *n == name)
                return a;
        }
        arrays_.fail(cells, text("there is no DataArray named ", in_quotes(name)));
    }

    void read_piece(const XmlElement& piece) {
        const std::size_t points = declared(piece, "NumberOfPoints"), cells = declared(piece, "NumberOfCells");
        const std::size_t first_vertex = mesh_.vertices.size(), first_cell = cells_.types.size();
        read_points(inner(inner(piece, "Points"), "DataArray"), points);
        if (mesh_.vertices.size() > std::numeric_limits<std::int32_t>::max())
            arrays_.fail(piece, text(mesh_.vertices.size(), " points"), "at most 2147483647");
        read_cells(inner(piece, "Cells"), cells, first_vertex);
        if (const XmlElement* data = piece.child("PointData"))
            read_sets(*data, points, first_vertex, mesh_.vertex_sets);
        if (const XmlElement* data = piece.child("CellData")) read_sets(*data, cells, first_cell, cells_.sets);
    }

    void read_points(const XmlElement& array, std::size_t points) {
        const std::vector<double> x = arrays_.reals(array);
        if (x.size() % 3 != 0 || x.size() / 3 != points) {
            arrays_.fail(array, text("the points have ", x.size(), " coordinates"),
                         text("3 for each of the ", points, " points"));
        }
        for (std::size_t i = 0; i < points; ++i) {
            const Vec3 p{x[3 * i], x[3 * i + 1], x[3 * i + 2]};
            if (!is_finite(p))
                arrays_.fail(array, text("point ", i, " is not finite"), "finite coordinates", Fault::bad_mesh);
            mesh_.vertices.push_back(p);
        }
    }

    void read_cells(const XmlElement& cells, std::size_t count, std::size_t first_vertex) {
        const XmlElement &ends_array = named_array(cells, "offsets"), &types_array = named_array(cells, "types"),
                         &corners_array = named_array(cells, "connectivity");
        const std::vector<std::int64_t> corners = arrays_.integers(corners_array), ends = arrays_.integers(ends_array),
                                        types = arrays_.integers(types_array);
        if (ends.size() != count)
            arrays_.fail(ends_array, text("there are ", ends.size(), " offsets"), text(count, ", one per cell"));
        if (types.size() != count)
            arrays_.fail(types_array, text("there are ", types.size(), " cell types"), text(count, ", one per cell"));
        const std::size_t vertices = mesh_.vertices.size() - first_vertex;
        std::int64_t begin = 0;
        for (std::size_t c = 0; c < count; ++c) {
            const ElementType* type = vtk_type(types[c]);
            if (type == nullptr) {
                arrays_.fail(types_array, text("cell ", c, " has the VTK type ", types[c]),
                             "a known one, such as 10 (tetrahedron)");
            }
            if (ends[c] < begin || static_cast<std::uint64_t>(ends[c]) > corners.size()) {
                arrays_.fail(ends_array, text("cell ", c, " ends at corner ", ends[c]),
                             text("a number from ", begin, " to ", corners.size()));
            }
            if (type->nodes > 0 && ends[c] - begin != type->nodes) {
                arrays_.fail(ends_array, text("cell ", c, ", a ", type->name, ", has ", ends[c] - begin, " corners"),
                             text(type->nodes));
            }
            for (; begin < ends[c]; ++begin) {
                const std::int64_t v = corners[static_cast<std::size_t>(begin)];
                if (v < 0 || static_cast<std::uint64_t>(v) >= vertices) {
                    arrays_.fail(corners_array,
                                 text("cell ", c, " names point ", v, ", but the piece has ", vertices,
                                      " points (numbered from 0)"),
                                 {}, Fault::bad_mesh);
                }
                cells_.corners.push_back(static_cast<std::int32_t>(static_cast<std::size_t>(v) + first_vertex));
            }
            cells_.starts.push_back(cells_.corners.size());
            cells_.types.push_back(type);
        }
    }

    void read_sets(const XmlElement& data, std::size_t count, std::size_t first, std::map<std::string, IndexSet>& out) {
        for (const XmlElement& a : data.children) {
            const std::string* name = a.attribute("Name");
            if (a.name != "DataArray" || name == nullptr || name->compare(0, kSetPrefix.size(), kSetPrefix) != 0)
                continue;
            const std::string set_name = name->substr(kSetPrefix.size());
            if (!is_name(set_name))
                arrays_.fail(a, text("the set name ", in_quotes(set_name), " is empty or not UTF-8 text"));
            const std::vector<std::int64_t> marks = arrays_.integers(a);
            if (marks.size() != count)
                arrays_.fail(a, text("the set ", in_quotes(set_name), " has ", marks.size(), " marks"), text(count));
            IndexSet& set = out[set_name];
            for (std::size_t i = 0; i < count; ++i)
                if (marks[i] != 0) set.push_back(static_cast<std::int32_t>(first + i));
        }
    }

    // Cells of the highest dimension make the mesh. Marked ones of lower dimension give their corners to a vertex set.
    void keep_cells() {
        ElementCounts counts(element_types().size(), 0);
        for (const ElementType* t : cells_.types) ++counts[static_cast<std::size_t>(t - element_types().data())];
        const ElementType& kept = choose_cells(counts, {arrays_.scanner().name(), 0, {}});
        mesh_.kind = static_cast<CellKind>(kept.kind);
        std::vector<std::int32_t> number(cells_.types.size(), -1);
        std::int32_t next = 0;
        const auto corner = [&](std::size_t i) {
            return cells_.corners.begin() + static_cast<std::ptrdiff_t>(cells_.starts[i]);
        };
        for (std::size_t c = 0; c < number.size(); ++c) {
            if (cells_.types[c] != &kept) continue;
            number[c] = next++;
            mesh_.cells.insert(mesh_.cells.end(), corner(c), corner(c + 1));
        }
        for (const auto& [name, marked] : cells_.sets) {
            IndexSet kept_cells, corners;
            for (const std::int32_t m : marked) {
                const auto c = static_cast<std::size_t>(m);
                if (number[c] >= 0)
                    kept_cells.push_back(number[c]);
                else
                    corners.insert(corners.end(), corner(c), corner(c + 1));
            }
            arrays_.scanner().spend(16 * corners.size(), "the sets");
            if (corners.empty() || !kept_cells.empty())
                mesh_.cell_sets[name] = std::move(kept_cells);  // an empty set is kept
            if (corners.empty()) continue;
            IndexSet& vertices = mesh_.vertex_sets[name];
            vertices.insert(vertices.end(), corners.begin(), corners.end());
        }
        for (auto& entry : mesh_.vertex_sets) sort_set(entry.second);
    }

    VtuArrays arrays_;
    const XmlElement& root_;
    Mesh mesh_;
    VtuCells cells_;
};
}  // namespace

Mesh parse_vtu(std::string_view bytes, const std::string& name) {
    Scanner in(bytes, name);
    const XmlElement root = parse_xml(in, "AppendedData");
    return VtuReader(in, root).read();
}

}  // namespace limber
