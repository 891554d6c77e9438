// Drawing on images without a GPU: what captions, legends and filmstrips are put together from. Everything is cut at
// the edges.
#pragma once

#include "render/colour.hpp"
#include "render/image.hpp"

namespace limber {

/// A plain image. Throws Error{bad_usage} on a size outside 1..kMostPixels.
Image make_image(int width, int height, const Colour& colour);
/// One pixel, `cover` from 0 to 1 on top of the colour's own alpha.
void blend(Image& image, int x, int y, const Colour& colour, double cover = 1.0);
/// Edges may lie between pixels; then those are covered in part [px].
void fill_rect(Image& image, double left, double top, double right, double bottom, const Colour& colour);
/// The same with round corners.
void fill_panel(Image& image, double left, double top, double right, double bottom, double radius,
                const Colour& colour);
/// A frame of that thickness, inside the rectangle.
void draw_border(Image& image, int left, int top, int right, int bottom, int thickness, const Colour& colour);
/// `part` with its upper left corner at (left, top), over what is there.
void paste(Image& image, const Image& part, int left, int top);
/// A copy of the part between the edges, which lie inside the image.
Image cut_out(const Image& image, int left, int top, int right, int bottom);

}  // namespace limber
