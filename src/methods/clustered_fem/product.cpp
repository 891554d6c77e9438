#include "methods/clustered_fem/product.hpp"

#include "core/parallel.hpp"
#include "linalg/locality.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace limber {
namespace {

constexpr std::size_t kVerticesPerBlock = 2048;     // of the gathering loop

double* on_cache_line(double* p) noexcept { return reinterpret_cast<double*>((reinterpret_cast<std::uintptr_t>(p) + 63) / 64 * 64); }

template <class T>
std::size_t gathered_doubles(std::size_t places) { return (kPlace * places * sizeof(T) + sizeof(double) - 1) / sizeof(double); }

}  // namespace

template <class T>
ClusteredProduct<T>::ClusteredProduct(const std::vector<ClusterRows>& sets, const std::vector<std::int32_t>& order) {
    for (const ClusterRows& rows : sets) sets_.emplace_back(rows, order);
}

template <class T>
std::size_t ClusteredProduct<T>::scratch_size() const {
    std::size_t sums = 0;
    for (const RowClusters<T>& set : sets_) sums = std::max(sums, set.scratch_size());
    return gathered_doubles<T>(sets_[0].places()) + 16 + sums;      // two cache lines to come onto one
}

template <class T>
std::size_t ClusteredProduct<T>::bytes() const {
    std::size_t sum = 0;
    for (const RowClusters<T>& set : sets_) sum += set.bytes();
    return sum;
}

template <class T>
void ClusteredProduct<T>::apply(const Terms& t, double* out, double* scratch) const noexcept {
    double* at = on_cache_line(scratch);
    T* x = reinterpret_cast<T*>(at);
    const RowClusters<T>& first = sets_[0];
    // What is missing is read as something else, zero times.
    GatherArgs<T> args{t.u, t.v != nullptr ? t.v : t.u, t.u_scale, t.v != nullptr ? t.v_scale : 0.0, t.a != nullptr || t.b != nullptr ? t.mass : nullptr,
                       t.a != nullptr ? t.a : t.b, t.b != nullptr ? t.b : t.a, t.a != nullptr ? t.a_scale : 0.0, t.b != nullptr ? t.b_scale : 0.0,
                       first.place_of(), x, out};
    const ClusterGather<T> gather = cluster_gather<T>(first.block());
    parallel_blocks(first.places(), kVerticesPerBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept { gather(args, begin, end); });
    double* sums = on_cache_line(at + gathered_doubles<T>(first.places()));
    for (const RowClusters<T>& set : sets_) set.add_product(x, out, sums);
}

template <class T>
void ClusteredProduct<T>::measure_error(const BlockCsr& stiffness) {
    std::vector<double> u(stiffness.size()), exact(u.size()), found(u.size()), scratch(scratch_size());
    std::uint64_t seed = 1;
    for (double& x : u) x = static_cast<double>((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 11) * 0x1p-52 - 1.0;
    multiply(stiffness, u.data(), exact.data());
    apply({u.data()}, found.data(), scratch.data());
    double off = 0.0, size = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        off += (found[i] - exact[i]) * (found[i] - exact[i]);
        size += exact[i] * exact[i];
    }
    error_ = size > 0.0 ? std::sqrt(off / size) : 0.0;
}

template class ClusteredProduct<double>;
template class ClusteredProduct<float>;

std::shared_ptr<const StiffnessProduct> make_clustered_product(const Body& body, const BlockCsr& stiffness, const ClusteredFemSettings& settings) {
    if (settings.clusters == Clusters::none) return make_element_product(body, settings.linear.assembly);
    const std::vector<std::int32_t> order = order_for_locality(stiffness);
    const std::vector<ClusterRows> sets = settings.clusters == Clusters::rows ? std::vector<ClusterRows>{{stiffness, {}}}
                                                                              : voxel_clusters(body, settings.linear.assembly, settings.voxel_cells);
    if (!settings.single) return std::make_shared<ClusteredProduct<double>>(sets, order);
    auto single = std::make_shared<ClusteredProduct<float>>(sets, order);
    single->measure_error(stiffness);
    return single;
}

}  // namespace limber
