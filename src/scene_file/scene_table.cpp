#include "scene_file/scene_table.hpp"

#include "core/text.hpp"
#include "scene_file/scene_table_parts.hpp"

#include <limber/method.hpp>
#include <limber/tools/assets.hpp>

namespace limber {

namespace {

using Type = FieldType;

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const MaterialPreset& preset : material_presets()) names.push_back(preset.material.name);
    return names;
}

const SceneField kTime{
    .name = "t", .type = Type::real, .sentence = "when", .unit = "s", .low = 0.0, .high = kLong, .required = true};

// More than any scene here should need: a typing mistake, not a wish.
constexpr double kManyCells = 5e6;
constexpr double kMostAcross = 512;

SceneField unit_field() {
    return {.name = "unit",
            .type = Type::choice,
            .sentence = "the unit of the coordinates",
            .fallback = "\"m\"",
            .choices = {"m", "cm", "mm", "in", "ft"}};
}
SceneField up_field() {
    return {.name = "up",
            .type = Type::choice,
            .sentence = "which axis points up; z-up meshes are turned, (x, y, z) to (x, z, -y)",
            .fallback = "\"y\"",
            .choices = {"y", "z"}};
}
SceneField not_with(SceneField field, std::vector<std::string> others) {
    field.not_with = std::move(others);
    return field;
}

const SceneTable& surface_file_table() {
    static const SceneTable table{
        .name = "surface file",
        .sentence = "One of several surfaces that a solid is made of.",
        .fields = {{.name = "name",
                    .type = Type::word,
                    .sentence = "the cell set it becomes, for `materials`",
                    .required = true},
                   {.name = "path",
                    .type = Type::word,
                    .sentence = "an .obj, .ply, .stl, .glb or .gltf file, relative to the scene's folder",
                    .required = true}}};
    return table;
}

const SceneTable& shown_table() {
    static const SceneTable table{
        .name = "shown surface",
        .sentence =
            "The surface that people see: it rides on the solid, keeps its vertex order, texture coordinates and "
            "materials in what is exported, and has no part in the physics.",
        .fields = {{.name = "path",
                    .type = Type::word,
                    .sentence = "an .obj, .ply, .stl, .glb or .gltf file, relative to the scene's folder",
                    .required = true},
                   unit_field(),
                   up_field(),
                   {.name = "limit",
                    .type = Type::real,
                    .sentence = "vertices farther than this from every cell are warned of; 0 means one cell size",
                    .unit = "m",
                    .low = 0.0,
                    .high = kFar,
                    .fallback = "0"}}};
    return table;
}

const std::vector<std::string>& shape_names() {
    static const std::vector<std::string> names{"grid", "box",     "ball", "cylinder",  "torus",
                                                "disc", "ellipse", "ring", "ellipsoid", "shell"};
    return names;
}

/// What a mesh is read from or filled from, and how finely.
std::vector<SceneField> mesh_file_fields() {
    return {
        {.name = "path",
         .type = Type::word,
         .sentence = "a mesh (.msh, .vtu, .inp, .mesh, .node, .ele), or a surface to be filled (.obj, .ply, "
                     ".stl, .glb, .gltf); relative to the scene's folder"},
        {.name = "surfaces",
         .type = Type::objects,
         .sentence = "several surfaces, outer ones first: where they overlap, the last owns the cells",
         .nested = &surface_file_table(),
         .least = 1,
         .most = 100},
        {.name = "asset",
         .type = Type::choice,
         .sentence = "a surface made by code (`limber mesh asset --list`), in metres",
         .choices = asset_names()},
        {.name = "flesh",
         .type = Type::word,
         .sentence = "of a rigged character (a .glb, or the asset \"humanoid\") this region's flesh alone, such as "
                     "\"bone:thigh_l\" or \"paint:_BELLY\" (`limber rig info`), with the vertex sets "
                     "\"held\" (along bones and where it meets the rest), \"bone\", \"seam\", \"skin\" and \"free\"",
         .not_with = {"shape", "surfaces", "cage"}},
        {.name = "cells",
         .type = Type::integer,
         .sentence = "fill the surface with about so many tetrahedra",
         .low = 1,
         .high = kManyCells,
         .not_with = {"shape", "cell_size", "cage"}},
        {.name = "cell_size",
         .type = Type::real,
         .sentence = "the same by the spacing of their lattice",
         .unit = "mesh unit",
         .low = 0.0,
         .high = kFar,
         .low_open = true,
         .not_with = {"shape", "cells", "cage"}},
        {.name = "cage",
         .type = Type::integer,
         .sentence = "instead, a coarse cage of cubes (hex8) around the surface: so many along the longest side",
         .low = 1,
         .high = kMostAcross,
         .not_with = {"shape", "cells", "cell_size"}},
    };
}

/// What a mesh is generated as, and how finely; unit and axis hold for files too.
std::vector<SceneField> mesh_shape_fields() {
    return {
        {.name = "shape", .type = Type::choice, .sentence = "the generator to use", .choices = shape_names()},
        not_with(unit_field(), {"asset"}),
        not_with(up_field(), {"asset"}),
        {.name = "kind",
         .type = Type::choice,
         .sentence = "the cells: tri3 or quad4 for a grid, disc, ellipse or ring, tet4, tet10 or hex8 for the solids",
         .choices = {"tri3", "quad4", "tet4", "tet10", "hex8"},
         .only_for = shape_names()},
        {.name = "counts",
         .type = Type::integers,
         .sentence = "cells along each direction: grid x y; box x y z; ball, ellipsoid across; cylinder across, along; "
                     "torus across the tube, around the ring; disc, ellipse around "
                     "the rim, a multiple of 4; ring around, through; shell across a sixth of the sphere, through",
         .low = 1,
         .high = 10000,
         .least = 1,
         .most = 3,
         .only_for = shape_names(),
         .items_for = {{"grid", 2},
                       {"box", 3},
                       {"ball", 1},
                       {"cylinder", 2},
                       {"torus", 2},
                       {"disc", 1},
                       {"ellipse", 1},
                       {"ring", 2},
                       {"ellipsoid", 1},
                       {"shell", 2}}},
    };
}

/// Where a generated shape lies.
std::vector<SceneField> mesh_place_fields() {
    return {
        {.name = "low",
         .type = Type::vec3,
         .sentence = "the corner of smallest coordinates",
         .unit = "mesh unit",
         .low = -kFar,
         .high = kFar,
         .fallback = "[0, 0, 0]",
         .only_for = {"grid", "box"}},
        {.name = "high",
         .type = Type::vec3,
         .sentence = "the opposite corner",
         .unit = "mesh unit",
         .low = -kFar,
         .high = kFar,
         .fallback = "[1, 1, 1]",
         .only_for = {"grid", "box"}},
        {.name = "centre",
         .type = Type::vec3,
         .sentence = "of what is round",
         .unit = "mesh unit",
         .low = -kFar,
         .high = kFar,
         .fallback = "[0, 0, 0]",
         .only_for = {"ball", "disc", "ellipse", "ring", "ellipsoid", "shell"}},
    };
}

/// How large a round one is.
std::vector<SceneField> mesh_size_fields() {
    return {
        {.name = "radius",
         .type = Type::real,
         .sentence = "of the ball, disc or cylinder, of the torus's ring; the outer one of a ring or shell",
         .unit = "mesh unit",
         .low = 0.0,
         .high = kFar,
         .low_open = true,
         .fallback = "0.5",
         .only_for = {"ball", "cylinder", "torus", "disc", "ring", "shell"}},
        {.name = "inner_radius",
         .type = Type::real,
         .sentence = "of a ring or shell (a hollow ball)",
         .unit = "mesh unit",
         .low = 0.0,
         .high = kFar,
         .low_open = true,
         .fallback = "0.25",
         .only_for = {"ring", "shell"}},
        {.name = "radii",
         .type = Type::vec3,
         .sentence = "along x, y and z",
         .unit = "mesh unit",
         .low = 0.0,
         .high = kFar,
         .low_open = true,
         .fallback = "[0.5, 0.5, 0.5]",
         .only_for = {"ellipse", "ellipsoid"}},
        {.name = "tube_radius",
         .type = Type::real,
         .sentence = "of the torus's tube",
         .unit = "mesh unit",
         .low = 0.0,
         .high = kFar,
         .low_open = true,
         .fallback = "0.1",
         .only_for = {"torus"}},
        {.name = "length",
         .type = Type::real,
         .sentence = "of the cylinder, along x from the origin",
         .unit = "mesh unit",
         .low = 0.0,
         .high = kFar,
         .low_open = true,
         .fallback = "1",
         .only_for = {"cylinder"}},
        {.name = "end_radius",
         .type = Type::real,
         .sentence = "of the cylinder's far end, for a frustum; 0 means the same as radius",
         .unit = "mesh unit",
         .low = 0.0,
         .high = kFar,
         .fallback = "0",
         .only_for = {"cylinder"}},
    };
}

const SceneTable& mesh_table() {
    static const SceneTable table{
        .name = "mesh",
        .sentence =
            "Where the body's shape comes from: a mesh file (path), a solid made of a surface (path, or asset, and "
            "cells, cell_size or cage) or of "
            "several nested ones (surfaces), or a generator (shape). Solids have the vertex sets \"surface\", "
            "\"left\", \"right\", \"bottom\", \"top\", \"back\" and "
            "\"front\" (the outer twentieth along each axis), and a cell set per named surface. Lengths here "
            "are in `unit`; everywhere else in a scene they are metres with y up.",
        // In this order they stand in the schema and in the reference page.
        .fields = joined_fields({mesh_file_fields(), mesh_shape_fields(), mesh_place_fields(), mesh_size_fields()}),
        .one_of = {"path", "surfaces", "asset", "shape"},
        .any_of = {{"path"},
                   {"shape", "kind", "counts"},
                   {"surfaces", "cells"},
                   {"surfaces", "cell_size"},
                   {"surfaces", "cage"},
                   {"asset", "cells"},
                   {"asset", "cell_size"},
                   {"asset", "cage"}},
        .chooser = "shape"};
    return table;
}

const SceneTable& material_table() {
    static const SceneTable table{
        .name = "material",
        .sentence =
            "What cells are made of: a preset (`limber materials` lists them), numbers, or a preset with some numbers "
            "replaced.",
        .fields =
            {
                {.name = "cells",
                 .type = Type::word,
                 .sentence = "a cell set of the mesh, or \"*\" for every cell not named elsewhere",
                 .fallback = "\"*\""},
                {.name = "preset", .type = Type::choice, .sentence = "a material by name", .choices = preset_names()},
                {.name = "young",
                 .type = Type::real,
                 .sentence = "Young's modulus",
                 .unit = "Pa",
                 .low = 0.0,
                 .high = 1e15,
                 .low_open = true},
                {.name = "poisson",
                 .type = Type::real,
                 .sentence = "Poisson's ratio",
                 .low = -1.0,
                 .high = 0.5,
                 .low_open = true,
                 .high_open = true},
                {.name = "density",
                 .type = Type::real,
                 .sentence = "mass per volume",
                 .unit = "kg/m^3",
                 .low = 0.0,
                 .high = 1e9,
                 .low_open = true},
                {.name = "rayleigh_alpha",
                 .type = Type::real,
                 .sentence = "mass-proportional damping; 0 without a preset",
                 .unit = "1/s",
                 .low = 0.0,
                 .high = 1e9},
                {.name = "rayleigh_beta",
                 .type = Type::real,
                 .sentence = "stiffness-proportional damping; 0 without a preset",
                 .unit = "s",
                 .low = 0.0,
                 .high = 1e9},
            },
        .any_of = {{"preset"}, {"young", "poisson", "density"}}};
    return table;
}

const SceneTable& ball_table() {
    static const SceneTable table{.name = "ball set",
                                  .sentence = "The vertices inside a ball.",
                                  .fields = {{.name = "centre",
                                              .type = Type::vec3,
                                              .sentence = "its centre",
                                              .unit = "m",
                                              .low = -kFar,
                                              .high = kFar,
                                              .required = true},
                                             {.name = "radius",
                                              .type = Type::real,
                                              .sentence = "its radius",
                                              .unit = "m",
                                              .low = 0.0,
                                              .high = kFar,
                                              .required = true}}};
    return table;
}

const SceneTable& set_table() {
    static const SceneTable table{
        .name = "set",
        .sentence =
            "A named set of vertices, in the rest pose. Sets of the mesh itself (\"left\", \"right\", \"bottom\", "
            "\"top\", \"back\", \"front\" of generated boxes; \"surface\" of balls and ellipsoids; \"rim\" of discs; "
            "\"inner\" and \"outer\" of rings and shells; groups of a file) need no entry.",
        .fields =
            {
                {.name = "name",
                 .type = Type::word,
                 .sentence = "what anchors, handles and forces call it",
                 .required = true},
                {.name = "box",
                 .type = Type::box,
                 .sentence = "the vertices inside a box: its low and high corner",
                 .unit = "m",
                 .low = -kFar,
                 .high = kFar},
                {.name = "ball",
                 .type = Type::object,
                 .sentence = "the vertices inside a ball",
                 .nested = &ball_table()},
                {.name = "nearest",
                 .type = Type::vec3,
                 .sentence = "the one vertex nearest to a point",
                 .unit = "m",
                 .low = -kFar,
                 .high = kFar},
                {.name = "vertices",
                 .type = Type::integers,
                 .sentence = "vertex numbers, from 0",
                 .low = 0,
                 .high = 2147483647,
                 .least = 1,
                 .most = 1000000},
                {.name = "union",
                 .type = Type::words,
                 .sentence = "sets defined above, or of the mesh, joined",
                 .least = 1,
                 .most = 100},
            },
        .one_of = {"box", "ball", "nearest", "vertices", "union"}};
    return table;
}

const SceneTable& anchor_table() {
    static const SceneTable table{
        .name = "anchor",
        .sentence = "Vertices held where they rest.",
        .fields = {
            {.name = "name", .type = Type::word, .sentence = "in reports; the set's name when left out"},
            {.name = "set", .type = Type::word, .sentence = "which vertices", .required = true},
            {.name = "axes", .type = Type::axes, .sentence = "the components that are held", .fallback = "\"xyz\""}}};
    return table;
}

const SceneTable& handle_table() {
    static const SceneTable table{
        .name = "handle",
        .sentence =
            "Vertices driven like a rigid body. It stands still before its first keyframe and after its last; at a "
            "keyframe the motion that follows counts.",
        .fields = {
            {.name = "name", .type = Type::word, .sentence = "in reports; the set's name when left out"},
            {.name = "set", .type = Type::word, .sentence = "which vertices", .required = true},
            {.name = "axes", .type = Type::axes, .sentence = "the components that are driven", .fallback = "\"xyz\""},
            {.name = "pivot",
             .type = Type::vec3,
             .sentence = "what it turns about; the mean of its vertices when left out",
             .unit = "m",
             .low = -kFar,
             .high = kFar},
            {.name = "keyframes",
             .type = Type::objects,
             .sentence = "its motion, in ascending time",
             .fallback = "[]",
             .nested = &pose_key_table(),
             .most = 100000},
            interpolation_field()}};
    return table;
}

const SceneTable& scale_key_table() {
    static const SceneTable table{.name = "scale keyframe",
                                  .sentence = "A factor at one time; constant before the first and after the last.",
                                  .fields = {kTime,
                                             {.name = "scale",
                                              .type = Type::real,
                                              .sentence = "the factor",
                                              .low = -kStrong,
                                              .high = kStrong,
                                              .required = true}}};
    return table;
}

const SceneTable& force_table() {
    static const SceneTable table{
        .name = "force",
        .sentence = "A force on vertices.",
        .fields = {{.name = "set", .type = Type::word, .sentence = "which vertices", .required = true},
                   {.name = "force",
                    .type = Type::vec3,
                    .sentence = "on each vertex",
                    .unit = "N",
                    .low = -kStrong,
                    .high = kStrong},
                   {.name = "total",
                    .type = Type::vec3,
                    .sentence = "shared equally among the vertices",
                    .unit = "N",
                    .low = -kStrong,
                    .high = kStrong},
                   {.name = "keyframes",
                    .type = Type::objects,
                    .sentence = "factors over time; 1 throughout when left out",
                    .fallback = "[]",
                    .nested = &scale_key_table(),
                    .most = 100000},
                   interpolation_field()},
        .one_of = {"force", "total"}};
    return table;
}

const SceneTable& gravity_table() {
    static const SceneTable table{
        .name = "gravity",
        .sentence = "Gravity that changes. A constant one is written as the vector alone: \"gravity\": [0, -9.81, 0].",
        .fields = {{.name = "vector",
                    .type = Type::vec3,
                    .sentence = "the acceleration",
                    .unit = "m/s^2",
                    .low = -kStrong,
                    .high = kStrong,
                    .required = true},
                   {.name = "start",
                    .type = Type::real,
                    .sentence = "nothing before this time; not together with keyframes",
                    .unit = "s",
                    .low = 0.0,
                    .high = kLong},
                   {.name = "keyframes",
                    .type = Type::objects,
                    .sentence = "factors over time; 1 throughout when left out",
                    .fallback = "[]",
                    .nested = &scale_key_table(),
                    .most = 100000},
                   interpolation_field()}};
    return table;
}

const SceneTable& body_table() {
    static const SceneTable table{
        .name = "body",
        .sentence = "One deformable object.",
        .fields = {
            {.name = "name", .type = Type::word, .sentence = "in reports", .fallback = "\"body\""},
            {.name = "mesh", .type = Type::object, .sentence = "its shape", .required = true, .nested = &mesh_table()},
            {.name = "place",
             .type = Type::object,
             .sentence = "where it rests, when not where its mesh is",
             .nested = &place_table()},
            {.name = "motion",
             .type = Type::object,
             .sentence = "how it moves at the start",
             .nested = &motion_table()},
            {.name = "surface",
             .type = Type::object,
             .sentence = "what it is shown by; left out: the surface that its mesh was made of, or its own boundary",
             .nested = &shown_table()},
            {.name = "plane",
             .type = Type::choice,
             .sentence = "how a planar body is loaded in depth",
             .fallback = "\"strain\"",
             .choices = {"strain", "stress"}},
            {.name = "thickness",
             .type = Type::real,
             .sentence = "depth of a planar body",
             .unit = "m",
             .low = 0.0,
             .high = kFar,
             .low_open = true,
             .fallback = "1"},
            {.name = "materials",
             .type = Type::objects,
             .sentence = "what it is made of",
             .required = true,
             .nested = &material_table(),
             .least = 1},
            {.name = "sets",
             .type = Type::objects,
             .sentence = "named vertices",
             .fallback = "[]",
             .nested = &set_table()},
            {.name = "anchors",
             .type = Type::objects,
             .sentence = "what is held",
             .fallback = "[]",
             .nested = &anchor_table()},
            {.name = "handles",
             .type = Type::objects,
             .sentence = "what is driven",
             .fallback = "[]",
             .nested = &handle_table()},
            {.name = "forces",
             .type = Type::objects,
             .sentence = "what is pushed",
             .fallback = "[]",
             .nested = &force_table()},
            {.name = "conditions",
             .type = Type::objects,
             .sentence = "of a static problem (docs/static.md): what holds on its boundary",
             .fallback = "[]",
             .nested = &condition_table()},
        }};
    return table;
}

const SceneTable& method_table() {
    static const SceneTable table{
        .name = "method",
        .sentence = "How the body is simulated. `limber methods` lists the methods and their options.",
        .fields = {{.name = "name", .type = Type::method, .sentence = "a method", .required = true},
                   {.name = "options",
                    .type = Type::options,
                    .sentence = "what differs from the method's defaults; its step is the scene's unless given here",
                    .fallback = "{}"}}};
    return table;
}

const SceneTable& probe_table() {
    static const SceneTable table{
        .name = "probe",
        .sentence = "A material point whose motion is written down.",
        .fields = {{.name = "name", .type = Type::word, .sentence = "the column's name", .required = true},
                   {.name = "point",
                    .type = Type::vec3,
                    .sentence = "a point of the body at rest",
                    .unit = "m",
                    .low = -kFar,
                    .high = kFar},
                   {.name = "vertex",
                    .type = Type::integer,
                    .sentence = "a vertex number, from 0",
                    .low = 0,
                    .high = 2147483647}},
        .one_of = {"point", "vertex"}};
    return table;
}

const SceneTable& output_table() {
    static const SceneTable table{
        .name = "output",
        .sentence = "What a run writes besides its recording.",
        .fields = {{.name = "every",
                    .type = Type::integer,
                    .sentence = "a frame each so many steps",
                    .low = 1,
                    .high = 1000000000,
                    .fallback = "1"},
                   {.name = "probes",
                    .type = Type::objects,
                    .sentence = "points to follow",
                    .fallback = "[]",
                    .nested = &probe_table()},
                   {.name = "vtu",
                    .type = Type::flag,
                    .sentence = "a VTU file per frame and a PVD series",
                    .fallback = "false"},
                   {.name = "csv", .type = Type::flag, .sentence = "a table of the probes", .fallback = "false"},
                   {.name = "stress",
                    .type = Type::flag,
                    .sentence = "frames (and VTU files) with the Cauchy stress of each cell, as the method computes it",
                    .fallback = "false"}}};
    return table;
}

void collect(const SceneTable& table, std::vector<const SceneTable*>& out) {
    for (const SceneTable* known : out)
        if (known == &table) return;
    out.push_back(&table);
    for (const SceneField& field : table.fields)
        if (field.nested) collect(*field.nested, out);
}

}  // namespace

std::vector<SceneField> joined_fields(std::initializer_list<std::vector<SceneField>> parts) {
    std::vector<SceneField> all;
    for (const std::vector<SceneField>& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

const SceneTable& scene_table() {
    static const SceneTable table{
        .name = "scene",
        .sentence = "The whole file. Lengths are metres, y is up, unless a mesh says otherwise for itself.",
        .fields =
            {
                {.name = "$schema", .type = Type::text, .sentence = "where editors find the schema; not read"},
                {.name = "format",
                 .type = Type::integer,
                 .sentence = "the version of this format",
                 .low = 1,
                 .high = Scene::kFormat,
                 .required = true},
                {.name = "name", .type = Type::word, .sentence = "in reports; the file's name when left out"},
                {.name = "about", .type = Type::text, .sentence = "one line for people", .fallback = "\"\""},
                {.name = "bodies",
                 .type = Type::objects,
                 .sentence = "what deforms; one body, for now",
                 .required = true,
                 .nested = &body_table(),
                 .least = 1,
                 .most = 1},
                {.name = "obstacles",
                 .type = Type::objects,
                 .sentence = "rigid things that bodies may not enter, for methods that collide",
                 .fallback = "[]",
                 .nested = &obstacle_table(),
                 .most = 100},
                {.name = "gravity",
                 .type = Type::vec3_or_object,
                 .sentence = "the acceleration, or an object when it changes",
                 .unit = "m/s^2",
                 .low = -kStrong,
                 .high = kStrong,
                 .fallback = "[0, 0, 0]",
                 .nested = &gravity_table()},
                {.name = "method", .type = Type::object, .sentence = "how it is simulated", .nested = &method_table()},
                {.name = "step",
                 .type = Type::step,
                 .sentence = "the time step; a number, or a fraction as text: \"1/30\"",
                 .unit = "s",
                 .low = 1e-9,
                 .high = 1e3},
                {.name = "duration",
                 .type = Type::real,
                 .sentence = "how long; whole steps that fit into it are taken",
                 .unit = "s",
                 .low = 0.0,
                 .high = kLong},
                {.name = "static",
                 .type = Type::object,
                 .sentence = "a static problem instead of a run: `limber static` solves it",
                 .nested = &static_table(),
                 .not_with = {"method", "step", "duration", "obstacles"}},
                {.name = "output",
                 .type = Type::object,
                 .sentence = "what is written",
                 .fallback = "{}",
                 .nested = &output_table()},
            },
        .any_of = {{"method", "step", "duration"}, {"static"}}};
    return table;
}

std::vector<const SceneTable*> all_scene_tables() {
    std::vector<const SceneTable*> tables;
    collect(scene_table(), tables);
    return tables;
}

}  // namespace limber
