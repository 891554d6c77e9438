// Small scenes that the tests of the loop and the timeline share.
#pragma once

#include <limber/tools/scene.hpp>

namespace limber {

/// A box of 2 x 1 x 1 hexes, held at the left, with a handle on the right that moves by -0.16 m in two seconds.
inline Scene driven_box() {
    Scene scene;
    scene.name = "driven box";
    scene.source = "driven.json";
    BodySpec body;
    body.mesh.generator.counts = {2, 1, 1};
    body.mesh.generator.high = {2.0, 1.0, 1.0};
    body.materials.push_back({"*", Material{}});
    body.anchors.push_back({"wall", "left", {}});
    body.handles.push_back(
        {"needle", "right", {}, {}, {{0.0, {}, {}}, {2.0, {-0.16, 0.0, 0.0}, {}}}, Interpolation::linear});
    scene.bodies.push_back(body);
    scene.method.name = "fake";
    scene.step = 1.0 / 30.0;
    scene.duration = 10.0;
    return scene;
}

}  // namespace limber
