#include "sim/provenance_text.hpp"

#include <limber/version.hpp>

#include "core/text.hpp"

namespace limber {

namespace {
/// Quotes and backslashes escaped; control characters become spaces (a CPU's name may hold anything).
std::string in_quotes(const std::string& value) {
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
    return text("{\"version\": ", in_quotes(p.version), ", \"commit\": ", in_quotes(p.commit),
                ", \"compiler\": ", in_quotes(p.compiler), ", \"cpu\": ", in_quotes(p.cpu),
                ", \"isa\": ", in_quotes(p.isa), ", \"linked\": ", in_quotes(p.linked), ", \"threads\": ", p.threads,
                "}");
}

}  // namespace limber
