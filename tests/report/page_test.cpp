#include "report/page.hpp"

#include "report/files.hpp"
#include "report/progress_bar.hpp"
#include "report/table.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace limber {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Claim claim() {
    return judged({"rod", "drops <b>below</b>", 4.19, "s", 4.2, 0.05, Relation::equal, false, "because & why"});
}

std::vector<std::string> lines_of(const std::string& words) {
    std::vector<std::string> out;
    std::istringstream in(words);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

TEST(Page, NeedsNothingFromTheNetwork) {
    Page page("title", "subtitle");
    page.section("figures");
    page.figure({"p", "a plot", "caption", "limber x", {"x", ""}, {"y", ""}, {{"s", {0, 1}, {0, 1}}}, {}});
    page.claims({claim()});
    const std::string html = page.html();
    for (const char* bad : {"src=", "@import", "url(", "<script", "<iframe"})
        EXPECT_EQ(html.find(bad), std::string::npos) << bad;
    // The SVG namespace is a name, not an address that is fetched.
    std::string rest = html;
    for (std::size_t at; (at = rest.find("http://www.w3.org/2000/svg")) != std::string::npos;) rest.erase(at, 26);
    EXPECT_EQ(rest.find("http"), std::string::npos);
    EXPECT_NE(html.find("<svg"), std::string::npos);
    EXPECT_NE(html.find("limber x"), std::string::npos);
}

TEST(Page, WordsAreEscapedWhereverTheyStand) {
    Page page("<i>t", "<i>s");
    page.section("<i>h");
    page.section("<i>h2");
    page.paragraph("<i>p");
    page.command("<i>c");
    page.table({{{"<i>a"}}, {{"<i>b"}}}, "<i>k");
    Claim c = claim();
    c.id = c.unit = c.why = "<i>x";
    page.claims({c});
    page.figure(
        {"p", "<i>", "<i>", "<i>", {"<i>", "<i>"}, {"<i>", "<i>"}, {{"<i>", {0, 1}, {0, 1}}}, {{true, 0.5, "<i>"}}});
    EXPECT_EQ(page.html().find("<i>"), std::string::npos);
    EXPECT_EQ(page.html().find("<b>"), std::string::npos);
}

TEST(Claims, AreJudgedByTheirRelation) {
    EXPECT_TRUE(agrees(1.05, Relation::equal, 1.0, 0.1));
    EXPECT_FALSE(agrees(1.15, Relation::equal, 1.0, 0.1));
    EXPECT_FALSE(agrees(0.85, Relation::equal, 1.0, 0.1));
    EXPECT_TRUE(agrees(0.5, Relation::at_most, 1.0, 0.0));
    EXPECT_FALSE(agrees(1.5, Relation::at_most, 1.0, 0.0));
    EXPECT_TRUE(agrees(1.5, Relation::at_least, 1.0, 0.0));
    EXPECT_FALSE(agrees(0.5, Relation::at_least, 1.0, 0.0));
    // What could not be measured never holds, whichever way the comparison points.
    for (const Relation r : {Relation::equal, Relation::at_most, Relation::at_least})
        EXPECT_FALSE(agrees(kNan, r, 1.0, 1e9));
    EXPECT_FALSE(agrees(std::numeric_limits<double>::infinity(), Relation::at_least, 1.0, 0.0));
}

TEST(Claims, HaveTheAgreedKeysAndNullForWhatIsNotANumber) {
    Claim c = claim();
    c.measured = kNan;
    const nlohmann::json j = to_json(judged(c));
    for (const char* key : {"id", "paper", "measured", "unit", "expected", "tolerance", "holds", "why"})
        EXPECT_TRUE(j.contains(key)) << key;
    EXPECT_TRUE(j["measured"].is_null());
    EXPECT_EQ(j["holds"], false);
    EXPECT_EQ(j.dump().find("nan"), std::string::npos);
}

TEST(Table, ColumnsLineUpWhateverTheScript) {
    // Widths in bytes would shift every row with an accent, a combining mark or a wide character.
    const Table table{{{"name"}, {"n", Align::right}}, {{"e\xCC\x81t\xC3\xA9", "1"}, {"日本", "22"}, {"plain", "333"}}};
    const std::vector<std::string> lines = lines_of(to_text(table));
    ASSERT_EQ(lines.size(), 4u);
    for (const std::string& line : lines) EXPECT_EQ(display_width(line), display_width(lines[0])) << line;
    const std::vector<std::string> boxed = lines_of(to_text(table, {true, 0}));
    ASSERT_EQ(boxed.size(), 7u);
    EXPECT_EQ(display_width(boxed[0]), display_width(boxed.back()));
}

TEST(Table, IsPlainWithoutATerminal) {
    const std::string words = to_text({{{"a"}, {"b"}}, {{"x\ny\x1b[31m", "z"}}});
    EXPECT_EQ(words.find('\x1b'), std::string::npos);
    EXPECT_EQ(words.find("│"), std::string::npos);
    EXPECT_EQ(lines_of(words).size(), 2u);
}

TEST(Table, WrapsLongWordsToTheTerminalAndLosesNone) {
    std::string sentence;
    for (int i = 0; i < 60; ++i) sentence += "word" + std::to_string(i) + " ";
    const std::string words = to_text({{{"id"}, {"text"}}, {{"a", sentence}}}, {true, 60});
    for (const std::string& line : lines_of(words)) {
        const bool coloured = line.find('\x1b') != std::string::npos;  // escapes take no room on the screen
        EXPECT_TRUE(coloured || display_width(line) <= 60u) << line;
    }
    for (int i = 0; i < 60; ++i) EXPECT_NE(words.find("word" + std::to_string(i)), std::string::npos);
}

TEST(Table, ShortAndLongRowsDoNotBreakIt) {
    EXPECT_EQ(lines_of(to_text({{{"a"}, {"b"}}, {{}, {"1", "2", "3"}}})).size(), 3u);
    EXPECT_NO_THROW(to_text({}, {true, 10}));
    EXPECT_NO_THROW(to_html({}));
}

TEST(Table, NumbersAreShortAndNeverNan) {
    EXPECT_EQ(short_number(0.1), "0.1");
    EXPECT_EQ(short_number(-0.0), "0");
    EXPECT_EQ(short_number(123456.0), "123500");
    EXPECT_EQ(short_number(182.0, 2), "180");
    EXPECT_EQ(short_number(-3.2e9), "-3.2e+09");
    EXPECT_EQ(short_number(0.00012345, 3), "0.000123");
    EXPECT_EQ(short_number(kNan), "-");
}

TEST(ProgressLine, FitsItsWidthAndShowsTheTimeLeft) {
    for (std::size_t width = 0; width < 90; ++width)
        EXPECT_LE(display_width(progress_line(0.5, "factoring a très grande matrice", 30.0, width)), width);
    EXPECT_NE(progress_line(0.25, "x", 10.0, 80).find("30 s left"), std::string::npos);
    EXPECT_EQ(progress_line(0.01, "x", 10.0, 80).find("left"), std::string::npos);
    EXPECT_NE(progress_line(kNan, "x", 1.0, 80).find("0 %"), std::string::npos);
    EXPECT_EQ(time_left(5400), "1 h 30 min");
}

TEST(Utf8, BrokenBytesAreReplacedOneByOne) {
    EXPECT_EQ(valid_utf8("a\xff\xc3(b"), "a\xEF\xBF\xBD\xEF\xBF\xBD(b");
    EXPECT_EQ(valid_utf8("\xc0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");  // an overlong zero
    EXPECT_EQ(valid_utf8("\xed\xa0\x80").size(), 9u);               // half of a surrogate pair
    EXPECT_EQ(escape_markup("<a href='\"'>&"), "&lt;a href=&#39;&quot;&#39;&gt;&amp;");
}

}  // namespace
}  // namespace limber
