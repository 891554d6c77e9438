#include "io/npz/npz_zip.hpp"

#include "core/text.hpp"

#include <zlib.h>

#include <algorithm>
#include <set>

namespace limber {

namespace {
constexpr std::uint32_t kLocal = 0x04034b50, kEntry = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50,
                        kLocator64 = 0x07064b50;
constexpr std::size_t kEndBytes = 22, kEntryBytes = 46, kLocatorBytes = 20;
constexpr std::uint32_t kSeeWide = 0xffffffff;  // "look into the 64-bit field"
constexpr std::uint64_t kMostPerByte = 1032;    // deflate cannot make more of one byte
constexpr std::uint16_t kWideField = 1;

struct Directory {
    std::uint64_t entries = 0, bytes = 0, start = 0;
};

std::size_t find_end(Scanner& in) {
    const std::string_view bytes = in.bytes();
    // A comment of up to 65535 bytes may follow the end record; its length must fit, or the mark is part of something
    // else.
    for (std::size_t back = kEndBytes; back <= std::min<std::size_t>(bytes.size(), kEndBytes + 65535); ++back) {
        const std::size_t at = bytes.size() - back;
        if (bytes.compare(at, 4, "PK\5\6", 4) != 0) continue;
        in.seek(at + 20);
        if (in.raw<std::uint16_t>("the end of a zip archive") == back - kEndBytes) return at;
    }
    in.fail_at(0, Fault::bad_file, "this is no npz file", "a zip archive, with its directory at the end");
}

Directory read_end64(Scanner& in, std::size_t end) {
    if (end < kLocatorBytes) in.fail_at(end, Fault::bad_file, "the archive's 64-bit directory is missing");
    in.seek(end - kLocatorBytes);
    if (in.raw<std::uint32_t>("a zip64 locator") != kLocator64) in.fail("the archive's 64-bit directory is missing");
    in.skip(4, "a zip64 locator");
    const std::uint64_t at = in.raw<std::uint64_t>("a zip64 locator");
    if (at > end) in.fail(text("the 64-bit directory starts at byte ", at), text("one before ", end));
    in.seek(static_cast<std::size_t>(at));
    if (in.raw<std::uint32_t>("a zip64 end record") != kEnd64) in.fail("the archive's 64-bit directory is missing");
    in.skip(28, "a zip64 end record");
    Directory d;
    d.entries = in.raw<std::uint64_t>("the number of members");
    d.bytes = in.raw<std::uint64_t>("the directory's size");
    d.start = in.raw<std::uint64_t>("the directory's place");
    return d;
}

Directory find_directory(Scanner& in) {
    const std::size_t end = find_end(in);
    in.seek(end);
    if (in.raw<std::uint32_t>("the end of a zip archive") != kEnd) in.fail("the archive's end is damaged");
    const auto disk = in.raw<std::uint16_t>("a disk number");
    in.skip(4, "a zip end record");
    Directory d;
    d.entries = in.raw<std::uint16_t>("the number of members");
    d.bytes = in.raw<std::uint32_t>("the directory's size");
    d.start = in.raw<std::uint32_t>("the directory's place");
    if (disk != 0 && disk != 0xffff) in.fail(Fault::unsupported, "an archive in several parts", "one file");
    if (d.entries == 0xffff || d.bytes == kSeeWide || d.start == kSeeWide) d = read_end64(in, end);
    if (d.start > end || d.bytes > end - d.start) {
        in.fail_at(end, Fault::bad_file, text("a directory of ", d.bytes, " bytes at byte ", d.start),
                   text("one that lies before byte ", end));
    }
    if (d.entries > d.bytes / kEntryBytes) {
        in.fail_at(end, Fault::bad_file, text("a directory of ", d.entries, " members in ", d.bytes, " bytes"),
                   text(kEntryBytes, " bytes or more each"));
    }
    return d;
}

/// The 64-bit values of an extra field, in the order of those that are asked for.
void read_wide(Scanner& in, std::size_t end, std::initializer_list<std::uint64_t*> asked) {
    while (in.position() + 4 <= end) {
        const auto kind = in.raw<std::uint16_t>("an extra field"), length = in.raw<std::uint16_t>("an extra field");
        if (length > end - in.position())
            in.fail(text("an extra field of ", length, " bytes"), text("at most ", end - in.position()));
        const std::size_t next = in.position() + length;
        if (kind == kWideField) {
            for (std::uint64_t* value : asked) {
                if (*value != kSeeWide) continue;
                if (in.position() + 8 > next) in.fail("a 64-bit size is missing");
                *value = in.raw<std::uint64_t>("a 64-bit size");
            }
            return;
        }
        in.seek(next);
    }
}

/// Where the member's bytes start: its own header repeats the name and may have other extra fields.
std::size_t find_data(Scanner& in, std::uint64_t local, const std::string& member) {
    if (local > in.bytes().size())
        in.fail(text("the member ", in_quotes(member), " starts at byte ", local), text("at most ", in.bytes().size()));
    in.seek(static_cast<std::size_t>(local));
    if (in.raw<std::uint32_t>("a member's header") != kLocal)
        in.fail(text("no header where the member ", in_quotes(member), " should start"));
    in.skip(22, "a member's header");
    const auto name = in.raw<std::uint16_t>("a name's length"),
               extra = in.raw<std::uint16_t>("an extra field's length");
    in.skip(std::size_t{name} + extra, "a member's header");
    return in.position();
}

void check_sizes(const Scanner& in, const ZipMember& m, std::uint64_t& taken) {
    if (m.packed > in.bytes().size() - m.data) {
        in.fail(text("the member ", in_quotes(m.name), " says it has ", m.packed, " bytes"),
                text("at most ", in.bytes().size() - m.data));
    }
    // Each byte belongs to one member only: otherwise a small file could unpack to any size.
    taken += m.packed;
    if (taken > in.bytes().size())
        in.fail("the members hold more bytes than the file", "members that do not share their data");
    if (!m.deflated && m.size != m.packed)
        in.fail(text("the stored member ", in_quotes(m.name), " has ", m.packed, " bytes and says ", m.size));
    if (m.deflated && m.size / kMostPerByte > m.packed) {
        in.fail(text("the member ", in_quotes(m.name), " says that ", m.packed, " bytes become ", m.size),
                text("at most ", kMostPerByte, " for each"));
    }
}

ZipMember read_entry(Scanner& in, std::size_t end, std::uint64_t& taken) {
    if (in.raw<std::uint32_t>("a directory entry") != kEntry) in.fail("a damaged directory entry");
    in.skip(4, "a directory entry");
    const auto flags = in.raw<std::uint16_t>("flags"), method = in.raw<std::uint16_t>("a compression method");
    in.skip(4, "a date");
    ZipMember m;
    m.crc = in.raw<std::uint32_t>("a checksum");
    m.packed = in.raw<std::uint32_t>("a size");
    m.size = in.raw<std::uint32_t>("a size");
    const auto name = in.raw<std::uint16_t>("a length"), extra = in.raw<std::uint16_t>("a length"),
               comment = in.raw<std::uint16_t>("a length");
    in.skip(8, "attributes");
    std::uint64_t local = in.raw<std::uint32_t>("a place");
    const std::size_t start = in.position();
    if (start > end || std::size_t{name} + extra + comment > end - start)
        in.fail("a directory entry that is longer than the directory");
    m.name = std::string(in.bytes().substr(start, name));
    in.seek(start + name);
    read_wide(in, start + name + extra, {&m.size, &m.packed, &local});
    if ((flags & 1) != 0)
        in.fail(Fault::unsupported, text("the member ", in_quotes(m.name), " is encrypted"), "a plain one");
    if (method != 0 && method != 8) {
        in.fail(Fault::unsupported, text("the member ", in_quotes(m.name), " is compressed by method ", method),
                "stored (0) or deflated (8)");
    }
    m.deflated = method == 8;
    m.data = find_data(in, local, m.name);
    check_sizes(in, m, taken);
    in.seek(start + name + extra + comment);
    return m;
}
}  // namespace

std::vector<ZipMember> read_zip_directory(std::string_view bytes, const std::string& name) {
    Scanner in(bytes, name);
    in.set_binary(false);
    const Directory directory = find_directory(in);
    const auto end = static_cast<std::size_t>(directory.start + directory.bytes);
    in.seek(static_cast<std::size_t>(directory.start));
    std::vector<ZipMember> members;
    std::set<std::string> names;
    std::uint64_t taken = 0;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        members.push_back(read_entry(in, end, taken));
        if (!names.insert(members.back().name).second)
            in.fail(text("two members are called ", in_quotes(members.back().name)), "names that differ");
    }
    return members;
}

struct ZipStream::Inflater {
    z_stream z{};
    ~Inflater() { inflateEnd(&z); }
};

ZipStream::ZipStream(std::string_view archive, const ZipMember& member, InputLocation place)
    : packed_(archive.substr(member.data, static_cast<std::size_t>(member.packed))),
      left_(member.size),
      wanted_crc_(member.crc),
      place_(std::move(place)) {
    crc_ = static_cast<std::uint32_t>(crc32(0, nullptr, 0));
    if (!member.deflated) return;
    inflater_ = std::make_unique<Inflater>();
    if (inflateInit2(&inflater_->z, -MAX_WBITS) != Z_OK)
        throw Error(Fault::unsupported, place_, "zlib could not be started");  // raw: no zlib header inside zip
}

ZipStream::~ZipStream() = default;

void ZipStream::unpack(std::span<char> out) {
    z_stream& z = inflater_->z;
    constexpr std::size_t most = 1u << 30;  // zlib counts in 32 bits
    while (!out.empty()) {
        const std::size_t wanted = std::min(out.size(), most), given = std::min(packed_.size(), most);
        z.next_out = reinterpret_cast<Bytef*>(out.data());
        z.avail_out = static_cast<uInt>(wanted);
        z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
        z.avail_in = static_cast<uInt>(given);
        const int result = inflate(&z, Z_NO_FLUSH);
        const std::size_t made = wanted - z.avail_out, used = given - z.avail_in;
        packed_.remove_prefix(used);
        out = out.subspan(made);
        if (out.empty()) return;
        if (result == Z_STREAM_END || (made == 0 && used == 0))
            throw Error(Fault::bad_file, place_, "the compressed data ends too early", text(left_, " more bytes"));
        if (result != Z_OK && result != Z_BUF_ERROR)
            throw Error(Fault::bad_file, place_, "the compressed data is damaged");
    }
}

void ZipStream::read(std::span<char> out) {
    if (out.size() > left_)
        throw Error(Fault::bad_file, place_, text("the array ends after ", left_, " more bytes"), text(out.size()));
    if (inflater_) {
        unpack(out);
    } else {
        std::copy_n(packed_.begin(), out.size(), out.begin());
        packed_.remove_prefix(out.size());
    }
    left_ -= out.size();
    for (std::size_t at = 0; at < out.size(); at += std::size_t{1} << 30) {
        crc_ = static_cast<std::uint32_t>(crc32(crc_, reinterpret_cast<const Bytef*>(out.data() + at),
                                                static_cast<uInt>(std::min(out.size() - at, std::size_t{1} << 30))));
    }
    if (left_ == 0 && crc_ != wanted_crc_)
        throw Error(Fault::bad_file, place_, "the checksum does not fit the data", "an undamaged file");
}

}  // namespace limber
