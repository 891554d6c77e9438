// Whether a model that a file holds is as large as models are, and which unit it was probably made in.
#pragma once

#include <limber/vec3.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// Surfaces and meshes whose longest side is outside of this get a warning [m]. Characters have a rule of their own
/// (rig_size.hpp).
inline constexpr double kLeastPlausible = 0.001, kMostPlausible = 20.0;

struct FittingUnit {
    const char* name;  ///< "cm", as --unit and "unit" take it
    double longest;    ///< what the longest side would be in it [m]
};

/// A size that hardly anything has; empty for all others.
struct SizeWarning {
    double longest = 0.0;  ///< [m]; 0 = nothing to warn of
    /// Those that would make it something one can hold or be; none for what is too small in metres.
    std::vector<FittingUnit> units;

    explicit operator bool() const { return longest > 0.0; }
    /// "the longest side is 296 m: too large for most things"
    std::string found() const;
    /// "it would be 2.96 m in cm, 0.296 m in mm (--unit cm, or --unit m if it is meant)"; `say` is how a unit is given,
    /// "--unit
    /// {}", or "" where it cannot be.
    std::string cure(std::string_view say) const;
    /// Both in one line.
    std::string words(std::string_view say) const;
};

/// `size` in the file's numbers, `unit` what they are taken for [m].
SizeWarning size_warning(const Vec3& size, double unit = 1.0);

}  // namespace limber
