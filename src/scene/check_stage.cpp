// What obstacles and motions must keep to so that the body's own dimension makes sense of them.
#include "scene/build.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace limber {

void check_stage(const Scene& scene, int dimension, const FaultSink& faults) {
    const bool planar = dimension == 2;
    const auto leaves = [](const Vec3& move, const Vec3& turn) {
        return move.z != 0.0 || turn.x != 0.0 || turn.y != 0.0;
    };
    const MotionSpec& motion = scene.bodies[0].motion;
    if (planar && leaves(motion.velocity, motion.spin)) {
        faults.add(Fault::bad_scene, "/bodies/0/motion", "a motion out of the plane z = 0, where a planar body stays",
                   "a velocity [x, y] and a spin about z");
    }
    for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
        const ObstacleSpec& o = scene.obstacles[i];
        const std::string here = text("/obstacles/", i);
        const bool keys_leave = std::any_of(o.keys.begin(), o.keys.end(),
                                            [&](const PoseKey& k) { return leaves(k.translation, k.rotation); });
        const Quat& q = o.start.rotation;
        if (planar && (keys_leave || leaves(o.start.position, {q.x, q.y, q.z}))) {
            faults.add(Fault::bad_scene, here,
                       text("obstacle \"", o.name, "\" leaves the plane z = 0 of a planar scene"),
                       "positions [x, y] and turns about z");
        }
        const BoxShape* box = std::get_if<BoxShape>(&o.start.shape);
        if (!planar && box != nullptr && !(box->half.z > 0.0))
            faults.add(Fault::bad_scene, here + "/size", "two numbers", "three in space: the sides along x, y and z");
    }
}

}  // namespace limber
