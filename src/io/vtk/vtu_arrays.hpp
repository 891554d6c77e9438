// The DataArrays of a VTU file: text, base64 in place, or appended (raw or base64), in either byte order.
#pragma once

#include "io/vtk/xml.hpp"

#include <cstdint>
#include <vector>

namespace limber {

/// Up to `limit` bytes; `used`: characters that were looked at. Blanks are passed over; padding may occur inside, where
/// a header was encoded on its own. False when a character is not base64.
bool decode_base64(std::string_view encoded, std::size_t limit, std::string& out, std::size_t* used = nullptr);

class VtuArrays {
public:
    /// Reads byte order, header type, compression and the appended block from the root element <VTKFile>.
    VtuArrays(Scanner& in, const XmlElement& root);

    std::vector<double> reals(const XmlElement& array);
    std::vector<std::int64_t> integers(const XmlElement& array);
    Scanner& scanner() { return in_; }
    [[noreturn]] void fail(const XmlElement& at, const std::string& found, const std::string& expected = {},
                           Fault fault = Fault::bad_file) const;

private:
    enum class Number { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };
    Number number_type(const XmlElement& array) const;
    /// The bytes of a binary array; `storage` keeps decoded ones alive.
    std::string_view payload(const XmlElement& array, std::string& storage);
    std::string_view appended_payload(const XmlElement& array, std::string& storage);
    std::string_view sized(const XmlElement& array, std::string_view with_header) const;
    std::string_view decoded(const XmlElement& array, std::string_view encoded, std::string& storage) const;
    void decode(const XmlElement& array, std::string_view encoded, std::size_t limit, std::string& out) const;
    template <class T>
    std::vector<T> values(const XmlElement& array);
    template <class T>
    std::vector<T> text_values(const XmlElement& array);
    /// Arrays may share bytes of the file, so that a small one could claim much memory: what they become is counted.
    void take(const XmlElement& array, std::size_t entries) const;

    Scanner& in_;
    bool swapped_ = false;
    std::size_t header_bytes_ = 4;
    std::string_view appended_;
    bool appended_base64_ = false;
};

}  // namespace limber
