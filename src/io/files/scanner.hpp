// Scanner: a cursor over a file held in memory, for text and for binary blocks; every failure names the line or the
// byte.
#pragma once

#include "io/files/read_budget.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace limber {

/// A piece of input as it may appear in a message: at most 40 characters, anything unprintable as '?', in quotes.
std::string in_quotes(std::string_view piece);
/// True for non-empty UTF-8 text without control characters: what a set may be called.
bool is_name(std::string_view text);
/// False unless all of `piece` is a number. Never looks at the locale; "1e-999" is 0, "nan" and "inf" are numbers.
bool parse_real(std::string_view piece, double& out);
bool parse_integer(std::string_view piece, std::int64_t& out);

template <class T>
T byte_swapped(T value) {
    char b[sizeof(T)];
    std::memcpy(b, &value, sizeof(T));
    std::reverse(b, b + sizeof(T));
    std::memcpy(&value, b, sizeof(T));
    return value;
}

class Scanner {
public:
    /// Does not own the bytes. `name` is the path that messages show.
    Scanner(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)), budget_(bytes.size()) {}

    std::size_t position() const { return at_; }
    void seek(std::size_t position) { at_ = token_at_ = std::min(position, bytes_.size()); }
    std::size_t left() const { return bytes_.size() - at_; }
    std::string_view bytes() const { return bytes_; }
    const std::string& name() const { return name_; }

    /// Moves past blanks; true when something follows.
    bool more();
    /// The next word between blanks or line ends; empty at the end of the file.
    std::string_view token();
    /// The rest of the line, without its end; the cursor moves to the next line.
    std::string_view line();
    /// A word in double quotes, as it stands between them.
    std::string_view quoted_word(const char* what);
    void expect(std::string_view word);
    double real(const char* what);
    /// As real(), but refuses NaN and infinity with Fault::bad_mesh.
    double coordinate();
    std::int64_t integer(const char* what);
    /// An integer in [low, high].
    std::int64_t integer_in(const char* what, std::int64_t low, std::int64_t high);
    /// A count of things that take at least `bytes_each` bytes: refused when the rest of the file cannot hold them.
    std::size_t count(const char* what, std::size_t bytes_each);
    void check_count(const char* what, std::int64_t n, std::size_t bytes_each) const;
    /// Moves past blanks to just after the next line end, where a binary block starts.
    void end_line();

    /// From here on messages name bytes instead of lines, and raw() swaps when `swapped`.
    void set_binary(bool swapped) {
        binary_ = true;
        swapped_ = swapped;
    }
    bool binary() const { return binary_; }
    template <class T>
    T raw(const char* what) {
        token_at_ = at_;
        if (left() < sizeof(T)) fail_short(what);
        T value;
        std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return swapped_ ? byte_swapped(value) : value;
    }
    void skip(std::size_t n, const char* what);

    /// Counts memory that is about to be made of the file and may be more than a small multiple of its bytes; see
    /// ReadBudget.
    void spend(std::uint64_t bytes, const char* what) const {
        if (!budget_.take(bytes)) fail(budget_.excess(what), budget_.limit());
    }

    /// The place of a byte: a line in text, only the path in binary files (their messages carry the byte).
    InputLocation place_of(std::size_t position) const;
    [[noreturn]] void fail_at(std::size_t position, Fault fault, std::string found,
                              const std::string& expected = {}) const;
    /// At the last word or value read.
    [[noreturn]] void fail(const std::string& found, const std::string& expected = {}) const {
        fail_at(token_at_, Fault::bad_file, found, expected);
    }
    [[noreturn]] void fail(Fault fault, const std::string& found, const std::string& expected = {}) const {
        fail_at(token_at_, fault, found, expected);
    }

private:
    [[noreturn]] void fail_short(const char* what) const;

    std::string_view bytes_;
    std::string name_;
    std::size_t at_ = 0;
    std::size_t token_at_ = 0;
    bool binary_ = false;
    bool swapped_ = false;
    ReadBudget budget_;
};

}  // namespace limber
