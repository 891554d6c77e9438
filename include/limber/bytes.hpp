// Fixed-width little-endian bytes, bounds-checked on the way in: how prepared deformers are saved and loaded.
#pragma once

#include <limber/error.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

class ByteWriter {
public:
    void u8(std::uint8_t v);
    void u32(std::uint32_t v);
    void u64(std::uint64_t v);
    void i32(std::int32_t v) { u32(static_cast<std::uint32_t>(v)); }
    void f64(double v);
    void text(std::string_view v);
    void reals(std::span<const double> v);        ///< length, then values
    void ints(std::span<const std::int32_t> v);   ///< length, then values
    void longs(std::span<const std::int64_t> v);  ///< length, then values
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
};

/// Throws Error{bad_data} instead of reading past the end; a length is checked against what is left before any memory
/// is taken.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes, InputLocation place = {});
    std::uint8_t u8();
    std::uint32_t u32();
    std::uint64_t u64();
    std::int32_t i32() { return static_cast<std::int32_t>(u32()); }
    double f64();
    std::string text();
    std::vector<double> reals();
    std::vector<std::int32_t> ints();
    std::vector<std::int64_t> longs();
    std::size_t left() const { return bytes_.size() - at_; }
    const InputLocation& place() const { return place_; }
    [[noreturn]] void fail(const std::string& found, const std::string& expected = {}) const;

private:
    const std::uint8_t* take(std::size_t n);
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
    InputLocation place_;
};

}  // namespace limber
