// PNG: images to bytes, and the PNG and JPEG pictures of textures to images.
#pragma once

#include "render/image.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace limber {

/// A remark inside a PNG file, such as {"Software", "limber 0.1.0 ..."}. Keys: 1 to 79 ASCII letters; text: UTF-8.
struct PngNote {
    std::string key, text;
};

/// The same image and notes give the same bytes. Opaque images are written without alpha. Throws Error{bad_usage} on an
/// empty image.
std::string encode_png(const Image& image, std::span<const PngNote> notes = {});

/// PNG or JPEG. `name` appears in messages. Throws Error{bad_file} for anything else, for damaged bytes and for
/// pictures beyond 8192 pixels a side or out of proportion to their bytes.
Image decode_picture(std::span<const std::uint8_t> bytes, const std::string& name);
/// How many pixels it says it has, by its head alone; throws as decode_picture() does.
std::size_t picture_pixels(std::span<const std::uint8_t> bytes, const std::string& name);

}  // namespace limber
