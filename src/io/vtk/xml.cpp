#include "io/vtk/xml.hpp"

#include "core/text.hpp"

#include <charconv>

namespace limber {

namespace {
constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxElements = 200000;

bool is_xml_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == ':';
}

void append_utf8(std::string& out, std::uint32_t code) {
    const auto byte = [&](std::uint32_t b) { out.push_back(static_cast<char>(static_cast<unsigned char>(b))); };
    if (code < 0x80) return byte(code);
    if (code < 0x800)
        byte(0xc0 | (code >> 6));
    else if (code < 0x10000) {
        byte(0xe0 | (code >> 12));
        byte(0x80 | ((code >> 6) & 0x3f));
    } else {
        byte(0xf0 | (code >> 18));
        byte(0x80 | ((code >> 12) & 0x3f));
        byte(0x80 | ((code >> 6) & 0x3f));
    }
    byte(0x80 | (code & 0x3f));
}

class XmlReader {
public:
    XmlReader(Scanner& in, std::string_view stop_at) : in_(in), bytes_(in.bytes()), stop_at_(stop_at) {}

    XmlElement read() {
        if (bytes_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;
        skip_misc();
        if (peek() != '<')
            fail(at_, text("found ", in_quotes(bytes_.substr(at_, 20))), "an XML file, which starts with '<'");
        XmlElement root;
        element(root, 0);
        return root;
    }

private:
    [[noreturn]] void fail(std::size_t at, const std::string& found, const std::string& expected = {}) const {
        in_.fail_at(at, Fault::bad_file, found, expected);
    }
    char peek() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; }
    bool starts(std::string_view s) const { return bytes_.substr(at_, s.size()) == s; }
    void skip_blanks() {
        while (at_ < bytes_.size() && is_xml_blank(bytes_[at_])) ++at_;
    }
    void skip_past(std::string_view end, const char* what) {
        const std::size_t found = bytes_.find(end, at_);
        if (found == std::string_view::npos) fail(at_, text(what, " is not closed"), std::string(end));
        at_ = found + end.size();
    }
    // Comments and instructions; true when one was there.
    bool skip_one_misc() {
        if (starts("<!--")) {
            skip_past("-->", "a comment");
            return true;
        }
        if (starts("<?")) {
            skip_past("?>", "an instruction");
            return true;
        }
        if (starts("<!"))
            fail(at_, text("found ", in_quotes(bytes_.substr(at_, 12))), "plain elements (no document type, no CDATA)");
        return false;
    }
    void skip_misc() {
        for (skip_blanks(); skip_one_misc(); skip_blanks()) {}
    }

    std::string_view name() {
        const std::size_t start = at_;
        while (at_ < bytes_.size() && is_name_char(bytes_[at_])) ++at_;
        if (at_ == start) fail(at_, text("found ", in_quotes(bytes_.substr(at_, 12))), "a name");
        return bytes_.substr(start, at_ - start);
    }

    // At '&'. Appends what it stands for.
    void entity(std::string_view value, std::size_t& i, std::size_t place, std::string& out) const {
        const std::size_t end = value.find(';', i);
        const std::string_view body = end == std::string_view::npos ? std::string_view{}
                                                                    : value.substr(i + 1, end - i - 1);
        if (body == "lt")
            out += '<';
        else if (body == "gt")
            out += '>';
        else if (body == "amp")
            out += '&';
        else if (body == "quot")
            out += '"';
        else if (body == "apos")
            out += '\'';
        else {
            const bool hex = body.substr(0, 2) == "#x";
            const std::string_view digits = body.substr(std::min<std::size_t>(body.size(), hex ? 2 : 1));
            std::uint32_t code = 0;
            const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code,
                                                       hex ? 16 : 10);
            if (body.substr(0, 1) != "#" || digits.empty() || error != std::errc{} ||
                stop != digits.data() + digits.size() || code > 0x10ffff) {
                fail(place + i, text("found the entity ", in_quotes(value.substr(i, 12))),
                     "&lt; &gt; &amp; &quot; &apos; or &#number;");
            }
            append_utf8(out, code);
        }
        i = end;
    }

    void attribute(XmlElement& out) {
        const std::string_view key = name();
        skip_blanks();
        if (peek() != '=') fail(at_, text("attribute ", in_quotes(key), " has no value"), "name=\"value\"");
        ++at_;
        skip_blanks();
        const char quote = peek();
        if (quote != '"' && quote != '\'')
            fail(at_, text("the value of attribute ", in_quotes(key), " is not in quotes"));
        const std::size_t start = ++at_;
        const std::size_t end = bytes_.find(quote, start);
        if (end == std::string_view::npos)
            fail(start, text("the value of attribute ", in_quotes(key), " is not closed"));
        const std::string_view raw = bytes_.substr(start, end - start);
        std::string value;
        for (std::size_t i = 0; i < raw.size(); ++i) {
            if (raw[i] == '&')
                entity(raw, i, start, value);
            else
                value += raw[i];
        }
        in_.spend(2 * sizeof(out.attributes[0]) + value.size(), "the attributes");
        out.attributes.emplace_back(key, std::move(value));
        at_ = end + 1;
    }

    void element(XmlElement& out, int depth) {
        if (depth >= kMaxDepth) fail(at_, text("elements nested deeper than ", kMaxDepth), text("at most ", kMaxDepth));
        if (++elements_ > kMaxElements)
            fail(at_, text("more than ", kMaxElements, " elements"), text("at most ", kMaxElements));
        out.position = at_++;
        out.name = name();
        for (skip_blanks(); is_name_char(peek()); skip_blanks()) attribute(out);
        if (starts("/>")) {
            at_ += 2;
            return;
        }
        if (peek() != '>') fail(at_, text("element ", in_quotes(out.name), " is not closed"), "'>'");
        ++at_;
        if (out.name == stop_at_) {
            out.content = bytes_.substr(at_);
            stopped_ = true;
            return;
        }
        inside(out, depth);
    }

    void inside(XmlElement& out, int depth) {
        while (!stopped_) {
            const std::size_t next = bytes_.find('<', at_);
            if (next == std::string_view::npos) {
                fail(bytes_.size(), text("the file ends inside the element ", in_quotes(out.name)),
                     text("</", out.name, ">"));
            }
            const std::string_view words = bytes_.substr(at_, next - at_);
            if (out.content.empty() && words.find_first_not_of(" \t\r\n") != std::string_view::npos)
                out.content = words;
            at_ = next;
            if (starts("</")) return close(out);
            if (skip_one_misc()) continue;
            out.children.emplace_back();
            element(out.children.back(), depth + 1);
        }
    }

    void close(const XmlElement& out) {
        const std::size_t start = at_;
        at_ += 2;
        const std::string_view end = name();
        if (end != out.name)
            fail(start, text("found </", end.substr(0, 40), ">"), text("</", out.name.substr(0, 40), ">"));
        skip_blanks();
        if (peek() != '>') fail(at_, text("the end of ", in_quotes(out.name), " is not closed"), "'>'");
        ++at_;
    }

    Scanner& in_;
    std::string_view bytes_;
    std::string_view stop_at_;
    std::size_t at_ = 0;
    std::size_t elements_ = 0;
    bool stopped_ = false;
};
}  // namespace

const std::string* XmlElement::attribute(std::string_view key) const {
    for (const auto& [name_, value] : attributes)
        if (name_ == key) return &value;
    return nullptr;
}

const XmlElement* XmlElement::child(std::string_view key) const {
    for (const XmlElement& c : children)
        if (c.name == key) return &c;
    return nullptr;
}

XmlElement parse_xml(Scanner& in, std::string_view stop_at) { return XmlReader(in, stop_at).read(); }

std::string xml_escaped(std::string_view words) {
    std::string out;
    for (const char c : words) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

}  // namespace limber
