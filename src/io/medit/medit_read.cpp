#include "io/files/comments.hpp"
#include "io/medit/medit.hpp"
#include "io/msh/msh.hpp"

#include "core/text.hpp"

#include <limber/tools/mesh_io.hpp>

#include <algorithm>
#include <limits>

namespace limber {
namespace {

/// A section of elements: its keyword, the element type (as Gmsh counts them), and what its sets are called.
struct ElementSection {
    const char* keyword;
    int gmsh;
    const char* plural;
};
constexpr ElementSection kSections[] = {
    {"Edges", 1, "edges"},           {"Triangles", 2, "triangles"},   {"Quadrilaterals", 3, "quadrilaterals"},
    {"Tetrahedra", 4, "tetrahedra"}, {"Hexahedra", 5, "hexahedra"},   {"Prisms", 6, "prisms"},
    {"Pyramids", 7, "pyramids"},     {"TrianglesP2", 9, "triangles"}, {"TetrahedraP2", 11, "tetrahedra"}};

/// Sections whose entries are passed over: how many numbers each has.
struct OtherSection {
    const char* keyword;
    int numbers;
};
constexpr OtherSection kOthers[] = {{"Corners", 1},
                                    {"Ridges", 1},
                                    {"RequiredVertices", 1},
                                    {"RequiredEdges", 1},
                                    {"RequiredTriangles", 1},
                                    {"RequiredQuadrilaterals", 1},
                                    {"RequiredTetrahedra", 1},
                                    {"Normals", 3},
                                    {"Tangents", 3},
                                    {"NormalAtVertices", 2},
                                    {"TangentAtVertices", 2},
                                    {"TangentAtEdges", 3},
                                    {"NormalAtTriangleVertices", 3}};

class MeditReader {
public:
    MeditReader(std::string_view bytes, const std::string& name) : in_(bytes, name) {}

    Mesh read() {
        find_names();
        in_.expect("MeshVersionFormatted");
        if (const std::int64_t version = next_integer(in_, "the version"); version < 1 || version > 4)
            in_.fail(text("version ", version), "1 to 4");
        for (std::string_view keyword = next_keyword(); !keyword.empty() && keyword != "End"; keyword = next_keyword())
            section(keyword);
        if (data_.points.empty()) in_.fail(Fault::bad_mesh, "the file has no vertices", "a section 'Vertices'");
        Mesh mesh = build_msh(data_, in_);
        for (auto& [name, set] : vertex_sets_) {
            IndexSet& to = mesh.vertex_sets[name];
            to.insert(to.end(), set.begin(), set.end());
            sort_set(to);
        }
        for (const auto& entry : cell_names_)
            for (const std::string& name : entry.second) mesh.cell_sets[name];
        for (const auto& entry : vertex_names_)
            for (const std::string& name : entry.second) mesh.vertex_sets[name];
        return mesh;
    }

private:
    std::string_view next_keyword() {
        skip_comments(in_);
        return in_.token();
    }

    /// Comments that limber wrote: names for references.
    void find_names() {
        const std::string_view bytes = in_.bytes();
        for (std::size_t at = bytes.find(kMeditSet); at != std::string_view::npos; at = bytes.find(kMeditSet, at + 1)) {
            if (at > 0 && bytes[at - 1] != '\n') continue;
            std::string_view line = bytes.substr(at, std::min(bytes.find('\n', at), bytes.size()) - at);
            line.remove_prefix(std::string_view(kMeditSet).size());
            const bool cells = line.substr(0, 6) == "cells ";
            if (!cells && line.substr(0, 9) != "vertices ") continue;
            line.remove_prefix(cells ? 6 : 9);
            const std::size_t blank = line.find(' ');
            std::int64_t ref = 0;
            if (blank == std::string_view::npos || !parse_integer(line.substr(0, blank), ref)) continue;
            std::string_view name = line.substr(blank + 1);
            if (!name.empty() && name.back() == '\r') name.remove_suffix(1);
            if (is_name(name)) (cells ? cell_names_ : vertex_names_)[ref].emplace_back(name);
        }
        for (auto* names : {&cell_names_, &vertex_names_}) {
            for (auto& entry : *names) {
                std::sort(entry.second.begin(), entry.second.end());
                entry.second.erase(std::unique(entry.second.begin(), entry.second.end()), entry.second.end());
            }
        }
    }

    void section(std::string_view keyword) {
        if (keyword == "Dimension") {
            dimension_ = next_integer(in_, "the dimension");
            if (dimension_ != 2 && dimension_ != 3) in_.fail(text("dimension ", dimension_), "2 or 3");
            return;
        }
        if (keyword == "Vertices") return vertices();
        for (const ElementSection& s : kSections)
            if (keyword == s.keyword) return elements(s);
        for (const OtherSection& s : kOthers)
            if (keyword == s.keyword) return pass_over(s.numbers);
        in_.fail(text("unknown section ", in_quotes(keyword)), "Vertices, Tetrahedra, Hexahedra, Triangles ... or End");
    }

    void vertices() {
        if (!data_.points.empty()) in_.fail("a second section 'Vertices'", "one");
        const std::size_t n = next_count(in_, "the number of vertices", 2 * static_cast<std::size_t>(dimension_) + 2);
        for (std::size_t v = 0; v < n; ++v) {
            Vec3 p;
            for (int a = 0; a < dimension_; ++a) p[a] = next_coordinate(in_);
            const std::int64_t ref = next_integer(in_, "a reference");
            data_.node_tags.push_back(static_cast<std::int64_t>(v) + 1);
            data_.points.push_back(p);
            const std::vector<IndexSet*>& sets = vertex_sets_of(ref);
            in_.spend(16 * sets.size(), "the sets of vertices");
            for (IndexSet* set : sets) set->push_back(static_cast<std::int32_t>(v));
        }
    }

    /// Looked up once per reference: names may be long, and vertices many.
    const std::vector<IndexSet*>& vertex_sets_of(std::int64_t ref) {
        const auto [place, added] = sets_of_ref_.try_emplace(ref);
        if (!added) return place->second;
        if (const auto named = vertex_names_.find(ref); named != vertex_names_.end())
            for (const std::string& name : named->second) place->second.push_back(&vertex_sets_[name]);
        else if (ref != 0 && vertex_names_.empty())
            place->second.push_back(&vertex_sets_[text("vertices_", ref)]);
        return place->second;
    }

    /// The group of a reference: one of its own for each dimension.
    std::uint32_t group(const ElementSection& s, int dimension, std::int64_t ref) {
        const auto [place, added] = groups_.try_emplace({dimension, ref},
                                                        static_cast<std::uint32_t>(data_.groups.size()));
        if (!added) return place->second;
        std::vector<std::int32_t> tags;
        const auto named = cell_names_.find(ref);
        const auto add = [&](const std::string& name) {
            const auto [known, fresh] = tags_.try_emplace({dimension, name},
                                                          static_cast<std::int32_t>(tags_.size() + 1));
            if (fresh) data_.names[{dimension, known->second}] = name;
            tags.push_back(known->second);
        };
        if (named != cell_names_.end())
            for (const std::string& name : named->second) add(name);
        else if (ref != 0 && cell_names_.empty())
            add(text(s.plural, "_", ref));
        data_.groups.push_back(std::move(tags));
        return place->second;
    }

    void elements(const ElementSection& s) {
        const ElementType& type = *gmsh_type(s.gmsh);
        const std::size_t n = next_count(in_, "the number of elements", 2 * static_cast<std::size_t>(type.nodes) + 2);
        for (std::size_t i = 0; i < n; ++i) {
            MshElement e{};
            e.tag = static_cast<std::int64_t>(data_.elements.size()) + 1;
            e.entity = static_cast<std::int32_t>(data_.elements.size() % std::numeric_limits<std::int32_t>::max());
            e.type = &type;
            e.first = data_.nodes.size();
            skip_comments(in_);
            e.position = in_.position();
            for (int c = 0; c < type.nodes; ++c) data_.nodes.push_back(next_integer(in_, "a vertex number"));
            // Mid-edge nodes come in VTK's order (as Gmsh writes them), and build_msh expects Gmsh's own.
            if (type.kind == static_cast<int>(CellKind::tet10))
                std::swap(data_.nodes[e.first + 8], data_.nodes[e.first + 9]);
            e.group = group(s, type.dimension, next_integer(in_, "a reference"));
            data_.elements.push_back(e);
        }
    }

    void pass_over(int numbers) {
        const std::size_t n = next_count(in_, "the number of entries", 2 * static_cast<std::size_t>(numbers));
        for (std::size_t i = 0; i < n * static_cast<std::size_t>(numbers); ++i) {
            skip_comments(in_);
            in_.real("a number");
        }
    }

    Scanner in_;
    std::int64_t dimension_ = 3;
    MshData data_;
    std::map<std::string, IndexSet> vertex_sets_;
    std::map<std::int64_t, std::vector<IndexSet*>> sets_of_ref_;
    std::map<std::int64_t, std::vector<std::string>> cell_names_, vertex_names_;  ///< by reference
    std::map<std::pair<int, std::int64_t>, std::uint32_t> groups_;
    std::map<std::pair<int, std::string>, std::int32_t> tags_;
};

}  // namespace

Mesh parse_medit(std::string_view bytes, const std::string& name) { return MeditReader(bytes, name).read(); }

}  // namespace limber
