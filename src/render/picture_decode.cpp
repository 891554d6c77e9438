// stb_image is compiled here and nowhere else, with only the two formats that glTF textures come in.
#include "core/text.hpp"
#include "render/png.hpp"

#include <limber/error.hpp>

#include <cstddef>
#include <limits>
#include <memory>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_MAX_DIMENSIONS 8192
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace limber {
namespace {

// Deflate packs at most 1032 to 1 and JPEG's emptiest blocks 64 pixels into half a byte: more pixels than this per byte
// is a trap.
constexpr std::size_t kMostPixelsPerByte = 4096;

[[noreturn]] void refuse(const std::string& name, const std::string& found) {
    throw Error(Fault::bad_file, {name, 0, {}}, found, "a PNG or JPEG picture");
}

}  // namespace

std::size_t picture_pixels(std::span<const std::uint8_t> bytes, const std::string& name) {
    if (bytes.empty() || bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        refuse(name, text("a picture of ", bytes.size(), " bytes"));
    const int size = static_cast<int>(bytes.size());
    int width = 0, height = 0, channels = 0;
    if (!stbi_info_from_memory(bytes.data(), size, &width, &height, &channels))
        refuse(name, text("not a picture: ", stbi_failure_reason()));
    const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    if (width < 1 || height < 1 || width > STBI_MAX_DIMENSIONS || height > STBI_MAX_DIMENSIONS ||
        pixels / kMostPixelsPerByte > bytes.size()) {
        refuse(name, text("a picture of ", width, " x ", height, " pixels in ", bytes.size(), " bytes"));
    }
    return pixels;
}

Image decode_picture(std::span<const std::uint8_t> bytes, const std::string& name) {
    picture_pixels(bytes, name);
    const int size = static_cast<int>(bytes.size());
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> data(
        stbi_load_from_memory(bytes.data(), size, &width, &height, &channels, 4), stbi_image_free);
    if (!data) refuse(name, text("a damaged picture: ", stbi_failure_reason()));
    return {width,
            height,
            {data.get(), data.get() + 4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)}};
}

}  // namespace limber
