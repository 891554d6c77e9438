// K as clusters, as a StiffnessProduct: everything that one pass over K can take along is taken along.
#pragma once

#include "integrate/system.hpp"
#include "linalg/half_clusters.hpp"
#include "linalg/row_clusters.hpp"
#include "methods/clustered_fem/settings.hpp"

#include <memory>
#include <vector>

namespace limber {

/// K (u + zeta v) + diag(m) (...) as one gather, one pass over one half of K, in double or single precision (T).
template <class T>
class RowProduct final : public StiffnessProduct {
public:
    explicit RowProduct(const BlockCsr& stiffness);

    void apply(const Terms& terms, double* out, double* scratch) const noexcept override;
    std::size_t scratch_size() const override { return clusters_.scratch_size(); }
    std::size_t bytes() const override { return clusters_.bytes(); }
    double error() const override { return error_; }

private:
    HalfClusters<T> clusters_;
    double error_ = 0.0;
};

/// The same as one gather and one pass over each set of clusters: rows of a group of cells have no mirror to leave out.
template <class T>
class VoxelProduct final : public StiffnessProduct {
public:
    /// Sums the sets; `stiffness` is what they sum to.
    VoxelProduct(const std::vector<ClusterRows>& sets, const BlockCsr& stiffness);

    void apply(const Terms& terms, double* out, double* scratch) const noexcept override;
    std::size_t scratch_size() const override;
    std::size_t bytes() const override;
    double error() const override { return error_; }

private:
    std::vector<RowClusters<T>> sets_;
    double error_ = 0.0;
};

/// The paper's voxels: cells are grouped by a grid of cubes; within a group, vertices of two cells or more are shared,
/// others boundary, and f = f_shared + f_boundary, each vertex having a cluster in every group it touches. First the
/// shared ones, then the boundary ones.
std::vector<ClusterRows> voxel_clusters(const Body& body, const AssemblySettings& assembly, int cells_per_voxel);

/// Element by element, K_e u_e and K_e (s v_e) as two products from two arrays: the standard that clusters are measured
/// against.
std::unique_ptr<StiffnessProduct> make_element_product(const Body& body, const AssemblySettings& assembly);

/// The one that the settings ask for; `stiffness` is the assembled K.
std::shared_ptr<const StiffnessProduct> make_clustered_product(const Body& body, const BlockCsr& stiffness,
                                                               const ClusteredFemSettings& settings);

}  // namespace limber
