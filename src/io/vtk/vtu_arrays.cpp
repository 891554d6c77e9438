#include "io/vtk/vtu_arrays.hpp"

#include "core/text.hpp"

#include <array>
#include <limits>
#include <type_traits>

namespace limber {

namespace {
int base64_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

std::string attribute_or(const XmlElement& e, std::string_view key, const char* fallback) {
    const std::string* found = e.attribute(key);
    return found == nullptr ? std::string(fallback) : *found;
}
}  // namespace

bool decode_base64(std::string_view encoded, std::size_t limit, std::string& out, std::size_t* used) {
    out.clear();
    if (used != nullptr) *used = 0;
    std::uint32_t bits = 0;
    int have = 0;  // characters of the current group of four
    for (const char c : encoded) {
        if (out.size() >= limit) break;
        if (used != nullptr) ++*used;
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
        if (c == '=') {
            // The rest of a group: 2 characters make a byte, 3 make two.
            if (have == 1) return false;
            for (int b = 0; b + 1 < have; ++b)
                out.push_back(static_cast<char>(static_cast<unsigned char>((bits >> (6 * have - 8 * (b + 1))) & 0xff)));
            have = 0;
            bits = 0;
            continue;
        }
        const int value = base64_value(c);
        if (value < 0) return false;
        bits = (bits << 6) | static_cast<std::uint32_t>(value);
        if (++have < 4) continue;
        for (int b = 2; b >= 0; --b)
            out.push_back(static_cast<char>(static_cast<unsigned char>((bits >> (8 * b)) & 0xff)));
        have = 0;
        bits = 0;
    }
    if (out.size() > limit) out.resize(limit);
    return true;
}

void VtuArrays::fail(const XmlElement& at, const std::string& found, const std::string& expected, Fault fault) const {
    in_.fail_at(at.position, fault, found, expected);
}

VtuArrays::VtuArrays(Scanner& in, const XmlElement& root) : in_(in) {
    const std::string order = attribute_or(root, "byte_order", "LittleEndian");
    if (order != "LittleEndian" && order != "BigEndian")
        fail(root, text("byte_order is ", in_quotes(order)), "LittleEndian or BigEndian");
    swapped_ = order == "BigEndian";
    const std::string header = attribute_or(root, "header_type", "UInt32");
    if (header != "UInt32" && header != "UInt64")
        fail(root, text("header_type is ", in_quotes(header)), "UInt32 or UInt64");
    header_bytes_ = header == "UInt64" ? 8 : 4;
    const std::string* compressor = root.attribute("compressor");
    if (compressor != nullptr && !compressor->empty()) {
        fail(root, text("the arrays are compressed (", in_quotes(*compressor), ")"),
             "an uncompressed file (ParaView: save with Compressor Type None; meshio: write with compression=None)",
             Fault::unsupported);
    }
    if (const XmlElement* data = root.child("AppendedData")) {
        const std::string encoding = attribute_or(*data, "encoding", "base64");
        if (encoding != "raw" && encoding != "base64")
            fail(*data, text("the appended data's encoding is ", in_quotes(encoding)), "raw or base64");
        appended_base64_ = encoding == "base64";
        const std::size_t start = data->content.find_first_not_of(" \t\r\n");
        if (start == std::string_view::npos || data->content[start] != '_')
            fail(*data, "the appended data does not start with '_'");
        appended_ = data->content.substr(start + 1);
        if (appended_base64_) appended_ = appended_.substr(0, appended_.find('<'));
    }
}

VtuArrays::Number VtuArrays::number_type(const XmlElement& array) const {
    static constexpr std::array<const char*, 10> names = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                                          "UInt32", "Int64", "UInt64", "Float32", "Float64"};
    const std::string type = attribute_or(array, "type", "");
    for (std::size_t i = 0; i < names.size(); ++i)
        if (type == names[i]) return static_cast<Number>(i);
    fail(array, text("a DataArray of type ", in_quotes(type)), "Int8 to UInt64, Float32 or Float64");
}

void VtuArrays::take(const XmlElement& array, std::size_t entries) const {
    const ReadBudget budget;
    if (!budget.take(sizeof(double) * static_cast<std::uint64_t>(entries)))
        fail(array, budget.excess("the arrays"), budget.limit());
}

std::string_view VtuArrays::sized(const XmlElement& array, std::string_view with_header) const {
    if (with_header.size() < header_bytes_) fail(array, "an array's data ends before its length");
    std::uint64_t n = 0;
    if (header_bytes_ == 4) {
        std::uint32_t n32 = 0;
        std::memcpy(&n32, with_header.data(), 4);
        n = swapped_ ? byte_swapped(n32) : n32;
    } else {
        std::memcpy(&n, with_header.data(), 8);
        n = swapped_ ? byte_swapped(n) : n;
    }
    with_header.remove_prefix(header_bytes_);
    if (n > with_header.size())
        fail(array, text("an array says it has ", n, " bytes, but ", with_header.size(), " are left"));
    return with_header.substr(0, static_cast<std::size_t>(n));
}

// Arrays may begin in the same run of blanks: the characters count, not only the bytes they make.
void VtuArrays::decode(const XmlElement& array, std::string_view encoded, std::size_t limit, std::string& out) const {
    std::size_t used = 0;
    if (!decode_base64(encoded, limit, out, &used)) fail(array, "a character that is not base64");
    take(array, used / sizeof(double));
}

std::string_view VtuArrays::decoded(const XmlElement& array, std::string_view encoded, std::string& storage) const {
    // Appended blocks follow each other, so only as much as the header says is decoded.
    decode(array, encoded, header_bytes_, storage);
    std::uint64_t n = 0;
    if (storage.size() == header_bytes_) {
        for (std::size_t b = 0; b < header_bytes_; ++b) {
            n |= static_cast<std::uint64_t>(static_cast<unsigned char>(storage[swapped_ ? header_bytes_ - 1 - b : b]))
                 << (8 * b);
        }
    }
    if (n > encoded.size()) {
        fail(array,
             text("an array says it has ", n, " bytes, but its data is only ", encoded.size(), " characters long"));
    }
    decode(array, encoded, header_bytes_ + static_cast<std::size_t>(n), storage);
    return sized(array, storage);
}

std::string_view VtuArrays::appended_payload(const XmlElement& array, std::string& storage) {
    const std::string offset = attribute_or(array, "offset", "");
    std::int64_t at = 0;
    if (!parse_integer(offset, at))
        fail(array, text("an appended array with the offset ", in_quotes(offset)), "an integer");
    if (at < 0 || static_cast<std::uint64_t>(at) > appended_.size())
        fail(array, text("an offset of ", at, ", but the appended data has ", appended_.size(), " bytes"));
    const std::string_view rest = appended_.substr(static_cast<std::size_t>(at));
    if (!appended_base64_) return sized(array, rest);
    return decoded(array, rest, storage);
}

std::string_view VtuArrays::payload(const XmlElement& array, std::string& storage) {
    const std::string format = attribute_or(array, "format", "ascii");
    if (format == "appended") return appended_payload(array, storage);
    if (format != "binary") fail(array, text("a DataArray of format ", in_quotes(format)), "ascii, binary or appended");
    return decoded(array, array.content, storage);
}

template <class T>
std::vector<T> VtuArrays::text_values(const XmlElement& array) {
    std::vector<T> out;
    if (array.content.empty()) return out;
    // A scanner over the file up to the array's end, so that a bad number is reported with its line.
    const auto start = static_cast<std::size_t>(array.content.data() - in_.bytes().data());
    Scanner words(in_.bytes().substr(0, start + array.content.size()), in_.name());
    words.seek(start);
    take(array, array.content.size() / 2);
    while (words.more()) {
        if constexpr (std::is_integral_v<T>)
            out.push_back(words.integer("an array's value"));
        else
            out.push_back(words.real("an array's value"));
    }
    return out;
}

template <class T>
std::vector<T> VtuArrays::values(const XmlElement& array) {
    std::vector<T> out;
    const auto add = [&](auto value) {
        using From = decltype(value);
        if constexpr (std::is_integral_v<T> && std::is_floating_point_v<From>) {
            fail(array, "an array of real numbers", "integers");
        } else {
            if constexpr (std::is_same_v<From, std::uint64_t> && std::is_integral_v<T>) {
                if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                    fail(array, text("the number ", value), "a smaller one");
            }
            out.push_back(static_cast<T>(value));
        }
    };
    const Number type = number_type(array);
    if (attribute_or(array, "format", "ascii") == "ascii") return text_values<T>(array);
    std::string storage;
    const std::string_view data = payload(array, storage);
    const auto each = [&]<class From>(From) {
        if (data.size() % sizeof(From) != 0)
            fail(array, text("an array of ", data.size(), " bytes"), text("a multiple of ", sizeof(From)));
        take(array, data.size() / sizeof(From));
        out.reserve(data.size() / sizeof(From));
        for (std::size_t i = 0; i < data.size(); i += sizeof(From)) {
            From value;
            std::memcpy(&value, data.data() + i, sizeof(From));
            add(swapped_ ? byte_swapped(value) : value);
        }
    };
    switch (type) {
        case Number::i8: each(std::int8_t{}); break;
        case Number::u8: each(std::uint8_t{}); break;
        case Number::i16: each(std::int16_t{}); break;
        case Number::u16: each(std::uint16_t{}); break;
        case Number::i32: each(std::int32_t{}); break;
        case Number::u32: each(std::uint32_t{}); break;
        case Number::i64: each(std::int64_t{}); break;
        case Number::u64: each(std::uint64_t{}); break;
        case Number::f32: each(float{}); break;
        case Number::f64: each(double{}); break;
    }
    return out;
}

std::vector<double> VtuArrays::reals(const XmlElement& array) { return values<double>(array); }
std::vector<std::int64_t> VtuArrays::integers(const XmlElement& array) { return values<std::int64_t>(array); }

}  // namespace limber
