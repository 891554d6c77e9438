// Lines and points on the GPU: one instance per piece, a rectangle on the screen that the fragment stage rounds off.
#pragma once

#include "render/draw_list.hpp"
#include "render/gl_objects.hpp"

#include <cstdint>
#include <vector>

namespace limber {

class LineBuffers {
public:
    LineBuffers();
    /// All lines and points of one layer, with `program` in use.
    void draw(GlProgram& program, const DrawList& list, DrawLayer layer, const Vec3& origin);

private:
    struct Piece {
        std::array<float, 3> a, b;
        std::array<std::uint8_t, 4> colour_a, colour_b;
    };
    void add(const Vec3& a, const Vec3& b, const Colour& colour_a, const Colour& colour_b, const Vec3& origin);
    void flush(GlProgram& program, float width);

    std::vector<Piece> pieces_;
    GlVertexArray array_;
    GlBuffer buffer_;
};

}  // namespace limber
