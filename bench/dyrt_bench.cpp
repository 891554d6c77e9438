// The live half of DyRT (runtime/dyrt): everyone's step against moving its state and the bones once, skin against
// streaming its tables.
#include "bench.hpp"

#include "runtime/dyrt_bytes.hpp"

#include <cmath>
#include <memory>

namespace limber::bench {
namespace {

using namespace runtime_tests;

constexpr float kDt = 1.0f / 60.0f;
constexpr std::size_t kBoneFields = 13, kOscillatorFields = 3;  // what the state keeps, in floats

struct Stage {
    FileText text;
    Asset asset;
    Crowd crowd;
    std::vector<std::vector<limber_dyrt_bone>> frames;
    std::size_t frame = 0;
    std::vector<double> plain;  // the baseline's state

    void step(bool uneven = false) {
        const float dt = uneven ? kDt * (1.0f + 0.2f * std::sin(static_cast<float>(frame % 1000))) : kDt;
        limber_dyrt_step(crowd.get(), dt, frames[frame++ % frames.size()].data(), nullptr);
    }
};

/// `count` characters of `parts` parts with `modes` oscillators each, everyone swaying and swinging.
std::shared_ptr<Stage> make_stage(std::size_t count, std::size_t parts, std::size_t modes) {
    auto s = std::make_shared<Stage>();
    for (std::size_t p = 0; p < parts; ++p) s->text.parts.push_back(some_part(modes, 1, static_cast<std::uint32_t>(p)));
    s->text.mesh_sizes = {1};
    s->text.gravity = {0, -9.81f, 0};
    s->asset = load(make_bytes(s->text));
    s->crowd = make_crowd(s->asset, static_cast<int>(count), default_settings(s->asset));
    const std::vector<float> n = some_numbers(2 * count * parts, 3);
    for (int f = 0; f < 4; ++f) {  // a round of four frames: bones come from the animation, read once each
        std::vector<limber_dyrt_bone> bones(count * parts);
        for (std::size_t i = 0; i < bones.size(); ++i) {
            const float a = 1.57f * static_cast<float>(f) + n[2 * i], b = 0.02f * n[2 * i + 1];
            bones[i] = {{n[2 * i] + 0.01f * std::sin(a), 0.01f * std::cos(a), b},
                        {b * std::sin(a), 0.0f, b * std::cos(a), 1.0f}};
        }
        s->frames.push_back(std::move(bones));
    }
    for (int f = 0; f < 8; ++f) s->step();
    return s;
}

/// The obvious code: one character after another, in double, velocities by differences, one mode after the other.
void plain_step(Stage& s, std::size_t parts, std::size_t modes) {
    const std::size_t stride = 13 + 2 * modes;
    const std::vector<limber_dyrt_bone>& bones = s.frames[s.frame++ % s.frames.size()];
    s.plain.resize(bones.size() * stride);
    for (std::size_t i = 0; i < bones.size(); ++i) {
        double* was = s.plain.data() + i * stride;
        double now[13], r[4], d[12];
        const limber_dyrt_bone& b = bones[i];
        double length = 0.0;
        for (const float v : b.rotation) length += static_cast<double>(v) * static_cast<double>(v);
        for (std::size_t c = 0; c < 4; ++c) now[3 + c] = static_cast<double>(b.rotation[c]) / std::sqrt(length);
        const double *q = was + 3, *p = now + 3;
        r[0] = q[3] * p[0] - p[3] * q[0] - (q[1] * p[2] - q[2] * p[1]);
        r[1] = q[3] * p[1] - p[3] * q[1] - (q[2] * p[0] - q[0] * p[2]);
        r[2] = q[3] * p[2] - p[3] * q[2] - (q[0] * p[1] - q[1] * p[0]);
        r[3] = q[3] * p[3] + q[0] * p[0] + q[1] * p[1] + q[2] * p[2];
        const double size = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]),
                     angle = 2.0 * std::atan2(size, r[3]) / (size + 1e-30);
        for (std::size_t c = 0; c < 3; ++c) {
            now[c] = static_cast<double>(b.position[c]);
            now[7 + c] = (now[c] - was[c]) / static_cast<double>(kDt);
            now[10 + c] = angle * r[c] / static_cast<double>(kDt);
            d[c] = (now[7 + c] - was[7 + c]) / static_cast<double>(kDt);  // turning it back is left out
            d[3 + c] = (now[10 + c] - was[10 + c]) / static_cast<double>(kDt);
        }
        for (std::size_t c = 0; c < 3; ++c) {
            d[6 + c] = now[10 + c] * now[10 + c];
            d[9 + c] = now[10 + c] * now[10 + (c + 1) % 3];
        }
        for (std::size_t k = 0; k < modes; ++k) {
            const Oscillator& o = s.text.parts[i % parts].oscillators[k];
            double e = 0.0, *x = was + 13 + 2 * k;
            for (std::size_t c = 0; c < 12; ++c) e += static_cast<double>(o.transfer[c]) * d[c];
            const double fade = 1.0 - 2.0 * static_cast<double>(o.decay * kDt),
                         pull = static_cast<double>(o.omega * o.omega * kDt);
            x[1] = fade * x[1] - pull * x[0] + static_cast<double>(kDt) * e;
            x[0] += static_cast<double>(kDt) * x[1];
        }
        for (std::size_t c = 0; c < 13; ++c) was[c] = now[c];
    }
}

/// `uneven`: every frame time is new, so that all coefficients are computed again.
Work step_work(std::size_t count, std::size_t parts, std::size_t modes, int repeat, bool uneven = false) {
    const std::shared_ptr<Stage> s = make_stage(count, parts, modes);
    Work w;
    w.subject = [s, repeat, uneven] {
        for (int i = 0; i < repeat; ++i) s->step(uneven);
    };
    w.limit = Limit::triad;
    w.against = "state read and written, bones read";
    w.bytes = count * parts *
              (sizeof(limber_dyrt_bone) + 2 * sizeof(float) * (kBoneFields + kOscillatorFields * modes));
    w.passes = repeat;
    w.baseline = [s, parts, modes, repeat] {
        for (int i = 0; i < repeat; ++i) plain_step(*s, parts, modes);
    };
    w.baseline_name = "one character after another, in double";
    w.units = repeat * static_cast<int>(count);
    return w;
}

struct Skin {
    FileText text;
    Asset asset;
    std::vector<float> amplitudes, positions, normals;
};

void plain_skin(Skin& s) {
    const PartText& p = s.text.parts[0];
    const std::size_t n = p.indices.size() / 2;
    for (std::size_t v = 0; v < n; ++v) {
        float x[3], m[3];
        for (std::size_t c = 0; c < 3; ++c) {
            x[c] = p.rest[3 * v + c];
            m[c] = p.normals[3 * v + c];
        }
        for (std::size_t k = 0; k < s.amplitudes.size(); ++k) {
            for (std::size_t c = 0; c < 3; ++c) {
                x[c] += s.amplitudes[k] * p.shapes[3 * (k * n + v) + c];
                m[c] += s.amplitudes[k] * p.corrections[3 * (k * n + v) + c];
            }
        }
        const float length = std::sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        for (std::size_t c = 0; c < 3; ++c) {
            s.positions[3 * v + c] = x[c];
            s.normals[3 * v + c] = m[c] / length;
        }
    }
}

Work skin_work(std::uint32_t vertices, std::size_t modes) {
    auto s = std::make_shared<Skin>();
    s->text.parts = {some_part(modes, vertices, 1)};
    s->text.parts[0].warp.clear();
    s->text.mesh_sizes = {vertices};
    s->asset = load(make_bytes(s->text));
    s->amplitudes = some_numbers(modes, 2);
    s->positions.resize(3 * vertices);
    s->normals.resize(3 * vertices);
    Work w;
    w.subject = [s] {
        limber_dyrt_displace(s->asset.get(), 0, s->amplitudes.data(), 0, s->positions.data(), s->normals.data());
    };
    w.limit = Limit::triad;
    w.against = "tables read, skin written";
    w.bytes = 2 * (2 + modes) * 12 * std::size_t{vertices};
    w.baseline = [s] { plain_skin(*s); };
    w.baseline_name = "a loop over vertices, then modes";
    return w;
}

}  // namespace

void add_dyrt_cases(Cases& cases, const Settings& settings) {
    const std::size_t crowd = settings.quick ? 1000 : 10000;
    cases.push_back({"dyrt/step_crowd_5_modes", [crowd] { return step_work(crowd, 1, 5, 4); }});
    cases.push_back({"dyrt/step_one_humanoid", [] { return step_work(1, 3, 11, 1000); }});
    cases.push_back({"dyrt/step_one_humanoid_uneven_frames", [] { return step_work(1, 3, 11, 200, true); }});
    cases.push_back({"dyrt/skin_5_modes", [n = settings.quick ? 2000u : 20000u] { return skin_work(n, 5); }});
}

}  // namespace limber::bench
