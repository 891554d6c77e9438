#include "sim/provenance_text.hpp"

#include <limber/version.hpp>

#include "core/text.hpp"

namespace limber {

namespace {
/// Quotes and backslashes escaped; control characters become spaces (a CPU's name may hold anything).
std::string quoted(const std::string& value) {
    std::string out = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + "\"";
}
}  // namespace

std::string provenance_text() {
    const Provenance p = provenance();
    return text("{\"version\": ", quoted(p.version), ", \"commit\": ", quoted(p.commit), ", \"compiler\": ", quoted(p.compiler),
                ", \"cpu\": ", quoted(p.cpu), ", \"isa\": ", quoted(p.isa), ", \"linked\": ", quoted(p.linked),
                ", \"threads\": ", p.threads, "}");
}

}  // namespace limber
