// Tables of what stands around bodies and how they start: obstacles, places, motions; and of static problems.
#include "scene_file/scene_table_parts.hpp"

namespace limber {

namespace {
using Type = FieldType;
constexpr double kFastSpin = 1e9;  // [degree/s]
}  // namespace

SceneField interpolation_field() {
    return {.name = "interpolation",
            .type = Type::choice,
            .sentence =
                "between keyframes: constant velocity, one cubic spline through all of them that is at rest at the "
                "first and the last only (so it overshoots where equal keyframes mean a hold), or a jump",
            .fallback = "\"linear\"",
            .choices = {"linear", "smooth", "step"}};
}

const SceneTable& pose_key_table() {
    static const SceneTable table{.name = "pose keyframe",
                                  .sentence = "How far a handle or obstacle has moved and turned at one time.",
                                  .fields = {{.name = "t",
                                              .type = Type::real,
                                              .sentence = "when",
                                              .unit = "s",
                                              .low = 0.0,
                                              .high = kLong,
                                              .required = true},
                                             {.name = "translation",
                                              .type = Type::vec3,
                                              .sentence = "how far the pivot has moved",
                                              .unit = "m",
                                              .low = -kFar,
                                              .high = kFar,
                                              .fallback = "[0, 0, 0]"},
                                             {.name = "rotation",
                                              .type = Type::vec3,
                                              .sentence = "axis times angle, about the pivot; its three numbers are "
                                                          "what is interpolated, so more than a turn is possible",
                                              .unit = "degree",
                                              .low = -kFar,
                                              .high = kFar,
                                              .fallback = "[0, 0, 0]"}}};
    return table;
}

const SceneTable& place_table() {
    static const SceneTable table{.name = "place",
                                  .sentence =
                                      "Where a body rests: its mesh (and what shows it) is turned about the origin of "
                                      "its coordinates, then moved. Sets, anchors and probes speak of it as placed.",
                                  .fields = {{.name = "position",
                                              .type = Type::vec3,
                                              .sentence = "how far it is moved",
                                              .unit = "m",
                                              .low = -kFar,
                                              .high = kFar,
                                              .fallback = "[0, 0, 0]"},
                                             {.name = "rotation",
                                              .type = Type::vec3,
                                              .sentence = "axis times angle; planar bodies turn about z: [0, 0, 30]",
                                              .unit = "degree",
                                              .low = -kFar,
                                              .high = kFar,
                                              .fallback = "[0, 0, 0]"}}};
    return table;
}

const SceneTable& motion_table() {
    static const SceneTable table{
        .name = "motion",
        .sentence =
            "How a body moves at the start: like a rigid one. In a static problem only spin counts: its centrifugal "
            "force.",
        .fields = {
            {.name = "velocity",
             .type = Type::vec3,
             .sentence = "of its centre of mass",
             .unit = "m/s",
             .low = -kFar,
             .high = kFar,
             .fallback = "[0, 0, 0]"},
            {.name = "spin",
             .type = Type::vec3,
             .sentence = "angular velocity about its centre of mass; planar bodies: [0, 0, 360] is one turn a second",
             .unit = "degree/s",
             .low = -kFastSpin,
             .high = kFastSpin,
             .fallback = "[0, 0, 0]"}}};
    return table;
}

namespace {

/// What an obstacle is.
std::vector<SceneField> obstacle_kind_fields() {
    return {
        {.name = "name", .type = Type::word, .sentence = "in reports; its shape when left out"},
        {.name = "shape",
         .type = Type::choice,
         .sentence = "what it is",
         .required = true,
         .choices = {"plane", "box", "ball", "capsule"}},
    };
}

/// Of planes and boxes; a ball has a centre too.
std::vector<SceneField> flat_obstacle_fields() {
    return {
        {.name = "point",
         .type = Type::vec3,
         .sentence = "any point of the plane",
         .unit = "m",
         .low = -kFar,
         .high = kFar,
         .fallback = "[0, 0, 0]",
         .only_for = {"plane"}},
        {.name = "normal",
         .type = Type::vec3,
         .sentence = "the direction of its free side, of any length",
         .low = -kFar,
         .high = kFar,
         .fallback = "[0, 1, 0]",
         .only_for = {"plane"}},
        {.name = "centre",
         .type = Type::vec3,
         .sentence = "where its middle is",
         .unit = "m",
         .low = -kFar,
         .high = kFar,
         .fallback = "[0, 0, 0]",
         .only_for = {"box", "ball"}},
        {.name = "size",
         .type = Type::vec3,
         .sentence = "its whole sides along x, y and z (two numbers in a planar scene)",
         .unit = "m",
         .low = 0.0,
         .high = kFar,
         .low_open = true,
         .only_for = {"box"},
         .needed_for = {"box"}},
        {.name = "rotation",
         .type = Type::vec3,
         .sentence = "axis times angle, about its centre",
         .unit = "degree",
         .low = -kFar,
         .high = kFar,
         .fallback = "[0, 0, 0]",
         .only_for = {"box"}},
        {.name = "inside",
         .type = Type::flag,
         .sentence = "bodies are kept in the box instead of out of it",
         .fallback = "false",
         .only_for = {"box"}},
    };
}

/// Of what is round.
std::vector<SceneField> round_obstacle_fields() {
    return {
        {.name = "radius",
         .type = Type::real,
         .sentence = "of the ball or capsule",
         .unit = "m",
         .low = 0.0,
         .high = kFar,
         .low_open = true,
         .only_for = {"ball", "capsule"},
         .needed_for = {"ball", "capsule"}},
        {.name = "ends",
         .type = Type::box,
         .sentence = "the two ends of the capsule's axis",
         .unit = "m",
         .low = -kFar,
         .high = kFar,
         .only_for = {"capsule"},
         .needed_for = {"capsule"}},
    };
}

/// How an obstacle moves.
std::vector<SceneField> obstacle_motion_fields() {
    return {{.name = "pivot",
             .type = Type::vec3,
             .sentence = "what keyframes turn it about; its middle, or a plane's point, when left out",
             .unit = "m",
             .low = -kFar,
             .high = kFar},
            {.name = "keyframes",
             .type = Type::objects,
             .sentence = "its motion, in ascending time; it stands still before the first and after the last",
             .fallback = "[]",
             .nested = &pose_key_table(),
             .most = 100000},
            interpolation_field()};
}

}  // namespace

const SceneTable& obstacle_table() {
    static const SceneTable table{
        .name = "obstacle",
        .sentence =
            "A rigid thing that bodies may not enter. In a planar scene a plane is a line, a ball a disc, and a box "
            "has no z.",
        .fields = joined_fields(
            {obstacle_kind_fields(), flat_obstacle_fields(), round_obstacle_fields(), obstacle_motion_fields()}),
        .chooser = "shape"};
    return table;
}

const SceneTable& condition_table() {
    static const SceneTable table{
        .name = "condition",
        .sentence =
            "What holds on a part of the boundary of a static problem. Displacements hold on the set's vertices; "
            "tractions on the facets whose corners are all in the set, along the components whose "
            "displacement is free, and add up there. Boundary that no condition names is free of traction.",
        .fields = {{.name = "name", .type = Type::word, .sentence = "in reports; the set's name when left out"},
                   {.name = "set", .type = Type::word, .sentence = "which vertices", .required = true},
                   {.name = "displacement",
                    .type = Type::components,
                    .sentence = "where they are held; null leaves a component free",
                    .unit = "m",
                    .low = -kFar,
                    .high = kFar},
                   {.name = "traction",
                    .type = Type::vec3,
                    .sentence = "force per area from outside",
                    .unit = "Pa",
                    .low = -kStrong,
                    .high = kStrong},
                   {.name = "pressure",
                    .type = Type::real,
                    .sentence = "pushes inwards, against the outward normal",
                    .unit = "Pa",
                    .low = -kStrong,
                    .high = kStrong}},
        .any_of = {{"displacement"}, {"traction"}, {"pressure"}}};
    return table;
}

const SceneTable& static_table() {
    static const SceneTable table{
        .name = "static problem",
        .sentence =
            "How `limber static` solves the body's `conditions` together with gravity and the centrifugal force of "
            "`motion`.",
        .fields = {{.name = "method",
                    .type = Type::choice,
                    .sentence = "boundary elements, or finite elements as a second way",
                    .fallback = "\"bem\"",
                    .choices = {"bem", "linear_fem"}},
                   {.name = "elements",
                    .type = Type::choice,
                    .sentence = "of bem: displacements linear along each facet, or (planar bodies only) constant",
                    .fallback = "\"linear\"",
                    .choices = {"linear", "constant"}}}};
    return table;
}

}  // namespace limber
