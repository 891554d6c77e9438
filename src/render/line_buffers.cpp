#include "render/line_buffers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace limber {

namespace {

constexpr float kNearer = 2e-5F;  // of the depth range: lines on a surface lie before it

std::array<std::uint8_t, 4> line_bytes(const Colour& c) {
    const auto byte = [](float x) {
        return static_cast<std::uint8_t>(std::lround(255.0F * std::clamp(x, 0.0F, 1.0F)));
    };
    return {byte(c.r), byte(c.g), byte(c.b), byte(c.a)};
}

}  // namespace

LineBuffers::LineBuffers() {
    gl().BindVertexArray(array_.id());
    gl().BindBuffer(GL_ARRAY_BUFFER, buffer_.id());
    const auto attribute = [](Attribute which, GLint count, GLenum type, std::size_t offset) {
        const auto location = static_cast<GLuint>(which);
        gl().EnableVertexAttribArray(location);
        gl().VertexAttribPointer(location, count, type, GL_TRUE, sizeof(Piece), std::bit_cast<const void*>(offset));
        gl().VertexAttribDivisor(location, 1);
    };
    attribute(Attribute::end_a, 3, GL_FLOAT, offsetof(Piece, a));
    attribute(Attribute::end_b, 3, GL_FLOAT, offsetof(Piece, b));
    attribute(Attribute::colour_a, 4, GL_UNSIGNED_BYTE, offsetof(Piece, colour_a));
    attribute(Attribute::colour_b, 4, GL_UNSIGNED_BYTE, offsetof(Piece, colour_b));
    gl().BindVertexArray(0);
}

void LineBuffers::add(const Vec3& a, const Vec3& b, const Colour& colour_a, const Colour& colour_b,
                      const Vec3& origin) {
    if (!is_finite(a) || !is_finite(b)) return;
    const auto to_float = [&origin](const Vec3& p) {
        return std::array<float, 3>{static_cast<float>(p.x - origin.x), static_cast<float>(p.y - origin.y),
                                    static_cast<float>(p.z - origin.z)};
    };
    pieces_.push_back({to_float(a), to_float(b), line_bytes(colour_a), line_bytes(colour_b)});
}

void LineBuffers::flush(GlProgram& program, float width) {
    if (!pieces_.empty() && width > 0.0F) {
        gl().BindVertexArray(array_.id());
        gl().BindBuffer(GL_ARRAY_BUFFER, buffer_.id());
        gl().BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(pieces_.size() * sizeof(Piece)), pieces_.data(),
                        GL_STREAM_DRAW);
        program.set("u_width", width);
        program.set("u_nearer", kNearer);
        gl().DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(pieces_.size()));
    }
    pieces_.clear();
}

void LineBuffers::draw(GlProgram& program, const DrawList& list, DrawLayer layer, const Vec3& origin) {
    for (const DrawLines& lines : list.lines) {
        if (lines.layer != layer) continue;
        const bool own = lines.colours.size() == lines.points.size();
        for (std::size_t k = 0; k + 1 < lines.points.size(); k += 2) {
            add(lines.points[k], lines.points[k + 1], own ? lines.colours[k] : lines.colour,
                own ? lines.colours[k + 1] : lines.colour, origin);
        }
        flush(program, lines.width);
    }
    for (const DrawPoints& points : list.points) {
        if (points.layer != layer) continue;
        const bool own = points.colours.size() == points.points.size();
        for (std::size_t k = 0; k < points.points.size(); ++k) {
            const Colour& colour = own ? points.colours[k] : points.colour;
            add(points.points[k], points.points[k], colour, colour, origin);
        }
        flush(program, points.diameter);
    }
}

}  // namespace limber
