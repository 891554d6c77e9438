// How large a rig is, and in which unit it was probably made.
#pragma once

#include <limber/tools/rig.hpp>

#include <string>
#include <string_view>

namespace limber {

/// The box around all skin in the rest pose; around the joints when there is no skin.
struct RigBox {
    Vec3 low, high;  ///< [m]
    bool of_skin = false;

    Vec3 size() const { return high - low; }
};
RigBox rest_box(const Rig& rig);

struct UnitGuess {
    double unit = 1.0;  ///< [m]
    std::string name;   ///< "centimetres"
    bool sure = false;  ///< a person (or animal) of usual height comes out
};
/// For motion capture: the unit that makes `extent` (largest side of a skeleton in a stretched pose) a person's height.
UnitGuess guess_unit_of_person(double extent);
/// For any creature said to be in metres: metres unless that is absurd and another unit is not.
UnitGuess guess_unit_of_creature(double height);
/// One line for a character of an absurd size, with the unit that would make it a usual one; "" for others. `say` is
/// how a unit is given, or "" where it cannot be. Surfaces and meshes: geometry/plausible_size.hpp.
std::string unit_warning(const Rig& rig, std::string_view say = "--unit {}");

}  // namespace limber
