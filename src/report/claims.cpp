#include "report/claims.hpp"

#include "core/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

const char* sign_of(Relation relation) {
    switch (relation) {
        case Relation::at_most: return "<=";
        case Relation::at_least: return ">=";
        default: return "=";
    }
}

std::string with_unit(double value, const std::string& unit) {
    return unit.empty() ? short_number(value) : text(short_number(value), " ", unit);
}

}  // namespace

bool agrees(double measured, Relation relation, double expected, double tolerance) {
    if (!std::isfinite(measured) || !std::isfinite(expected) || !std::isfinite(tolerance)) return false;
    if (relation == Relation::at_most) return measured <= expected + tolerance;
    if (relation == Relation::at_least) return measured >= expected - tolerance;
    return std::abs(measured - expected) <= tolerance;
}

Claim judged(Claim claim) {
    claim.holds = agrees(claim.measured, claim.relation, claim.expected, claim.tolerance);
    return claim;
}

nlohmann::json json_number(double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json to_json(const Claim& c) {
    return {{"id", c.id},
            {"paper", c.paper},
            {"measured", json_number(c.measured)},
            {"unit", c.unit},
            {"expected", json_number(c.expected)},
            {"tolerance", json_number(c.tolerance)},
            {"relation", sign_of(c.relation)},
            {"holds", c.holds},
            {"why", c.why}};
}

std::string tally(const std::vector<Claim>& claims) {
    const auto holding = std::count_if(claims.begin(), claims.end(), [](const Claim& c) { return c.holds; });
    return text(holding, " of ", claims.size(), " claims hold; ", static_cast<long>(claims.size()) - holding,
                " differ, each with the reason.");
}

std::string expected_words(const Claim& c) {
    const std::string spread = c.tolerance > 0.0 ? text(" ± ", short_number(c.tolerance, 2)) : "";
    return text(c.relation == Relation::at_most    ? "≤ "
                : c.relation == Relation::at_least ? "≥ "
                                                   : "",
                short_number(c.expected), spread, c.unit.empty() ? "" : " ", c.unit);
}

Table claims_table(const std::vector<Claim>& claims) {
    Table table{{{"claim", Align::left},
                 {"the paper says", Align::left},
                 {"measured", Align::right},
                 {"expected", Align::right},
                 {"", Align::left},
                 {"why", Align::left}},
                {}};
    for (const Claim& c : claims) {
        table.add(
            {c.id, c.paper, with_unit(c.measured, c.unit), expected_words(c), c.holds ? "holds" : "differs", c.why});
    }
    return table;
}

nlohmann::json json_numbers(const std::vector<double>& values) {
    nlohmann::json out = nlohmann::json::array();
    for (const double v : values) out.push_back(json_number(v));
    return out;
}

}  // namespace limber
