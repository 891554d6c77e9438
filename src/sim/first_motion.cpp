#include "sim/first_motion.hpp"

#include "body/mass_centre.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>

#include <vector>

namespace limber {

void start_moving(const Scene& scene, const Deformer& deformer, State& state) {
    const MotionSpec& motion = scene.bodies[0].motion;
    const std::vector<Vec3>& rest = deformer.body().mesh().vertices;
    const Vec3 centre = centre_of_mass(deformer.body());
    std::vector<Vec3> displacement(rest.size()), velocity;
    for (const Vec3& p : rest) velocity.push_back(motion.velocity + cross(motion.spin, p - centre));
    if (deformer.set_motion(state, displacement, velocity)) return;
    throw Error(Fault::unsupported, {scene.source, 0, "/bodies/0/motion"},
                text("the method ", deformer.method_name(), " cannot start with this motion"),
                "a method that can, or a body that starts at rest");
}

}  // namespace limber
