#include "deform/obstacle_numbers.hpp"

#include "core/overloads.hpp"

namespace limber {

ObstacleNumbers numbers_of(const ObstacleShape& shape) noexcept {
    return std::visit(Overloads{
                          [](const PlaneShape&) -> ObstacleNumbers {
                              return {0, false, {}};
                          },
                          [](const BoxShape& s) -> ObstacleNumbers {
                              return {1, s.inside, s.half};
                          },
                          [](const BallShape& s) -> ObstacleNumbers {
                              return {2, false, {s.radius, 0.0, 0.0}};
                          },
                          [](const CapsuleShape& s) -> ObstacleNumbers {
                              return {3, false, {s.radius, s.half_length, 0.0}};
                          },
                      },
                      shape);
}

std::optional<ObstacleShape> shape_of(const ObstacleNumbers& numbers) noexcept {
    const Vec3& size = numbers.size;
    if (numbers.shape == 1) return BoxShape{size, numbers.inside};
    if (numbers.inside) return {};
    switch (numbers.shape) {
        case 0: return PlaneShape{};
        case 2: return BallShape{size.x};
        case 3: return CapsuleShape{size.x, size.y};
        default: return {};
    }
}

}  // namespace limber
