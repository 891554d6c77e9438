#include "dyrt/live_page.hpp"

#include "dyrt/live_files.hpp"  // web/live*.js, web/limber_dyrt.js and web/live.html: made by cmake/LiveFiles.cmake
#include "dyrt/live_model.hpp"
#include "report/files.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string_view>

namespace limber {
namespace {

using nlohmann::json;

std::string base64(std::string_view bytes) {
    constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8U | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) out += k <= left ? kLetters[group >> (18U - 6U * k) & 63U] : '=';
    }
    return out;
}

/// Modules in one script: what they import stands above them.
std::string joined_modules() {
    std::string out;
    for (const std::string_view file : kLiveModules) {
        for (std::size_t at = 0; at < file.size();) {
            const std::size_t end = std::min(file.find('\n', at), file.size() - 1) + 1;
            std::string_view line = file.substr(at, end - at);
            if (line.starts_with("export ")) line.remove_prefix(7);
            if (!line.starts_with("import ")) out += line;
            at = end;
        }
    }
    return out;
}

/// JSON that may stand in a script element.
std::string harmless(std::string json_text) {
    for (std::size_t at = 0; (at = json_text.find('<', at)) != std::string::npos;) json_text.replace(at, 1, "\\u003c");
    return json_text;
}

json or_null(double value, bool given) { return given ? json(value) : json(nullptr); }

}  // namespace

std::string format_live_page(const DyrtCharacter& character, const DyrtCharacterSettings& settings,
                             const std::string& dyrt, const LivePageWords& words) {
    const DyrtSettings& d = settings.dyrt;
    const json more{{"command", words.command},
                    {"damping",
                     {{"alpha", d.material.rayleigh_alpha},
                      {"beta", d.material.rayleigh_beta},
                      {"ratio", or_null(d.damping_ratio, d.damping_ratio >= 0.0)},
                      {"settle", or_null(d.settle, d.settle > 0.0)},
                      {"amount", d.amount}}}};
    const LiveModel model = make_live_model(character, settings, more);
    const std::pair<std::string_view, std::string> values[] = {{"title", escape_markup(words.title)},
                                                               {"head", harmless(model.head)},
                                                               {"blob", base64(model.blob)},
                                                               {"dyrt", base64(dyrt)},
                                                               {"script", joined_modules()}};
    std::string out;
    for (std::string_view rest = kLiveHtml;;) {
        const std::size_t open = rest.find("{{");
        out += rest.substr(0, open);
        if (open == std::string_view::npos) return out;
        const std::size_t close = rest.find("}}", open);
        for (const auto& [name, value] : values)
            if (rest.substr(open + 2, close - open - 2) == name) out += value;
        rest.remove_prefix(close + 2);
    }
}

}  // namespace limber
