// Whether a method of small strain was taken where small strain is no more.
#pragma once

#include <limber/body.hpp>
#include <limber/method.hpp>

#include <span>
#include <string>

namespace limber {

/// Looks at recorded frames. Small strain takes a turn for a stretch: cells that turn by 30 degrees grow by a seventh,
/// cells that turn by 90 degrees by half.
class SmallStrainWatch {
public:
    /// `collides`: there are obstacles, which methods of large strain do not take.
    SmallStrainWatch(const Method& method, const Body& body, bool collides);

    void look(std::span<const Vec3> displacement, double time);
    /// "" where nothing is to be said.
    std::string words() const;

private:
    const Body& body_;
    std::string method_;
    bool watches_ = false, free_ = false, collides_ = false;
    double share_ = 0.0;  // of the cells, in the worst frame
    double largest_ = 0.0, time_ = 0.0;
};

}  // namespace limber
