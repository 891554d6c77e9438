#include "report/files.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"

#include <limber/error.hpp>
#include <limber/version.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

namespace limber {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

/// Length of the valid UTF-8 sequence at `at`, 0 when broken; `code` receives the character.
std::size_t sequence(std::string_view text, std::size_t at, std::uint32_t& code) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const std::uint32_t first = byte(at);
    const std::size_t length = first < 0x80         ? 1
                               : (first >> 5) == 6  ? 2
                               : (first >> 4) == 14 ? 3
                               : (first >> 3) == 30 ? 4
                                                    : 0;
    if (length == 0 || at + length > text.size()) return 0;
    code = length == 1 ? first : first & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) >> 6) != 2) return 0;
        code = (code << 6) | (byte(at + i) & 0x3F);
    }
    static constexpr std::uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};  // shorter forms are not allowed
    return code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0 : length;
}

std::size_t columns(std::uint32_t code) {
    if ((code >= 0x300 && code < 0x370) || (code >= 0x200B && code < 0x2010) || code == 0xFEFF ||
        (code >= 0xFE00 && code < 0xFE10)) {
        return 0;
    }
    const bool wide = (code >= 0x1100 && code < 0x1160) || (code >= 0x2E80 && code < 0xA4D0) ||
                      (code >= 0xAC00 && code < 0xD7A4) || (code >= 0xF900 && code < 0xFB00) ||
                      (code >= 0xFE30 && code < 0xFE70) || (code >= 0xFF00 && code < 0xFF61) ||
                      (code >= 0x1F300 && code < 0x1F650) || (code >= 0x1F900 && code < 0x1FA00) ||
                      (code >= 0x20000 && code < 0x30000);
    return wide ? 2 : 1;
}

/// Calls f(piece, code) for every character; broken bytes arrive as the replacement character.
template <class F>
void each_character(std::string_view text, F&& f) {
    for (std::size_t at = 0; at < text.size();) {
        std::uint32_t code = 0;
        const std::size_t length = sequence(text, at, code);
        if (length == 0) {
            f(std::string_view(kReplacement), 0xFFFDu);
            ++at;
        } else {
            f(text.substr(at, length), code);
            at += length;
        }
    }
}

[[noreturn]] void fail(const std::string& path, const std::string& what, int code) {
    throw Error(Fault::bad_file, InputLocation{path, 0, {}}, text(what, ": ", std::strerror(code)),
                "a place that can be written");
}

}  // namespace

void write_text_file(const std::string& path, std::string_view content) { write_file(path, content); }

void make_directories(const std::string& path) {
    std::error_code code;
    std::filesystem::create_directories(path, code);
    if (code || !std::filesystem::is_directory(path, code))
        fail(path, "cannot be made a directory", code ? code.value() : ENOTDIR);
}

std::string escape_markup(std::string_view text) {
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    each_character(text, [&](std::string_view piece, std::uint32_t code) {
        switch (code) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            case '\n':
            case '\t': out += piece; break;
            default:
                out += code < 0x20 || code == 0x7F || code == 0xFFFE || code == 0xFFFF ? std::string_view(kReplacement)
                                                                                       : piece;
        }
    });
    return out;
}

std::string valid_utf8(std::string_view text) {
    std::string out;
    each_character(text, [&](std::string_view piece, std::uint32_t) { out += piece; });
    return out;
}

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    each_character(text, [&](std::string_view, std::uint32_t code) { width += columns(code); });
    return width;
}

std::string file_name(std::string_view words, std::set<std::string>& taken) {
    std::string name;
    for (const char c : words) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (plain)
            name += c;
        else if (!name.empty() && name.back() != '_')
            name += '_';
    }
    name = name.substr(0, 80);
    while (!name.empty() && name.back() == '_') name.pop_back();
    if (name.empty()) name = "plot";
    std::string out = name;
    for (int i = 2; !taken.insert(out).second; ++i) out = text(name, "_", i);
    return out;
}

std::string provenance_line() {
    const Provenance p = provenance();
    return text("limber ", p.version, " (", p.commit, "), ", p.compiler, ", ", p.cpu, ", ", p.isa, ", ",
                counted(static_cast<std::size_t>(p.threads), "thread"), ", linked: ", p.linked);
}

}  // namespace limber
