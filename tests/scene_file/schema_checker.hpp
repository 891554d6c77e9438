// Just enough of JSON Schema (draft 2020-12) to hold our own schema against our own scenes.
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <regex>
#include <string>

namespace limber::testing_io {

class SchemaChecker {
public:
    explicit SchemaChecker(const std::string& schema) : root_(nlohmann::json::parse(schema)) {}

    /// "" when the text fits the schema, otherwise the first reason.
    std::string complaint(const std::string& text) const {
        const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
        return value.is_discarded() ? "not JSON" : check(root_, value, "");
    }

private:
    using Json = nlohmann::json;

    static bool has_type(const Json& value, const std::string& type) {
        if (type == "integer") return value.is_number() && value.get<double>() == std::floor(value.get<double>());
        return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
               (type == "string" && value.is_string()) || (type == "number" && value.is_number()) ||
               (type == "boolean" && value.is_boolean()) || (type == "null" && value.is_null());
    }

    std::string check(const Json& schema, const Json& value, const std::string& at) const {
        if (schema.is_boolean()) return schema.get<bool>() ? "" : at + ": not allowed here";
        for (const auto& [word, rule] : schema.items()) {
            const std::string reason = check_word(word, rule, schema, value, at);
            if (!reason.empty()) return reason;
        }
        return "";
    }

    std::string check_word(const std::string& word, const Json& rule, const Json& schema, const Json& value,
                           const std::string& at) const {
        const auto fail = [&](bool failed) { return failed ? at + ": " + word : std::string(); };
        if (word == "type") return fail(!has_type(value, rule));
        if (word == "const") return fail(value != rule);
        if (word == "enum") return fail(std::find(rule.begin(), rule.end(), value) == rule.end());
        if (word == "$ref") return check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, at);
        if (word == "if") return check(rule, value, at).empty() ? check(schema.at("then"), value, at) : "";
        if (word == "not") return fail(check(rule, value, at).empty());
        if (word == "allOf" || word == "anyOf" || word == "oneOf") return check_many(word, rule, value, at);
        if (value.is_number() &&
            (word.find("inimum") != std::string::npos || word.find("aximum") != std::string::npos)) {
            const double v = value, bound = rule;
            return fail(word == "minimum"            ? v < bound
                        : word == "maximum"          ? v > bound
                        : word == "exclusiveMinimum" ? v <= bound
                                                     : v >= bound);
        }
        if (value.is_string() && word == "pattern")
            return fail(!std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())));
        if (value.is_string() && word == "minLength")
            return fail(value.get<std::string>().size() < rule.get<std::size_t>());
        if (value.is_array()) return check_array(word, rule, value, at);
        if (value.is_object()) return check_object(word, rule, schema, value, at);
        return "";
    }

    std::string check_many(const std::string& word, const Json& rules, const Json& value, const std::string& at) const {
        std::size_t fits = 0;
        std::string last;
        for (const Json& rule : rules) {
            const std::string reason = check(rule, value, at);
            fits += reason.empty() ? 1 : 0;
            if (!reason.empty()) last = reason;
        }
        const bool fine = word == "allOf" ? fits == rules.size() : (word == "anyOf" ? fits > 0 : fits == 1);
        return fine ? "" : at + ": " + word + " (" + last + ")";
    }

    std::string check_array(const std::string& word, const Json& rule, const Json& value, const std::string& at) const {
        if (word == "minItems" && value.size() < rule.get<std::size_t>()) return at + ": minItems";
        if (word == "maxItems" && value.size() > rule.get<std::size_t>()) return at + ": maxItems";
        if (word != "items") return "";
        for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string reason = check(rule, value[i], at + "/" + std::to_string(i));
            if (!reason.empty()) return reason;
        }
        return "";
    }

    std::string check_object(const std::string& word, const Json& rule, const Json& schema, const Json& value,
                             const std::string& at) const {
        if (word == "required") {
            for (const auto& name : rule)
                if (!value.contains(name.get<std::string>())) return at + ": lacks " + name.get<std::string>();
        }
        if (word == "additionalProperties") {
            for (const auto& [name, member] : value.items())
                if (!schema.at("properties").contains(name)) return at + ": knows no " + name;
        }
        if (word != "properties") return "";
        for (const auto& [name, member] : value.items()) {
            if (rule.contains(name)) {
                const std::string reason = check(rule.at(name), member, at + "/" + name);
                if (!reason.empty()) return reason;
            }
        }
        return "";
    }

    Json root_;
};

}  // namespace limber::testing_io
