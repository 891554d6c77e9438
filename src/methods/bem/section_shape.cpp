#include "methods/bem/section_shape.hpp"

#include "contact/gap.hpp"
#include "core/part_of_progress.hpp"
#include "core/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr double kClearlyNearer = 0.03;  // of the cosine: a pair is kept until another beats it by as much

constexpr int kPutOutRounds = 3;
constexpr double kMostDisplacement = 0.6;  // of the cube root of the volume

/// Directions through the surface of a cube of 4 x 4 x 4, one of each opposite two.
std::vector<Vec3> contact_directions() {
    std::vector<Vec3> out;
    for (int x = -2; x <= 2; ++x) {
        for (int y = -2; y <= 2; ++y) {
            for (int z = -2; z <= 2; ++z) {
                const bool on_surface = std::max({std::abs(x), std::abs(y), std::abs(z)}) == 2;
                const bool first_of_two = z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0)));
                const Vec3 v{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
                if (on_surface && first_of_two) out.push_back(v / norm(v));
            }
        }
    }
    return out;
}

Quat axes_of(const SectionAxes& f, bool second) {
    Mat3 m;
    const Vec3 columns[3] = {second ? f.out : f.side, f.up, second ? -f.side : f.out};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m(i, j) = columns[j][i];
    return quat_of(m);
}

}  // namespace

SectionShape::SectionShape(const BoundaryShape& surface, const Enclosed& body, const BoundaryMaterial& material,
                           const Settings& settings, Progress& progress)
    : nodes_(static_cast<std::size_t>(settings.sections.nodes)), volume_(body.measure) {
    for (const Vec3& p : surface.points) arm_.push_back(p - body.centroid);
    const std::vector<Vec3> directions = contact_directions();
    Progress silent;
    for (const Vec3& up : directions) {
        PartOfProgress part(progress, static_cast<double>(pairs_.size()) / static_cast<double>(directions.size()), 1.0);
        part.update(0.0, "cross-sections");
        part.check();
        Pair pair;
        pair.sections = std::make_unique<const CrossSections>(
            surface, section_axes(surface, body.centroid, {}, 0.0, up), surface.points, settings.sections);
        for (int k = 0; k < 2; ++k) {
            Section& s = pair.section[k];
            const BoundaryShape& outline = k == 0 ? pair.sections->first() : pair.sections->second();
            s.response = std::make_unique<const FreeResponse>(make_plane_system(outline, material, {}, silent), silent);
            ShapeSettings contact = settings.contact;
            contact.most_force = settings.most_stress * std::sqrt(s.response->enclosed().measure * std::numbers::pi /
                                                                  4);  // stress times area over diameter
            s.contact = std::make_unique<const ContactShape>(*s.response, outline, contact, settings.capacity);
            s.axes = axes_of(pair.sections->axes(), k == 1);
            contact_scratch_ = std::max(contact_scratch_, s.contact->scratch_reals());
            capacity_ = std::max(capacity_, s.contact->capacity());
        }
        pairs_.push_back(std::move(pair));
    }
}

std::size_t SectionShape::bytes() const {
    std::size_t sum = 0;
    for (const Pair& pair : pairs_) sum += pair.section[0].response->bytes() + pair.section[1].response->bytes();
    return sum;
}

double SectionShape::condition() const {
    double worst = 0.0;
    for (const Pair& pair : pairs_)
        worst = std::max({worst, pair.section[0].response->condition(), pair.section[1].response->condition()});
    return worst;
}

/// By the mean of the points that pierce undeformed, seen from the centroid; 0 when there are none.
std::int32_t SectionShape::nearest(const ContactShape::Input& input, std::int32_t before) const noexcept {
    const Mat3 turn = to_matrix(input.pose.rotation);
    Vec3 sum;
    for (const Vec3& arm : arm_) {
        const Vec3 x = input.pose.position + turn * arm;
        for (const Obstacle& o : input.obstacles) {
            if (gap_to(o, x, false).value < 0.0) {
                sum += arm;
                break;
            }
        }
    }
    if (sum == Vec3{}) return 0;
    sum = sum / norm(sum);
    const auto closeness = [&](std::size_t k) { return std::abs(dot(sum, pairs_[k].sections->axes().up)); };
    std::size_t best = 0;
    for (std::size_t k = 1; k < pairs_.size(); ++k)
        if (closeness(k) > closeness(best)) best = k;
    if (before > 0 && static_cast<std::size_t>(before) <= pairs_.size() &&
        closeness(static_cast<std::size_t>(before - 1)) > closeness(best) - kClearlyNearer) {
        return before;
    }
    return static_cast<std::int32_t>(best) + 1;
}

/// Wedged between obstacles, a section may answer with displacements as large as the body, which small strain cannot
/// mean: they are scaled down together.
void SectionShape::limit(Vec3* u) const noexcept {
    double most = 0.0;
    for (std::size_t i = 0; i < arm_.size(); ++i) most = std::max(most, norm(u[i]));
    const double allowed = kMostDisplacement * std::cbrt(volume_);
    for (std::size_t i = 0; i < arm_.size() && most > allowed; ++i) u[i] *= allowed / most;
}

/// Points that (18) leaves inside an obstacle are put on its surface, a few rounds where obstacles meet; the farthest
/// way, of the body's size.
double SectionShape::put_out(const ContactShape::Input& input, Vec3* u) const noexcept {
    const Mat3 turn = to_matrix(input.pose.rotation), back = transpose(turn);
    double far = 0.0;
    for (std::size_t i = 0; i < arm_.size(); ++i) {
        Vec3 x = input.pose.position + turn * (arm_[i] + u[i]), moved;
        for (int round = 0; round < kPutOutRounds; ++round) {
            for (const Obstacle& o : input.obstacles)
                if (const Gap gap = gap_to(o, x + moved, false); gap.value < 0.0) moved -= gap.gradient * gap.value;
        }
        u[i] += back * moved;
        far = std::max(far, norm(moved));
    }
    return far / std::cbrt(volume_);
}

ShapeReport SectionShape::solve(const ContactShape::Input& input, std::int32_t& pair, ContactMark* marks,
                                double* touch_points, Vec3* u, double* scratch,
                                PrescribedDirection* items) const noexcept {
    const std::int32_t chosen = nearest(input, pair);
    if (chosen != pair) std::fill(marks, marks + contact_points(), 0);
    pair = chosen;
    ShapeReport report;
    if (chosen == 0) {
        std::fill(u, u + arm_.size(), Vec3{});
        return report;
    }
    const Pair& p = pairs_[static_cast<std::size_t>(chosen - 1)];
    double *shape[2] = {scratch + contact_scratch_, scratch + contact_scratch_ + 2 * nodes_},
           *traction = scratch + contact_scratch_ + 4 * nodes_;
    for (int k = 0; k < 2; ++k) {
        const Section& s = p.section[k];
        const Enclosed& slab = s.response->enclosed();
        ContactShape::Input in = input;
        in.base = nullptr;
        in.latched = nullptr;
        in.section = true;
        in.pose.rotation = input.pose.rotation * s.axes;
        const Mat3 turn = to_matrix(in.pose.rotation);
        const Vec3 out{turn(0, 2), turn(1, 2), turn(2, 2)};
        in.pose.position = input.pose.position +
                           turn * slab.centroid;  // the section's own centroid, seen from the body's
        in.force = (input.force - dot(input.force, out) * out) * (slab.measure / volume_);
        const std::size_t first = k == 0 ? 0 : nodes_;
        const ShapeReport one = s.contact->solve(in, marks + first, touch_points + 3 * first, shape[k], traction,
                                                 scratch, items);
        report.passes = std::max(report.passes, one.passes);
        report.rebuilds += one.rebuilds;
        report.fell_back = report.fell_back || one.fell_back;
        report.moved = std::max(report.moved, one.moved);
    }
    p.sections->displacements({shape[0], 2 * nodes_}, {shape[1], 2 * nodes_}, {u, arm_.size()});
    limit(u);
    report.moved = std::max(report.moved, put_out(input, u));
    return report;
}

}  // namespace limber
