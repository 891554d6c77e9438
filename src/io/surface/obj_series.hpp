// ObjModel: an OBJ file with everything an artist put into it, so that it can be written again with moved vertices and
// nothing else changed.
#pragma once

#include <limber/mesh.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

struct ObjModel {
    Surface surface;                                     ///< in the file's unit and axes
    std::vector<std::array<double, 2>> uvs;              ///< vt lines; v grows upwards, as OBJ has it
    std::vector<Vec3> normals;                           ///< vn lines, as they stand
    std::vector<std::int32_t> corner_uv, corner_normal;  ///< per face corner; -1 = none
    std::vector<std::int32_t> face_material;             ///< into `materials`; -1 = none
    std::vector<std::string> materials;                  ///< usemtl names in order of appearance
    std::vector<std::string> libraries;                  ///< mtllib names, as written

    /// Where the three numbers of a v or vn line stand in `text`.
    struct Numbers {
        std::array<std::size_t, 3> begin{}, end{};
    };
    std::string text;
    std::vector<Numbers> vertex_numbers, normal_numbers;
};

/// Throws Error as parse_obj does, and for texture coordinates and normals that are not there.
ObjModel parse_obj_model(std::string text, const std::string& name);

/// The same text with other vertices and normals; numbers that did not change keep their spelling, every other byte
/// stays. An empty span of normals leaves those lines alone. `comment` becomes a last line.
std::string rewrite_obj(const ObjModel& model, std::span<const Vec3> vertices, std::span<const Vec3> normals,
                        const std::string& comment);

}  // namespace limber
