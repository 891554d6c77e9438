#include "io/files/atomic_file.hpp"
#include "io/recording/recording_file.hpp"

#include "core/text.hpp"

#include <cmath>

namespace limber {

namespace {
std::string_view view(const ByteWriter& out) {
    return {reinterpret_cast<const char*>(out.bytes().data()), out.bytes().size()};
}

void write_head(AtomicFile& file, const Recording& r) {
    const auto fail = [&](const char* found) {
        throw Error(Fault::bad_usage, {file.path(), 0, {}}, text("not written: ", found));
    };
    if (r.body == nullptr) fail("a recording without a body");
    if (!std::isfinite(r.step) || !std::isfinite(r.prepare_ms))
        fail("a recording whose step or preparation time is not finite");
    ByteWriter head;
    save_head(head, r);
    ByteWriter front;
    front.u32(format_of(r));
    front.u64(head.bytes().size());
    ByteWriter sum;
    sum.u64(checksum(head.bytes(), checksum(front.bytes())));
    file.write(kRecordingMagic);
    for (const ByteWriter* part : {&front, &head, &sum}) file.write(view(*part));
}

// One write() per record: a kill between two leaves whole records only.
void write_record(AtomicFile& file, std::uint32_t tag, const ByteWriter& payload) {
    ByteWriter front;
    front.u32(tag);
    front.u64(payload.bytes().size());
    ByteWriter sum;
    sum.u64(checksum(payload.bytes(), checksum(front.bytes())));
    std::string all;
    all.reserve(payload.bytes().size() + 20);
    for (const std::string_view part : {view(front), view(payload), view(sum)}) all += part;
    file.write(all);
}

void write_frame(AtomicFile& file, const Frame& frame, const Recording& head) {
    check_frame(frame, head, file.path());
    ByteWriter payload;
    save_frame(payload, frame, head);
    write_record(file, kFrameRecord, payload);
}

void write_end(AtomicFile& file, std::uint64_t frames, bool cut_short) {
    ByteWriter payload;
    payload.u64(frames);
    payload.u8(cut_short ? 1 : 0);
    write_record(file, kEndRecord, payload);
}
}  // namespace

void write_recording(const std::string& path, const Recording& recording) {
    AtomicFile file(path);
    write_head(file, recording);
    for (const Frame& frame : recording.frames) write_frame(file, frame, recording);
    write_end(file, recording.frames.size(), recording.cut_short);
    file.commit();
}

struct RecordingWriter::Impl {
    AtomicFile file;
    Recording head;  ///< without frames
    std::uint64_t frames = 0;
    bool open = true;
};

// Under a temporary name until close(): what a killed run leaves there can be read up to its last whole frame.
RecordingWriter::RecordingWriter(const std::string& path, const Recording& head)
    : impl_(new Impl{AtomicFile(path), {}}) {
    impl_->head.body = head.body;
    impl_->head.has_stress = head.has_stress;
    impl_->head.obstacle_count = head.obstacle_count;
    impl_->head.has_linearisations = head.has_linearisations;
    write_head(impl_->file, head);
}

RecordingWriter::~RecordingWriter() = default;

void RecordingWriter::add(const Frame& frame) {
    if (!impl_->open)
        throw Error(Fault::bad_usage, {impl_->file.path(), 0, {}}, "a frame was added to a closed recording");
    const std::uint64_t whole = impl_->file.size();
    try {
        write_frame(impl_->file, frame, impl_->head);
    } catch (...) {
        if (!impl_->file.temporary().empty()) impl_->file.cut(whole);  // a full disk: the frames before it are good
        throw;
    }
    ++impl_->frames;
}

void RecordingWriter::close(bool cut_short) {
    if (!impl_->open) return;
    const std::uint64_t whole = impl_->file.size();
    try {
        write_end(impl_->file, impl_->frames, cut_short);
    } catch (...) {
        if (!impl_->file.temporary().empty()) impl_->file.cut(whole);  // still open: another close() may fit
        throw;
    }
    impl_->file.commit();
    impl_->open = false;
}

}  // namespace limber
