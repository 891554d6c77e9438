#include "dyrt/export_keys.hpp"

#include "rig/pose_curve.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using Curve = Channel::Curve;

constexpr std::ptrdiff_t kNone = -1;
constexpr double kSameKey = 1e-4;  // of the time between frames: a key and a frame so near are one

/// A key of the joined curve: at a key of the own curve, at a frame of the flesh, or both.
struct JoinedKey {
    double time;
    std::ptrdiff_t own, frame;
};

float as_float(double t) { return static_cast<float>(t); }

class Joiner {
public:
    Joiner(const Channel* own, std::span<const double> rest, const FleshWeights& flesh)
        : own_(own), rest_(rest), flesh_(flesh) {}

    Channel run() {
        Channel out;
        out.target = Channel::Target::weights;
        find_keys();
        if (own_ && own_->curve == Curve::step && !flesh_.times.empty()) add_jumps();
        out.curve = !own_                                                 ? Curve::linear
                    : own_->curve == Curve::step && !flesh_.times.empty() ? Curve::linear
                                                                          : own_->curve;
        for (const JoinedKey& key : keys_) out.times.push_back(key.time);
        for (std::size_t k = 0; k < keys_.size(); ++k) add_values(k, out);
        return out;
    }

private:
    void find_keys() {
        const std::vector<double> none;
        const std::vector<double>&own = own_ ? own_->times : none, &frames = flesh_.times;
        const double near = frames.size() > 1
                                ? kSameKey * (frames.back() - frames.front()) / static_cast<double>(frames.size() - 1)
                                : 0.0;
        for (std::size_t o = 0, f = 0; o < own.size() || f < frames.size();) {
            const bool both = o < own.size() && f < frames.size() &&
                              (std::abs(own[o] - frames[f]) <= near || as_float(own[o]) == as_float(frames[f]));
            const bool first = both || f == frames.size() || (o < own.size() && own[o] < frames[f]);
            const JoinedKey key{first ? own[o] : frames[f], first ? static_cast<std::ptrdiff_t>(o) : kNone,
                                both || !first ? static_cast<std::ptrdiff_t>(f) : kNone};
            o += first ? 1 : 0;
            f += both || !first ? 1 : 0;
            add(key);
        }
    }
    /// What would be one with the key before it in 32 bits is put into that key.
    void add(const JoinedKey& key) {
        if (keys_.empty() || as_float(keys_.back().time) < as_float(key.time)) return keys_.push_back(key);
        JoinedKey& last = keys_.back();
        if (key.own != kNone) {
            last.own = key.own;
            last.time = key.time;
        }
        if (key.frame != kNone) last.frame = key.frame;
    }

    /// A key right before each step, which holds what was.
    void add_jumps() {
        std::vector<JoinedKey> with;
        for (const JoinedKey& key : keys_) {
            const auto before = static_cast<double>(std::nextafter(as_float(key.time), -INFINITY));
            const bool room = !with.empty() && as_float(with.back().time) < as_float(before);
            if (key.own > 0 && room) with.push_back({before, kNone, kNone});
            with.push_back(key);
        }
        keys_ = std::move(with);
    }

    std::size_t own_width() const { return own_ ? own_->width() : rest_.size(); }

    /// What the own curve is at a key, and how fast it changes before and after it. Beyond its ends it stands still.
    void sample_own(std::size_t k, std::span<double> value, std::span<double> before, std::span<double> after) const {
        if (!own_) return static_cast<void>(std::copy(rest_.begin(), rest_.end(), value.begin()));
        const JoinedKey& key = keys_[k];
        const std::size_t width = value.size();
        sample_curve(*own_, key.time, value, before);
        std::copy(before.begin(), before.end(), after.begin());
        if (key.own == kNone || own_->curve != Curve::cubic) return;
        const double* stored = own_->values.data() + 3 * width * static_cast<std::size_t>(key.own);
        const bool last = static_cast<std::size_t>(key.own) + 1 == own_->times.size();
        for (std::size_t i = 0; i < width; ++i) {
            value[i] = stored[width + i];
            before[i] = key.own == 0 && k > 0 ? 0.0 : stored[i];
            after[i] = last && k + 1 < keys_.size() ? 0.0 : stored[2 * width + i];
        }
    }

    void flesh_at(const JoinedKey& key, std::span<double> out) const {
        std::fill(out.begin(), out.end(), 0.0);
        if (flesh_.times.empty()) return;
        if (key.frame != kNone) return flesh_.at_frame(static_cast<std::size_t>(key.frame), out);
        const auto after = static_cast<std::size_t>(
            std::lower_bound(flesh_.times.begin(), flesh_.times.end(), key.time) - flesh_.times.begin());
        if (after == 0 || after == flesh_.times.size()) return flesh_.at_frame(after == 0 ? 0 : after - 1, out);
        const double u = (key.time - flesh_.times[after - 1]) / (flesh_.times[after] - flesh_.times[after - 1]);
        std::vector<double> from(out.size());
        flesh_.at_frame(after - 1, from);
        flesh_.at_frame(after, out);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = (1.0 - u) * from[i] + u * out[i];
    }

    /// Per second, from one key to the next; 0 beyond the ends.
    std::vector<double> flesh_slope(std::size_t from, std::size_t to) const {
        std::vector<double> a(flesh_.width, 0.0), b(flesh_.width, 0.0);
        if (to >= keys_.size() || from >= keys_.size()) return a;
        flesh_at(keys_[from], a);
        flesh_at(keys_[to], b);
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = (b[i] - a[i]) / (keys_[to].time - keys_[from].time);
        return a;
    }

    void add_values(std::size_t k, Channel& out) const {
        const std::size_t width = own_width();
        std::vector<double> value(width), before(width), after(width), flesh(flesh_.width);
        sample_own(k, value, before, after);
        flesh_at(keys_[k], flesh);
        const auto put = [&](const std::vector<double>& own, const std::vector<double>& of_flesh) {
            out.values.insert(out.values.end(), own.begin(), own.end());
            out.values.insert(out.values.end(), of_flesh.begin(), of_flesh.end());
        };
        if (out.curve != Curve::cubic) return put(value, flesh);
        put(before, k == 0 ? std::vector<double>(flesh_.width, 0.0) : flesh_slope(k - 1, k));
        put(value, flesh);
        put(after, flesh_slope(k, k + 1));
    }

    const Channel* own_;
    std::span<const double> rest_;
    const FleshWeights& flesh_;
    std::vector<JoinedKey> keys_;
};

}  // namespace

Channel joined_weights(const Channel* own, std::span<const double> rest, const FleshWeights& flesh) {
    return Joiner(own, rest, flesh).run();
}

}  // namespace limber
