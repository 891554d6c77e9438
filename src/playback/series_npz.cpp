// npz files as series: which arrays are looked for, and which shapes they must have.
#include "io/npz/npz.hpp"
#include "playback/series_data.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {
// Names that are looked for, in this order, where SeriesArrays names none.
const std::vector<std::string> kPositions{"positions", "x", "points", "vertices"};
const std::vector<std::string> kDisplacements{"displacements", "displacement", "u"};
const std::vector<std::string> kVelocities{"velocities", "velocity", "v"};
const std::vector<std::string> kTimes{"times", "time", "t"};
const std::vector<std::string> kRest{"rest", "rest_positions", "x0"};

class NpzSeries {
public:
    NpzSeries(std::string_view bytes, const std::string& name) : in_(bytes, name) {}

    SeriesData read(const SeriesArrays& arrays) {
        const std::string u = chosen(arrays.displacements, kDisplacements), x = chosen(arrays.positions, kPositions);
        if (u.empty() && x.empty()) {
            fail("", text("no positions or displacements among the arrays ", listed()),
                 "positions or displacements [frames, vertices, 3 or 2]");
        }
        data_.displaced = !u.empty() && (arrays.positions.empty() || !arrays.displacements.empty());
        const std::string& used = data_.displaced ? u : x;
        data_.frames = fields(used);
        data_.points = data_.frames.front().size();
        data_.remarks.push_back(
            text(data_.displaced ? "displacements" : "positions", " are the array ", in_quotes(used)));
        if (const std::string v = chosen(arrays.velocities, kVelocities); !v.empty())
            data_.velocities = matching_fields(v);
        if (const std::string t = chosen(arrays.times, kTimes); !t.empty()) read_times(t);
        if (const std::string r = chosen(arrays.rest, kRest); !r.empty()) data_.rest = rest(r);
        read_extras();
        return std::move(data_);
    }

    std::vector<Vec3> rest(const std::string& name) {
        const NpyArray a = in_.numbers(name);
        if (a.shape.size() != 2 || a.shape[0] == 0 || !is_width(a.shape[1]))
            fail(name, text("an array of shape ", shape_text(a.shape)), "[vertices, 3 or 2]");
        std::vector<Vec3> out = vectors(a, 0, a.shape[0], a.shape[1], name, "");
        if (data_.points > 0 && out.size() != data_.points)
            fail(name, counted(out.size(), "point"), text(data_.points, ", as in the frames"));
        return out;
    }
    std::string chosen(const std::string& asked, const std::vector<std::string>& usual) const {
        if (!asked.empty()) {
            if (!in_.has(asked)) fail(asked, "there is no such array", text("one of ", listed()));
            return asked;
        }
        const auto at = std::find_if(usual.begin(), usual.end(),
                                     [&](const std::string& name) { return in_.has(name); });
        return at == usual.end() ? std::string() : *at;
    }

    std::vector<std::vector<Vec3>> fields(const std::string& name) {
        const NpyArray a = in_.numbers(name);
        if (a.shape.size() != 3 || a.values.empty() || !is_width(a.shape[2]))
            fail(name, text("an array of shape ", shape_text(a.shape)), "[frames, vertices, 3 or 2]");
        std::vector<std::vector<Vec3>> out;
        for (std::size_t f = 0; f < a.shape[0]; ++f)
            out.push_back(vectors(a, f * a.shape[1] * a.shape[2], a.shape[1], a.shape[2], name, text(" of frame ", f)));
        return out;
    }

private:
    [[noreturn]] void fail(const std::string& array, const std::string& found, const std::string& expected) const {
        throw Error(Fault::bad_file, {in_.name(), 0, array}, found, expected);
    }
    static bool is_width(std::size_t n) { return n == 2 || n == 3; }
    std::string listed() const {
        std::string out;
        const std::vector<std::string> names = in_.names();
        for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 6); ++i)
            out += text(i == 0 ? "" : ", ", in_quotes(names[i]));
        return names.empty() ? "(none)" : out + (names.size() > 6 ? ", ..." : "");
    }
    std::vector<Vec3> vectors(const NpyArray& a, std::size_t start, std::size_t count, std::size_t width,
                              const std::string& name, const std::string& where) {
        std::vector<Vec3> out(count);
        for (std::size_t i = 0; i < count; ++i) {
            const double* v = a.values.data() + start + i * width;
            out[i] = {v[0], v[1], width == 3 ? v[2] : 0.0};
            if (!is_finite(out[i])) fail(name, text("vertex ", i, where, " is not finite"), "finite numbers");
        }
        return out;
    }
    std::vector<std::vector<Vec3>> matching_fields(const std::string& name) {
        std::vector<std::vector<Vec3>> out = fields(name);
        if (out.size() != data_.frames.size() || out.front().size() != data_.points) {
            fail(name, text(counted(out.size(), "frame"), " of ", out.front().size()),
                 text(data_.frames.size(), " of ", data_.points));
        }
        return out;
    }
    void read_times(const std::string& name) {
        const NpyArray a = in_.numbers(name);
        if (a.shape.size() != 1 || a.values.size() != data_.frames.size()) {
            fail(name, text("an array of shape ", shape_text(a.shape)),
                 text("[", data_.frames.size(), "], one time per frame"));
        }
        for (std::size_t f = 0; f < a.values.size(); ++f)
            if (!std::isfinite(a.values[f])) fail(name, text("the time of frame ", f, " is not finite"), "seconds");
        data_.times = a.values;
        data_.single_times = a.single;
    }
    // What limber export adds; an array of that name and another shape is somebody else's and passed over.
    void read_extras() {
        const std::size_t n = data_.frames.size();
        const auto finite = [](const NpyArray& a) {
            return std::all_of(a.values.begin(), a.values.end(), [](double v) { return std::isfinite(v); });
        };
        if (in_.has("energies")) {
            if (const NpyArray a = in_.numbers("energies"); a.shape == std::vector<std::size_t>{n, 2} && finite(a))
                for (std::size_t f = 0; f < n; ++f) data_.energies.push_back({a.values[2 * f], a.values[2 * f + 1]});
        }
        if (in_.has("step_ms")) {
            if (NpyArray a = in_.numbers("step_ms"); a.shape == std::vector<std::size_t>{n} && finite(a))
                data_.step_ms = std::move(a.values);
        }
        for (const auto& [name, value] :
             {std::pair{"prepare_ms", &data_.prepare_ms}, std::pair{"prepared_bytes", &data_.prepared_bytes}}) {
            if (in_.has(name)) {
                if (const NpyArray a = in_.numbers(name); a.shape.empty() && a.values[0] >= 0 && a.values[0] < 1e15)
                    *value = a.values[0];
            }
        }
    }

    NpzReader in_;
    SeriesData data_;
};
}  // namespace

SeriesData load_npz_series(std::string_view bytes, const std::string& name, const SeriesArrays& arrays) {
    return NpzSeries(bytes, name).read(arrays);
}

std::vector<Vec3> load_npz_points(std::string_view bytes, const std::string& name, const SeriesArrays& arrays) {
    NpzSeries in(bytes, name);
    if (const std::string r = in.chosen(arrays.rest, kRest); !r.empty()) return in.rest(r);
    if (const std::string x = in.chosen(arrays.positions, kPositions); !x.empty()) return in.fields(x).front();
    throw Error(Fault::bad_file, {name, 0, {}}, "no rest shape and no positions",
                "an array named rest [vertices, 3 or 2]");
}

}  // namespace limber
