// The .dyrt file: docs/dyrt_format.md.
#include "core/text.hpp"
#include "geometry/triangles.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/written_by.hpp"

#include <limber/error.hpp>
#include <limber/tools/dyrt.hpp>

#include <bit>
#include <cmath>
#include <cstring>

namespace limber {
namespace {

static_assert(std::endian::native == std::endian::little, "tables are written as they lie in memory");

constexpr std::size_t kHeader = 64, kPartRecord = 128, kMeshRecord = 8;
constexpr std::uint32_t kCoriolis = 1, kWarp = 2;
constexpr double kLargest = 1e9, kSlowest = 1e-6;  // as docs/dyrt_format.md has them
// What a living character hardly does: twenty times gravity, a turn in 30 ms. Beyond it a bone was teleported.
constexpr double kMostAcceleration = 200.0, kMostTurning = 2000.0, kMostSpin = 40.0;  // [m/s^2, rad/s^2, rad/s]

class DyrtWriter {
public:
    DyrtWriter(const Rig& rig, std::span<const DyrtPart> parts, std::span<const std::vector<double>> scales,
               const std::string& about, const Vec3& gravity)
        : rig_(rig),
          parts_(parts),
          scales_(scales),
          out_(kHeader + parts.size() * kPartRecord + rig.parts.size() * kMeshRecord, '\0') {
        const std::uint32_t provenance = string(written_by(about));
        for (std::size_t p = 0; p < parts.size(); ++p) part(p);
        for (std::size_t m = 0; m < rig.parts.size(); ++m) {
            const std::size_t at = kHeader + parts.size() * kPartRecord + m * kMeshRecord;
            u32(at, string(rig.parts[m].name));
            u32(at + 4, size32(rig.parts[m].positions.size()));
        }
        const std::uint32_t strings = here();
        out_ += strings_;
        while (out_.size() % 4 != 0) out_ += '\0';
        std::memcpy(out_.data(), "limbdyrt", 8);
        u32(8, 1);
        u32(12, here());
        u32(16, size32(parts.size()));
        u32(20, size32(rig.parts.size()));
        f32(24, rig.unit);
        vec(28, gravity / rig.unit);
        u32(40, strings);
        u32(44, size32(strings_.size()));
        u32(48, provenance);
    }
    std::string take() { return std::move(out_); }

private:
    std::uint32_t size32(std::size_t n) const {
        if (n > 0x7fffffff)
            throw Error(Fault::unsupported, {rig_.source, 0, {}}, "more than 2 GB", "fewer vertices or modes");
        return static_cast<std::uint32_t>(n);
    }
    std::uint32_t here() const { return size32(out_.size()); }
    std::uint32_t string(const std::string& s) {
        const std::uint32_t at = size32(strings_.size());
        strings_ += s.substr(0, s.find('\0'));
        strings_ += '\0';
        return at;
    }
    void u32(std::size_t at, std::uint32_t v) { std::memcpy(out_.data() + at, &v, 4); }
    static float narrow(double v) {
        if (!(std::abs(v) <= kLargest)) {
            throw Error(Fault::unsupported, {"dyrt", 0, {}}, text("the number ", v),
                        text("at most ", kLargest, ", the largest that a .dyrt file may hold"));
        }
        return static_cast<float>(v);
    }
    void f32(std::size_t at, double v) {
        const float f = narrow(v);
        std::memcpy(out_.data() + at, &f, 4);
    }
    void vec(std::size_t at, const Vec3& v) {
        for (int i = 0; i < 3; ++i) f32(at + 4 * static_cast<std::size_t>(i), v[i]);
    }
    void add(double v) {
        out_.append(4, '\0');
        f32(out_.size() - 4, v);
    }
    void add(const Vec3& v) {
        for (int i = 0; i < 3; ++i) add(v[i]);
    }

    void part(std::size_t index) {
        const DyrtPart& p = parts_[index];
        const std::size_t at = kHeader + index * kPartRecord, m = p.count(), n = p.vertices.size();
        u32(at, string(p.name()));
        u32(at + 4, string(rig_.joints[static_cast<std::size_t>(p.flesh.reference)].name));
        u32(at + 8, size32(m));
        u32(at + 12, size32(m - p.modes));
        u32(at + 16, size32(n));
        u32(at + 20, (p.coriolis.empty() ? 0 : kCoriolis) | (p.rotations.empty() ? 0 : kWarp));
        for (std::size_t half = 0; half < 2; ++half) {
            std::uint32_t mask = 0;
            for (std::size_t k = 32 * half; k < std::min(m, 32 * half + 32); ++k)
                mask |= p.corrected[k] ? 1u << (k % 32) : 0u;
            u32(at + 24 + 4 * half, mask);
        }
        vec(at + 32, p.flesh.bind_origin / rig_.unit);
        const Quat& q = p.flesh.bind_rotation;
        for (const auto& [offset, value] : {std::pair{44, q.x}, {48, q.y}, {52, q.z}, {56, q.w}})
            f32(at + static_cast<std::size_t>(offset), value);
        f32(at + 60, box_of(p.flesh.mesh.vertices).diagonal() / rig_.unit);
        f32(at + 100, kMostAcceleration / rig_.unit);
        f32(at + 104, kMostTurning);
        f32(at + 108, kMostSpin);
        oscillators(index, at);
        vertices(p, at);
    }

    void oscillators(std::size_t index, std::size_t at) {
        const DyrtPart& p = parts_[index];
        u32(at + 64, here());
        for (std::size_t k = 0; k < p.count(); ++k) {
            if (!(p.omega[k] >= kSlowest)) {
                throw Error(Fault::unsupported, {p.name(), 0, {}}, text("an oscillator of ", p.omega[k], " rad/s"),
                            text("at least ", kSlowest, ", the slowest that a .dyrt file may hold"));
            }
            add(p.omega[k]);
            add(p.decay[k]);
            add(scales_.empty() ? 1.0 : scales_[index][k] / rig_.unit);
            add(0.0);
        }
        u32(at + 68, here());
        for (std::size_t i = 0; i < p.transfer.size(); ++i)
            add(i % kDyrtDrives < 3 ? p.transfer[i] : p.transfer[i] / rig_.unit);
        if (!p.coriolis.empty()) {
            u32(at + 72, here());
            for (const double c : p.coriolis) add(c);
        }
    }

    void vertices(const DyrtPart& p, std::size_t at) {
        const std::size_t n = p.vertices.size();
        u32(at + 76, here());
        for (const DyrtVertex& v : p.vertices) {
            for (const std::int32_t i : {v.part, v.vertex}) {
                out_.append(4, '\0');
                u32(out_.size() - 4, static_cast<std::uint32_t>(i));
            }
        }
        u32(at + 80, here());
        for (const DyrtVertex& v : p.vertices) add(v.position / rig_.unit);
        u32(at + 84, here());
        for (const DyrtVertex& v : p.vertices) add(v.normal);
        u32(at + 88, here());
        for (const Vec3& d : p.displacements) add(d);
        u32(at + 92, here());
        for (std::size_t i = 0; i < p.corrections.size(); ++i)
            if (p.corrected[i / n]) add(p.corrections[i] * rig_.unit);
        if (p.rotations.empty()) return;
        u32(at + 96, here());
        for (const Vec3& r : p.rotations) add(r * rig_.unit);
    }

    const Rig& rig_;
    std::span<const DyrtPart> parts_;
    std::span<const std::vector<double>> scales_;
    std::string out_, strings_;
};

}  // namespace

std::string format_dyrt(const Rig& rig, std::span<const DyrtPart> parts, std::span<const std::vector<double>> scales,
                        const std::string& about, const Vec3& gravity) {
    return DyrtWriter(rig, parts, scales, about, gravity).take();
}

void write_dyrt(const std::string& path, const Rig& rig, std::span<const DyrtPart> parts,
                std::span<const std::vector<double>> scales, const std::string& about, const Vec3& gravity) {
    write_file(path, format_dyrt(rig, parts, scales, about, gravity));
}

}  // namespace limber
