#include "metrics/pairing.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

void check_recording(const Recording& r, const char* which) {
    const InputLocation place{r.scene, 0, {}};
    if (!r.body) {
        throw Error(Fault::unsupported, place, text("the ", which, " recording has no body"),
                    "a recording with its rest mesh");
    }
    for (std::size_t i = 0; i < r.frames.size(); ++i) {
        if (r.frames[i].displacement.size() != r.body->vertex_count()) {
            throw Error(
                Fault::bad_data, place,
                text("frame ", i, " of the ", which, " has ", counted(r.frames[i].displacement.size(), "displacement")),
                text("one per body vertex, ", r.body->vertex_count()));
        }
    }
}

bool equal_meshes(const Mesh& a, const Mesh& b) {
    return &a == &b || (a.kind == b.kind && a.cells == b.cells && a.vertices == b.vertices);
}

double matching_tolerance(const Recording& a, const Recording& b) {
    const double step = a.step > 0 && b.step > 0 ? std::min(a.step, b.step) : std::max(a.step, b.step);
    return std::max(1e-9 * step, 1e-12);
}

std::vector<Pairing::Pair> common_frames(const Recording& reference, const Recording& candidate) {
    std::vector<const Frame*> by_time;
    for (const Frame& f : reference.frames)
        if (std::isfinite(f.time)) by_time.push_back(&f);
    std::stable_sort(by_time.begin(), by_time.end(), [](const Frame* a, const Frame* b) { return a->time < b->time; });
    const double tolerance = matching_tolerance(reference, candidate);
    std::vector<Pairing::Pair> out;
    for (const Frame& f : candidate.frames) {
        if (!std::isfinite(f.time)) continue;
        const auto above = std::lower_bound(by_time.begin(), by_time.end(), f.time,
                                            [](const Frame* a, double t) { return a->time < t; });
        const Frame* best = nullptr;
        for (auto near = above == by_time.begin() ? above : above - 1; near != by_time.end() && near <= above; ++near) {
            if (std::abs((*near)->time - f.time) <= tolerance &&
                (!best || std::abs((*near)->time - f.time) < std::abs(best->time - f.time))) {
                best = *near;
            }
        }
        if (best) out.push_back({best, &f});
    }
    return out;
}

std::string times_of(const Recording& r) {
    if (r.frames.empty()) return "no frames";
    return text(counted(r.frames.size(), "frame"), " from ", r.frames.front().time, " s to ", r.frames.back().time,
                " s");
}

}  // namespace

Sampler::Sampler(const Mesh& mesh, std::span<const Vec3> points) : mesh_(&mesh) {
    const PointLocator locator(mesh);
    locations_.reserve(points.size());
    for (const Vec3& p : points) {
        locations_.push_back(locator.locate(p));
        worst_gap_ = std::max(worst_gap_, locations_.back().distance);
    }
}

std::vector<Vec3> Sampler::operator()(std::span<const Vec3> field) const {
    std::vector<Vec3> out;
    out.reserve(locations_.size());
    for (const Location& place : locations_) out.push_back(interpolate(*mesh_, place, field));
    return out;
}

Pairing::Pairing(const Recording& reference, const Recording& candidate)
    : reference_(&reference), candidate_(&candidate) {
    check_recording(reference, "reference");
    check_recording(candidate, "candidate");
    const InputLocation place{candidate.scene, 0, {}};
    if (candidate.body->mesh().dimension() != mesh().dimension()) {
        throw Error(Fault::unsupported, place, text("a ", candidate.body->mesh().dimension(), "D candidate"),
                    text("one of the reference's dimension, ", mesh().dimension(), "D"));
    }
    same_mesh_ = equal_meshes(mesh(), candidate.body->mesh());
    frames_ = common_frames(reference, candidate);
    if (frames_.empty()) {
        throw Error(Fault::bad_usage, place, text("no common times: the candidate has ", times_of(candidate)),
                    text("times of the reference, ", times_of(reference)));
    }
}

const Sampler& Pairing::sampler(bool to_reference) const {
    const Mesh& other = candidate_->body->mesh();
    if (to_reference) {
        if (!to_reference_) to_reference_.emplace(other, mesh().vertices);
        return *to_reference_;
    }
    if (!to_candidate_) to_candidate_.emplace(mesh(), other.vertices);
    return *to_candidate_;
}

std::vector<Vec3> Pairing::to_reference(std::span<const Vec3> field) const {
    if (same_mesh_) return {field.begin(), field.end()};
    return sampler(true)(field);
}

std::vector<Vec3> Pairing::to_candidate(std::span<const Vec3> field) const {
    if (same_mesh_) return {field.begin(), field.end()};
    return sampler(false)(field);
}

bool Pairing::same_rest_shape() const {
    if (same_mesh_) return true;
    const double a = measure_of(mesh()), b = measure_of(candidate_->body->mesh());
    const double length = std::pow(std::abs(a), 1.0 / mesh().dimension());
    return std::abs(a - b) <= 1e-9 * std::abs(a) && sampler(true).worst_gap() <= 1e-9 * length &&
           sampler(false).worst_gap() <= 1e-9 * length;
}

}  // namespace limber
