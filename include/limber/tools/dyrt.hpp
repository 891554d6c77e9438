// DyRT: a rigged character's flesh as a few oscillators per part, driven by a bone [after James & Pai 2002].
// Made here once; live it is runtime/dyrt/limber_dyrt.h. The file between them: docs/dyrt_format.md, the method:
// docs/methods/dyrt.md.
#pragma once

#include <limber/material.hpp>
#include <limber/progress.hpp>
#include <limber/tools/flesh.hpp>
#include <limber/tools/rig.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace limber {

/// What moves a part, in the bone's axes: p'' - g (and g as in the bind pose), w', and xx yy zz xy yz zx of w w^T.
inline constexpr std::size_t kDyrtDrives = 12;
using DyrtDrive = std::array<double, kDyrtDrives>;  ///< [m/s^2, rad/s^2, rad^2/s^2]

struct DyrtSettings {
    int modes = 5;                 ///< per part
    double frequency_limit = 0.0;  ///< modes above it are left out [Hz]; 0 = none
    int residuals = 1;             ///< times up to six shapes more, so that the answer to slow motion is exact (mode
                                   ///< acceleration); 0 = none, at most 3
    bool quadratic = false;        ///< tet10 cells
    Material material;             ///< of every part
    double frequency = 0.0;        ///< of the first mode [Hz]: Young's modulus follows; 0 = the material's
    double least_frequency = 0.0;  ///< where `frequency` is 0: slower parts are made stiffer [Hz]; 0 = none
    double settle = 0.0;  ///< until the first mode is down to a twentieth [s]: alpha and beta follow, half of it each;
                          ///< 0 = the material's
    double damping_ratio = -1.0;  ///< of every mode, instead of alpha and beta; below 0 = those
    double amount = 1.0;          ///< times everything bones do
    bool coriolis = false;        ///< keep the table for it
    bool warp = false;            ///< keep rotations for modal warping
    std::vector<int> normals;  ///< which modes correct normals, from 0; empty = all and the residuals too; {-1} = none
};

/// A skin vertex that a part moves, or whose normal it turns.
struct DyrtVertex {
    std::int32_t part = 0, vertex = 0;  ///< into Rig::parts and its vertices
    Vec3 position;                      ///< at rest in the skin part's own space [m]
    Vec3 normal;                        ///< unit, there; zero where the skin has none
};

struct DyrtPart {
    FleshPart flesh;
    Material material;             ///< as it came out: with the modulus and the damping that `frequency`, `settle` and
                                   ///< `damping_ratio` ask for (below)
    double damping_ratio = -1.0;   ///< of every oscillator; the material's damping is then that of the first and of the
                                   ///< last mode. Below 0: the material's is theirs
    bool quadratic = false;        ///< tet10
    double amount = 1.0;           ///< is in `transfer` already
    std::size_t unknowns = 0;      ///< of the finite elements, free ones
    std::size_t modes = 0;         ///< the first of the oscillators
    std::vector<double> omega;     ///< per oscillator, ascending among modes and among residuals [rad/s]
    std::vector<double> decay;     ///< [1/s]
    std::vector<double> error;     ///< per mode: |K phi - omega^2 M phi| / |K phi|
    double orthonormality = 0.0;   ///< the largest entry of Phi^T M Phi - I, residuals included
    std::vector<double> transfer;  ///< oscillators x kDyrtDrives: what the drives do to each amplitude's acceleration
    std::vector<double> coriolis;  ///< 3 x oscillators x oscillators, or empty
    std::vector<Vec3> shapes;      ///< per oscillator, per vertex of flesh.mesh, for amplitude 1: the skin vertex that
                                   ///< moves most moves by 1 m
    std::vector<DyrtVertex> vertices;  ///< by part, then vertex
    std::vector<Vec3> displacements;   ///< per oscillator, per vertex: in the skin part's own space
    std::vector<Vec3> corrections;     ///< the same for normals; zero where not asked for
    std::vector<char> corrected;       ///< per oscillator: whether corrections are kept
    std::vector<Vec3> rotations;       ///< the same for modal warping [rad/m], own axes; empty unless asked for
    std::vector<std::string> warnings;

    std::size_t count() const { return omega.size(); }
    const std::string& name() const { return flesh.name; }
};

/// One DyRT per flesh part (make_flesh). Throws Error{bad_usage | bad_mesh | interrupted}.
std::vector<DyrtPart> make_dyrt(const Rig& rig, std::vector<FleshPart> flesh, const DyrtSettings& settings,
                                Progress& progress);

/// The .dyrt file of them (docs/dyrt_format.md), in the source's unit. `scales`: per part, per oscillator, what the
/// morph targets beside it are scaled by; empty = 1. `gravity` [m/s^2] is what live use has unless it is told
/// otherwise: that of the clips.
std::string format_dyrt(const Rig& rig, std::span<const DyrtPart> parts,
                        std::span<const std::vector<double>> scales = {}, const std::string& about = {},
                        const Vec3& gravity = {0.0, -9.81, 0.0});
void write_dyrt(const std::string& path, const Rig& rig, std::span<const DyrtPart> parts,
                std::span<const std::vector<double>> scales = {}, const std::string& about = {},
                const Vec3& gravity = {0.0, -9.81, 0.0});

struct BakeSettings {
    enum class Loop { automatic, yes, no };
    double rate = 60.0;             ///< frames per second, about: a clip has a whole number of frames
    double substep = 1.0 / 960.0;   ///< curves are sampled at least so often [s]
    Loop loop = Loop::automatic;    ///< yes: the clip repeats, and so does the jiggling
    Vec3 gravity{0.0, -9.81, 0.0};  ///< [m/s^2]; zero = none
    bool centripetal = true;
    bool coriolis = false;  ///< needs the part's table
};

/// A clip cut into frames, and those into steps.
struct BakeSampling {
    std::size_t frames = 1, per_frame = 1;
    double dt = 0.0;  ///< of a step [s]
};
BakeSampling sampling_of(double duration, const BakeSettings& settings);

/// A part's amplitudes over a clip.
struct DyrtTrack {
    std::vector<double> times;       ///< [s]
    std::vector<double> amplitudes;  ///< frames x oscillators [m]
    std::vector<double> rates;       ///< the same, their velocities [m/s]
    bool looped = false;
    double seam = 0.0;  ///< looped: the largest difference of amplitude between last and first frame [m]
};

/// What a bone does in the mean over `dt` between two frames; jumps of velocity at keys are in it.
DyrtDrive mean_drive(const BoneMotion& from, const BoneMotion& to, double dt, const BakeSettings& settings);

/// The angular velocity meanwhile, in the bone's axes [rad/s].
Vec3 mean_spin(const BoneMotion& from, const BoneMotion& to);

/// A clip that ends as it began (and is not told otherwise) is baked at its periodic steady state, solved for in closed
/// form.
DyrtTrack bake_clip(const Rig& rig, const DyrtPart& part, std::size_t clip, const BakeSettings& settings);

/// How a DyRT goes into a glTF file: which client it is for, and whether flesh gets meshes of its own.
struct DyrtExport {
    enum class Client { any, three, blender, unreal, godot };
    Client client = Client::any;  ///< any: at most eight morphed attributes per mesh; blender: two targets of weights 0
                                  ///< to 1 instead of one of -1 to 1
    bool whole = false;           ///< meshes stay as they are
};
DyrtExport::Client parse_client(const std::string& name);  ///< Throws Error{bad_usage} with the nearest name.
const char* to_string(DyrtExport::Client client);
double key_rate(DyrtExport::Client client);  ///< keys that it keeps as they are [1/s]

/// A character whose morph targets are the oscillators.
struct DyrtExported {
    Rig rig;  ///< in metres as its source; morphs "PART:K" (Blender: "PART:K+" and "PART:K-")
    /// Per part, per oscillator: the largest |amplitude| of all tracks, 1 where it is 0 [m].
    std::vector<std::vector<double>> scales;
    std::vector<std::vector<char>> kept;  ///< the same: whether it became a target
    /// Per part, per vertex of it: stays where it is, so that parts that meet need no mesh in common.
    std::vector<std::vector<char>> still;
    std::vector<double> dropped;       ///< per part: relative_l2 of what is left out did to the skin over all tracks
    std::vector<std::int32_t> source;  ///< per part of `rig`: the part it came from
    std::vector<std::vector<std::int32_t>> vertices;  ///< per part of `rig`, per vertex: the vertex it came from
    bool normals = true;                              ///< targets turn normals too
    std::vector<std::string> notes;                   ///< what was left out, one line each, in plain words
};
/// By default every flesh part is a mesh of its own, on a node of its own: the triangles it touches. Those that several
/// touch are a mesh with all their targets. `tracks`: per clip of the rig one per part; a clip that has none keeps its
/// curves. What the rig had, it keeps.
DyrtExported dyrt_rig(const Rig& rig, std::span<const DyrtPart> parts, std::span<const std::vector<DyrtTrack>> tracks,
                      const DyrtExport& settings = {});

/// How far a part is from full finite elements under the same bone: with every force that a moving bone gives linear
/// finite elements in its axes, Coriolis's and the centripetal one included, whichever of them the part was told to
/// leave out. Gravity and `amount` are taken as they are set: they say what world it is. Both start alike, in the
/// track's first state; a looped clip is run through once before anything is compared.
struct DyrtError {
    std::string reference;     ///< what it was compared with, in words
    double relative_l2 = 0.0;  ///< over the moved skin and all frames
    double largest = 0.0;      ///< distance [m]
    double most = 0.0;         ///< how far the reference's skin moved [m]
    /// relative_l2 of what the first 1, 2, ... modes of the same run do, without residuals.
    std::vector<double> by_modes;
    std::size_t steps = 0;
};
DyrtError error_of(const Rig& rig, const DyrtPart& part, std::size_t clip, const BakeSettings& settings,
                   Progress& progress);

}  // namespace limber
