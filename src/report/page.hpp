// Page: one self-contained HTML file (no network) with text, tables, claims and plots.
#pragma once

#include "io/files/indexed_folder.hpp"
#include "report/claims.hpp"
#include "report/plot.hpp"
#include "report/table.hpp"

#include <string>
#include <vector>

namespace limber {

/// Blocks appear in the order they are added. Every text given is plain text and is escaped.
class Page {
public:
    Page(std::string title, std::string subtitle);

    void section(const std::string& heading);
    void paragraph(const std::string& words);
    void table(const Table& table, const std::string& caption = {});
    /// The same in small print, the first column unbroken: for many columns.
    void dense_table(const Table& table, const std::string& caption = {});
    void claims(const std::vector<Claim>& claims);
    /// Inline SVG with title, caption, command and links to its files beside the page.
    void figure(const Plot& plot);
    /// Several plots side by side under one title, one caption and, when they show the same series, one legend.
    void panels(const std::vector<Plot>& plots, const std::string& title, const std::string& caption);
    /// A drawing that is no Plot: NAME.svg beside the page, its numbers in the file `csv`.
    void picture(const std::string& name, const std::string& title, const std::string& caption, const std::string& svg,
                 const std::string& csv);
    /// A picture file beside the page; with `movie` (another file beside it, or "") it can be played and the picture
    /// stands for it.
    struct Photo {
        std::string file, movie, title, caption;
    };
    void photo(const Photo& photo);
    /// Two in a row.
    void photos(const std::vector<Photo>& all);
    void command(const std::string& line);
    /// Text as it is, line by line.
    void code(const std::string& lines);
    /// What follows is shown on a click only, until the matching unfold().
    void fold(const std::string& summary);
    void unfold();

    std::string html() const;

private:
    std::string title_, subtitle_, body_;
    std::vector<std::string> headings_;
    int figures_ = 0;
};

/// What a folder of a page holds: index.html, plots, tables, pictures, movies. `others`: outputs that the user named;
/// those that lie in `folder` count as the page's own.
FolderClaim claim_page(const std::string& made_by, const std::string& folder,
                       const std::vector<std::string>& others = {});

/// Throws Error{bad_file}.
void write_page(const std::string& path, const Page& page);

}  // namespace limber
