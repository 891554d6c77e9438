#include "io/points/point_cache.hpp"

#include "io/files/scanner.hpp"

#include "core/text.hpp"

#include <cmath>
#include <limits>

namespace limber {

namespace {
constexpr std::string_view kPc2Magic("POINTCACHE2\0", 12);

std::size_t count_of(Scanner& in, const char* what) {
    const auto n = in.raw<std::int32_t>(what);
    if (n < 1) in.fail(text(what, " is ", n), "1 or more");
    return static_cast<std::size_t>(n);
}

/// Everything that is left, which must be exactly the frames: anything else means that the counts are not to be
/// trusted.
void read_frames(Scanner& in, std::size_t frames, PointCache& out) {
    const std::uint64_t wanted = std::uint64_t{frames} * out.points * 12;  // both below 2^31: no overflow
    if (wanted != in.left()) {
        in.fail(text(in.left(), " bytes for ", frames, " frames of ", out.points, " points"),
                text(wanted, ", 12 for each point"));
    }
    out.frames.resize(frames);
    for (std::size_t f = 0; f < frames; ++f) {
        out.frames[f].resize(out.points);
        for (std::size_t p = 0; p < out.points; ++p) {
            Vec3& at = out.frames[f][p];
            for (double* c : {&at.x, &at.y, &at.z}) *c = in.raw<float>("a coordinate");
            if (!is_finite(at)) in.fail(text("point ", p, " of frame ", f, " is not finite"), "finite coordinates");
        }
    }
}

template <class T>
void put(std::string& out, T value, bool swapped) {
    if (swapped) value = byte_swapped(value);
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

float narrowed(double value, const std::string& path) {
    if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()))) {
        throw Error(Fault::unsupported, {path, 0, {}}, text("not written: the number ", value),
                    "one that a 32-bit float can hold");
    }
    return static_cast<float>(value);
}

void put_frames(std::string& out, const PointCache& cache, const std::string& path, bool swapped) {
    for (const std::vector<Vec3>& frame : cache.frames) {
        for (const Vec3& p : frame)
            for (const double c : {p.x, p.y, p.z}) put(out, narrowed(c, path), swapped);
    }
}

std::int32_t counted_in_32_bits(std::size_t n, const char* what, const std::string& path) {
    if (n < 1 || n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw Error(Fault::unsupported, {path, 0, {}}, text("not written: ", n, " ", what), "1 to 2147483647");
    return static_cast<std::int32_t>(n);
}
}  // namespace

PointCache parse_pc2(std::string_view bytes, const std::string& name) {
    Scanner in(bytes, name);
    in.set_binary(false);
    if (!bytes.starts_with(kPc2Magic)) in.fail("this is no PC2 file", "one that starts with POINTCACHE2");
    in.skip(kPc2Magic.size(), "the name of the format");
    if (const auto version = in.raw<std::int32_t>("a version"); version != 1)
        in.fail(Fault::unsupported, text("a PC2 file of version ", version), "1");
    PointCache out;
    out.points = count_of(in, "the number of points");
    out.start = in.raw<float>("the first frame");
    if (!std::isfinite(out.start)) in.fail(text("the first frame is ", out.start), "a number");
    out.spacing = in.raw<float>("the sample rate");
    if (!std::isfinite(out.spacing) || out.spacing <= 0)
        in.fail(text("the sample rate is ", out.spacing), "frames from one sample to the next, above 0");
    read_frames(in, count_of(in, "the number of samples"), out);
    return out;
}

PointCache parse_mdd(std::string_view bytes, const std::string& name) {
    Scanner in(bytes, name);
    in.set_binary(true);
    PointCache out;
    const std::size_t frames = count_of(in, "the number of frames");
    out.points = count_of(in, "the number of points");
    in.check_count("the number of frames", static_cast<std::int64_t>(frames), 4);
    for (std::size_t f = 0; f < frames; ++f) {
        out.times.push_back(in.raw<float>("a time"));
        if (!std::isfinite(out.times.back())) in.fail(text("the time of frame ", f, " is not finite"), "seconds");
    }
    read_frames(in, frames, out);
    return out;
}

std::string format_pc2(const PointCache& cache, const std::string& path) {
    std::string out(kPc2Magic);
    put(out, std::int32_t{1}, false);
    put(out, counted_in_32_bits(cache.points, "points", path), false);
    put(out, narrowed(cache.start, path), false);
    put(out, narrowed(cache.spacing, path), false);
    put(out, counted_in_32_bits(cache.frames.size(), "frames", path), false);
    put_frames(out, cache, path, false);
    return out;
}

std::string format_mdd(const PointCache& cache, const std::string& path) {
    std::string out;
    put(out, counted_in_32_bits(cache.frames.size(), "frames", path), true);
    put(out, counted_in_32_bits(cache.points, "points", path), true);
    for (const double t : cache.times) put(out, narrowed(t, path), true);
    put_frames(out, cache, path, true);
    return out;
}

}  // namespace limber
