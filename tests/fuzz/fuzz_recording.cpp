#include "fuzz/fuzz.hpp"

#include "io/recording/recording_file.hpp"

#include <cstring>

namespace {

// Sets every checksum right, so that the fuzzer gets past them to the contents.
std::string repaired(std::string bytes) {
    std::size_t at = limber::kRecordingMagic.size();
    while (bytes.size() >= at + 12) {
        std::uint64_t length = 0;
        std::memcpy(&length, bytes.data() + at + 4, 8);
        const std::size_t left = bytes.size() - at - 12;
        if (left < 8 || length > left - 8) break;
        const auto* record = reinterpret_cast<const std::uint8_t*>(bytes.data()) + at;
        const std::uint64_t sum = limber::checksum({record, 12 + static_cast<std::size_t>(length)});
        std::memcpy(bytes.data() + at + 12 + length, &sum, 8);
        at += 20 + static_cast<std::size_t>(length);
    }
    return bytes;
}

void use(std::string_view bytes) {
    const limber::Recording recording = limber::parse_recording(bytes, "input");
    limber::fuzz::demand(recording.body != nullptr);
    for (const limber::Frame& frame : recording.frames) limber::check_frame(frame, recording, "input");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    limber::fuzz::try_input(data, size, use);
    const std::string better = repaired(std::string(reinterpret_cast<const char*>(data), size));
    return limber::fuzz::try_input(reinterpret_cast<const std::uint8_t*>(better.data()), better.size(), use);
}
