// Flesh: the soft parts of a rigged character, each a solid of its own that is held along bones and where it meets the
// rest. Everything is in the bind pose, where the skin was tied to the bones, so that what a solid does to a vertex
// comes before skinning.
#pragma once

#include <limber/mesh.hpp>
#include <limber/progress.hpp>
#include <limber/tools/rig.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace limber {

/// The pose in which the skin was bound: inverse bind matrices turned round, moved as a whole so that the skin's first
/// joint is where the rest pose has it (files bind in other axes and units than they show). Skinning with it leaves the
/// main binding's vertices in their bind shape. Joints that bind nothing hang on their parents as at rest.
Pose bind_pose(const Rig& rig);

struct FleshSettings {
    int cells = 10000;       ///< about how many in each part; ignored when cell_size is given
    double cell_size = 0.0;  ///< lattice spacing [m]; 0 = from `cells`
    double threshold = 0.5;  ///< cells are flesh where the region's freedom is above this, 0 to 1
    /// A bone's radius as a share of the distance between its axis and the skin (the median along it).
    double bone_share = 0.25;
    double bone_radius = -1.0;  ///< the radius of every bone instead [m]; 0 = no bone is cut out; below 0 = by share
    double least_piece = 0.01;  ///< loose pieces below this share of the part's volume are left out, and told
};

/// A capsule that was cut out of the flesh: from a joint to one of its children.
struct FleshBone {
    std::int32_t joint = 0,
                 child = 0;  ///< into Rig::joints; the capsule moves with `joint`; child = joint: the end of a chain
    Vec3 from, to;           ///< [m]
    double radius = 0.0;     ///< [m]
};

/// A vertex of the character's skin that rides on the part: displacement = blend * (weights of the corners'
/// displacements).
struct FleshSkinVertex {
    std::int32_t part = 0, vertex = 0;  ///< into Rig::parts and its vertices
    double blend = 0.0;  ///< above 0, at most 1; falls smoothly to 0 where the freedom falls to the threshold
    std::array<std::int32_t, 4> corner{};  ///< of the mesh
    std::array<double, 4> weight{};        ///< sum to 1, none below 0: of the nearest point of the solid
};

struct FleshPart {
    std::string name;  ///< the region's, or "part_<number>"
    Mesh mesh;  ///< tet4; vertex sets "bone", "bone:NAME" per joint, "seam", "held" (either), "free" (the others),
                ///< "skin"
    std::vector<double> freedom;   ///< one per mesh vertex, 0 to 1
    double cell_size = 0.0;        ///< [m]
    double volume = 0.0;           ///< of the flesh [m^3]
    double bone_volume = 0.0;      ///< cut out of the region [m^3]
    double rest_volume = 0.0;      ///< of the cells around it that belong to the rest of the character [m^3]
    double smallest_angle = 0.0;   ///< dihedral [degrees]
    double thinnest = 0.0;         ///< the shortest way from a free piece of skin straight in to the next face [m]
    Vec3 thinnest_at;              ///< [m]
    std::size_t pieces = 0;        ///< that share no face; 1 is what one wants
    std::vector<FleshBone> bones;  ///< those that cut cells out
    IndexSet held;                 ///< as the vertex set "held"
    SkinBinding binding;           ///< the joints that hold the part, with matrices from the part's space to theirs
    std::vector<Influences> influences;  ///< one per entry of `held`, into `binding`: on bones all of one joint, on the
                                         ///< seam as the skin around it
    std::int32_t reference = 0;          ///< the joint that most of it follows, into Rig::joints
    Vec3 bind_origin;                    ///< where that joint is in the bind pose [m]
    Quat bind_rotation;                  ///< and how it is turned there
    std::vector<FleshSkinVertex> skin;   ///< by part, then vertex
    std::vector<std::string> warnings;   ///< one line each, in plain words
};

/// One part per region, all in the bind pose. The freedom of a region is known on the skin and carried inward by
/// Laplace's equation. A cell belongs to the region that is freest at its middle (the first named of those within 0.05)
/// if that is above the threshold; bones that pass there are cut out as capsules. Faces between a part and anything
/// else of the character are its seam. Throws Error{bad_usage} for settings and regions that give no solid (nothing
/// above the threshold, three quarters of it thinner than three cells, unheld, no free vertex), Error{bad_mesh},
/// Error{interrupted}.
std::vector<FleshPart> make_flesh(const Rig& rig, std::span<const Region> regions, const FleshSettings& settings,
                                  Progress& progress);

/// One part per region, each made as if the others were not there: solids may overlap, and what they do to a vertex
/// adds up. Where the blends of a vertex would sum to more than 1 they are brought to 1. Throws what make_flesh throws.
std::vector<FleshPart> layered_flesh(const Rig& rig, std::span<const Region> regions, const FleshSettings& settings,
                                     Progress& progress);

/// Where the held vertices are in a pose, by linear blend skinning, and how fast they move (the exact derivative). One
/// entry each per held vertex; `velocities` may be empty.
void held_targets(const FleshPart& part, const Pose& pose, std::span<Vec3> positions, std::span<Vec3> velocities = {});

/// The rigid motion of a part's reference joint: how it carries the part as a whole. In world axes.
struct BoneMotion {
    Vec3 origin;                ///< of the joint [m]
    Quat rotation;              ///< from the bind pose
    Vec3 velocity;              ///< of the origin [m/s]
    Vec3 angular_velocity;      ///< [rad/s]
    Vec3 acceleration;          ///< of the origin [m/s^2]; 0 from bone_motion_at(part, pose)
    Vec3 angular_acceleration;  ///< [rad/s^2]; 0 from bone_motion_at(part, pose)
    Vec3 bind_origin;  ///< the joint in the bind pose: the part's point x goes to origin + rotation (x - bind_origin)
                       ///< [m]
};
BoneMotion bone_motion_at(const FleshPart& part, const Pose& pose);
/// With accelerations, the second derivatives of the curves. They leave out the jumps of velocity at the keys of linear
/// curves: for such clips take mean_acceleration() over each frame's time.
BoneMotion bone_motion_at(const Rig& rig, const FleshPart& part, std::size_t clip, double time);
/// Sets both accelerations of `to` to the mean change of velocity since `from`. `dt` above 0 [s].
void mean_acceleration(const BoneMotion& from, BoneMotion& to, double dt);

}  // namespace limber
