// FileAxes: what the numbers of a file mean. In memory lengths are metres and y points up; files have their own unit
// and axis.
#pragma once

#include <limber/vec3.hpp>

#include <cstdint>
#include <string>

namespace limber {

/// The unit a file's coordinates are written in; metres in memory.
enum class LengthUnit : std::uint8_t { m, cm, mm, in, ft };
double metres_in(LengthUnit unit);
const char* to_string(LengthUnit unit);

/// Which axis of a file points up; y in memory, z-up files are turned: (x, y, z) becomes (x, z, -y).
enum class UpAxis : std::uint8_t { y, z };
const char* to_string(UpAxis up);

/// From metres, y up, to a file's unit and axes and back. Vectors without a length (normals, forces) are only turned.
class FileAxes {
public:
    FileAxes(LengthUnit unit, UpAxis up) : unit_(unit), up_(up) {}
    LengthUnit unit() const { return unit_; }
    UpAxis up() const { return up_; }
    Vec3 turned_to_file(const Vec3& v) const { return up_ == UpAxis::z ? Vec3{v.x, 0.0 - v.z, v.y} : v; }
    Vec3 turned_from_file(const Vec3& v) const { return up_ == UpAxis::z ? Vec3{v.x, v.z, 0.0 - v.y} : v; }
    Vec3 to_file(const Vec3& v) const {
        return unit_ == LengthUnit::m ? turned_to_file(v) : turned_to_file(v) / metres_in(unit_);
    }
    Vec3 from_file(const Vec3& v) const {
        return unit_ == LengthUnit::m ? turned_from_file(v) : turned_from_file(v) * metres_in(unit_);
    }
    friend bool operator==(const FileAxes& a, const FileAxes& b) { return a.unit_ == b.unit_ && a.up_ == b.up_; }

private:
    LengthUnit unit_;
    UpAxis up_;
};
/// "lengths in mm, z up": for the comments of files and for messages.
std::string to_string(const FileAxes& axes);

}  // namespace limber
