// A seeded mutator: turns a valid file into a damaged one the way disks, editors and people do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace limber::testing_io {

/// splitmix64: the same numbers on every platform and standard library.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    /// In [0, n); 0 when n is 0.
    std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(next() % n); }

private:
    std::uint64_t state_;
};

namespace mutations {

inline void flip_bits(std::string& s, Dice& dice) {
    for (std::size_t n = 1 + dice.below(8); n > 0 && !s.empty(); --n) {
        char& c = s[dice.below(s.size())];
        c = static_cast<char>(static_cast<unsigned char>(c) ^ (1u << dice.below(8)));
    }
}

inline void truncate(std::string& s, Dice& dice) { s.resize(dice.below(s.size())); }

inline void insert_garbage(std::string& s, Dice& dice) {
    std::string garbage;
    for (std::size_t n = 1 + dice.below(40); n > 0; --n)
        garbage.push_back(static_cast<char>(static_cast<unsigned char>(dice.below(256))));
    s.insert(dice.below(s.size() + 1), garbage);
}

inline void delete_chunk(std::string& s, Dice& dice) {
    if (s.empty()) return;
    const std::size_t at = dice.below(s.size());
    s.erase(at, 1 + dice.below(std::min<std::size_t>(s.size() - at, 200)));
}

inline void repeat_chunk(std::string& s, Dice& dice) {
    if (s.empty()) return;
    const std::size_t at = dice.below(s.size());
    const std::string chunk = s.substr(at, 1 + dice.below(200));
    s.insert(dice.below(s.size() + 1), chunk);
}

inline void swap_lines(std::string& s, Dice& dice) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < s.size();) {
        const std::size_t end = std::min(s.find('\n', at), s.size() - 1) + 1;
        lines.push_back(s.substr(at, end - at));
        at = end;
    }
    if (lines.size() < 2) return;
    std::swap(lines[dice.below(lines.size())], lines[dice.below(lines.size())]);
    s.clear();
    for (const std::string& line : lines) s += line;
}

/// Replaces a run of digits, where there is one after a random place, by a number nobody meant.
inline void strange_number(std::string& s, Dice& dice) {
    static const char* const numbers[] = {"99999999999999999999999999",
                                          "18446744073709551615",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "4294967296",
                                          "2147483647",
                                          "-1",
                                          "0",
                                          "nan",
                                          "-inf",
                                          "1e999",
                                          "1e-999",
                                          "0x10",
                                          "1.5.2",
                                          "--7",
                                          ""};
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t at = dice.below(s.size());
    while (at < s.size() && !digit(s[at])) ++at;
    std::size_t end = at;
    while (end < s.size() && digit(s[end])) ++end;
    s.replace(at, end - at, numbers[dice.below(std::size(numbers))]);
}

/// Overwrites four or eight bytes: a length or an index of a binary file.
inline void strange_bytes(std::string& s, Dice& dice) {
    const std::size_t width = dice.below(2) == 0 ? 4 : 8;
    if (s.size() < width) return;
    const std::size_t at = dice.below(s.size() - width + 1);
    const unsigned char fill = dice.below(2) == 0 ? 0xff : 0x7f;
    for (std::size_t i = 0; i < width; ++i) s[at + i] = static_cast<char>(fill);
}

}  // namespace mutations

/// One to three mutations of `valid`; the same for the same seed.
inline std::string mutate(std::string_view valid, std::uint64_t seed) {
    using Mutation = void (*)(std::string&, Dice&);
    static constexpr Mutation all[] = {mutations::flip_bits,      mutations::truncate,     mutations::insert_garbage,
                                       mutations::delete_chunk,   mutations::repeat_chunk, mutations::swap_lines,
                                       mutations::strange_number, mutations::strange_bytes};
    Dice dice(seed);
    std::string s(valid);
    for (std::size_t n = 1 + dice.below(3); n > 0; --n) all[dice.below(std::size(all))](s, dice);
    return s;
}

}  // namespace limber::testing_io
