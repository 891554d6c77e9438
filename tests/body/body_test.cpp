#include <limber/body.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace limber {
namespace {

BodyDescription box() {
    BodyDescription d;
    d.mesh = make_box(CellKind::hex8, 2, 1, 1, {0, 0, 0}, {2, 1, 1});
    d.materials = {{"", Material{}}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    return d;
}

BodyDescription plate() {
    BodyDescription d;
    d.mesh = make_grid(CellKind::quad4, 2, 2, {0, 0, 0}, {1, 1, 0});
    d.materials = {{"", Material{}}};
    return d;
}

/// The message of the fault, or "" when there was none.
std::string refusal(const BodyDescription& d, Fault* fault = nullptr) {
    try {
        Body::make(d, {"scene.json", 0, "/bodies/0"});
        return {};
    } catch (const Error& e) {
        if (fault != nullptr) *fault = e.fault();
        return e.what();
    }
}

void expect_refusal(const BodyDescription& d, Fault fault, std::initializer_list<const char*> words) {
    Fault found{};
    const std::string message = refusal(d, &found);
    ASSERT_FALSE(message.empty());
    EXPECT_EQ(found, fault) << message;
    EXPECT_EQ(message.rfind("scene.json#/bodies/0: ", 0), 0u) << message;
    for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << message << "\nlacks: " << word;
}

TEST(Body, KeepsWhatItWasGiven) {
    const auto body = Body::make(box());
    EXPECT_EQ(body->vertex_count(), 12u);
    EXPECT_EQ(body->support(), Support::held);
    EXPECT_EQ(body->materials().size(), 1u);
    EXPECT_EQ(body->material_of(1), Material{});
    EXPECT_EQ(body->anchors()[0].vertices.size(), 4u);
}

TEST(Body, ABrokenMeshIsAFaultOfTheMesh) {
    BodyDescription d = box();
    d.mesh.cells[3] = 99;
    expect_refusal(d, Fault::bad_mesh, {"99"});
    d = box();
    d.mesh.vertices[2].x = std::nan("");
    expect_refusal(d, Fault::bad_mesh, {});
    d = box();
    d.mesh = Mesh{};
    d.anchors.clear();
    expect_refusal(d, Fault::bad_mesh, {});
}

TEST(Body, EveryCellHasExactlyOneMaterial) {
    BodyDescription d = box();
    d.mesh.cell_sets = {{"soft", {0}}, {"both", {0, 1}}};
    d.materials = {{"soft", Material{}}, {"both", Material{}}};
    expect_refusal(d, Fault::bad_material, {"cell 0", "'soft'", "'both'"});
    d.materials = {{"soft", Material{}}};
    expect_refusal(d, Fault::bad_material, {"1 of 2 cells", "cell 1"});
    d.materials = {};
    expect_refusal(d, Fault::bad_material, {"2 of 2 cells"});
    d.materials = {{"sofd", Material{}}};
    expect_refusal(d, Fault::bad_material, {"'sofd'", "did you mean 'soft'?"});
    d.materials = {{"", Material{}}, {"", Material{}}};
    expect_refusal(d, Fault::bad_material, {"two materials"});
}

TEST(Body, TheNamelessAssignmentFillsTheGaps) {
    // Whatever the order: the rest is what no *named* set covers.
    BodyDescription d = box();
    d.mesh.cell_sets = {{"soft", {1}}};
    Material soft;
    soft.young = 7.0;
    for (const bool rest_first : {true, false}) {
        d.materials = rest_first ? std::vector<MaterialAssignment>{{"", Material{}}, {"soft", soft}}
                                 : std::vector<MaterialAssignment>{{"soft", soft}, {"", Material{}}};
        const auto body = Body::make(d);
        EXPECT_EQ(body->material_of(0).young, Material{}.young);
        EXPECT_EQ(body->material_of(1).young, 7.0);
    }
}

TEST(Body, MaterialRangesAreChecked) {
    BodyDescription d = box();
    d.materials[0].material.poisson = 0.5;
    expect_refusal(d, Fault::bad_material, {"poisson is 0.5", "less than 0.5"});
}

TEST(Body, AnchorsAndHandlesMustMakeSense) {
    const std::vector<std::pair<std::function<void(BodyDescription&)>, const char*>> cases{
        {[](BodyDescription& d) { d.anchors[0].name.clear(); }, "without a name"},
        {[](BodyDescription& d) { d.anchors[0].vertices.clear(); }, "'wall' has no vertices"},
        {[](BodyDescription& d) {
             d.anchors[0].vertices = {3, 12};
         },
         "'wall' names vertex 12"},
        {[](BodyDescription& d) {
             d.anchors[0].vertices = {-1, 2};
         },
         "'wall' names vertex -1"},
        {[](BodyDescription& d) {
             d.anchors[0].axes = {false, false, false};
         },
         "'wall' prescribes no component"},
        {[](BodyDescription& d) { d.anchors.push_back(d.anchors[0]); }, "named 'wall'"},
        {[](BodyDescription& d) {
             d.handles = {{"wall", {11}, {}, {}}};
         },
         "named 'wall'"},
        {[](BodyDescription& d) {
             d.handles = {{"grip", {11}, {}, {0, std::nan(""), 0}}};
         },
         "'grip' has a pivot"},
        {[](BodyDescription& d) { d.thickness = 0.0; }, "thickness is 0"},
        {[](BodyDescription& d) { d.thickness = std::numeric_limits<double>::infinity(); }, "thickness is inf"},
    };
    for (const auto& [spoil, words] : cases) {
        BodyDescription d = box();
        spoil(d);
        expect_refusal(d, Fault::bad_scene, {words});
    }
}

TEST(Body, NoComponentIsDrivenTwiceOrHeldAndDriven) {
    BodyDescription d = box();
    const std::int32_t shared = d.anchors[0].vertices[1];
    d.handles = {{"grip", {shared}, {false, true, false}, {}}};
    expect_refusal(d, Fault::bad_scene,
                   {"'wall'", "'grip'", "component y", ("vertex " + std::to_string(shared)).c_str()});
    d.handles = {{"one", {11}, {true, true, false}, {}}, {"two", {11}, {false, true, true}, {}}};
    expect_refusal(d, Fault::bad_scene, {"'one'", "'two'", "component y", "vertex 11"});
    // Different axes of one vertex may have different owners, and two anchors may share everything.
    d.handles = {{"one", {11}, {true, false, false}, {}}, {"two", {11}, {false, true, true}, {}}};
    d.anchors.push_back({"again", d.anchors[0].vertices, {}});
    EXPECT_EQ(refusal(d), "");
}

TEST(Body, InThePlaneTheThirdAxisDoesNotExist) {
    BodyDescription d = plate();
    d.anchors = {{"pin", {0}, {false, false, true}}};
    expect_refusal(d, Fault::bad_scene, {"'pin' prescribes no component"});
    d.anchors = {{"pin", {0}, {true, false, true}}};
    d.handles = {{"grip", {0}, {false, true, true}, {}}};
    EXPECT_EQ(refusal(d), "");
}

TEST(Body, RepeatedVerticesOfASetAreMerged) {
    BodyDescription d = box();
    d.anchors[0].vertices = {9, 0, 3, 0, 6, 9};
    EXPECT_EQ(Body::make(d)->anchors()[0].vertices, (IndexSet{0, 3, 6, 9}));
}

}  // namespace
}  // namespace limber
