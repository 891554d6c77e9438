// K as clusters, as a StiffnessProduct: everything that one pass over K can take along is taken along.
#pragma once

#include "integrate/system.hpp"
#include "linalg/row_clusters.hpp"
#include "methods/clustered_fem/settings.hpp"

#include <memory>
#include <vector>

namespace limber {

/// K (u + zeta v) + diag(m) (...) as one gather, one pass over each set of clusters, in double or single precision (T).
template <class T>
class ClusteredProduct final : public StiffnessProduct {
public:
    /// Sums the sets: one for row clusters, shared and boundary ones for voxels. `order`: vertices by locality.
    ClusteredProduct(const std::vector<ClusterRows>& sets, const std::vector<std::int32_t>& order);

    void apply(const Terms& terms, double* out, double* scratch) const noexcept override;
    std::size_t scratch_size() const override;
    std::size_t bytes() const override;
    double error() const override { return error_; }
    const std::vector<RowClusters<T>>& sets() const { return sets_; }
    /// Measures what single precision costs, on a fixed random vector, against a product in double.
    void measure_error(const BlockCsr& stiffness);

private:
    std::vector<RowClusters<T>> sets_;
    double error_ = 0.0;
};

/// The paper's voxels: cells are grouped by a grid of cubes; within a group, vertices of two cells or more are shared, others boundary, and
/// f = f_shared + f_boundary, each vertex having a cluster in every group it touches. First the shared ones, then the boundary ones.
std::vector<ClusterRows> voxel_clusters(const Body& body, const AssemblySettings& assembly, int cells_per_voxel);

/// Element by element, K_e u_e and K_e (s v_e) as two products from two arrays: the standard that clusters are measured against.
std::unique_ptr<StiffnessProduct> make_element_product(const Body& body, const AssemblySettings& assembly);

/// The one that the settings ask for; `stiffness` is the assembled K.
std::shared_ptr<const StiffnessProduct> make_clustered_product(const Body& body, const BlockCsr& stiffness, const ClusteredFemSettings& settings);

}  // namespace limber
