// Shapes to draw and ways to look at pixels. One Renderer for a whole test program: starting one compiles shaders.
#pragma once

#include "render/renderer.hpp"
#include "render/shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace limber::pictures {

/// Null, with the reason, only where EGL cannot be started at all; ./test installs what is needed.
inline Renderer* renderer(std::string* why = nullptr) {
    static std::string reason;
    static const std::unique_ptr<Renderer> kRenderer = []() -> std::unique_ptr<Renderer> {
        try {
            return std::make_unique<Renderer>();
        } catch (const std::exception& error) {
            reason = error.what();
            return nullptr;
        }
    }();
    if (why != nullptr) *why = reason;
    return kRenderer.get();
}

#define LIMBER_NEEDS_RENDERER() \
    std::string reason_;        \
    if (pictures::renderer(&reason_) == nullptr) GTEST_SKIP() << reason_

/// A rectangle in z = 0 seen from the front, as two triangles: corners lower left, lower right, upper right, upper
/// left.
inline DrawMesh card(double width, double height) {
    const double x = 0.5 * width, y = 0.5 * height;
    return mesh_of({{-x, -y, 0.0}, {x, -y, 0.0}, {x, y, 0.0}, {-x, y, 0.0}}, {0, 1, 2, 0, 2, 3});
}

/// Nothing but the mesh: no ground, no shadow, a black background.
inline DrawList alone(DrawMesh mesh) {
    DrawList list;
    list.meshes.push_back(std::move(mesh));
    list.stage.ground.kind = DrawGround::Kind::none;
    list.stage.shadow = false;
    list.stage.background_top = list.stage.background_bottom = rgb(0x000000);
    return list;
}

/// Seen from the front, `height` metres from edge to edge.
inline Camera flat_camera(double height) {
    Camera camera;
    camera.orthographic = true;
    camera.height = height;
    return camera;
}

struct Pixel {
    int r, g, b, a;
    double light() const { return 0.2126 * r + 0.7152 * g + 0.0722 * b; }
};

inline Pixel at(const Image& image, int x, int y) {
    const std::size_t k = 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                               static_cast<std::size_t>(x));
    return {image.rgba[k], image.rgba[k + 1], image.rgba[k + 2], image.rgba[k + 3]};
}
inline Pixel at(const Image& image, const Projected& place) {
    return at(image, static_cast<int>(std::floor(place.x)), static_cast<int>(std::floor(place.y)));
}

/// Mean light of the square of half side `half` around a point.
inline double light_around(const Image& image, const Projected& place, int half) {
    double sum = 0.0;
    int count = 0;
    for (int y = static_cast<int>(place.y) - half; y <= static_cast<int>(place.y) + half; ++y) {
        for (int x = static_cast<int>(place.x) - half; x <= static_cast<int>(place.x) + half; ++x) {
            if (x >= 0 && y >= 0 && x < image.width && y < image.height) {
                sum += at(image, x, y).light();
                ++count;
            }
        }
    }
    return sum / count;
}

/// The colour within `slack` steps in every channel.
inline void expect_colour(const Pixel& found, const Colour& expected, int slack, const std::string& where) {
    const auto byte = [](float x) { return static_cast<int>(std::lround(255.0F * x)); };
    EXPECT_NEAR(found.r, byte(expected.r), slack) << where;
    EXPECT_NEAR(found.g, byte(expected.g), slack) << where;
    EXPECT_NEAR(found.b, byte(expected.b), slack) << where;
}

}  // namespace limber::pictures
