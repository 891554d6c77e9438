// Body: the physical truth of one object, validated once and then only read.
#pragma once

#include <limber/material.hpp>
#include <limber/mesh.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace limber {

/// How a planar body is loaded in depth. Bodies of volume cells ignore it.
enum class Plane : std::uint8_t { strain, stress };

/// What anchors and handles leave of rigid motion: all of it, some of it, none.
enum class Support : std::uint8_t { free, partial, held };

/// Which components are prescribed. Planar bodies ignore z.
struct Axes {
    bool x = true, y = true, z = true;
    bool operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
    friend bool operator==(const Axes&, const Axes&) = default;
};

/// Vertices held at rest.
struct Anchor {
    std::string name;
    IndexSet vertices;
    Axes axes;
};

/// Vertices driven by Loads: like one rigid thing, rotated about `pivot`, then translated (Loads::handles); or each by
/// a target of its own (Loads::vertices), for motion that no rigid thing has, such as a skin's.
struct Handle {
    std::string name;
    IndexSet vertices;
    Axes axes;
    Vec3 pivot;                ///< [m], in the rest pose
    bool each_vertex = false;  ///< has targets in Loads::vertices; its place in Loads::handles is not looked at
};

/// A material for the cells of a set. The empty set name means every cell not named elsewhere.
struct MaterialAssignment {
    std::string cell_set;
    Material material;
};

/// What you edit. Body::make checks it and freezes it.
struct BodyDescription {
    std::string name = "body";
    Mesh mesh;
    Plane plane = Plane::strain;
    double thickness = 1.0;  ///< depth of a planar body [m]
    std::vector<MaterialAssignment> materials;
    std::vector<Anchor> anchors;
    std::vector<Handle> handles;
};

/// Immutable; share it by pointer.
class Body {
public:
    /// Throws Error on anything a method could trip over. Repairs and warnings are listed in findings().
    static std::shared_ptr<const Body> make(BodyDescription description, const InputLocation& place = {});

    const std::string& name() const { return d_.name; }
    const Mesh& mesh() const { return d_.mesh; }
    Plane plane() const { return d_.plane; }
    double thickness() const { return d_.thickness; }
    const std::vector<Anchor>& anchors() const { return d_.anchors; }
    const std::vector<Handle>& handles() const { return d_.handles; }
    /// The vertices that are driven each by a target of its own: those of the first such handle, then of the next.
    const std::vector<std::int32_t>& driven_vertices() const { return driven_vertices_; }
    const std::vector<Material>& materials() const { return materials_; }
    const Material& material_of(std::size_t cell) const {
        return materials_[static_cast<std::size_t>(material_index_[cell])];
    }
    std::int32_t material_index(std::size_t cell) const { return material_index_[cell]; }
    /// What it was made from, sets put in order and windings repaired: make() of it gives an equal body.
    const BodyDescription& description() const { return d_; }
    std::size_t vertex_count() const { return d_.mesh.vertices.size(); }
    const std::vector<MeshFinding>& findings() const { return findings_; }
    /// 64-bit FNV-1a over everything that physics depends on.
    std::uint64_t hash() const { return hash_; }
    /// How much of the rigid motion (six ways in space, three in the plane) anchors and handles stop.
    Support support() const { return support_; }

private:
    Body() = default;
    BodyDescription d_;
    std::vector<Material> materials_;
    std::vector<std::int32_t> material_index_;
    std::vector<std::int32_t> driven_vertices_;
    std::vector<MeshFinding> findings_;
    std::uint64_t hash_ = 0;
    Support support_ = Support::held;
};

}  // namespace limber
