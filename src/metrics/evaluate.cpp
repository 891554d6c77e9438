// The table of measures and the one loop over common frames that serves them all.
#include "metrics/measure.hpp"

#include <limber/tools/metrics.hpp>
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

using Factory = std::unique_ptr<FrameMeasure> (*)(const Pairing&);

// Those of the body, then those of the surface it is shown by.
constexpr std::size_t kOfBody = 9;
constexpr std::array<MetricSpec, kOfBody + 4> kSpecs{{
    {"relative_l2", "1",
     "E_n as printed: Euclidean length of all displacement errors over that of the reference's displacements", false,
     false},
    {"relative_energy", "1", "elastic energy norm of the displacement error over that of the reference's displacement",
     false, false},
    {"surface", "1", "E_s: area (volume) inside exactly one of the two deformed shapes over the reference's", false,
     false},
    {"interior", "m^d",
     "E_i as printed: distance between matching points, integrated over the rest shape, over its length scale", true,
     true},
    {"interior_mean", "1", "mean distance between matching points over the length scale of the rest shape", true, true},
    {"max_distance", "m", "largest distance between matching points", true, true},
    {"volume_drift", "1", "relative change of the candidate's own volume (area) minus the reference's", false, false},
    {"energy_drift", "1",
     "kinetic plus elastic energy of the candidate minus the reference's, over the reference's peak", false, false},
    {"momentum_drift", "1",
     "length of the difference of linear momenta over the reference's peak sum of mass times speed", false, false},
    {"shown_l2", "1",
     "area-weighted root mean square of the shown surface's displacement errors over that of the reference's "
     "displacements",
     false, false},
    {"shown_mean", "m", "mean distance between matching points of the shown surface, by area", true, true},
    {"shown_max", "m", "largest distance between matching points of the shown surface", true, true},
    {"shown_normal", "degree", "mean angle between the normals of the shown surface's faces, by area", true, true},
}};

constexpr std::array<Factory, kSpecs.size()> kFactories{
    make_relative_l2,  make_relative_energy, make_surface,      make_interior,       make_interior_mean,
    make_max_distance, make_volume_drift,    make_energy_drift, make_momentum_drift, make_shown_l2,
    make_shown_mean,   make_shown_max,       make_shown_normal};

std::size_t index_of(const std::string& name) {
    std::string known;
    for (std::size_t i = 0; i < kSpecs.size(); ++i) {
        if (name == kSpecs[i].name) return i;
        known += text(i > 0 ? ", " : "", kSpecs[i].name);
    }
    throw Error(Fault::bad_usage, {}, text("unknown metric \"", name, "\""), text("one of ", known));
}

bool all_finite(std::span<const Vec3> field) {
    return std::all_of(field.begin(), field.end(), [](const Vec3& v) { return is_finite(v); });
}

}  // namespace

std::span<const MetricSpec> metric_specs() { return std::span(kSpecs).first(kOfBody); }
std::span<const MetricSpec> shown_metric_specs() { return std::span(kSpecs).subspan(kOfBody); }

std::vector<MetricSpec> metric_specs_for(const Recording& reference) {
    return {kSpecs.begin(), reference.shown ? kSpecs.end() : kSpecs.begin() + kOfBody};
}

MetricSeries evaluate_metric(const std::string& name, const Recording& reference, const Recording& candidate) {
    const std::size_t index = index_of(name);
    const Pairing pairing(reference, candidate);
    const std::unique_ptr<FrameMeasure> measure = kFactories[index](pairing);
    MetricSeries series;
    series.name = name;
    for (const Pairing::Pair& pair : pairing.frames()) {
        std::optional<double> value;
        if (all_finite(pair.reference->displacement) && all_finite(pair.candidate->displacement))
            value = measure->at(pair);
        if (!value || !std::isfinite(*value)) {
            if (value) series.overflowed.push_back(pair.candidate->time);
            ++series.left_out;
            continue;
        }
        series.t.push_back(pair.candidate->time);
        series.value.push_back(*value);
    }
    series.stated_error = measure->stated_error();
    return series;
}

}  // namespace limber
