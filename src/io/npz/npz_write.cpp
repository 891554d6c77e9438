#include "io/npz/npz.hpp"

#include "core/text.hpp"

namespace limber {

namespace {
std::string npy_header(std::string_view type, std::span<const std::size_t> shape) {
    std::string sizes;
    for (const std::size_t s : shape) sizes += text(s, ", ");
    std::string words = text("{'descr': '", type, "', 'fortran_order': False, 'shape': (", sizes, "), }");
    // Magic, version and length take 10 bytes; the data must start at a multiple of 64.
    words.append(63 - (10 + words.size()) % 64, ' ');
    words += '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    out.push_back(static_cast<char>(static_cast<unsigned char>(words.size() & 0xff)));
    out.push_back(static_cast<char>(static_cast<unsigned char>(words.size() >> 8)));
    return out + words;
}
}  // namespace

void NpzWriter::add_member(const std::string& array, std::string_view type, std::span<const std::size_t> shape,
                           std::string_view data) {
    std::string content = npy_header(type, shape);
    content += data;
    file_.write(zip_.begin(array + ".npy", content));
    file_.write(content);
}

void NpzWriter::add(const std::string& array, std::span<const std::size_t> shape, std::span<const double> values) {
    add_member(array, "<f8", shape, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

void NpzWriter::add(const std::string& array, std::span<const std::size_t> shape,
                    std::span<const std::int32_t> values) {
    add_member(array, "<i4", shape, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

void NpzWriter::add(const std::string& array, std::string_view ascii) {
    std::string wide;  // NumPy keeps texts as UTF-32
    for (const char c : ascii) {
        wide.push_back(c);
        wide.append(3, '\0');
    }
    add_member(array, text("<U", ascii.size()), {}, wide);
}

void NpzWriter::finish() {
    file_.write(zip_.finish());
    file_.commit();
}

}  // namespace limber
