// PictureTarget: where a picture is drawn, several samples per pixel, and read back from. Large pictures are drawn in
// tiles.
#pragma once

#include "render/gl_objects.hpp"
#include "render/image.hpp"

namespace limber {

class PictureTarget {
public:
    /// Makes it `width` x `height` with `samples` and clears nothing. Cheap when nothing changes.
    void prepare(int width, int height, int samples);
    void bind() const;
    /// Joins the samples and writes the pixels to (x, y) of the image, y from its top.
    void read_into(Image& image, int x, int y);

    /// What the driver can do at most.
    static int most_samples();
    static int most_pixels();

private:
    int width_ = 0, height_ = 0, samples_ = -1;
    GlFramebuffer drawn_, joined_;
    GlRenderbuffer colour_, depth_, joined_colour_;
    std::vector<std::uint8_t> rows_;  ///< memory used again
};

}  // namespace limber
