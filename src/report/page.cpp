#include "report/page.hpp"

#include "core/text.hpp"
#include "report/files.hpp"

#include <algorithm>
#include <filesystem>

namespace limber {
namespace {

const char* page_style_sheet() {
    return R"css(
:root{color-scheme:light dark;--ink:#26292e;--soft:#5b616a;--line:#dfe2e6;--ground:#fff;--card:#f6f7f9;
--link:#0069a8;--good:#00704f;--bad:#b04400}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--soft:#a4abb5;--line:#343a42;--ground:#16191d;
--card:#1e2227;--link:#58b2ee;--good:#3fcfa5;--bad:#ff8f4d}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif}
main,header,footer{max-width:60rem;margin:0 auto;padding:0 1.1rem}
header{padding-top:2.2rem}h1{font-size:1.9rem;line-height:1.2;margin:0 0 .4rem}h2{font-size:1.3rem;margin:2.6rem 0 .6rem;line-height:1.3}
.lede{color:var(--soft);font-size:1.08rem;margin:0 0 1rem;max-width:46rem}p{max-width:46rem;margin:.6rem 0}
nav{font-size:.93rem;margin:1rem 0;display:flex;flex-wrap:wrap;gap:.3rem 1.1rem}a{color:var(--link)}
.scroll{overflow-x:auto;margin:.8rem 0}table{border-collapse:collapse;font-size:.9rem;min-width:20rem}
th,td{text-align:left;padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--soft)}.num{text-align:right;font-variant-numeric:tabular-nums}
td.num{white-space:nowrap}caption,.caption{color:var(--soft);font-size:.9rem}
figure{margin:1.8rem 0;padding:0}figure h3{font-size:1.02rem;margin:0 0 .3rem}
figcaption{color:var(--soft);font-size:.92rem;max-width:46rem;margin-top:.3rem}
figure .scroll{margin:0}figure svg{display:block;min-width:30rem}
code,.command{font:13px/1.5 ui-monospace,"SFMono-Regular","DejaVu Sans Mono",Menlo,Consolas,monospace}
.command{display:block;background:var(--card);border:1px solid var(--line);border-radius:6px;
padding:.45rem .7rem;margin:.5rem 0;overflow-x:auto;white-space:pre}
.claim{border-left:4px solid var(--line);padding:.1rem 0 .1rem .9rem;margin:1.1rem 0}
.claim.holds{border-color:var(--good)}.claim.differs{border-color:var(--bad)}
.claim h3{font-size:1rem;margin:0}.claim p{margin:.25rem 0}
.verdict{font-weight:600}.holds .verdict{color:var(--good)}.differs .verdict{color:var(--bad)}
.claim .id{color:var(--soft);font-weight:400}.claim .numbers{font-variant-numeric:tabular-nums}
.grid{display:grid;grid-template-columns:repeat(var(--columns),minmax(0,1fr));gap:.8rem 1.2rem}
.grid h4{font-size:.92rem;font-weight:600;margin:.2rem 0 0}
.grid .cell{min-width:0}figure .grid svg,figure svg.legend{min-width:0}figure .legend svg{min-width:0}
.dense table{font-size:.78rem}.dense th,.dense td{padding:.22rem .55rem .22rem 0}.dense td:first-child{white-space:nowrap}
details{border:1px solid var(--line);border-radius:8px;padding:.55rem .9rem;margin:.9rem 0}
summary{cursor:pointer;font-weight:600}details[open]>summary{margin-bottom:.6rem}
pre.code{font:12.5px/1.5 ui-monospace,"SFMono-Regular","DejaVu Sans Mono",Menlo,Consolas,monospace;
background:var(--card);border-radius:6px;padding:.7rem .9rem;overflow-x:auto;margin:.4rem 0}
.photo img,.photo video{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:6px;background:#f4f1ec}
footer{color:var(--soft);font-size:.85rem;padding:2rem 1.1rem 3rem;margin-top:3rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
@media (max-width:44rem){.grid{grid-template-columns:minmax(0,1fr)}}
@media print{nav{display:none}figure,.claim{break-inside:avoid}}
)css";
}

std::string paragraph_of(const std::string& words) { return text("<p>", escape_markup(words), "</p>\n"); }
std::string command_of(const std::string& line) {
    return text("<code class=\"command\">", escape_markup(line), "</code>\n");
}

std::string claim_of(const Claim& c) {
    const std::string unit = c.unit.empty() ? "" : " " + c.unit;
    return text("<div class=\"claim ", c.holds ? "holds" : "differs", "\">\n<h3>", escape_markup(c.paper),
                " <span class=\"id\">", escape_markup(c.id),
                "</span></h3>\n<p class=\"numbers\"><span class=\"verdict\">", c.holds ? "Holds" : "Differs",
                "</span>: measured ", escape_markup(short_number(c.measured) + unit), ", expected ",
                escape_markup(expected_words(c)), "</p>\n", paragraph_of(c.why), "</div>\n");
}

std::string photo_of(const Page::Photo& photo) {
    const std::string name = escape_markup(photo.file), film = escape_markup(photo.movie),
                      title = escape_markup(photo.title);
    std::string out = text("<figure class=\"photo\">\n<h3>", title, "</h3>\n");
    if (photo.movie.empty()) {
        out += text("<img src=\"", name, "\" alt=\"", title, "\" loading=\"lazy\">\n");
    } else {
        out += text("<video src=\"", film, "\" poster=\"", name,
                    "\" controls loop muted playsinline preload=\"metadata\"></video>\n");
    }
    out += text("<figcaption>", escape_markup(photo.caption), " Files: <a href=\"", name, "\">PNG</a>");
    if (!photo.movie.empty()) out += text(", <a href=\"", film, "\">movie</a>");
    return out + ".</figcaption>\n</figure>\n";
}

}  // namespace

Page::Page(std::string title, std::string subtitle) : title_(std::move(title)), subtitle_(std::move(subtitle)) {}

void Page::section(const std::string& heading) {
    headings_.push_back(heading);
    body_ += text("<h2 id=\"s", headings_.size(), "\">", escape_markup(heading), "</h2>\n");
}

void Page::paragraph(const std::string& words) { body_ += paragraph_of(words); }

void Page::table(const Table& rows, const std::string& caption) {
    body_ += to_html(rows);
    if (!caption.empty()) body_ += text("<p class=\"caption\">", escape_markup(caption), "</p>\n");
}

void Page::dense_table(const Table& rows, const std::string& caption) {
    body_ += "<div class=\"dense\">\n";
    table(rows, caption);
    body_ += "</div>\n";
}

void Page::claims(const std::vector<Claim>& claims) {
    for (const Claim& c : claims) body_ += claim_of(c);
}

void Page::figure(const Plot& plot) {
    ++figures_;
    body_ += text("<figure id=\"", escape_markup(plot.name), "\">\n<h3>", escape_markup(plot.title),
                  "</h3>\n<div class=\"scroll\">", to_svg(plot, SvgText::axes_only), "</div>\n<figcaption>",
                  escape_markup(plot.caption), " Files: <a href=\"", escape_markup(plot.name),
                  ".svg\">SVG</a>, <a href=\"", escape_markup(plot.name), ".csv\">CSV</a>.</figcaption>\n");
    if (!plot.command.empty()) body_ += command_of(plot.command);
    body_ += "</figure>\n";
}

void Page::panels(const std::vector<Plot>& plots, const std::string& title, const std::string& caption) {
    if (plots.empty()) return;
    const auto same_series = [&](const Plot& p) {
        bool same = p.series.size() == plots[0].series.size() && p.shades.size() == plots[0].shades.size();
        for (std::size_t i = 0; same && i < p.series.size(); ++i)
            same = p.series[i].name == plots[0].series[i].name && p.series[i].style == plots[0].series[i].style;
        return same;
    };
    const bool shared = plots.size() > 1 && std::all_of(plots.begin(), plots.end(), same_series);
    body_ += text("<figure>\n<h3>", escape_markup(title), "</h3>\n");
    if (shared) body_ += text("<div class=\"legend\">", legend_svg(plots[0]), "</div>\n");
    const int columns = plots[0].width < 400 ? 3 : 2;
    body_ += text("<div class=\"grid\" style=\"--columns:", columns, "\">\n");
    for (const Plot& plot : plots) {
        body_ += text("<div class=\"cell\" id=\"", escape_markup(plot.name), "\"><h4>", escape_markup(plot.title),
                      "</h4>\n", to_svg(plot, shared ? SvgText::no_legend : SvgText::axes_only), "</div>\n");
    }
    body_ += text("</div>\n<figcaption>", escape_markup(caption), " Files:");
    for (const Plot& plot : plots) {
        body_ += text(" ", escape_markup(plot.name), " <a href=\"", escape_markup(plot.name),
                      ".svg\">SVG</a> <a href=\"", escape_markup(plot.name), ".csv\">CSV</a>",
                      &plot == &plots.back() ? "." : ",");
    }
    body_ += "</figcaption>\n";
    if (!plots[0].command.empty()) body_ += command_of(plots[0].command);
    body_ += "</figure>\n";
}

void Page::code(const std::string& lines) { body_ += text("<pre class=\"code\">", escape_markup(lines), "</pre>\n"); }

void Page::fold(const std::string& summary) {
    body_ += text("<details>\n<summary>", escape_markup(summary), "</summary>\n");
}

void Page::unfold() { body_ += "</details>\n"; }

void Page::picture(const std::string& name, const std::string& title, const std::string& caption,
                   const std::string& svg, const std::string& csv) {
    body_ += text("<figure id=\"", escape_markup(name), "\">\n<h3>", escape_markup(title),
                  "</h3>\n<div class=\"scroll\">", svg, "</div>\n<figcaption>", escape_markup(caption),
                  " Files: <a href=\"", escape_markup(name), ".svg\">SVG</a>, <a href=\"", escape_markup(csv),
                  "\">CSV</a>.</figcaption>\n</figure>\n");
}

void Page::photo(const Photo& photo) { body_ += photo_of(photo); }

void Page::photos(const std::vector<Photo>& all) {
    body_ += "<div class=\"grid\" style=\"--columns:2\">\n";
    for (const Photo& photo : all) body_ += photo_of(photo);
    body_ += "</div>\n";
}

void Page::command(const std::string& line) { body_ += command_of(line); }

std::string Page::html() const {
    std::string out = text(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\">\n",
        "<link rel=\"icon\" href=\"data:,\">\n<title>", escape_markup(title_), "</title>\n<style>", page_style_sheet(),
        "</style>\n</head>\n<body>\n");
    out += text("<header>\n<h1>", escape_markup(title_), "</h1>\n<p class=\"lede\">", escape_markup(subtitle_),
                "</p>\n");
    if (headings_.size() > 1) {
        out += "<nav>";
        for (std::size_t i = 0; i < headings_.size(); ++i)
            out += text("<a href=\"#s", i + 1, "\">", escape_markup(headings_[i]), "</a> ");
        out += "</nav>\n";
    }
    return text(out, "</header>\n<main>\n", body_, "</main>\n<footer>Made by ", escape_markup(provenance_line()),
                ".</footer>\n</body>\n</html>\n");
}

FolderClaim claim_page(const std::string& made_by, const std::string& folder, const std::vector<std::string>& others) {
    FolderClaim out{made_by, "index.html", {"*.svg", "*.csv", "*.png", "*.mp4"}, {}};
    namespace fs = std::filesystem;
    for (const std::string& other : others) {
        std::error_code ignored;
        const fs::path file = fs::weakly_canonical(other, ignored);
        const bool inside = !other.empty() && file.parent_path() == fs::weakly_canonical(folder, ignored);
        // A table may stand beside those of the page; a name that the page itself takes cannot be kept for another
        // file.
        if (inside && (file.extension() == ".csv" || !is_claimed(out, file.filename().string())))
            out.kept.push_back(file.filename().string());
    }
    return out;
}

void write_page(const std::string& path, const Page& page) { write_text_file(path, page.html()); }

}  // namespace limber
