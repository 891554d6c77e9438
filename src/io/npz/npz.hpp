// npz: NumPy's zip archives of arrays. Reading takes memory only for bytes that are really there; writing needs no
// compression.
#pragma once

#include "io/files/atomic_file.hpp"
#include "io/npz/npz_zip.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// What the header of a .npy member says.
struct NpyHeader {
    std::string type;  ///< "<f8"
    bool fortran_order = false;
    std::vector<std::size_t> shape;
    std::size_t entries() const;
};

/// An array of numbers; the last index runs fastest.
struct NpyArray {
    std::vector<std::size_t> shape;
    std::vector<double> values;
    bool single = false;  ///< stored with 32 bits: about seven digits
};

/// "[3, 8, 2]"
std::string shape_text(std::span<const std::size_t> shape);

class NpzReader {
public:
    /// Borrows `bytes`. Throws Error{bad_file | unsupported} (see read_zip_directory).
    NpzReader(std::string_view bytes, std::string name);

    /// Names without ".npy", in the order of the file.
    std::vector<std::string> names() const;
    bool has(const std::string& array) const { return find(array) != nullptr; }
    /// Floats or integers of 32 or 64 bits, little-endian, in C or Fortran order, up to four dimensions. Throws
    /// Error{bad_file | unsupported}.
    NpyArray numbers(const std::string& array) const;
    const std::string& name() const { return name_; }

private:
    const ZipMember* find(const std::string& array) const;

    ReadBudget budget_;
    std::string_view bytes_;
    std::string name_;
    std::vector<ZipMember> members_;
};

/// The header text alone, for tests and fuzzing: "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }".
NpyHeader parse_npy_header(std::string_view words, const InputLocation& place);

/// Writes array after array; the file appears complete at finish() or not at all.
class NpzWriter {
public:
    explicit NpzWriter(const std::string& path) : file_(path) {}
    void add(const std::string& array, std::span<const std::size_t> shape, std::span<const double> values);
    void add(const std::string& array, std::span<const std::size_t> shape, std::span<const std::int32_t> values);
    /// A single text, ASCII: numpy.load gives it back without pickle.
    void add(const std::string& array, std::string_view ascii);
    void finish();

private:
    void add_member(const std::string& array, std::string_view type, std::span<const std::size_t> shape,
                    std::string_view data);

    AtomicFile file_;
    ZipWriter zip_;
};

}  // namespace limber
