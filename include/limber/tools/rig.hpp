// Rig: a skeleton, the skin that hangs on it, and its motion. Poses at any time with velocities taken from the curves,
// linear blend skinning, and regions: which part of the skin is flesh. Readers and writers of files: rig_io.hpp.
#pragma once

#include <limber/vec3.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace limber {

/// x -> linear x + translation.
struct Affine {
    Mat3 linear = Mat3::identity();
    Vec3 translation;  ///< [m]
    friend constexpr bool operator==(const Affine&, const Affine&) = default;
};
constexpr Vec3 operator*(const Affine& a, const Vec3& x) { return a.linear * x + a.translation; }
constexpr Affine operator*(const Affine& a, const Affine& b) {
    return {a.linear * b.linear, a.linear * b.translation + a.translation};
}
/// The caller makes sure that the linear part is not singular.
constexpr Affine inverse(const Affine& a) {
    const Mat3 back = inverse(a.linear);
    return {back, -(back * a.translation)};
}

/// Scale first, then rotation, then translation.
struct Transform {
    Vec3 translation;  ///< [m]
    Quat rotation;     ///< need not be of unit length (files round): normalised where it is used
    Vec3 scale{1.0, 1.0, 1.0};
    friend constexpr bool operator==(const Transform&, const Transform&) = default;
};
Affine to_affine(const Transform& transform);

/// What a glTF file says of a thing and has no meaning here (extras, extensions, cameras ...): the text of a JSON
/// object, written again with the thing; "" = nothing. Texture numbers in it are those of Rig::kept.
using KeptJson = std::string;

/// A node of the skeleton ("bone" on the command line). Its axes are given in those of its parent.
struct Joint {
    std::string name;          ///< may be empty or not unique in files; readers name the nameless "node_<index>"
    std::int32_t parent = -1;  ///< always lower than its own index; -1 = a root
    Transform rest;
    KeptJson kept{};
};

/// What ties skin parts to joints: vertices are bound in a pose where world(joints[i]) was the inverse of
/// inverse_bind[i].
struct SkinBinding {
    std::string name;
    std::vector<std::int32_t> joints;  ///< into Rig::joints
    std::vector<Affine> inverse_bind;  ///< one per entry of `joints`: from the skin's space to the joint's
    KeptJson kept{};
};

/// The joints that move one vertex. Unused entries have weight 0; the weights of a vertex sum to 1.
struct Influences {
    static constexpr std::size_t kMost = 8;
    std::array<std::int32_t, kMost> joint{};  ///< into SkinBinding::joints
    std::array<double, kMost> weight{};
    friend bool operator==(const Influences&, const Influences&) = default;
};

/// A named number per vertex, such as "_BELLY": painted by an artist, 0 held to 1 free.
struct Paint {
    std::string name;
    std::vector<double> values;
};

/// Numbers per vertex that only looks need, by their names in glTF: "TANGENT" (4, as they are at rest), "TEXCOORD_1"
/// (2) and so on.
struct VertexNumbers {
    std::string name;
    std::size_t width = 1;
    std::vector<double> values;  ///< `width` per vertex
};

/// A shape to be added: position (and normal) differences, each times a weight.
struct Morph {
    std::string name;             ///< may be empty
    std::vector<Vec3> positions;  ///< one per vertex [m]
    std::vector<Vec3> normals;    ///< one per vertex, or empty
    double weight = 0.0;          ///< at rest
};

/// One piece of skin with one material. Vertex order is the file's.
struct SkinPart {
    std::string name;
    std::vector<Vec3> positions;             ///< [m]; in the space of the binding, or of `joint` without one
    std::vector<Vec3> normals;               ///< one per vertex, or empty
    std::vector<std::array<double, 2>> uvs;  ///< one per vertex, or empty; v grows downwards as in glTF
    std::vector<std::array<std::int32_t, 3>> triangles;  ///< counter-clockwise from outside
    std::vector<Influences> influences;                  ///< one per vertex, or empty when the part is not skinned
    std::vector<Paint> paint;
    std::vector<VertexNumbers> attributes;  ///< what else looks need
    std::vector<Morph> morphs;
    std::int32_t binding = -1;   ///< into Rig::bindings; -1 = moves rigidly with `joint`
    std::int32_t joint = -1;     ///< the node that holds the part, into Rig::joints; -1 = none
    std::int32_t material = -1;  ///< into Rig::materials; -1 = none
    KeptJson kept{};             ///< of the primitive; of its mesh under "mesh"
};

/// A picture as its file holds it, never decoded here. Without bytes where its file was not there or not readable.
struct Picture {
    std::string name;
    std::string mime;  ///< "image/png", "image/jpeg"; others are kept and not drawn
    std::vector<std::uint8_t> bytes;
    std::string problem{};  ///< why there are no bytes, in words: "is not there"
    KeptJson kept{};
};

/// A picture on a surface: which, and how it lies there.
struct PictureUse {
    enum class Wrap : std::uint8_t { repeat, clamp, mirror };
    std::int32_t picture = -1;                        ///< into Rig::pictures; -1 = none
    std::int32_t coordinates = 0;                     ///< 0: SkinPart::uvs; n: the attribute "TEXCOORD_n"
    std::array<double, 2> offset{}, scale{1.0, 1.0};  ///< of texture coordinates: scaled, then turned, then moved
    double rotation = 0.0;                            ///< [rad], from u towards -v as in KHR_texture_transform
    Wrap wrap_u = Wrap::repeat, wrap_v = Wrap::repeat;
    bool nearest = false;   ///< texels stay squares
    double strength = 1.0;  ///< of a normal or an occlusion map
    friend bool operator==(const PictureUse&, const PictureUse&) = default;
};

/// How a part looks: glTF's metallic-roughness model. Nothing here has a meaning for the physics (that is Material).
struct MaterialLook {
    std::string name;
    std::array<double, 4> base_color{1.0, 1.0, 1.0, 1.0};  ///< linear RGBA
    PictureUse base_map;                                   ///< sRGB, times base_color
    PictureUse normal_map;                                 ///< directions in the texture's own axes
    PictureUse metal_rough_map;                            ///< blue: times metallic; green: times roughness
    PictureUse occlusion_map;                              ///< red: how much of the surroundings' light arrives
    PictureUse emissive_map;                               ///< sRGB, times emissive
    double metallic = 1.0, roughness = 1.0;
    std::array<double, 3> emissive{};
    double emissive_strength = 1.0;  ///< times emissive
    std::string alpha = "OPAQUE";    ///< "OPAQUE", "MASK" (by alpha_cutoff), "BLEND"
    double alpha_cutoff = 0.5;
    bool double_sided = false;
    bool unlit = false;  ///< the base colour as it is, whatever the light
    KeptJson kept{};     ///< all that the file says of it; where the above was changed, that is written
    friend bool operator==(const MaterialLook&, const MaterialLook&) = default;
};

/// One curve of a clip. Before its first and after its last key it stands still.
struct Channel {
    enum class Target {
        translation,
        rotation,
        scale,
        weights
    };                                         ///< weights: of the morphs of all parts held by `joint`
    enum class Curve { linear, step, cubic };  ///< linear rotations: along the shorter arc at even speed
    std::int32_t joint = 0;
    Target target = Target::rotation;
    Curve curve = Curve::linear;
    std::vector<double> times;  ///< [s], ascending, not empty
    /// width() numbers per key; rotations as x, y, z, w. Cubic: in-tangent, value, out-tangent per key (3 x width(),
    /// rates per second).
    std::vector<double> values;

    /// Numbers per value: 3, 4 (rotation), or as many as there are morphs.
    std::size_t width() const;
};
const char* to_string(Channel::Target target);  ///< "translation", ... as in glTF
const char* to_string(Channel::Curve curve);    ///< "LINEAR", "STEP", "CUBICSPLINE"

struct Clip {
    std::string name;  ///< empty when the file gives none: then it goes by its index
    std::vector<Channel> channels;
    double duration = 0.0;  ///< the last key's time [s]
    KeptJson kept{};
};

/// A plain value: edit it freely; check_rig() tells whether it keeps the promises above.
struct Rig {
    std::vector<Joint> joints;
    std::vector<SkinBinding> bindings;
    std::vector<SkinPart> parts;
    std::vector<Clip> clips;
    std::vector<MaterialLook> materials;
    std::vector<Picture> pictures;
    double unit = 1.0;               ///< one unit of the source file [m]; everything in memory is in metres already
    std::string source;              ///< file or generator it came from; appears in messages
    std::vector<std::string> notes;  ///< what a reader repaired or left out, one line each, in plain words
    KeptJson kept{};  ///< "textures", "samplers", "cameras", "extensions", "extras", "scene", parts of "asset"
};
/// Pictures that are not there, one line each: "the picture 'skin.png' is not there".
std::vector<std::string> missing_pictures(std::span<const Picture> pictures);

/// Throws Error{bad_data} on the first broken promise: parents, indices, lengths, finite numbers, weights that sum to 1
/// (1e-6).
void check_rig(const Rig& rig);
/// Multiplies every length by `factor`. `unit` stays.
void scale_rig(Rig& rig, double factor);
/// A binding of all joints in their rest pose, for rigs that are made and not read.
SkinBinding bind_at_rest(const Rig& rig);

/// By name, or by index written in digits when no clip has such a name. Throws Error{bad_usage} with the nearest name.
std::size_t find_clip(const Rig& rig, const std::string& name);

/// Where every joint is, and how fast it moves: the exact derivative of the curves, never a difference of frames.
struct Pose {
    double time = 0.0;          ///< [s]
    std::vector<Affine> world;  ///< joint space to world
    /// The time derivative of `world` [1/s, m/s]; a joint's velocity is world_rate[j].translation.
    std::vector<Affine> world_rate;
    std::vector<Quat> rotation;          ///< product of the rotations along the chain (scales left out), unit length
    std::vector<Vec3> angular_velocity;  ///< of `rotation`, in world axes [rad/s]
    std::vector<std::vector<double>> weights;       ///< per part: one per morph
    std::vector<std::vector<double>> weight_rates;  ///< [1/s]
    std::vector<Transform> local;                   ///< what the curves say, joint to parent, unit rotations
    struct LocalRate {
        Vec3 translation;  ///< [m/s]
        Vec3 spin;         ///< angular velocity in the parent's axes [rad/s]
        Vec3 scale;        ///< [1/s]
    };
    std::vector<LocalRate> local_rate;

    Vec3 position(std::size_t joint) const { return world[joint].translation; }
    Vec3 velocity(std::size_t joint) const { return world_rate[joint].translation; }
};
Pose rest_pose(const Rig& rig);
/// At a key the segment after it counts for velocities, at the last key of a curve the one before it; beyond the ends
/// they are 0.
Pose pose_at(const Rig& rig, std::size_t clip, double time);
/// The same without taking memory when `out` was filled for this rig before.
void pose_at(const Rig& rig, std::size_t clip, double time, Pose& out);
/// Whether a clip goes on with its beginning when it is over: all joints that carry skin end within two degrees and a
/// hundredth of the character's size of where they began (or within what they move in one and a half intervals between
/// keys: exporters leave out the last one). A root may travel if it ends as fast as it began. Velocities of the others
/// may jump: players repeat such clips all the same, and flesh feels it.
struct ClipLoop {
    bool repeats = false;
    std::string why;  ///< why not; where it does, "" or what jumps in velocity there
};
ClipLoop loop_of(const Rig& rig, std::size_t clip);
/// Time within the clip when it is played again and again.
double looped(const Clip& clip, double time);

/// Linear blend skinning of one of the rig's parts, morphs first. `normals` and `velocities` may be empty; else all
/// have one entry per vertex of the part. A part without normals of its own (many files leave them out) takes an empty
/// span there. Normals go by the inverse transpose of the blended matrix, unit length. Velocities are the exact
/// derivative of the positions. Throws Error{bad_usage} where a span has another length.
void skin(const Rig& rig, std::size_t part, const Pose& pose, std::span<Vec3> positions, std::span<Vec3> normals = {},
          std::span<Vec3> velocities = {});

/// Which part of the skin is flesh, from text: terms joined by '+', whose sum (at most 1) counts at each vertex.
///   bone:GLOB            the vertex's weight on bones of such names (* and ?, case ignored); each bone counts once
///   paint:_NAME          a painted attribute
///   material:GLOB        parts with such a material
///   ball:x,y,z,r         in the rest pose [m]; fades over the outer fifth of the radius
///   capsule:x,y,z,x,y,z,r
struct Region {
    struct Term {
        enum class Kind { bone, paint, material, ball, capsule };
        Kind kind;
        std::string name;     ///< glob or attribute
        Vec3 a, b;            ///< [m]
        double radius = 0.0;  ///< [m]
    };
    std::string name;  ///< before '=', may be empty
    std::vector<Term> terms;
};
/// "thigh_l=bone:*UpLeg_L*". Throws Error{bad_usage}.
Region parse_region(const std::string& text);
/// Per part, per vertex: 0 held to 1 free. Throws Error{bad_usage} when a term matches nothing, with names that are
/// near.
std::vector<std::vector<double>> freedom_of(const Rig& rig, const Region& region);

}  // namespace limber
