#include "io/files/scanner.hpp"

#include "core/text.hpp"

#include <charconv>
#include <cmath>

namespace limber {

namespace {
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

// Length of the UTF-8 character at the front of `s`; 0 when it is not one.
std::size_t utf8_length(std::string_view s) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
    const unsigned char lead = byte(0);
    const std::size_t n = lead < 0x80           ? 1
                          : (lead >> 5) == 0x6  ? 2
                          : (lead >> 4) == 0xe  ? 3
                          : (lead >> 3) == 0x1e ? 4
                                                : 0;
    if (n == 0 || n > s.size()) return 0;
    std::uint32_t code = n == 1 ? lead : lead & (0x7fu >> n);
    for (std::size_t i = 1; i < n; ++i) {
        if ((byte(i) >> 6) != 0x2) return 0;
        code = (code << 6) | (byte(i) & 0x3fu);
    }
    const std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least[n] || surrogate || code > 0x10ffff ? 0 : n;
}
}  // namespace

std::string in_quotes(std::string_view piece) {
    std::string out = "'";
    for (const char c : piece.substr(0, 40))
        out += (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) ? '?' : c;
    return out + (piece.size() > 40 ? "...'" : "'");
}

bool is_name(std::string_view text) {
    if (text.empty()) return false;
    while (!text.empty()) {
        const std::size_t n = utf8_length(text);
        if (n == 0 || static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7f) return false;
        text.remove_prefix(n);
    }
    return true;
}

bool parse_real(std::string_view piece, double& out) {
    // from_chars knows no plus sign; one may stand before a digit or a point, not before another sign.
    if (piece.size() > 1 && piece[0] == '+' && piece[1] != '-') piece.remove_prefix(1);
    const char* end = piece.data() + piece.size();
    const auto [stop, error] = std::from_chars(piece.data(), end, out);
    if (stop != end) return false;
    if (error == std::errc::result_out_of_range) {
        // Too small is zero; too large is not a number we can hold.
        const std::size_t e = piece.find_first_of("eE");
        if (e == std::string_view::npos || e + 1 >= piece.size() || piece[e + 1] != '-') return false;
        out = 0.0;
        return true;
    }
    return error == std::errc{};
}

bool parse_integer(std::string_view piece, std::int64_t& out) {
    if (piece.size() > 1 && piece[0] == '+' && piece[1] != '-') piece.remove_prefix(1);
    const char* end = piece.data() + piece.size();
    const auto [stop, error] = std::from_chars(piece.data(), end, out);
    return stop == end && error == std::errc{};
}

bool Scanner::more() {
    while (at_ < bytes_.size() && is_space(bytes_[at_])) ++at_;
    token_at_ = at_;
    return at_ < bytes_.size();
}

std::string_view Scanner::token() {
    more();
    while (at_ < bytes_.size() && !is_space(bytes_[at_])) ++at_;
    return bytes_.substr(token_at_, at_ - token_at_);
}

std::string_view Scanner::line() {
    token_at_ = at_;
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    std::string_view all = bytes_.substr(at_, end - at_);
    at_ = std::min(end + 1, bytes_.size());
    if (!all.empty() && all.back() == '\r') all.remove_suffix(1);
    return all;
}

std::string_view Scanner::quoted_word(const char* what) {
    const std::string_view start = token();
    if (start.empty() || start[0] != '"') fail(text("found ", in_quotes(start)), text(what, " in double quotes"));
    const std::size_t first = token_at_ + 1;
    const std::size_t close = bytes_.find_first_of("\"\n", first);
    if (close == std::string_view::npos || bytes_[close] == '\n')
        fail(text(what, " is not closed by a double quote on its line"));
    at_ = close + 1;
    return bytes_.substr(first, close - first);
}

void Scanner::expect(std::string_view word) {
    const std::string_view found = token();
    if (found == word) return;
    fail(found.empty() ? "the file ends" : text("found ", in_quotes(found)), std::string(word));
}

double Scanner::real(const char* what) {
    const std::string_view word = token();
    double value = 0.0;
    if (word.empty()) fail_short(what);
    if (!parse_real(word, value)) fail(text("found ", in_quotes(word)), text(what, " (a number)"));
    return value;
}

double Scanner::coordinate() {
    const double value = real("a coordinate");
    if (!std::isfinite(value)) fail(Fault::bad_mesh, text("a coordinate is ", value), "a finite number");
    return value;
}

std::int64_t Scanner::integer(const char* what) {
    const std::string_view word = token();
    std::int64_t value = 0;
    if (word.empty()) fail_short(what);
    if (!parse_integer(word, value)) fail(text("found ", in_quotes(word)), text(what, " (an integer)"));
    return value;
}

std::int64_t Scanner::integer_in(const char* what, std::int64_t low, std::int64_t high) {
    const std::int64_t value = integer(what);
    if (value < low || value > high) fail(text(what, " is ", value), text("a value from ", low, " to ", high));
    return value;
}

void Scanner::check_count(const char* what, std::int64_t n, std::size_t bytes_each) const {
    if (n < 0) fail(text(what, " is ", n), "zero or more");
    // One byte of slack: the last word of a file needs no line end.
    if (static_cast<std::uint64_t>(n) > (left() + 1) / bytes_each) {
        fail(text(what, " is ", n, ", but only ", left(), " bytes are left in the file"),
             text("at most ", (left() + 1) / bytes_each));
    }
}

std::size_t Scanner::count(const char* what, std::size_t bytes_each) {
    const std::int64_t n = integer(what);
    check_count(what, n, bytes_each);
    return static_cast<std::size_t>(n);
}

void Scanner::end_line() {
    while (at_ < bytes_.size() && (bytes_[at_] == ' ' || bytes_[at_] == '\t' || bytes_[at_] == '\r')) ++at_;
    token_at_ = at_;
    if (at_ >= bytes_.size() || bytes_[at_] != '\n') fail("more text on this line", "a line end");
    ++at_;
}

void Scanner::skip(std::size_t n, const char* what) {
    token_at_ = at_;
    if (n > left()) fail_short(what);
    at_ += n;
}

void Scanner::fail_short(const char* what) const { fail("the file ends", what); }

InputLocation Scanner::place_of(std::size_t position) const {
    if (binary_) return {name_, 0, {}};
    const std::string_view before = bytes_.substr(0, position);
    return {name_, 1 + static_cast<long>(std::count(before.begin(), before.end(), '\n')), {}};
}

void Scanner::fail_at(std::size_t position, Fault fault, std::string found, const std::string& expected) const {
    if (binary_) found += text(" (at byte ", position, ")");
    throw Error(fault, place_of(position), std::move(found), expected);
}

}  // namespace limber
