#include "render/png.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

#include <zlib.h>

namespace limber {
namespace {

void put_number(std::string& out, std::uint32_t value) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) out += static_cast<char>((value >> shift) & 255U);
}

void put_chunk(std::string& out, const std::string& kind, const std::string& content) {
    put_number(out, static_cast<std::uint32_t>(content.size()));
    const std::size_t start = out.size();
    out += kind + content;
    const auto sum = ::crc32(0L, reinterpret_cast<const Bytef*>(out.data() + start),
                             static_cast<uInt>(out.size() - start));
    put_number(out, static_cast<std::uint32_t>(sum));
}

void put_note(std::string& out, const PngNote& note) {
    const std::string key = note.key.substr(0, 79);
    const bool ascii = std::all_of(note.text.begin(), note.text.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (ascii) {
        put_chunk(out, "tEXt", key + '\0' + note.text);
    } else {
        put_chunk(out, "iTXt", key + std::string(5, '\0') + note.text);
    }  // not compressed, no language, no translated key
}

int paeth(int left, int up, int corner) {
    const int guess = left + up - corner;
    const int dl = std::abs(guess - left), du = std::abs(guess - up), dc = std::abs(guess - corner);
    return dl <= du && dl <= dc ? left : du <= dc ? up : corner;
}

/// One row as differences from its neighbours by one of PNG's five ways.
void filter_row(int way, const std::vector<std::uint8_t>& row, const std::vector<std::uint8_t>& above, std::size_t step,
                std::vector<std::uint8_t>& out) {
    for (std::size_t i = 0; i < row.size(); ++i) {
        const int left = i >= step ? row[i - step] : 0, up = above[i], corner = i >= step ? above[i - step] : 0;
        const int guess = way == 0   ? 0
                          : way == 1 ? left
                          : way == 2 ? up
                          : way == 3 ? (left + up) / 2
                                     : paeth(left, up, corner);
        out[i] = static_cast<std::uint8_t>(row[i] - guess);
    }
}

/// Every row by the way whose differences are smallest, which deflate then packs best.
std::string filtered(const Image& image, std::size_t channels) {
    const auto width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
    std::vector<std::uint8_t> row(width * channels), above(row.size()), best(row.size()), trial(row.size());
    std::string out;
    out.reserve((row.size() + 1) * height);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x)
            for (std::size_t k = 0; k < channels; ++k) row[x * channels + k] = image.rgba[4 * (y * width + x) + k];
        std::size_t least = SIZE_MAX;
        int chosen = 0;
        for (const int way : {0, 1, 2, 4}) {
            filter_row(way, row, above, channels, trial);
            std::size_t sum = 0;
            for (const std::uint8_t d : trial) sum += static_cast<std::size_t>(d < 128 ? d : 256 - d);
            if (sum >= least) continue;
            least = sum;
            chosen = way;
            std::swap(best, trial);
        }
        out += static_cast<char>(chosen);
        out.append(best.begin(), best.end());
        std::swap(row, above);
    }
    return out;
}

std::string deflated(const std::string& bytes) {
    uLongf size = ::compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    if (::compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                    static_cast<uLong>(bytes.size()), 6) != Z_OK) {
        throw Error(Fault::unsupported, {}, "zlib could not compress a picture");
    }
    out.resize(size);
    return out;
}

}  // namespace

std::string encode_png(const Image& image, std::span<const PngNote> notes) {
    if (image.width < 1 || image.height < 1 ||
        image.rgba.size() != 4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height)) {
        throw Error(Fault::bad_usage, {}, "an image without pixels", "at least one pixel");
    }
    bool opaque = true;
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) opaque = opaque && image.rgba[i] == 255;
    std::string out("\x89PNG\r\n\x1A\n", 8), head;
    put_number(head, static_cast<std::uint32_t>(image.width));
    put_number(head, static_cast<std::uint32_t>(image.height));
    head += {8, static_cast<char>(opaque ? 2 : 6), 0, 0, 0};
    put_chunk(out, "IHDR", head);
    put_chunk(out, "sRGB", std::string(1, '\0'));
    for (const PngNote& note : notes) put_note(out, note);
    put_chunk(out, "IDAT", deflated(filtered(image, opaque ? 3 : 4)));
    put_chunk(out, "IEND", "");
    return out;
}

}  // namespace limber
