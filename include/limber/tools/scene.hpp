// Scene: everything one run needs, as plain values. Read from JSON (docs/scene.md) or filled in by a program.
#pragma once

#include <limber/body.hpp>
#include <limber/error.hpp>
#include <limber/obstacle.hpp>
#include <limber/options.hpp>
#include <limber/progress.hpp>
#include <limber/tools/file_axes.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

struct PaintedSurface;
struct Solid;

/// A mesh made by one of the generators of mesh.hpp and round.hpp; lengths in the source's unit.
struct MeshGenerator {
    enum class Shape : std::uint8_t { grid, box, ball, cylinder, torus, disc, ellipse, ring, ellipsoid, shell };
    Shape shape = Shape::box;
    CellKind kind = CellKind::hex8;
    /// grid nx ny; box nx ny nz; ball, ellipsoid across; cylinder across, along; torus across, around; disc, ellipse
    /// around; ring around, through; shell across, through
    std::array<int, 3> counts{1, 1, 1};
    Vec3 low{0.0, 0.0, 0.0};     ///< grid and box
    Vec3 high{1.0, 1.0, 1.0};    ///< grid and box
    Vec3 centre;                 ///< all round ones but cylinder and torus
    double radius = 0.5;         ///< ball, cylinder, ring of the torus, disc; outer one of ring and shell
    double inner_radius = 0.25;  ///< ring and shell
    Vec3 radii{0.5, 0.5, 0.5};   ///< ellipse, ellipsoid
    double tube_radius = 0.1;    ///< torus
    double length = 1.0;         ///< cylinder
    double end_radius = 0.0;     ///< of the cylinder's far end; 0 = the same as `radius`
};

/// One of several surfaces that a solid is made of; its name becomes a cell set.
struct SurfaceFile {
    std::string name;
    std::string path;  ///< relative to the scene's folder
};

/// Where a body's mesh comes from: a file (`path`), a solid made of surfaces (`path` of one, `surfaces`, `asset`), or
/// the generator.
struct MeshSource {
    std::string path;                   ///< as written in the scene, relative to the scene's folder
    std::vector<SurfaceFile> surfaces;  ///< nested ones; where several hold a point, the last owns it
    std::string asset;                  ///< a surface made by code (assets.hpp), in metres, y up
    std::string flesh;  ///< a region of the rigged character that `path` or `asset` is (rig.hpp): its flesh alone, held
                        ///< along bones and seam
    int cells = 0;      ///< of a solid: about how many; 0 = see cell_size
    double cell_size = 0.0;  ///< of a solid: spacing of its lattice, in `unit`; 0 = see cage
    int cage = 0;            ///< cubes along the longest side of a hex8 cage around the surfaces instead; 0 = no cage
    LengthUnit unit = LengthUnit::m;
    UpAxis up = UpAxis::y;
    MeshGenerator generator;
    /// Filled by read_scene. Of a mesh file: still in the file's own unit and axes. Of a solid or cage: metres, y up.
    std::shared_ptr<const Mesh> loaded;
    /// The one that `loaded` belongs to, with its findings; nullptr for files, cages and generators.
    std::shared_ptr<const Solid> solid;

    bool generated() const { return path.empty() && surfaces.empty() && asset.empty(); }
    /// What its file's (or generator's) numbers mean; assets are made in metres, y up, whatever `unit` their cell size
    /// has.
    FileAxes axes() const { return asset.empty() ? FileAxes(unit, up) : FileAxes(LengthUnit::m, UpAxis::y); }
    /// A solid or cage around surfaces, not a mesh that a file holds.
    bool made() const { return !generated() && (cells > 0 || cell_size > 0.0 || cage > 0); }
};

/// The surface a body is shown by: it rides on the solid and has no part in the physics.
struct ShownSpec {
    std::string path;  ///< relative to the scene's folder; "" = the surfaces that the mesh was made of, if any
    LengthUnit unit = LengthUnit::m;
    UpAxis up = UpAxis::y;
    double limit = 0.0;  ///< vertices farther than this from every cell are reported [m]; 0 = one cell size
    std::shared_ptr<const PaintedSurface> loaded;  ///< filled by read_scene; nullptr = the body's own boundary
};

/// A named set of vertices. The mesh's own sets ("left", groups of a file) need no entry.
struct VertexSetSpec {
    enum class Kind : std::uint8_t { box, ball, nearest, vertices, union_of };
    std::string name;
    Kind kind = Kind::box;
    Vec3 low, high;                      ///< box [m]
    Vec3 point;                          ///< centre of the ball, or the point whose nearest vertex is meant [m]
    double radius = 0.0;                 ///< ball [m]
    std::vector<std::int32_t> vertices;  ///< numbered from 0
    std::vector<std::string> of;         ///< union of earlier sets or sets of the mesh
};

/// linear: constant velocity between keyframes. smooth: twice continuously differentiable, at rest at both ends.
/// step: jumps at the keyframe. At a keyframe itself the following segment counts.
enum class Interpolation : std::uint8_t { linear, smooth, step };

struct PoseKey {
    double t = 0.0;    ///< [s]
    Vec3 translation;  ///< [m]
    Vec3 rotation;     ///< axis times angle [rad], about the handle's pivot
};

struct ScaleKey {
    double t = 0.0;  ///< [s]
    double scale = 1.0;
};

/// A factor over time; 1 when there are no keys, constant before the first and after the last.
struct ScaleTrack {
    std::vector<ScaleKey> keys;
    Interpolation interpolation = Interpolation::linear;
};

struct AnchorSpec {
    std::string name, set;
    Axes axes;
};

struct HandleSpec {
    std::string name, set;
    Axes axes;
    std::optional<Vec3> pivot;  ///< [m]; default: the centroid of the set's vertices
    std::vector<PoseKey> keys;  ///< ascending in time; none = stays at rest
    Interpolation interpolation = Interpolation::linear;
};

struct ForceSpec {
    std::string set;
    Vec3 force;          ///< [N]
    bool total = false;  ///< true: shared equally among the set's vertices; false: on each of them
    ScaleTrack scale;
};

struct MaterialSpec {
    std::string cells = "*";  ///< a cell set, or "*" for every cell not named elsewhere
    Material material;
};

/// Where a body rests: its mesh (and what shows it) is turned about the origin of its coordinates, then moved.
struct PlaceSpec {
    Vec3 position;  ///< [m]
    Vec3 rotation;  ///< axis times angle [rad]
    friend bool operator==(const PlaceSpec&, const PlaceSpec&) = default;
};

/// How a body moves at the start: like a rigid one, about its centre of mass.
struct MotionSpec {
    Vec3 velocity;  ///< [m/s]
    Vec3 spin;      ///< [rad/s]
    friend bool operator==(const MotionSpec&, const MotionSpec&) = default;
};

/// What holds on a part of the boundary of a static problem: components of the displacement, and tractions on those
/// that are free.
struct ConditionSpec {
    std::string name,
        set;  ///< displacements hold on the set's vertices, tractions on facets whose corners are all in it
    std::array<std::optional<double>, 3> displacement;  ///< [m]; none = free
    Vec3 traction;                                      ///< [Pa]
    double pressure = 0.0;                              ///< [Pa], pushes inwards
};

struct BodySpec {
    std::string name = "body";
    MeshSource mesh;
    PlaceSpec place;
    MotionSpec motion;
    ShownSpec shown;
    Plane plane = Plane::strain;
    double thickness = 1.0;  ///< [m]
    std::vector<MaterialSpec> materials;
    std::vector<VertexSetSpec> sets;
    std::vector<AnchorSpec> anchors;
    std::vector<HandleSpec> handles;
    std::vector<ForceSpec> forces;
    std::vector<ConditionSpec> conditions;  ///< of a static problem
};

/// A rigid thing that bodies may not enter; where it is at t = 0, before keyframes move it.
struct ObstacleSpec {
    std::string name;
    Obstacle start;             ///< velocities unused
    std::optional<Vec3> pivot;  ///< what keyframes turn it about [m]; default: its position
    std::vector<PoseKey> keys;  ///< how far it has moved and turned; ascending in time, none = stands still
    Interpolation interpolation = Interpolation::linear;
};

struct GravitySpec {
    Vec3 vector;  ///< [m/s^2]
    ScaleTrack scale;
};

struct MethodSpec {
    std::string name = "linear_fem";
    OptionValues options;  ///< only what differs from the method's defaults
};

/// How a static problem is solved (`limber static`).
struct StaticSpec {
    enum class Method : std::uint8_t { bem, linear_fem };
    enum class Elements : std::uint8_t { linear, constant };
    Method method = Method::bem;
    Elements elements = Elements::linear;  ///< of bem; constant ones in the plane only
};

struct ProbeSpec {
    std::string name;
    std::size_t body = 0;
    std::int32_t vertex = -1;  ///< -1: `point` counts
    Vec3 point;                ///< in the rest pose [m]
};

struct OutputSpec {
    int every = 1;  ///< a frame each so many steps
    std::vector<ProbeSpec> probes;
    bool vtu = false;     ///< a VTU file per frame and a PVD series
    bool csv = false;     ///< a table of the probes
    bool stress = false;  ///< frames with the stress of each cell
};

struct Scene {
    static constexpr int kFormat = 1;

    int format = kFormat;
    std::string name;
    std::string about;             ///< one line
    std::string source;            ///< the file it was read from; "" when it was not
    std::vector<BodySpec> bodies;  ///< one, for now
    std::vector<ObstacleSpec> obstacles;
    GravitySpec gravity;
    MethodSpec method;
    std::optional<StaticSpec> statics;  ///< a static problem; step and duration mean nothing then
    double step = 1.0 / 60.0;           ///< [s]
    double duration = 1.0;              ///< [s]
    OutputSpec output;
};

/// One thing wrong (or, as a warning, doubtful) with a scene.
struct SceneFault {
    Fault fault = Fault::bad_scene;
    InputLocation place;  ///< the file, the line where known, the JSON path such as "/bodies/0/materials/1/young"
    std::string found;
    std::string expected;    ///< may be empty
    std::string suggestion;  ///< a name near the misspelt one; may be empty
};
/// One line: the place, what was found, what was expected, "did you mean ...?"
std::string to_string(const SceneFault& fault);

/// Thrown by read_scene and parse_scene: the message is the first fault and says how many there are.
class SceneError : public Error {
public:
    explicit SceneError(std::vector<SceneFault> faults);
    const std::vector<SceneFault>& faults() const { return faults_; }

private:
    std::vector<SceneFault> faults_;
};

/// Everything check_scene found out. Without faults, `scene` and `body` are there.
struct SceneCheck {
    std::vector<SceneFault> faults;    ///< it cannot run
    std::vector<SceneFault> warnings;  ///< it can, but look at this (locking, repaired cells, unused sets ...)
    std::optional<Scene> scene;        ///< present as soon as the JSON itself is sound
    std::shared_ptr<const Body> body;  ///< of the first body

    bool ok() const { return faults.empty(); }
};

/// How scenes are read where their meshes take time and memory.
struct SceneReading {
    /// Told how far the making of solids is, and asked whether to stop; nullptr = silent.
    Progress* progress = nullptr;
    double most_cells = 5e6;  ///< more are refused: a typing mistake, not a wish
};

/// Reads a scene and its mesh files, and makes its solids (relative to the scene's folder). `sets` are "path=value"
/// texts applied to the JSON first. Throws SceneError with every fault of the JSON; the body itself is checked by
/// make_body and check_scene. Throws Error{interrupted} when `reading.progress` wants to stop.
Scene read_scene(const std::string& path, std::span<const std::string> sets = {}, const SceneReading& reading = {});
/// The same from memory; `name` appears in messages, mesh files are relative to `folder`.
Scene parse_scene(std::string_view text, const std::string& name, std::span<const std::string> sets = {},
                  const std::string& folder = {}, const SceneReading& reading = {});

/// Never throws (an interruption is a fault of that kind): every fault at once, of the JSON, the meshes, the materials
/// and the method's demands on the body.
SceneCheck check_scene(const std::string& path, std::span<const std::string> sets = {},
                       const SceneReading& reading = {});
SceneCheck check_scene_text(std::string_view text, const std::string& name, std::span<const std::string> sets = {},
                            const std::string& folder = {}, const SceneReading& reading = {});

/// Applies one "path=value" to JSON text: "bodies.0.materials.0.young=5000", "/method/options/scheme=bdf2",
/// "step=1/60". Array elements go by index or by their "name". Throws Error{bad_usage}, with a suggestion for a
/// misspelt field.
std::string apply_set(std::string_view json_text, const std::string& assignment);

/// JSON Schema (draft 2020-12) and the reference page, both from the tables that validate.
std::string scene_schema();
std::string scene_reference_markdown();

/// The body's mesh in metres, y up, with the sets of the scene added. Throws Error.
Mesh make_mesh(const BodySpec& spec, const InputLocation& place = {});
/// Mesh, sets, materials, anchors and handles, validated. `place` is the scene; fields are added to it. Throws Error.
std::shared_ptr<const Body> make_body(const Scene& scene, std::size_t body = 0);

/// A cell kind, material and integration that make plain elements too stiff.
struct LockingRisk {
    std::size_t material = 0;  ///< index into Body::materials()
    double poisson = 0.0;
    double stiffening = 1.0;  ///< bulk modulus over shear modulus: how much stiffer volume change is than shear
    double missing = 0.0;  ///< estimate of the part of its bending that the body will not show (0.5: it moves half as
                           ///< far as it should)
    std::string message;   ///< one sentence with the numbers and what to do
};
/// The part of a body's bending that plain cells withhold, near nu = 0.5 mostly by locking: 1 - (energy of a bending
/// that keeps volume) / (what the cells take for it), over the longest side. One pass over the cells, no solve. Within
/// a factor of 1.5 of bodies solved at nu 0.45 to 0.499 (tests/scene); too large towards 0.5, where a locked body finds
/// other ways to move.
double estimate_locking(const Body& body);
/// `full_integration`: no B-bar or other cure is in use. Empty when nothing locks.
std::vector<LockingRisk> locking_risks(const Body& body, bool full_integration);

/// 64-bit FNV-1a over everything that the result depends on (not names of files, nor `about`).
std::uint64_t hash(const Scene& scene);

}  // namespace limber
