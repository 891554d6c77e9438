// An obstacle's shape as the numbers that recordings and scene hashes hold. These never change: old files stay valid.
#pragma once

#include <limber/obstacle.hpp>

#include <cstdint>
#include <optional>

namespace limber {

struct ObstacleNumbers {
    std::uint8_t shape = 0;  ///< 0 plane, 1 box, 2 ball, 3 capsule
    bool inside = false;     ///< of a box
    /// box: half its sides. ball: radius, 0, 0. capsule: radius, half_length, 0. plane: zeros. [m]
    Vec3 size;
    friend bool operator==(const ObstacleNumbers&, const ObstacleNumbers&) = default;
};

constexpr int kLastObstacleNumber = 3;

ObstacleNumbers numbers_of(const ObstacleShape& shape) noexcept;

/// Nothing where no shape has that number, or none that keeps bodies inside. Sizes that the shape does not have are
/// ignored.
std::optional<ObstacleShape> shape_of(const ObstacleNumbers& numbers) noexcept;

}  // namespace limber
