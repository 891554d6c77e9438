#include "io/written_by.hpp"

#include "core/text.hpp"

#include <limber/version.hpp>

namespace limber {

const std::string& written_by() {
    static const std::string line = [] {
        const Provenance p = provenance();
        std::string out = text("written by limber ", p.version, ", commit ", p.commit, ", ", p.compiler, ", ", p.cpu, ", ", p.isa);
        for (std::size_t i = 0; i < out.size(); ++i)
            if (out[i] < 0x20 || out[i] > 0x7e || out[i] == '$' || (out[i] == '-' && i > 0 && out[i - 1] == '-')) out[i] = '_';
        return out;
    }();
    return line;
}

}  // namespace limber
