#include "io/npz/npz_zip.hpp"

#include <zlib.h>

namespace limber {

namespace {
template <class T>
void put(std::string& out, T value) {
    for (std::size_t b = 0; b < sizeof(T); ++b) {
        out.push_back(
            static_cast<char>(static_cast<unsigned char>((static_cast<std::uint64_t>(value) >> (8 * b)) & 0xff)));
    }
}
constexpr std::uint16_t kDate = 33;  // 1980-01-01, the first a zip can name: the same recording gives the same bytes

std::uint32_t checksum_of(std::string_view content) {
    uLong crc = crc32(0, nullptr, 0);
    for (std::size_t at = 0; at < content.size(); at += std::size_t{1} << 30) {
        crc = crc32(crc, reinterpret_cast<const Bytef*>(content.data() + at),
                    static_cast<uInt>(std::min(content.size() - at, std::size_t{1} << 30)));
    }
    return static_cast<std::uint32_t>(crc);
}
}  // namespace

std::string ZipWriter::begin(const std::string& name, std::string_view content) {
    const bool wide = content.size() >= wide_from_, far = at_ >= wide_from_;
    const auto size = wide ? 0xffffffffu : static_cast<std::uint32_t>(content.size());
    // What local header and directory share: version, flags (none), method (stored), time, date, checksum, sizes, name
    // length.
    std::string common;
    put<std::uint16_t>(common, wide || far ? 45 : 20);
    for (const std::uint16_t v : {std::uint16_t{0}, std::uint16_t{0}, std::uint16_t{0}, kDate}) put(common, v);
    put(common, checksum_of(content));
    put(common, size);
    put(common, size);
    put(common, static_cast<std::uint16_t>(name.size()));

    std::string sizes;
    if (wide) put<std::uint64_t>(sizes, content.size()), put<std::uint64_t>(sizes, content.size());
    const auto extra = [](const std::string& values) {
        std::string out;
        if (!values.empty())
            put<std::uint16_t>(out, 1), put(out, static_cast<std::uint16_t>(values.size())), out += values;
        return out;
    };
    std::string local;
    put<std::uint32_t>(local, 0x04034b50);
    local += common;
    put(local, static_cast<std::uint16_t>(extra(sizes).size()));
    local += name + extra(sizes);

    std::string place = sizes;
    if (far) put(place, at_);
    put<std::uint32_t>(directory_, 0x02014b50);
    put<std::uint16_t>(directory_, 45);
    directory_ += common;
    put(directory_, static_cast<std::uint16_t>(extra(place).size()));
    directory_.append(10, '\0');  // comment, disk, attributes
    put(directory_, far ? 0xffffffffu : static_cast<std::uint32_t>(at_));
    directory_ += name + extra(place);
    at_ += local.size() + content.size();
    ++members_;
    return local;
}

std::string ZipWriter::finish() const {
    std::string out = directory_;
    const bool wide = at_ >= wide_from_ || directory_.size() >= wide_from_ || members_ >= 0xffff;
    if (wide) {
        put<std::uint32_t>(out, 0x06064b50);
        put<std::uint64_t>(out, 44);
        put<std::uint16_t>(out, 45), put<std::uint16_t>(out, 45);
        put<std::uint64_t>(out, 0);  // disks
        put<std::uint64_t>(out, members_), put<std::uint64_t>(out, members_);
        put<std::uint64_t>(out, directory_.size()), put<std::uint64_t>(out, at_);
        put<std::uint32_t>(out, 0x07064b50);
        put<std::uint32_t>(out, 0);
        put<std::uint64_t>(out, at_ + directory_.size());
        put<std::uint32_t>(out, 1);
    }
    put<std::uint32_t>(out, 0x06054b50);
    put<std::uint32_t>(out, 0);
    const auto count = wide ? std::uint16_t{0xffff} : static_cast<std::uint16_t>(members_);
    put(out, count);
    put(out, count);
    put(out, wide ? 0xffffffffu : static_cast<std::uint32_t>(directory_.size()));
    put(out, wide ? 0xffffffffu : static_cast<std::uint32_t>(at_));
    put<std::uint16_t>(out, 0);
    return out;
}

}  // namespace limber
