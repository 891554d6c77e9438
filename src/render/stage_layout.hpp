// Where everything on the stage is for one picture: the camera's matrices, lights, the shadow map's view, and the
// ground. Positions reach the GPU relative to `origin`: floats near zero keep their digits wherever the body is.
#pragma once

#include "render/camera.hpp"
#include "render/draw_list.hpp"

namespace limber {

struct StageLayout {
    Vec3 origin;                              ///< [m] in the world; all below is relative to it
    Matrix4 clip{};                           ///< relative position to clip space
    Vec3 eye;                                 ///< [m]; for orthographic cameras the direction to it
    bool far_eye = false;                     ///< orthographic
    Vec3 key, fill, rim, sky{0.0, 1.0, 0.0};  ///< unit directions towards the lights, and up

    bool shadow = false;
    Matrix4 light_clip{}, light_texture{};  ///< to the shadow map's clip space, and to 0..1 in it
    double light_width = 1.0, light_height = 1.0, light_depth = 1.0;  ///< [m] that the map covers
    double caster_size = 1.0;                                         ///< diagonal of what casts shadows [m]
    std::array<double, 3> plane{};  ///< the ground's depth in the map: p[0] + p[1] u + p[2] v

    bool ground = false;
    Vec3 ground_centre, ground_x, ground_y;           ///< axes as long as half its side [m]
    std::array<double, 2> grid_first{}, grid_step{};  ///< grid coordinate at the centre, and per half side
};

StageLayout lay_out(const DrawList& list, const Camera& camera, int width, int height);

}  // namespace limber
