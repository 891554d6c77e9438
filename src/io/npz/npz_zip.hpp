// Zip archives as npz files are: a directory of members, stored or deflated. What a member claims is held against the
// file first.
#pragma once

#include "io/files/scanner.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

struct ZipMember {
    std::string name;
    std::uint64_t packed = 0;  ///< bytes in the file
    std::uint64_t size = 0;    ///< bytes when unpacked, as claimed
    std::size_t data = 0;      ///< where its bytes start
    std::uint32_t crc = 0;
    bool deflated = false;
};

/// Every member of the archive, in the order of its directory. Throws Error{bad_file | unsupported}: no archive, cut
/// off, encrypted, members that share bytes, another compression, more bytes claimed than deflate can make (1032 of
/// one).
std::vector<ZipMember> read_zip_directory(std::string_view bytes, const std::string& name);

/// The unpacked bytes of one member, piece by piece. Borrows the archive.
class ZipStream {
public:
    ZipStream(std::string_view archive, const ZipMember& member, InputLocation place);
    ~ZipStream();
    ZipStream(const ZipStream&) = delete;
    ZipStream& operator=(const ZipStream&) = delete;

    /// Fills all of `out` or throws Error{bad_file}. After the last byte the checksum is compared.
    void read(std::span<char> out);
    std::uint64_t left() const { return left_; }

private:
    struct Inflater;
    void unpack(std::span<char> out);

    std::string_view packed_;
    std::uint64_t left_;
    std::uint32_t wanted_crc_;
    std::uint32_t crc_ = 0;
    InputLocation place_;
    std::unique_ptr<Inflater> inflater_;  ///< null when stored
};

/// Builds an archive of stored members. Sizes and places from `wide_from` on are written in the 64-bit form (only tests
/// lower it).
class ZipWriter {
public:
    explicit ZipWriter(std::uint64_t wide_from = 0xffffffffull) : wide_from_(wide_from) {}
    /// What precedes the member's bytes in the file.
    std::string begin(const std::string& name, std::string_view content);
    /// The directory that ends the archive.
    std::string finish() const;

private:
    std::uint64_t wide_from_;
    std::uint64_t at_ = 0;
    std::size_t members_ = 0;
    std::string directory_;
};

}  // namespace limber
