#include <limber/error.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

TEST(Error, SaysPlaceFoundAndExpectedInOneLine) {
    const Error e(Fault::bad_mesh, {"beam.msh", 412, ""}, "tetrahedron 97 names vertex 1204", "a vertex below 1200");
    EXPECT_STREQ(e.what(), "beam.msh:412: tetrahedron 97 names vertex 1204; expected a vertex below 1200");
    EXPECT_EQ(e.fault(), Fault::bad_mesh);
    EXPECT_EQ(e.place().line, 412);
}

TEST(Error, PlacesInJsonNameTheField) {
    EXPECT_EQ(to_string(InputLocation{"scene.json", 0, "/bodies/0/material"}), "scene.json#/bodies/0/material");
    EXPECT_EQ(to_string(InputLocation{}), "");
}

TEST(Error, StaysOnOneLineWhateverTheInputHeld) {
    // Names from files may hold line feeds and escape codes, which would forge log lines.
    const Error e(Fault::bad_scene, {"a\nb.json", 0, ""}, "name 'x\r\n\x1b[31m'");
    EXPECT_EQ(std::string(e.what()).find_first_of("\n\r\x1b"), std::string::npos);
}

}  // namespace
}  // namespace limber
