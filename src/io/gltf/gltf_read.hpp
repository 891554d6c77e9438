// The steps by which a glTF document becomes a Rig.
#pragma once

#include "io/gltf/gltf_document.hpp"

#include <limber/tools/rig.hpp>

#include <map>

namespace limber {

/// What the steps share. Notes are collected by sentence, so that a thousand equal troubles are one line.
struct GltfRead {
    GltfDocument& document;
    Rig& rig;
    std::vector<std::int32_t> joint_of_node;
    std::vector<bool> shown;  ///< per node: part of the scene that is read
    std::map<std::string, std::size_t> notes;

    void note(const std::string& sentence, std::size_t count = 1) { notes[sentence] += count; }
};

void read_gltf_nodes(GltfRead& in);  ///< joints, joint_of_node, shown
void read_gltf_skins(GltfRead& in);  ///< bindings, one per skin
void read_gltf_looks(GltfRead& in);  ///< pictures and materials
void read_gltf_parts(GltfRead& in);  ///< a part per shown node with a mesh and primitive
void read_gltf_clips(GltfRead& in);

/// Triples of vertex numbers of a primitive; empty for points and lines. Index faults are thrown.
std::vector<std::array<std::int32_t, 3>> gltf_triangles(GltfRead& in, const GltfField& primitive, std::size_t vertices);
/// Joints and weights of a primitive, at most eight each, brought to sum 1; empty when it has none.
std::vector<Influences> gltf_influences(GltfRead& in, const GltfField& primitive, std::size_t vertices,
                                        std::size_t joints);

/// Entries of `values` as points.
std::vector<Vec3> to_points(const GltfDocument::Numbers& numbers);

}  // namespace limber
