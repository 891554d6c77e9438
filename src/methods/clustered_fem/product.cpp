#include "methods/clustered_fem/product.hpp"

#include "core/parallel.hpp"
#include "linalg/locality.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace limber {
namespace {

constexpr std::size_t kVerticesPerBlock = 2048;  // of the gathering loop

template <class T>
std::size_t gathered_doubles(std::size_t gathered_rows) {
    return (kGatherStride * gathered_rows * sizeof(T) + sizeof(double) - 1) / sizeof(double);
}

// What is missing is read as something else, zero times.
FusedTerms fused(const StiffnessProduct::Terms& t) noexcept {
    return {t.u,
            t.v != nullptr ? t.v : t.u,
            t.u_scale,
            t.v != nullptr ? t.v_scale : 0.0,
            t.a != nullptr || t.b != nullptr ? t.mass : nullptr,
            t.a != nullptr ? t.a : t.b,
            t.b != nullptr ? t.b : t.a,
            t.a != nullptr ? t.a_scale : 0.0,
            t.b != nullptr ? t.b_scale : 0.0};
}

// What single precision costs, on a fixed random vector, against a product in double.
template <class T>
double measured_error(const StiffnessProduct& product, const BlockCsr& stiffness) {
    if (std::is_same_v<T, double>) return 0.0;
    std::vector<double> u(stiffness.size()), exact(u.size()), found(u.size()), scratch(product.scratch_size());
    std::uint64_t seed = 1;
    for (double& x : u)
        x = static_cast<double>((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 11) * 0x1p-52 - 1.0;
    multiply(stiffness, u.data(), exact.data());
    product.apply({u.data()}, found.data(), scratch.data());
    double off = 0.0, size = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        off += (found[i] - exact[i]) * (found[i] - exact[i]);
        size += exact[i] * exact[i];
    }
    return size > 0.0 ? std::sqrt(off / size) : 0.0;
}

}  // namespace

template <class T>
RowProduct<T>::RowProduct(const BlockCsr& stiffness) : clusters_(stiffness, order_for_locality(stiffness)) {
    error_ = measured_error<T>(*this, stiffness);
}

template <class T>
void RowProduct<T>::apply(const Terms& t, double* out, double* scratch) const noexcept {
    clusters_.apply(fused(t), out, scratch);
}

template <class T>
VoxelProduct<T>::VoxelProduct(const std::vector<ClusterRows>& sets, const BlockCsr& stiffness) {
    const std::vector<std::int32_t> order = order_for_locality(stiffness);
    for (const ClusterRows& rows : sets) sets_.emplace_back(rows, order);
    error_ = measured_error<T>(*this, stiffness);
}

template <class T>
std::size_t VoxelProduct<T>::scratch_size() const {
    std::size_t sums = 0;
    for (const RowClusters<T>& set : sets_) sums = std::max(sums, set.scratch_size());
    return gathered_doubles<T>(sets_[0].gathered_rows()) + 16 + sums;  // two cache lines to come onto one
}

template <class T>
std::size_t VoxelProduct<T>::bytes() const {
    std::size_t sum = 0;
    for (const RowClusters<T>& set : sets_) sum += set.bytes();
    return sum;
}

template <class T>
void VoxelProduct<T>::apply(const Terms& terms, double* out, double* scratch) const noexcept {
    double* at = on_cache_line(scratch);
    T* x = reinterpret_cast<T*>(at);
    const RowClusters<T>& first = sets_[0];
    const GatherArgs<T> args{fused(terms), first.gathered_index(), x, out};
    parallel_blocks(first.gathered_rows(), kVerticesPerBlock,
                    [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
                        cluster_gather(args, first.block(), begin, end);
                    });
    double* sums = on_cache_line(at + gathered_doubles<T>(first.gathered_rows()));
    for (const RowClusters<T>& set : sets_) set.add_product(x, out, sums);
}

std::shared_ptr<const StiffnessProduct> make_clustered_product(const Body& body, const BlockCsr& stiffness,
                                                               const ClusteredFemSettings& settings) {
    if (settings.clusters == Clusters::none) return make_element_product(body, settings.linear.assembly);
    if (settings.clusters == Clusters::rows) {
        if (settings.single) return std::make_shared<RowProduct<float>>(stiffness);
        return std::make_shared<RowProduct<double>>(stiffness);
    }
    const std::vector<ClusterRows> sets = voxel_clusters(body, settings.linear.assembly, settings.voxel_cells);
    if (settings.single) return std::make_shared<VoxelProduct<float>>(sets, stiffness);
    return std::make_shared<VoxelProduct<double>>(sets, stiffness);
}

}  // namespace limber
