// Image: what the renderer draws and what PNG files, captions and movies are made of.
#pragma once

#include <cstdint>
#include <vector>

namespace limber {

/// sRGB with straight alpha, 4 bytes per pixel, row 0 on top.
struct Image {
    int width = 0, height = 0;       ///< [px]
    std::vector<std::uint8_t> rgba;  ///< 4 * width * height
};

}  // namespace limber
