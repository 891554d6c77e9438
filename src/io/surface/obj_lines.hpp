// The lines of an OBJ file, word by word.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace limber {

/// Words of one logical line with their places; a backslash before a line end is a blank.
class LineWords {
public:
    LineWords(std::string_view text, std::size_t at) : text_(text), at_(at) {}

    /// False at the end of the line; the cursor is then on the next one.
    bool next() {
        while (at_ < text_.size() && blank()) ++at_;
        begin = at_;
        while (at_ < text_.size() && text_[at_] != '\n' && !blank()) ++at_;
        end = at_;
        return end > begin;
    }
    std::size_t next_line() {
        while (next()) {}
        return std::min(at_ + 1, text_.size());
    }
    std::string_view word() const { return text_.substr(begin, end - begin); }
    /// What follows up to the end of the line, without blanks around it.
    std::string rest() {
        if (!next()) return {};
        const std::size_t first = begin;
        std::size_t last = end;
        while (next()) last = end;
        return std::string(text_.substr(first, last - first));
    }
    std::size_t begin = 0, end = 0;

private:
    bool blank() {
        const char c = text_[at_];
        if (c == ' ' || c == '\t' || c == '\r') return true;
        if (c != '\\') return false;
        std::size_t after = at_ + 1;
        if (after < text_.size() && text_[after] == '\r') ++after;
        if (after >= text_.size() || text_[after] != '\n') return false;
        at_ = after;  // on the line end, which the caller steps over
        return true;
    }
    std::string_view text_;
    std::size_t at_;
};

}  // namespace limber
