// From a body as written in a scene to a BodyDescription, collecting faults instead of stopping at the first.
#pragma once

#include <limber/tools/scene.hpp>

#include <string>
#include <vector>

namespace limber {

/// Adds one fault per call. `file` is the scene, `field` the JSON path.
struct FaultSink {
    std::string file;
    std::vector<SceneFault>* faults;

    void add(Fault fault, std::string field, std::string found, std::string expected = {},
             std::string suggestion = {}) const;
    /// Takes over an Error from a lower layer; its own place (a mesh file and line) becomes part of `found`.
    void add(const Error& error, std::string field) const;
};

/// More cells than any scene here should generate: a typing mistake, not a wish.
inline constexpr double kMaxGeneratedCells = 5e6;

/// The mesh in metres, y up, without the scene's own sets. False after a fault.
bool build_mesh(const MeshSource& source, const std::string& field, const FaultSink& sink, Mesh& out);

/// Where a point of a mesh is once the body is placed.
Vec3 placed(const PlaceSpec& place, const Vec3& point);

/// What turns or moves out of the plane of a planar body, and what is flat in space.
void check_stage(const Scene& scene, int dimension, const FaultSink& faults);

/// Adds the scene's sets to the mesh, in order. Sets with a fault are added empty, so that users of them are not
/// faulted again.
void add_sets(const std::vector<VertexSetSpec>& sets, const std::string& field, const FaultSink& sink, Mesh& mesh);

/// Everything of one body; `field` is "/bodies/0".
BodyDescription describe_body(const BodySpec& spec, const std::string& field, const FaultSink& sink);

}  // namespace limber
