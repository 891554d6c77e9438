// Recording files, formats 1 to 7: the pieces of the byte layout that docs/formats.md describes.
#pragma once

#include <limber/bytes.hpp>
#include <limber/tools/painted_surface.hpp>
#include <limber/tools/recording.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace limber {

inline constexpr std::string_view kRecordingMagic = "limber recording";  // 16 bytes
inline constexpr std::uint32_t kRecordingVersion = 7;
inline constexpr std::uint32_t kFrameRecord = 1, kEndRecord = 2;

/// 64-bit FNV-1a.
std::uint64_t checksum(std::span<const std::uint8_t> bytes, std::uint64_t start = 0xcbf29ce484222325ull);

/// 1 where the recording has everything, so that older limbers read it; 2 where something is not known or was assumed;
/// 3 where it has a surface that its body is shown by; 4 where the body came from a file in another unit than metres or
/// with z up; 5 where frames hold stress, or what a nonlinear method tells of its steps; 6 where frames hold obstacles;
/// 7 where the surface has more looks than a colour, a picture and a normal map.
std::uint32_t format_of(const Recording& recording);
/// In the format of format_of().
void save_head(ByteWriter& out, const Recording& recording);
Recording load_head(ByteReader& in, std::uint32_t format);
void save_vectors(ByteWriter& out, const std::vector<Vec3>& vectors);
std::vector<Vec3> load_vectors(ByteReader& in);
/// The surface that format 3 adds to the head, and later ones where there is one.
void save_shown(ByteWriter& out, const PaintedSurface& shown);
PaintedSurface load_shown(ByteReader& in, bool all_looks);
bool has_all_looks(const PaintedSurface& shown);  ///< format 7
/// `head` says what frames hold.
void save_frame(ByteWriter& out, const Frame& frame, const Recording& head);
Frame load_frame(ByteReader& in, const Recording& head);
/// Throws Error{bad_usage} unless every value is finite and the sizes fit the body.
void check_frame(const Frame& frame, const Recording& head, const std::string& path);

/// Where a recording comes from: a file, or memory in tests and fuzzing.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    /// Bytes not read yet.
    virtual std::uint64_t left() const = 0;
    /// Fills `out`; the caller asks for no more than left(). False when the source is at fault after all.
    virtual bool read(std::span<std::uint8_t> out) = 0;
};
Recording parse_recording(ByteSource& source, const std::string& name);
Recording parse_recording(std::string_view bytes, const std::string& name);

}  // namespace limber
