#include "io/files/read_budget.hpp"
#include "io/recording/recording_file.hpp"

#include "core/text.hpp"
#include "io/files/files_read.hpp"
#include "io/files/regular_file.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <unistd.h>

namespace limber {

namespace {
class MemorySource : public ByteSource {
public:
    explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
    std::uint64_t left() const override { return bytes_.size(); }
    bool read(std::span<std::uint8_t> out) override {
        std::copy(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(out.size()), out.begin());
        bytes_.remove_prefix(out.size());
        return true;
    }

private:
    std::string_view bytes_;
};

// Frame by frame: a recording may be larger than memory has room for twice.
class FileSource : public ByteSource {
public:
    explicit FileSource(const std::string& path) : file_(path), left_(file_.size()) {
        remember_file_read(file_.handle());
        if (left_ == 0) throw Error(Fault::bad_file, {path, 0, {}}, "the file is empty");
    }
    std::uint64_t left() const override { return left_; }
    bool read(std::span<std::uint8_t> out) override {
        while (!out.empty()) {
            const ssize_t n = ::read(file_.handle(), out.data(), out.size());
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return false;
            left_ -= std::min<std::uint64_t>(left_, static_cast<std::uint64_t>(n));
            out = out.subspan(static_cast<std::size_t>(n));
        }
        return true;
    }

private:
    RegularFile file_;
    std::uint64_t left_ = 0;
};

std::uint64_t number_at(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t width) {
    std::uint64_t v = 0;
    for (std::size_t b = 0; b < width; ++b) v |= static_cast<std::uint64_t>(bytes[at + b]) << (8 * b);
    return v;
}

// `front` (4 bytes of tag or version, 8 of length) and what follows it: false when cut or damaged.
bool read_checked(ByteSource& source, std::span<const std::uint8_t> front, std::vector<std::uint8_t>& payload) {
    const std::uint64_t length = number_at(front, 4, 8);
    if (source.left() < 8 || length > source.left() - 8) return false;
    payload.resize(static_cast<std::size_t>(length));
    std::uint8_t sum[8];
    if (!source.read(payload) || !source.read(sum)) return false;
    return checksum(payload, checksum(front)) == number_at(sum, 0, 8);
}

Recording read_head(ByteSource& source, const std::string& name, std::vector<std::uint8_t>& buffer) {
    const auto fail = [&](Fault fault, const std::string& found, const std::string& expected) {
        throw Error(fault, {name, 0, {}}, found, expected);
    };
    std::uint8_t front[28];
    const std::string_view magic(reinterpret_cast<const char*>(front), kRecordingMagic.size());
    if (source.left() < sizeof front || !source.read(front) || magic != kRecordingMagic)
        fail(Fault::bad_file, "this is no recording", "a file that starts with 'limber recording'");
    const std::span<const std::uint8_t> rest = std::span<const std::uint8_t>(front).subspan(kRecordingMagic.size());
    const std::uint64_t version = number_at(rest, 0, 4);
    if (version == 0 || version > kRecordingVersion) {
        fail(Fault::bad_data, text("a recording of format ", version),
             text("format 1 to ", kRecordingVersion, " (a newer limber reads newer formats)"));
    }
    if (!read_checked(source, rest, buffer))
        fail(Fault::bad_data, "the recording's header is cut or damaged", "its length and checksum to agree");
    ByteReader in(buffer, {name, 0, {}});
    return load_head(in, static_cast<std::uint32_t>(version));
}

// False at the end, regular or not; cut_short tells which.
bool read_record(ByteSource& source, Recording& r, const std::string& name, std::vector<std::uint8_t>& buffer) {
    r.cut_short = true;  // until the end record says otherwise
    std::uint8_t front[12];
    if (source.left() < sizeof front || !source.read(front) || !read_checked(source, front, buffer)) return false;
    ByteReader in(buffer, {name, 0, text("frame ", r.frames.size())});
    const std::uint64_t tag = number_at(front, 0, 4);
    if (tag == kEndRecord) {
        const std::uint64_t frames = in.u64();
        if (frames != r.frames.size()) in.fail(text("the end counts ", frames, " frames"), text(r.frames.size()));
        r.cut_short = in.u8() != 0;
        return false;
    }
    if (tag != kFrameRecord) in.fail(text("a record of kind ", tag), "a frame (1) or the end (2)");
    Frame frame = load_frame(in, r);
    try {
        check_frame(frame, r, name);
    } catch (const Error& e) {
        in.fail(e.found(), e.expected());
    }
    r.frames.push_back(std::move(frame));
    return true;
}
}  // namespace

Recording parse_recording(ByteSource& source, const std::string& name) {
    const ReadBudget budget(source.left());
    std::vector<std::uint8_t> buffer;
    Recording r = read_head(source, name, buffer);
    while (read_record(source, r, name, buffer)) {}
    return r;
}

Recording parse_recording(std::string_view bytes, const std::string& name) {
    MemorySource source(bytes);
    return parse_recording(source, name);
}

Recording read_recording(const std::string& path) {
    FileSource source(path);
    Recording recording = parse_recording(source, path);
    recording.file = path;
    return recording;
}

}  // namespace limber
