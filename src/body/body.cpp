#include <limber/body.hpp>

#include "body/body_hash.hpp"
#include "body/support.hpp"
#include "core/spelling.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <set>

namespace limber {
namespace {

/// What a mesh must be instead of a fatal finding of this kind.
const char* expected_of(MeshFinding::Kind kind) {
    using Kind = MeshFinding::Kind;
    switch (kind) {
        case Kind::zero_volume_cell: return "cells with a volume, or an area in the plane";
        case Kind::duplicate_cell: return "each cell once";
        case Kind::index_out_of_range: return "vertices of the mesh, numbered from 0";
        case Kind::repeated_corner: return "corners that differ";
        case Kind::non_finite_coordinate: return "finite coordinates in metres";
        case Kind::not_planar: return "z = 0 everywhere, or solid cells";
        case Kind::empty: return "at least one cell";
        case Kind::bad_set: return "sets of vertices and cells of the mesh";
        case Kind::bad_shape: return "cells of a known kind that are not folded";
        default: return "";
    }
}

void check_mesh(Mesh& mesh, std::vector<MeshFinding>& findings, const InputLocation& place) {
    findings = validate(mesh);
    const auto fatal = [](const MeshFinding& f) { return f.severity == MeshFinding::Severity::fatal; };
    const auto first = std::find_if(findings.begin(), findings.end(), fatal);
    if (first == findings.end()) return;
    const auto more = std::count_if(findings.begin(), findings.end(), fatal) - 1;
    throw Error(Fault::bad_mesh, place,
                more > 0 ? text(first->message, " (and ", counted(static_cast<std::size_t>(more), "more fault"), ")")
                         : first->message,
                expected_of(first->kind));
}

std::string set_name(const std::string& name) {
    return name.empty() ? std::string("every other cell") : text("cell set '", name, "'");
}

const IndexSet& find_cells(const Mesh& mesh, const std::string& name, const InputLocation& place) {
    const auto found = mesh.cell_sets.find(name);
    if (found != mesh.cell_sets.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [set, cells] : mesh.cell_sets) known.push_back(set);
    throw Error(
        Fault::bad_material, place, text("a material is given for cell set '", name, "', which the mesh does not have"),
        known.empty() ? "no set name (= every cell): this mesh has no cell sets"
                      : text("one of ", fmt::format("'{}'", fmt::join(known, "', '")), suggestion(name, known)));
}

// Index of the assignment per cell; -1 where none names it.
std::vector<std::int32_t> assign_named(const BodyDescription& d, const InputLocation& place) {
    std::vector<std::int32_t> owner(d.mesh.cell_count(), -1);
    for (std::size_t a = 0; a < d.materials.size(); ++a) {
        if (d.materials[a].cell_set.empty()) continue;
        for (const std::int32_t c : find_cells(d.mesh, d.materials[a].cell_set, place)) {
            std::int32_t& mine = owner[static_cast<std::size_t>(c)];
            if (mine >= 0) {
                throw Error(Fault::bad_material, place,
                            text("cell ", c, " gets two materials, from ",
                                 set_name(d.materials[static_cast<std::size_t>(mine)].cell_set), " and ",
                                 set_name(d.materials[a].cell_set)),
                            "sets that do not overlap");
            }
            mine = static_cast<std::int32_t>(a);
        }
    }
    return owner;
}

void assign_rest(const BodyDescription& d, std::vector<std::int32_t>& owner, const InputLocation& place) {
    std::int32_t rest = -1;
    for (std::size_t a = 0; a < d.materials.size(); ++a) {
        if (!d.materials[a].cell_set.empty()) continue;
        if (rest >= 0) throw Error(Fault::bad_material, place, "two materials are given for every other cell", "one");
        rest = static_cast<std::int32_t>(a);
    }
    const auto uncovered = std::count(owner.begin(), owner.end(), -1);
    if (uncovered > 0 && rest < 0) {
        const auto first = std::find(owner.begin(), owner.end(), -1) - owner.begin();
        throw Error(
            Fault::bad_material, place,
            text(uncovered, " of ", counted(owner.size(), "cell"), " have no material (the first is cell ", first, ")"),
            "a material for every cell");
    }
    std::replace(owner.begin(), owner.end(), -1, rest);
}

void check_support_set(const Mesh& mesh, const char* kind, const std::string& name, IndexSet& vertices,
                       const Axes& axes, const InputLocation& place) {
    const std::string who = text(kind, " '", name, "'");
    if (name.empty()) throw Error(Fault::bad_scene, place, text("an ", kind, " without a name"), "a name");
    if (vertices.empty()) throw Error(Fault::bad_scene, place, text(who, " has no vertices"), "at least one");
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    const auto count = mesh.vertices.size();
    const std::int32_t bad = vertices.front() < 0 ? vertices.front() : vertices.back();
    if (bad < 0 || static_cast<std::size_t>(bad) >= count) {
        throw Error(Fault::bad_scene, place, text(who, " names vertex ", bad),
                    text("a vertex of the mesh, which has ", count, " (numbered from 0)"));
    }
    if (!axes.x && !axes.y && !(axes.z && mesh.dimension() == 3))
        throw Error(Fault::bad_scene, place, text(who, " prescribes no component"), "at least one of its axes on");
}

void check_names(const BodyDescription& d, const InputLocation& place) {
    std::set<std::string> seen;
    const auto add = [&](const std::string& name) {
        if (!seen.insert(name).second) {
            throw Error(Fault::bad_scene, place, text("two anchors or handles are named '", name, "'"),
                        "a name for each");
        }
    };
    for (const Anchor& anchor : d.anchors) add(anchor.name);
    for (const Handle& handle : d.handles) add(handle.name);
}

// A component may be held twice, but never driven twice or held and driven.
void check_conflicts(const BodyDescription& d, const InputLocation& place) {
    const std::size_t dimension = static_cast<std::size_t>(d.mesh.dimension());
    const std::int32_t anchors = static_cast<std::int32_t>(d.anchors.size());
    std::vector<std::int32_t> owner(d.mesh.vertices.size() * dimension, -1);
    const auto title = [&](std::int32_t id) {
        return id < anchors ? text("anchor '", d.anchors[static_cast<std::size_t>(id)].name, "'")
                            : text("handle '", d.handles[static_cast<std::size_t>(id - anchors)].name, "'");
    };
    const auto claim = [&](const IndexSet& vertices, const Axes& axes, std::int32_t id) {
        for (const std::int32_t v : vertices) {
            for (std::size_t axis = 0; axis < dimension; ++axis) {
                if (!axes[static_cast<int>(axis)]) continue;
                std::int32_t& mine = owner[static_cast<std::size_t>(v) * dimension + axis];
                if (mine >= 0 && id >= anchors) {
                    throw Error(Fault::bad_scene, place,
                                text(title(mine), " and ", title(id), " both prescribe component ", "xyz"[axis],
                                     " of vertex ", v),
                                "sets or axes that do not overlap");
                }
                mine = id;
            }
        }
    };
    for (std::int32_t i = 0; i < anchors; ++i)
        claim(d.anchors[static_cast<std::size_t>(i)].vertices, d.anchors[static_cast<std::size_t>(i)].axes, i);
    for (std::size_t i = 0; i < d.handles.size(); ++i)
        claim(d.handles[i].vertices, d.handles[i].axes, anchors + static_cast<std::int32_t>(i));
}

void check_supports(BodyDescription& d, const InputLocation& place) {
    for (Anchor& anchor : d.anchors)
        check_support_set(d.mesh, "anchor", anchor.name, anchor.vertices, anchor.axes, place);
    for (Handle& handle : d.handles) {
        check_support_set(d.mesh, "handle", handle.name, handle.vertices, handle.axes, place);
        if (!is_finite(handle.pivot)) {
            throw Error(Fault::bad_scene, place, text("handle '", handle.name, "' has a pivot that is not finite"),
                        "three finite numbers");
        }
    }
    check_names(d, place);
    check_conflicts(d, place);
}

// One part well held says nothing about the next: a stiffness matrix is singular as soon as one part can drift.
void warn_of_unheld_parts(const std::vector<PartSupport>& parts, std::vector<MeshFinding>& findings) {
    if (parts.size() < 2 || joint_support(parts) != Support::partial) return;
    const auto can_move_rigidly = [](const PartSupport& p) { return p.support() != Support::held; };
    const auto first = std::find_if(parts.begin(), parts.end(), can_move_rigidly);
    const std::size_t count = static_cast<std::size_t>(std::count_if(parts.begin(), parts.end(), can_move_rigidly));
    findings.push_back({MeshFinding::Kind::disconnected_parts, MeshFinding::Severity::warning, count,
                        static_cast<std::size_t>(first->first_vertex),
                        text(count, " of ", parts.size(), " disconnected parts can move rigidly: the one with vertex ",
                             first->first_vertex, " is stopped in ", first->stopped, " of ", first->ways, " ways")});
}

}  // namespace

std::shared_ptr<const Body> Body::make(BodyDescription description, const InputLocation& place) {
    std::shared_ptr<Body> body(new Body);
    BodyDescription& d = body->d_;
    d = std::move(description);
    check_mesh(d.mesh, body->findings_, place);
    if (!(d.thickness > 0.0 && d.thickness <= 1e9))
        throw Error(Fault::bad_scene, place, text("thickness is ", d.thickness, " m"), "more than 0 and at most 1e9 m");
    for (const MaterialAssignment& a : d.materials) check(a.material, place);
    body->material_index_ = assign_named(d, place);
    assign_rest(d, body->material_index_, place);
    for (const MaterialAssignment& a : d.materials) body->materials_.push_back(a.material);
    check_supports(d, place);
    for (const Handle& handle : d.handles)
        if (handle.each_vertex)
            body->driven_vertices_.insert(body->driven_vertices_.end(), handle.vertices.begin(), handle.vertices.end());
    const std::vector<PartSupport> parts = part_supports(d);
    body->support_ = joint_support(parts);
    warn_of_unheld_parts(parts, body->findings_);
    body->hash_ = hash_of(d, body->materials_, body->material_index_);
    return body;
}

}  // namespace limber
