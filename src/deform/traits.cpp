#include <limber/method.hpp>

#include "core/text.hpp"

#include <algorithm>

namespace limber {

std::string to_string(Trouble trouble) {
    static constexpr std::pair<Trouble, const char*> kWords[] = {
        {Trouble::not_converged, "not converged"}, {Trouble::inverted_cell, "inverted cell"},
        {Trouble::non_finite, "non-finite"},       {Trouble::wrong_step, "wrong step"},
        {Trouble::bad_loads, "bad loads"},         {Trouble::constraint_conflict, "constraint conflict"},
        {Trouble::bad_state, "bad state"},         {Trouble::passed_through, "the body went through an obstacle"}};
    std::string out;
    for (const auto& [bit, word] : kWords)
        if (has(trouble, bit)) out += (out.empty() ? "" : ", ") + std::string(word);
    return out.empty() ? "none" : out;
}

void check_traits(const Method& method, const Body& body) {
    const Traits traits = method.traits();
    const std::string who = text("method '", method.name(), "'");
    if (std::find(traits.cells.begin(), traits.cells.end(), body.mesh().kind) == traits.cells.end()) {
        std::vector<std::string> kinds;
        for (const CellKind kind : traits.cells) kinds.emplace_back(to_string(kind));
        throw Error(Fault::unsupported, {},
                    text(who, " cannot take body '", body.name(), "', whose cells are ", to_string(body.mesh().kind)),
                    fmt::format("{}", fmt::join(kinds, ", ")));
    }
    if (!traits.free_bodies && body.support() != Support::held) {
        throw Error(Fault::unsupported, {},
                    text(who, " needs a held body, but anchors and handles leave body '", body.name(), "' ",
                         body.support() == Support::free ? "free to move rigidly" : "some rigid motion"),
                    "anchors that stop every rigid motion of every part");
    }
    if (!traits.accepts_handles && !body.handles().empty()) {
        throw Error(Fault::unsupported, {},
                    text(who, " cannot drive handle '", body.handles().front().name, "' of body '", body.name(), "'"),
                    "a body without handles");
    }
    const auto by_itself = std::find_if(body.handles().begin(), body.handles().end(),
                                        [](const Handle& h) { return h.each_vertex; });
    if (!traits.accepts_vertex_targets && by_itself != body.handles().end()) {
        throw Error(Fault::unsupported, {},
                    text(who, " cannot drive each vertex of handle '", by_itself->name, "' of body '", body.name(),
                         "' by itself"),
                    "a handle that moves like one rigid thing, or another method");
    }
}

}  // namespace limber
