#include "deform/still_method.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

std::string refusal(const Traits& traits, const Body& body) {
    try {
        check_traits(StillMethod(traits), body);
        return {};
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::unsupported);
        return e.what();
    }
}

TEST(Traits, ExcludeCellKinds) {
    const Traits traits{.cells = {CellKind::tet4, CellKind::quad4}};
    EXPECT_EQ(refusal(traits, *still_body(CellKind::quad4)), "");
    const std::string message = refusal(traits, *still_body(CellKind::hex8));
    EXPECT_NE(message.find("hex8; expected tet4, quad4"), std::string::npos) << message;
}

TEST(Traits, ExcludeFreeBodies) {
    Traits traits{.cells = {CellKind::hex8}};
    EXPECT_NE(refusal(traits, *still_body(CellKind::hex8, false)).find("free to move rigidly"), std::string::npos);
    traits.free_bodies = true;
    EXPECT_EQ(refusal(traits, *still_body(CellKind::hex8, false)), "");
}

TEST(Traits, ExcludeHandles) {
    BodyDescription d;
    d.mesh = make_box(CellKind::hex8, 1, 1, 1, {0, 0, 0}, {1, 1, 1});
    d.materials = {{"", Material{}}};
    d.handles = {{"grip", d.mesh.vertex_sets.at("left"), {}, {}}};
    const auto body = Body::make(d);
    Traits traits{.cells = {CellKind::hex8}};
    EXPECT_EQ(refusal(traits, *body), "");
    traits.accepts_handles = false;
    EXPECT_NE(refusal(traits, *body).find("'grip'"), std::string::npos);
}

TEST(Trouble, IsNamedBitByBit) {
    EXPECT_EQ(to_string(Trouble::none), "none");
    EXPECT_EQ(to_string(Trouble::not_converged | Trouble::non_finite), "not converged, non-finite");
    for (const Trouble t :
         {Trouble::inverted_cell, Trouble::wrong_step, Trouble::bad_loads, Trouble::constraint_conflict}) {
        EXPECT_NE(to_string(t), "none");
    }
}

}  // namespace
}  // namespace limber
