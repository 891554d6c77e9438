#include "io/npz/npz.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace limber {

namespace {
constexpr std::size_t kMostHeader = 1 << 16, kMostDimensions = 4;

// The Python literal of a header: a dict of a text, a truth value and a tuple of integers.
class HeaderWords {
public:
    HeaderWords(std::string_view words, const InputLocation& place) : words_(words), place_(place) {}

    NpyHeader read() {
        NpyHeader h;
        bool type = false, order = false, shape = false;
        expect('{');
        while (!next_is('}')) {
            const std::string_view key = quoted();
            expect(':');
            if (key == "descr" && !type) {
                type = true;
                h.type = std::string(element_type());
            } else if (key == "fortran_order" && !order) {
                order = true;
                h.fortran_order = truth();
            } else if (key == "shape" && !shape) {
                shape = true;
                h.shape = sizes();
            } else
                fail(text("the entry ", in_quotes(key)), "descr, fortran_order and shape, once each");
            if (!next_is(',')) {
                expect('}');
                break;
            }
        }
        if (!type || !order || !shape) fail("an entry is missing", "descr, fortran_order and shape");
        return h;
    }

private:
    [[noreturn]] void fail(const std::string& found, const std::string& expected) const {
        throw Error(Fault::bad_file, place_, text("in the array's header, ", found), expected);
    }
    void skip_blanks() {
        while (at_ < words_.size() && (words_[at_] == ' ' || words_[at_] == '\n' || words_[at_] == '\t')) ++at_;
    }
    bool next_is(char c) {
        skip_blanks();
        if (at_ >= words_.size() || words_[at_] != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!next_is(c)) fail(text(in_quotes(words_.substr(std::min(at_, words_.size()), 12))), text("'", c, "'"));
    }
    std::string_view quoted() {
        skip_blanks();
        const char mark = at_ < words_.size() ? words_[at_] : '\0';
        if (mark != '\'' && mark != '"')
            fail(in_quotes(words_.substr(std::min(at_, words_.size()), 12)), "a word in quotes");
        const std::size_t end = words_.find(mark, at_ + 1);
        if (end == std::string_view::npos) fail("a word without its closing quote", "one");
        const std::string_view word = words_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return word;
    }
    std::string_view element_type() {
        skip_blanks();
        if (at_ < words_.size() && words_[at_] == '[')
            throw Error(Fault::unsupported, place_, "an array of records", "plain numbers, such as <f8");
        return quoted();
    }
    bool truth() {
        skip_blanks();
        for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
            if (words_.substr(at_, word.size()) == word) {
                at_ += word.size();
                return word == "True";
            }
        }
        fail(in_quotes(words_.substr(at_, 12)), "True or False");
    }
    std::vector<std::size_t> sizes() {
        std::vector<std::size_t> out;
        expect('(');
        while (!next_is(')')) {
            out.push_back(size());
            if (!next_is(',')) {
                expect(')');
                break;
            }
        }
        return out;
    }
    std::size_t size() {
        skip_blanks();
        const std::size_t end = std::min(words_.find_first_not_of("0123456789", at_), words_.size());
        std::int64_t value = 0;
        if (end == at_ || !parse_integer(words_.substr(at_, end - at_), value))
            fail(in_quotes(words_.substr(at_, 24)), "a size");
        at_ = end;
        if (at_ < words_.size() && words_[at_] == 'L') ++at_;  // as Python 2 wrote long integers
        return static_cast<std::size_t>(value);
    }

    std::string_view words_;
    const InputLocation& place_;
    std::size_t at_ = 0;
};

NpyHeader read_header(ZipStream& in, const InputLocation& place) {
    std::array<char, 12> front{};
    in.read(std::span(front).first(10));
    if (std::string_view(front.data(), 6) != std::string_view("\x93NUMPY", 6))
        throw Error(Fault::bad_file, place, "this is no NumPy array", "a .npy member");
    const int version = static_cast<unsigned char>(front[6]);
    if (version < 1 || version > 3)
        throw Error(Fault::unsupported, place, text("an array of .npy version ", version), "1, 2 or 3");
    std::size_t length = static_cast<unsigned char>(front[8]) |
                         static_cast<std::size_t>(static_cast<unsigned char>(front[9])) << 8;
    if (version > 1) {
        in.read(std::span(front).subspan(10, 2));
        length |= static_cast<std::size_t>(static_cast<unsigned char>(front[10])) << 16 |
                  static_cast<std::size_t>(static_cast<unsigned char>(front[11])) << 24;
    }
    if (length > kMostHeader)
        throw Error(Fault::bad_file, place, text("a header of ", length, " bytes"), text("at most ", kMostHeader));
    std::string words(length, '\0');
    in.read(words);
    return parse_npy_header(words, place);
}

template <class From>
void read_values(ZipStream& in, std::size_t count, std::vector<double>& out) {
    // Grows with what is really there: a claimed size alone takes no memory.
    std::vector<From> piece(std::min<std::size_t>(count, 1 << 14));
    while (count > 0) {
        const std::size_t n = std::min(count, piece.size());
        in.read({reinterpret_cast<char*>(piece.data()), n * sizeof(From)});
        for (std::size_t i = 0; i < n; ++i) out.push_back(static_cast<double>(piece[i]));
        count -= n;
    }
}

std::vector<double> to_c_order(const std::vector<double>& values, std::span<const std::size_t> shape) {
    std::vector<double> out(values.size());
    std::vector<std::size_t> index(shape.size(), 0);
    for (const double value : values) {  // the first index runs fastest
        std::size_t to = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) to = to * shape[d] + index[d];
        out[to] = value;
        for (std::size_t d = 0; d < shape.size() && ++index[d] == shape[d]; ++d) index[d] = 0;
    }
    return out;
}

std::size_t bytes_of(const std::string& type, const InputLocation& place) {
    if (type == "<f8" || type == "<i8") return 8;
    if (type == "<f4" || type == "<i4") return 4;
    throw Error(Fault::unsupported, place, text("an array of type ", in_quotes(type)),
                "<f8, <f4, <i8 or <i4: little-endian numbers of 64 or 32 bits");
}
}  // namespace

std::size_t NpyHeader::entries() const {
    std::size_t n = 1;
    for (const std::size_t s : shape) {
        if (s != 0 && n > std::numeric_limits<std::size_t>::max() / s) return std::numeric_limits<std::size_t>::max();
        n *= s;
    }
    return n;
}

std::string shape_text(std::span<const std::size_t> shape) {
    std::string out = "[";
    for (const std::size_t s : shape) out += text(out.size() > 1 ? ", " : "", s);
    return out + "]";
}

NpyHeader parse_npy_header(std::string_view words, const InputLocation& place) {
    return HeaderWords(words, place).read();
}

NpzReader::NpzReader(std::string_view bytes, std::string name)
    : budget_(bytes.size()), bytes_(bytes), name_(std::move(name)), members_(read_zip_directory(bytes_, name_)) {}

std::vector<std::string> NpzReader::names() const {
    std::vector<std::string> out;
    for (const ZipMember& m : members_)
        if (m.name.ends_with(".npy")) out.push_back(m.name.substr(0, m.name.size() - 4));
    return out;
}

const ZipMember* NpzReader::find(const std::string& array) const {
    const auto at = std::find_if(members_.begin(), members_.end(),
                                 [&](const ZipMember& m) { return m.name == array + ".npy"; });
    return at == members_.end() ? nullptr : &*at;
}

NpyArray NpzReader::numbers(const std::string& array) const {
    const InputLocation place{name_, 0, array};
    const ZipMember* member = find(array);
    if (member == nullptr) throw Error(Fault::bad_file, place, "there is no such array");
    ZipStream in(bytes_, *member, place);
    const NpyHeader header = read_header(in, place);
    if (header.shape.size() > kMostDimensions) {
        throw Error(Fault::unsupported, place, text("an array of ", header.shape.size(), " dimensions"),
                    text("at most ", kMostDimensions));
    }
    const std::size_t each = bytes_of(header.type, place), entries = header.entries();
    if (entries != in.left() / each || in.left() % each != 0) {
        throw Error(Fault::bad_file, place,
                    text("an array of shape ", shape_text(header.shape), " in ", in.left(), " bytes"),
                    text(each, " bytes for each number"));
    }
    // As doubles, and once more as vectors, or in another order.
    budget_.spend(2 * sizeof(double) * static_cast<std::uint64_t>(entries), "the arrays", place);
    NpyArray out{header.shape, {}, header.type == "<f4"};
    if (header.type == "<f8")
        read_values<double>(in, entries, out.values);
    else if (header.type == "<f4")
        read_values<float>(in, entries, out.values);
    else if (header.type == "<i8")
        read_values<std::int64_t>(in, entries, out.values);
    else
        read_values<std::int32_t>(in, entries, out.values);
    if (header.fortran_order && header.shape.size() > 1) out.values = to_c_order(out.values, header.shape);
    return out;
}

}  // namespace limber
