#include "render/canvas.hpp"

#include "core/text.hpp"
#include "render/renderer.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

std::size_t offset_of(const Image& image, int x, int y) {
    return 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x));
}

std::uint8_t byte_of(double value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255.0));
}

/// How much of pixel [at, at + 1] lies between the ends.
double overlap(double low, double high, int at) {
    return std::clamp(std::min(high, at + 1.0) - std::max(low, static_cast<double>(at)), 0.0, 1.0);
}

}  // namespace

Image make_image(int width, int height, const Colour& colour) {
    if (width < 1 || height < 1 || width > kMostPixels || height > kMostPixels) {
        throw Error(Fault::bad_usage, {}, text("a picture of ", width, " x ", height, " pixels"),
                    text("1 to ", kMostPixels, " pixels each way"));
    }
    Image out{width, height, {}};
    const std::uint8_t pixel[4] = {byte_of(colour.r), byte_of(colour.g), byte_of(colour.b), byte_of(colour.a)};
    out.rgba.resize(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t i = 0; i < out.rgba.size(); ++i) out.rgba[i] = pixel[i % 4];
    return out;
}

void blend(Image& image, int x, int y, const Colour& colour, double cover) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    std::uint8_t* pixel = image.rgba.data() + offset_of(image, x, y);
    const double alpha = std::clamp(cover, 0.0, 1.0) * static_cast<double>(colour.a);
    const double below = pixel[3] / 255.0 * (1.0 - alpha), whole = alpha + below;
    if (whole <= 0.0) return;
    const double ink[3] = {colour.r, colour.g, colour.b};
    for (int k = 0; k < 3; ++k) pixel[k] = byte_of((alpha * ink[k] + below * (pixel[k] / 255.0)) / whole);
    pixel[3] = byte_of(whole);
}

void fill_rect(Image& image, double left, double top, double right, double bottom, const Colour& colour) {
    const int x0 = std::max(0, static_cast<int>(std::floor(left))),
              x1 = std::min(image.width, static_cast<int>(std::ceil(right)));
    const int y0 = std::max(0, static_cast<int>(std::floor(top))),
              y1 = std::min(image.height, static_cast<int>(std::ceil(bottom)));
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) blend(image, x, y, colour, overlap(left, right, x) * overlap(top, bottom, y));
}

void fill_panel(Image& image, double left, double top, double right, double bottom, double radius,
                const Colour& colour) {
    const int x0 = std::max(0, static_cast<int>(std::floor(left))),
              x1 = std::min(image.width, static_cast<int>(std::ceil(right)));
    const int y0 = std::max(0, static_cast<int>(std::floor(top))),
              y1 = std::min(image.height, static_cast<int>(std::ceil(bottom)));
    const double cx = (left + right) / 2, cy = (top + bottom) / 2, hx = (right - left) / 2 - radius,
                 hy = (bottom - top) / 2 - radius;
    for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
            const double dx = std::max(0.0, std::abs(x + 0.5 - cx) - hx),
                         dy = std::max(0.0, std::abs(y + 0.5 - cy) - hy);
            blend(image, x, y, colour, std::clamp(radius - std::hypot(dx, dy) + 0.5, 0.0, 1.0));
        }
    }
}

void draw_border(Image& image, int left, int top, int right, int bottom, int thickness, const Colour& colour) {
    fill_rect(image, left, top, right, top + thickness, colour);
    fill_rect(image, left, bottom - thickness, right, bottom, colour);
    fill_rect(image, left, top + thickness, left + thickness, bottom - thickness, colour);
    fill_rect(image, right - thickness, top + thickness, right, bottom - thickness, colour);
}

void paste(Image& image, const Image& part, int left, int top) {
    for (int y = std::max(0, -top); y < part.height && top + y < image.height; ++y) {
        for (int x = std::max(0, -left); x < part.width && left + x < image.width; ++x) {
            const std::uint8_t* from = part.rgba.data() + offset_of(part, x, y);
            if (from[3] == 255) {
                std::copy(from, from + 4, image.rgba.data() + offset_of(image, left + x, top + y));
            } else if (from[3] != 0) {
                const auto unit = [](std::uint8_t b) { return static_cast<float>(b) / 255.0F; };
                blend(image, left + x, top + y, {unit(from[0]), unit(from[1]), unit(from[2]), unit(from[3])});
            }
        }
    }
}

Image cut_out(const Image& image, int left, int top, int right, int bottom) {
    Image out{right - left, bottom - top, {}};
    out.rgba.reserve(4 * static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
    for (int y = top; y < bottom; ++y) {
        const auto begin = image.rgba.begin() + static_cast<std::ptrdiff_t>(offset_of(image, left, y));
        out.rgba.insert(out.rgba.end(), begin, begin + 4 * static_cast<std::ptrdiff_t>(out.width));
    }
    return out;
}

}  // namespace limber
