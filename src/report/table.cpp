#include "report/table.hpp"

#include "core/text.hpp"
#include "report/files.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

std::string clean(const std::string& raw) {
    std::string out = valid_utf8(raw);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    return out;
}

std::string cell_of(const Table& table, std::size_t row, std::size_t column) {
    const std::vector<std::string>& cells = table.rows[row];
    return column < cells.size() ? clean(cells[column]) : std::string();
}

/// Words broken so that no line is wider than `width`; a single longer word stays whole.
std::vector<std::string> wrapped(const std::string& words, std::size_t width) {
    std::vector<std::string> lines(1);
    const std::size_t indent = std::min(words.find_first_not_of(' '), words.size());
    for (std::size_t at = indent; at <= words.size();) {
        const std::size_t end = std::min(words.find(' ', at), words.size());
        const std::string word = words.substr(at, end - at);
        if (lines.back().empty())
            lines.back() = word;
        else if (display_width(lines.back()) + 1 + display_width(word) <= width)
            lines.back() += " " + word;
        else
            lines.push_back(word);
        at = end + 1;
    }
    lines.front().insert(0, indent, ' ');
    return lines;
}

std::vector<std::size_t> widths_of(const Table& table, const TableLook& look) {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        std::size_t w = display_width(clean(table.columns[c].title));
        for (std::size_t r = 0; r < table.rows.size(); ++r) w = std::max(w, display_width(cell_of(table, r, c)));
        widths.push_back(w);
    }
    if (look.width == 0 || widths.empty()) return widths;
    // The widest text column gives way until the table fits or nothing readable is left to give.
    const std::size_t between = look.terminal ? 3 * widths.size() + 1 : 2 * (widths.size() - 1);
    for (;;) {
        std::size_t total = between, widest = widths.size();
        for (std::size_t c = 0; c < widths.size(); ++c) {
            total += widths[c];
            if (table.columns[c].align == Align::left && widths[c] > 16 &&
                (widest == widths.size() || widths[c] > widths[widest])) {
                widest = c;
            }
        }
        if (total <= look.width || widest == widths.size()) return widths;
        --widths[widest];
    }
}

std::string padded(const std::string& cell, std::size_t width, Align align) {
    const std::size_t used = display_width(cell);
    const std::string space(width > used ? width - used : 0, ' ');
    return align == Align::right ? space + cell : cell + space;
}

std::string rule(const std::vector<std::size_t>& widths, const char* left, const char* middle, const char* right) {
    std::string out = left;
    for (std::size_t c = 0; c < widths.size(); ++c) {
        if (c > 0) out += middle;
        for (std::size_t i = 0; i < widths[c] + 2; ++i) out += "─";
    }
    return text(out, right, "\n");
}

std::string lines_of_row(const Table& table, const std::vector<std::string>& cells,
                         const std::vector<std::size_t>& widths, const TableLook& look, bool bold) {
    std::vector<std::vector<std::string>> parts;
    std::size_t height = 1;
    for (std::size_t c = 0; c < widths.size(); ++c) {
        parts.push_back(wrapped(cells[c], widths[c]));
        height = std::max(height, parts.back().size());
    }
    std::string out;
    for (std::size_t line = 0; line < height; ++line) {
        std::string row = look.terminal ? "│ " : "";
        for (std::size_t c = 0; c < widths.size(); ++c) {
            if (c > 0) row += look.terminal ? " │ " : "  ";
            const std::string cell = padded(line < parts[c].size() ? parts[c][line] : "", widths[c],
                                            table.columns[c].align);
            row += bold && look.terminal ? text("\x1b[1m", cell, "\x1b[0m") : cell;
        }
        if (look.terminal)
            row += " │";
        else
            row.erase(row.find_last_not_of(' ') + 1);
        out += row + "\n";
    }
    return out;
}

}  // namespace

TableLook look_of(int file_descriptor) {
    TableLook look;
    look.terminal = ::isatty(file_descriptor) == 1;
    winsize size{};
    if (look.terminal && ::ioctl(file_descriptor, TIOCGWINSZ, &size) == 0) look.width = size.ws_col;
    return look;
}

std::string to_text(const Table& table, const TableLook& look) {
    const std::vector<std::size_t> widths = widths_of(table, look);
    std::vector<std::string> titles;
    for (const Table::Column& c : table.columns) titles.push_back(clean(c.title));
    std::string out = look.terminal ? rule(widths, "┌", "┬", "┐") : "";
    out += lines_of_row(table, titles, widths, look, true);
    if (look.terminal) out += rule(widths, "├", "┼", "┤");
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        std::vector<std::string> cells;
        for (std::size_t c = 0; c < widths.size(); ++c) cells.push_back(cell_of(table, r, c));
        out += lines_of_row(table, cells, widths, look, false);
    }
    return look.terminal ? out + rule(widths, "└", "┴", "┘") : out;
}

std::string to_html(const Table& table) {
    std::string out = "<div class=\"scroll\"><table>\n<thead><tr>";
    const auto open = [&](const char* tag, std::size_t c) {
        return text("<", tag, table.columns[c].align == Align::right ? " class=\"num\">" : ">");
    };
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        out += text(open("th", c), escape_markup(clean(table.columns[c].title)), "</th>");
    out += "</tr></thead>\n<tbody>\n";
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        out += "<tr>";
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            out += text(open("td", c), escape_markup(cell_of(table, r, c)), "</td>");
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

std::string short_number(double value, int digits) {
    if (!std::isfinite(value)) return "-";
    return plain_number(value, digits);
}

}  // namespace limber
