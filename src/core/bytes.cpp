#include <limber/bytes.hpp>

#include "core/text.hpp"

#include <bit>
#include <cstring>

namespace limber {

// Every machine we build for is little-endian; a big-endian port has to swap here and nowhere else.
static_assert(std::endian::native == std::endian::little);

namespace {
template <class T>
void put(std::vector<std::uint8_t>& bytes, const T* values, std::size_t count) {
    const std::size_t at = bytes.size();
    bytes.resize(at + count * sizeof(T));
    if (count > 0) std::memcpy(bytes.data() + at, values, count * sizeof(T));
}
template <class T>
std::vector<T> get(const std::uint8_t* from, std::size_t count) {
    std::vector<T> out(count);
    if (count > 0) std::memcpy(out.data(), from, count * sizeof(T));
    return out;
}
template <class T>
T get_one(const std::uint8_t* from) {
    T v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
}  // namespace

void ByteWriter::u8(std::uint8_t v) { put(bytes_, &v, 1); }
void ByteWriter::u32(std::uint32_t v) { put(bytes_, &v, 1); }
void ByteWriter::u64(std::uint64_t v) { put(bytes_, &v, 1); }
void ByteWriter::f64(double v) { put(bytes_, &v, 1); }
void ByteWriter::text(std::string_view v) {
    u64(v.size());
    put(bytes_, v.data(), v.size());
}
void ByteWriter::reals(std::span<const double> v) {
    u64(v.size());
    put(bytes_, v.data(), v.size());
}
void ByteWriter::ints(std::span<const std::int32_t> v) {
    u64(v.size());
    put(bytes_, v.data(), v.size());
}
void ByteWriter::longs(std::span<const std::int64_t> v) {
    u64(v.size());
    put(bytes_, v.data(), v.size());
}

ByteReader::ByteReader(std::span<const std::uint8_t> bytes, InputLocation place)
    : bytes_(bytes), place_(std::move(place)) {}

void ByteReader::fail(const std::string& found, const std::string& expected) const {
    throw Error(Fault::bad_data, place_, limber::text(found, " (at byte ", at_, ")"), expected);
}

const std::uint8_t* ByteReader::take(std::size_t n) {
    if (n > left()) fail(limber::text("the data ends: ", left(), " bytes are left"), limber::text(n, " more bytes"));
    const std::uint8_t* p = bytes_.data() + at_;
    at_ += n;
    return p;
}

std::uint8_t ByteReader::u8() { return *take(1); }
std::uint32_t ByteReader::u32() { return get_one<std::uint32_t>(take(4)); }
std::uint64_t ByteReader::u64() { return get_one<std::uint64_t>(take(8)); }
double ByteReader::f64() { return get_one<double>(take(8)); }

namespace {
std::size_t checked_length(ByteReader& in, std::size_t width) {
    const std::uint64_t n = in.u64();
    if (n > in.left() / width) in.fail(text("a list of ", n, " entries, but only ", in.left(), " bytes are left"));
    return static_cast<std::size_t>(n);
}
}  // namespace

std::string ByteReader::text() {
    const std::size_t n = checked_length(*this, 1);
    const std::uint8_t* p = take(n);
    return std::string(p, p + n);
}
std::vector<double> ByteReader::reals() {
    const std::size_t n = checked_length(*this, 8);
    return get<double>(take(8 * n), n);
}
std::vector<std::int32_t> ByteReader::ints() {
    const std::size_t n = checked_length(*this, 4);
    return get<std::int32_t>(take(4 * n), n);
}
std::vector<std::int64_t> ByteReader::longs() {
    const std::size_t n = checked_length(*this, 8);
    return get<std::int64_t>(take(8 * n), n);
}

}  // namespace limber
