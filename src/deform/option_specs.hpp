// Rows of an option table, written short.
#pragma once

#include <limber/bytes.hpp>
#include <limber/options.hpp>

#include <utility>

namespace limber {

inline OptionSpec real_option(std::string name, std::string unit, double fallback, double low, double high,
                              std::string sentence) {
    return {std::move(name), OptionType::real, std::move(unit), fallback, low, high, {}, false, std::move(sentence)};
}
inline OptionSpec integer_option(std::string name, double fallback, double low, double high, std::string sentence) {
    return {std::move(name), OptionType::integer, "", fallback, low, high, {}, false, std::move(sentence)};
}
inline OptionSpec flag_option(std::string name, bool fallback, std::string sentence) {
    return {std::move(name), OptionType::flag, "", fallback, 0.0, 0.0, {}, false, std::move(sentence)};
}
/// The first choice is the default.
inline OptionSpec choice_option(std::string name, std::vector<std::string> choices, std::string sentence) {
    const std::string first = choices[0];
    return {std::move(name), OptionType::choice, "", first, 0.0, 0.0, std::move(choices), false, std::move(sentence)};
}

/// As saved deformers and scene hashes hold it: 4 and 4.0 alike.
void save_option(ByteWriter& out, const OptionValue& value);

/// Options as part of a saved deformer.
void save_options(ByteWriter& out, const OptionValues& options);
OptionValues load_options(ByteReader& in);

}  // namespace limber
