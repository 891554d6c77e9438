// Tables of text: aligned for a terminal, plain for a pipe, and the same rows as HTML.
#pragma once

#include <string>
#include <vector>

namespace limber {

enum class Align { left, right };

struct Table {
    struct Column {
        std::string title;
        Align align = Align::left;
    };
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;  ///< missing cells are empty, extra ones are dropped

    void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
};

struct TableLook {
    bool terminal = false;  ///< box lines and bold titles; otherwise spaces only
    /// Columns of the terminal; long left-aligned cells are wrapped to fit; 0 = as wide as needed.
    std::size_t width = 0;
};

/// Whether the stream is a terminal, and how wide.
TableLook look_of(int file_descriptor);
/// Ends with a line break; every cell is one line (control characters become spaces).
std::string to_text(const Table& table, const TableLook& look = {});
/// <table>...</table>, escaped.
std::string to_html(const Table& table);

/// A number for people: four significant digits, no needless zeros; "-" when it is not finite.
std::string short_number(double value, int digits = 4);

}  // namespace limber
