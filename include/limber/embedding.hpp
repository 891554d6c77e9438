// Embedding: points that ride on a solid, such as the vertices of the surface that is shown. The solid may be much
// coarser.
#pragma once

#include <limber/mesh.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace limber {

struct EmbeddingSettings {
    double limit = 0.0;  ///< points farther than this from every cell are reported [m]; 0 = one cell size
};

/// Each point moves by the displacements of one cell's corners, weighted by its shape functions. A point outside every
/// cell takes the nearest cell's field and slope at its nearest point (on linear cells: barycentric coordinates below
/// 0), so that it turns and stretches with it. At rest every point is where it was, to the bit; affine motions of the
/// solid move every point exactly so.
class EmbeddedSurface {
public:
    /// Throws Error{bad_mesh} when the mesh cannot be searched or a point is not finite. The mesh is not needed
    /// afterwards.
    EmbeddedSurface(std::span<const Vec3> points, const Mesh& mesh, const EmbeddingSettings& settings = {});

    std::size_t size() const { return rest_.size(); }
    const std::vector<Vec3>& rest() const { return rest_; }  ///< [m]

    /// `body`: one displacement per vertex of the mesh; `out`: one per point [m]. Neither takes memory.
    void displacements(std::span<const Vec3> body, std::span<Vec3> out) const noexcept;
    void positions(std::span<const Vec3> body, std::span<Vec3> out) const noexcept;

    /// What point `p` hangs on: corners() mesh vertices and as many weights, which sum to 1.
    std::size_t corners() const { return corners_; }
    std::span<const std::int32_t> vertices_of(std::size_t p) const { return {vertex_.data() + p * corners_, corners_}; }
    std::span<const double> weights_of(std::size_t p) const { return {weight_.data() + p * corners_, corners_}; }

    std::size_t outside() const { return outside_; }      ///< points in no cell
    std::size_t beyond_limit() const { return beyond_; }  ///< of those: farther than the limit
    double limit() const { return limit_; }               ///< [m]
    double farthest() const { return farthest_; }         ///< distance of the worst point [m]
    std::size_t farthest_point() const { return farthest_point_; }
    /// One line in plain words when points lie beyond the limit; "" otherwise.
    std::string warning() const;

private:
    void bind(const Mesh& mesh);

    std::vector<Vec3> rest_;
    std::size_t corners_ = 0;
    std::vector<std::int32_t> vertex_;
    std::vector<double> weight_;
    std::vector<double> distance_;  ///< per point; emptied once counted
    std::size_t outside_ = 0, beyond_ = 0, farthest_point_ = 0;
    double limit_ = 0.0, farthest_ = 0.0;
};

/// Mean over the cells of the largest distance between two corners [m].
double cell_size_of(const Mesh& mesh);

}  // namespace limber
