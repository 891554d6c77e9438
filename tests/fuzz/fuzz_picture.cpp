#include "fuzz/fuzz.hpp"

#include "render/png.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return limber::fuzz::try_input(data, size, [](std::string_view bytes) {
        const limber::Image image = limber::decode_picture(
            {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "input.png");
        limber::fuzz::demand(image.width > 0 && image.height > 0 &&
                             image.rgba.size() ==
                                 4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
    });
}
