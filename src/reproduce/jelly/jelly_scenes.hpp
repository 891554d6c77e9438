// The drops of the jelly paper as scenes: everything of 1000 kg/m^3, falling on the floor y = 0.
#pragma once

#include <limber/tools/scene.hpp>

#include <string>

namespace limber {

inline constexpr double kJellyRadius = 0.05;     ///< of discs and balls [m]
inline constexpr double kJellyDensity = 1000.0;  ///< [kg/m^3]

/// A disc that falls from `fall` above the floor; `around` nodes on its rim.
Scene disc_drop(int around, double young, double poisson, double fall, const OptionValues& options);
/// A ball, an ellipsoid with half axes of 7, 4 and 5 cm, lying flat.
Scene ball_drop(int across, double young, double poisson, double fall, const OptionValues& options);
Scene ellipsoid_drop(int across, double young, double poisson, double fall, const OptionValues& options);
/// A soft bar that comes down on one end: bent enough to reach the floor where it did not pierce it undeformed.
Scene bar_drop(const OptionValues& options);
/// A frustum of jelly with a wet bottom, turned by `tilt` about z [rad].
Scene jelly_drop(const std::string& name, int across, double fall, double tilt, const OptionValues& options);

}  // namespace limber
