// Comments inside GIF and WebP files: ffmpeg writes none there.
#include "show/movie_file.hpp"

#include "report/files.hpp"

#include <algorithm>

namespace limber {
namespace {

std::size_t byte_at(const std::string& bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

std::string little_endian(std::size_t value) {
    std::string out;
    for (int k = 0; k < 4; ++k) out += static_cast<char>((value >> (8 * k)) & 255U);
    return out;
}

}  // namespace

// After the header (13 bytes) and its colour table a comment block: 21 FE, pieces of up to 255 bytes with their
// lengths, 0.
std::string with_gif_comment(std::string bytes, const std::string& comment) {
    if (bytes.size() < 14 || !bytes.starts_with("GIF89a")) return bytes;
    const std::size_t flags = byte_at(bytes, 10), table = flags & 0x80U ? 3U << ((flags & 7U) + 1) : 0;
    if (13 + table > bytes.size()) return bytes;
    std::string block = "\x21\xFE";
    for (std::size_t i = 0; i < comment.size(); i += 255) {
        const std::string piece = comment.substr(i, 255);
        block += static_cast<char>(piece.size());
        block += piece;
    }
    bytes.insert(13 + table, block + '\0');
    return bytes;
}

// An extended file (VP8X) gets the XMP bit in its flags and an XMP chunk at its end; the size in the RIFF header grows.
std::string with_webp_comment(std::string bytes, const std::string& comment) {
    if (bytes.size() < 30 || !bytes.starts_with("RIFF") || bytes.compare(8, 8, "WEBPVP8X") != 0) return bytes;
    std::string xmp =
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
        "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description "
        "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:description>" +
        escape_markup(comment) + "</dc:description></rdf:Description></rdf:RDF></x:xmpmeta>";
    bytes[20] = static_cast<char>(byte_at(bytes, 20) | 0x04U);
    if (bytes.size() % 2 != 0) bytes += '\0';
    bytes += "XMP " + little_endian(xmp.size()) + xmp;
    if (bytes.size() % 2 != 0) bytes += '\0';
    bytes.replace(4, 4, little_endian(bytes.size() - 8));
    return bytes;
}

}  // namespace limber
