#include "fem_linear/settings.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

namespace limber {
namespace {

void refuse(const std::string& option, const std::string& found, const std::string& expected) {
    throw Error(Fault::bad_option, {"", 0, "/method/options/" + option}, found, expected);
}

void check_parts(const Body& body) {
    if (body.support() != Support::free) return;
    for (const MeshFinding& f : body.findings()) {
        if (f.kind == MeshFinding::Kind::disconnected_parts) {
            throw Error(
                Fault::unsupported, {},
                text("a free body of separate parts (", f.message, "): one set of axes would tie them together"),
                "one body per part, or anchors");
        }
    }
}

void check_support(const Body& body, Scheme scheme) {
    if (scheme != Scheme::quasi_static || body.support() == Support::held) return;
    refuse("scheme",
           text("\"quasi_static\" for a body that can still move as a whole (its anchors and handles leave ",
                body.support() == Support::free ? "all" : "some", " rigid motion free)"),
           "anchors that hold it, or a scheme with inertia");
}

}  // namespace

bool is_explicit(Scheme scheme) { return scheme == Scheme::newmark_explicit || scheme == Scheme::symplectic_euler; }

void check_linear_settings(const Body& body, const LinearSettings& s) {
    if (s.scheme.scheme == Scheme::newmark_implicit && s.scheme.newmark_beta == 0.0)
        refuse("newmark_beta", "0 with newmark_implicit", "a value above 0, or the scheme newmark_explicit");
    check_support(body, s.scheme.scheme);
    check_parts(body);
    if (is_explicit(s.scheme.scheme) && s.scheme.newmark_gamma != 0.5) {
        refuse("newmark_gamma", text(s.scheme.newmark_gamma, " with an explicit scheme"),
               "0.5 (other values have no stable step stated here)");
    }
}

}  // namespace limber
