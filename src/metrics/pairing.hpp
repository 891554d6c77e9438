// Pairing: two recordings made comparable: their common frames, and fields carried from one mesh to the other's
// vertices.
#pragma once

#include <limber/tools/recording.hpp>
#include "geometry/embedding.hpp"

#include <optional>
#include <span>
#include <vector>

namespace limber {

/// Interpolation from the vertices of one mesh to fixed points of its rest shape. Borrows the mesh.
class Sampler {
public:
    /// A point outside (by rounding, or because curved boundaries are meshed differently) takes the nearest cell's
    /// value.
    Sampler(const Mesh& mesh, std::span<const Vec3> points);
    std::vector<Vec3> operator()(std::span<const Vec3> field) const;
    /// How far the worst point lies outside the mesh [m].
    double worst_gap() const { return worst_gap_; }

private:
    const Mesh* mesh_;
    std::vector<Location> locations_;
    double worst_gap_ = 0.0;
};

/// Borrows both recordings.
class Pairing {
public:
    /// Throws when nothing can be compared: no body, another dimension, frames that do not fit, no common times.
    Pairing(const Recording& reference, const Recording& candidate);

    const Recording& reference() const { return *reference_; }
    const Recording& candidate() const { return *candidate_; }
    const Mesh& mesh() const { return reference_->body->mesh(); }
    bool same_mesh() const { return same_mesh_; }

    struct Pair {
        const Frame* reference;
        const Frame* candidate;
    };
    const std::vector<Pair>& frames() const { return frames_; }

    /// The candidate's displacement on the reference's vertices, and the other way round. Built on first use.
    std::vector<Vec3> to_reference(std::span<const Vec3> candidate_field) const;
    std::vector<Vec3> to_candidate(std::span<const Vec3> reference_field) const;
    /// Both meshes fill the same rest shape (up to 1e-9 of its size), so that only displacement can tell them apart.
    bool same_rest_shape() const;

private:
    const Sampler& sampler(bool to_reference) const;
    const Recording* reference_;
    const Recording* candidate_;
    bool same_mesh_ = false;
    std::vector<Pair> frames_;
    mutable std::optional<Sampler> to_reference_, to_candidate_;
};

}  // namespace limber
