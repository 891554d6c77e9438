#include "io/files/written_by.hpp"

#include "core/text.hpp"

#include <limber/version.hpp>

namespace limber {

std::string written_by(const std::string& about) {
    static const Provenance fixed = provenance();  // once: it reads the CPU's name from the system
    std::string out = text(
        "written by limber ", fixed.version, ", commit ", fixed.commit, ", ", fixed.compiler, ", ", fixed.cpu, ", ",
        fixed.isa, ", ", counted(static_cast<std::size_t>(thread_count()), "thread"), about.empty() ? "" : "; ", about);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (out[i] < 0x20 || out[i] > 0x7e || out[i] == '$' || (out[i] == '-' && i > 0 && out[i - 1] == '-'))
            out[i] = '_';
    }
    return out;
}

}  // namespace limber
