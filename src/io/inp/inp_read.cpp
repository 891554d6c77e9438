// Abaqus INP: nodes, elements and sets; everything else of a deck is passed over.
#include "io/inp/inp.hpp"

#include "core/text.hpp"
#include "io/inp/inp_sets.hpp"
#include "io/msh/msh.hpp"

#include <limber/tools/mesh_io.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

struct TypeName {
    const char* name;
    int gmsh;
};
// Letters may follow (C3D8R, C3D10MH, CPS4I): they choose how the element computes, not its shape.
constexpr TypeName kNames[] = {
    {"C3D4", 4},   {"C3D8", 5}, {"C3D10", 11}, {"C3D6", 6},  {"C3D5", 7},   {"C3D15", 18}, {"C3D20", 17}, {"C3D27", 12},
    {"CPS3", 2},   {"CPE3", 2}, {"CAX3", 2},   {"S3", 2},    {"STRI3", 2},  {"M3D3", 2},   {"SFM3D3", 2}, {"CPS4", 3},
    {"CPE4", 3},   {"CAX4", 3}, {"S4", 3},     {"M3D4", 3},  {"SFM3D4", 3}, {"CPS6", 9},   {"CPE6", 9},   {"S6", 9},
    {"STRI65", 9}, {"M3D6", 9}, {"CPS8", 16},  {"CPE8", 16}, {"S8", 16},    {"M3D8", 16},  {"T3D2", 1},   {"T2D2", 1},
    {"B31", 1},    {"B21", 1},  {"T3D3", 8},   {"B32", 8},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view s) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!s.empty() && blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && blank(s.back())) s.remove_suffix(1);
    return s;
}

/// The text up to the next comma; `rest` moves past it and is empty after the last one.
std::string_view next_field(std::string_view& rest) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view field = trimmed(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    return field;
}

struct Keyword {
    std::string name;                                          ///< upper case, blanks removed
    std::vector<std::pair<std::string, std::string>> options;  ///< names in upper case

    const std::string* option(const char* wanted) const {
        for (const auto& [key, value] : options)
            if (key == wanted) return &value;
        return nullptr;
    }
};

std::string unquoted(std::string_view word) {
    if (word.size() > 1 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
    return std::string(word);
}

class InpReader {
public:
    InpReader(std::string_view bytes, const std::string& name) : in_(bytes, name) {}

    Mesh read() {
        while (in_.left() > 0) {
            const std::string_view line = next_line();
            if (line.empty()) continue;
            if (line[0] == '*')
                begin(line);
            else
                take(line);
        }
        end_block();
        if (data_.points.empty())
            in_.fail_at(in_.bytes().size(), Fault::bad_mesh, "the file has no nodes", "*NODE lines");
        return build();
    }

private:
    [[noreturn]] void fail(Fault fault, const std::string& found, const std::string& expected) const {
        in_.fail_at(start_, fault, found, expected);
    }

    /// Empty for comments.
    std::string_view next_line() {
        start_ = in_.position();
        const std::string_view line = trimmed(in_.line());
        return line.substr(0, 2) == "**" ? std::string_view{} : line;
    }

    Keyword keyword(std::string_view line) {
        std::string whole(line.substr(1));
        while (!whole.empty() && whole.back() == ',' && in_.left() > 0)
            whole += next_line();  // options go on after a comma
        Keyword out;
        std::string_view rest = whole;
        for (const char c : next_field(rest))
            if (c != ' ') out.name += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
        while (!rest.empty()) {
            const std::string_view field = next_field(rest);
            const std::size_t equals = field.find('=');
            out.options.emplace_back(
                upper(trimmed(field.substr(0, equals))),
                equals == std::string_view::npos ? std::string() : unquoted(trimmed(field.substr(equals + 1))));
        }
        return out;
    }

    std::string set_name(const Keyword& k, const char* option, bool required) {
        const std::string* name = k.option(option);
        if (name && !is_name(*name))
            fail(Fault::bad_file, text("the set name ", in_quotes(*name)), "UTF-8 text without control characters");
        if (!name && required)
            fail(Fault::bad_file, text("*", k.name, " without a name"), text("*", k.name, ", ", option, "=NAME"));
        return name ? *name : std::string();
    }

    void begin(std::string_view line) {
        end_block();
        const Keyword k = keyword(line);
        block_ = Block::other;
        if (k.name == "NODE") {
            block_ = Block::nodes;
            open_set(set_name(k, "NSET", false), node_sets_);
        } else if (k.name == "ELEMENT") {
            block_ = Block::elements;
            open_set(set_name(k, "ELSET", false), element_sets_);
            const std::string* type = k.option("TYPE");
            type_ = type ? inp_type(*type) : nullptr;
            if (!type_) {
                fail(Fault::bad_mesh,
                     type ? text("element type ", in_quotes(*type)) : std::string("*ELEMENT without a type"),
                     "C3D4, C3D10, C3D8, CPS3, CPE3, CPS4 or CPE4");
            }
        } else if (k.name == "NSET" || k.name == "ELSET") {
            block_ = k.name == "NSET" ? Block::node_set : Block::element_set;
            open_set(set_name(k, k.name.c_str(), true), block_ == Block::node_set ? node_sets_ : element_sets_);
            generate_ = k.option("GENERATE") != nullptr;
        } else if (k.name == "INCLUDE") {
            fail(Fault::unsupported, "*INCLUDE of another file", "one file");
        } else if (k.name == "INSTANCE" && ++instances_ > 1) {
            fail(Fault::unsupported, "a second *INSTANCE", "a mesh of one part");
        }
    }

    /// Found once per block: its name may be long, and its lines many.
    void open_set(const std::string& name, InpSets& sets) { set_ = name.empty() ? nullptr : &sets.open(name); }

    void end_block() {
        if (!pending_.empty()) {
            fail(Fault::bad_file, text("element ", pending_[0], " has ", counted(pending_.size() - 1, "node")),
                 text(type_->nodes, " for ", type_->name));
        }
    }

    void take(std::string_view line) {
        if (block_ == Block::nodes)
            take_node(line);
        else if (block_ == Block::elements)
            take_element(line);
        else if (block_ == Block::node_set)
            take_set(line, node_sets_);
        else if (block_ == Block::element_set)
            take_set(line, element_sets_);
    }

    std::int64_t number(std::string_view field, const char* what) const {
        std::int64_t value = 0;
        if (!parse_integer(field, value))
            fail(Fault::bad_file, text("found ", in_quotes(field)), text(what, " (an integer)"));
        return value;
    }

    double coordinate(std::string_view field) const {
        std::string word(field);
        for (char& c : word)
            if (c == 'd' || c == 'D') c = 'e';  // as Fortran writes doubles
        double value = 0.0;
        if (!word.empty() && !parse_real(word, value))
            fail(Fault::bad_file, text("found ", in_quotes(field)), "a coordinate (a number)");
        if (!std::isfinite(value)) fail(Fault::bad_mesh, text("a coordinate is ", value), "a finite number");
        return value;
    }

    void take_node(std::string_view line) {
        const std::int64_t tag = number(next_field(line), "a node number");
        Vec3 p;
        for (double* c : {&p.x, &p.y, &p.z}) *c = coordinate(next_field(line));
        data_.node_tags.push_back(tag);
        data_.points.push_back(p);
        if (set_ != nullptr) set_->add(tag);
    }

    /// An element may go on over several lines.
    void take_element(std::string_view line) {
        while (!line.empty()) {
            const std::string_view field = next_field(line);
            if (field.empty() && line.empty()) break;
            if (pending_.empty()) position_ = start_;
            pending_.push_back(number(field, "an element or node number"));
            if (pending_.size() == static_cast<std::size_t>(type_->nodes) + 1) finish_element();
        }
    }

    void finish_element() {
        MshElement e{};
        e.tag = pending_[0];
        e.first = data_.nodes.size();
        e.position = position_;
        e.type = type_;
        e.entity = static_cast<std::int32_t>(data_.elements.size() % std::numeric_limits<std::int32_t>::max());
        for (int c = 0; c < type_->nodes; ++c) {
            // build_msh expects Gmsh's order.
            const int from = type_->kind < 0 ? c : gmsh_corner(static_cast<CellKind>(type_->kind), c);
            data_.nodes.push_back(pending_[static_cast<std::size_t>(from) + 1]);
        }
        data_.elements.push_back(e);
        if (set_ != nullptr) set_->add(e.tag);
        pending_.clear();
    }

    void take_set(std::string_view line, InpSets& sets) {
        if (generate_) {
            const std::int64_t first = number(next_field(line), "the first number"),
                               last = number(next_field(line), "the last number");
            const std::string_view field = next_field(line);
            const std::int64_t step = field.empty() ? 1 : number(field, "the step");
            if (step < 1) fail(Fault::bad_file, text("a step of ", step), "1 or more");
            set_->ranges.push_back({first, last, step});
            return;
        }
        while (!line.empty()) {
            std::string_view field = next_field(line);
            if (field.empty()) continue;
            // Assemblies write the instance before the number: Part-1-1.12
            const std::size_t point = field.rfind('.');
            if (point != std::string_view::npos && point + 1 < field.size() &&
                std::all_of(field.begin() + static_cast<std::ptrdiff_t>(point) + 1, field.end(), is_digit)) {
                field.remove_prefix(point + 1);
            }
            std::int64_t value = 0;
            if (parse_integer(field, value)) {
                set_->add(value);
            } else if (!sets.add_set(*set_, unquoted(field), in_)) {
                fail(Fault::bad_file, text("the set ", in_quotes(set_->name), " names ", in_quotes(field)),
                     "a number, or a set defined before it");
            }
        }
    }

    Mesh build() {
        std::vector<std::int64_t> tags = data_.node_tags;
        std::sort(tags.begin(), tags.end());
        std::vector<MshElement> elements = data_.elements;
        std::stable_sort(elements.begin(), elements.end(),
                         [](const MshElement& a, const MshElement& b) { return a.tag < b.tag; });
        for (std::size_t i = 1; i < elements.size(); ++i) {
            if (elements[i].tag == elements[i - 1].tag) {
                in_.fail_at(elements[i].position, Fault::bad_mesh, text("element ", elements[i].tag, " is given twice"),
                            "every element once");
            }
        }
        const std::vector<std::int64_t> nodes = data_.nodes;
        Mesh mesh = build_msh(data_, in_);
        node_sets_.put(tags, in_, mesh.vertex_sets);
        put_element_sets(element_sets_, elements, nodes, tags, in_, mesh);
        return mesh;
    }

    enum class Block { other, nodes, elements, node_set, element_set };

    Scanner in_;
    std::size_t start_ = 0;  ///< of the current line
    Block block_ = Block::other;
    InpSets::Set* set_ = nullptr;  ///< that the block fills
    bool generate_ = false;
    int instances_ = 0;
    const ElementType* type_ = nullptr;
    std::vector<std::int64_t> pending_;  ///< numbers of an element that goes on
    std::size_t position_ = 0;           ///< where it began
    MshData data_;
    InpSets node_sets_, element_sets_;
};

}  // namespace

const ElementType* inp_type(std::string_view name) {
    const std::string wanted = upper(name);
    for (const TypeName& t : kNames) {
        const std::string_view known = t.name;
        if (wanted.compare(0, known.size(), known) != 0) continue;
        if (std::none_of(wanted.begin() + static_cast<std::ptrdiff_t>(known.size()), wanted.end(), is_digit))
            return gmsh_type(t.gmsh);
    }
    return nullptr;
}

Mesh parse_inp(std::string_view bytes, const std::string& name) { return InpReader(bytes, name).read(); }

}  // namespace limber
