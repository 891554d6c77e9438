#include "assets/paint_seams.hpp"

#include "assets/polygonise.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr int kBisections = 24, kSeamNewtonSteps = 5, kSeamRounds = 4, kReturns = 20;
constexpr double kLeastCosine = 0.985;  // of the sharpest angle a seam may make: 10 degrees

class SeamPainter {
public:
    SeamPainter(const Shape& shape, Triangles& t, double cell_size)
        : shape_(shape),
          t_(t),
          cell_size_(cell_size),
          paint_(t.vertices.size()),
          on_seam_(t.vertices.size(), 0),
          nearest_(t.vertices.size(), 1.0),
          target_(t.vertices) {
        for (std::size_t v = 0; v < paint_.size(); ++v) paint_[v] = shape.paint(t.vertices[v]);
    }

    std::vector<std::int32_t> run() {
        for (const auto& c : t_.corners) {
            for (std::size_t k = 0; k < 3; ++k) {
                if (c[k] < c[(k + 1) % 3])
                    cross(static_cast<std::size_t>(c[k]), static_cast<std::size_t>(c[(k + 1) % 3]));
            }
        }
        const std::vector<Vec3> home = t_.vertices;
        for (std::size_t v = 0; v < paint_.size(); ++v)
            if (on_seam_[v] != 0) t_.vertices[v] = onto_surface(shape_.field, target_[v], cell_size_, kSeamNewtonSteps);
        for (int round = 0; round < kReturns && undo_slivers(home); ++round) {}
        for (int round = 0; round < kSeamRounds; ++round) even_out();
        std::vector<std::int32_t> out;
        for (std::size_t i = 0; i < t_.size(); ++i) out.push_back(paint_of(i));
        return out;
    }

private:
    // Every edge that a seam crosses gives one of its ends to the seam, the nearer one: afterwards the seam runs from
    // vertex to vertex.
    void cross(std::size_t a, std::size_t b) {
        if (paint_[a] == paint_[b]) return;
        double low = 0.0, high = 1.0;
        for (int i = 0; i < kBisections; ++i) {
            const double middle = 0.5 * (low + high);
            (shape_.paint(between(a, b, middle)) == paint_[a] ? low : high) = middle;
        }
        if (high <= 0.5)
            propose_target(a, high, between(a, b, high));
        else
            propose_target(b, 1.0 - high, between(a, b, high));
    }
    Vec3 between(std::size_t a, std::size_t b, double part) const {
        return (1.0 - part) * t_.vertices[a] + part * t_.vertices[b];
    }
    void propose_target(std::size_t v, double part, const Vec3& position) {
        if (on_seam_[v] != 0 && part >= nearest_[v]) return;
        on_seam_[v] = 1;
        nearest_[v] = part;
        target_[v] = position;
    }

    double sharpest_cosine(std::size_t i) const {
        double most = -1.0;
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = t_.at(i, (k + 1) % 3) - t_.at(i, k), b = t_.at(i, (k + 2) % 3) - t_.at(i, k);
            const double lengths = norm(a) * norm(b);
            most = std::max(most, lengths > 0.0 ? dot(a, b) / lengths : 1.0);
        }
        return most;
    }

    // Where seams run close together there is not room for all: of a sliver's corners the one that moved farthest goes
    // back.
    bool undo_slivers(const std::vector<Vec3>& home) {
        bool any = false;
        for (std::size_t i = 0; i < t_.size(); ++i) {
            if (sharpest_cosine(i) < kLeastCosine) continue;
            std::size_t farthest = t_.vertices.size();
            for (const std::int32_t c : t_.corners[i]) {
                const auto v = static_cast<std::size_t>(c);
                if (on_seam_[v] != 0 && (farthest == t_.vertices.size() || nearest_[v] > nearest_[farthest]))
                    farthest = v;
            }
            if (farthest == t_.vertices.size()) continue;
            on_seam_[farthest] = 0;
            t_.vertices[farthest] = home[farthest];
            any = true;
        }
        return any;
    }

    // The others make room, but none changes sides or makes a sliver.
    void even_out() {
        const std::vector<Vec3> before = t_.vertices;
        slide_even(shape_.field, t_, cell_size_, kSeamNewtonSteps, on_seam_);
        for (std::size_t v = 0; v < paint_.size(); ++v)
            if (on_seam_[v] == 0 && shape_.paint(t_.vertices[v]) != paint_[v]) t_.vertices[v] = before[v];
        for (std::size_t i = 0; i < t_.size(); ++i) {
            if (sharpest_cosine(i) >= kLeastCosine) {
                for (const std::int32_t c : t_.corners[i])
                    t_.vertices[static_cast<std::size_t>(c)] = before[static_cast<std::size_t>(c)];
            }
        }
    }

    std::int32_t paint_of(std::size_t triangle) const {
        std::int32_t paint = -1;
        for (const std::int32_t c : t_.corners[triangle]) {
            const auto v = static_cast<std::size_t>(c);
            if (on_seam_[v] != 0) continue;
            if (paint >= 0 && paint_[v] != paint) return shape_.paint(t_.centroid(triangle));
            paint = paint_[v];
        }
        return paint >= 0 ? paint : shape_.paint(t_.centroid(triangle));
    }

    const Shape& shape_;
    Triangles& t_;
    double cell_size_;
    std::vector<std::int32_t> paint_;  // of each vertex, before any moved
    std::vector<char> on_seam_;
    std::vector<double> nearest_;  // share of the edge to the crossing that counts
    std::vector<Vec3> target_;
};

}  // namespace

std::vector<std::int32_t> paint_along_seams(const Shape& shape, Triangles& triangles, double cell_size) {
    if (!shape.paint) return std::vector<std::int32_t>(triangles.size(), 0);
    return SeamPainter(shape, triangles, cell_size).run();
}

}  // namespace limber
