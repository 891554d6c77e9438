#include "kernels/clusters.hpp"

#include "kernels/isa.hpp"

namespace limber {
namespace {

template <std::size_t B, class T>
inline void product(const ClusterArgs<T>& a, std::size_t begin, std::size_t end) noexcept {
    constexpr std::size_t L = kSliceRows;
    for (std::size_t s = begin; s < end; ++s) {
        T sum[B][L] = {};
        for (auto slot = static_cast<std::size_t>(a.starts[s]); slot < static_cast<std::size_t>(a.starts[s + 1]);
             ++slot) {
            const std::int32_t* column = a.columns + L * slot;
            const T* v = a.values + L * B * B * slot;
            T x[B][L];
            for (std::size_t l = 0; l < L; ++l)
                for (std::size_t j = 0; j < B; ++j)
                    x[j][l] = a.x[kGatherStride * static_cast<std::size_t>(column[l]) + j];
            for (std::size_t i = 0; i < B; ++i) {
                for (std::size_t l = 0; l < L; ++l) {
                    T part = v[B * i * L + l] * x[0][l] + v[(B * i + 1) * L + l] * x[1][l];
                    if constexpr (B == 3) part += v[(B * i + 2) * L + l] * x[2][l];
                    sum[i][l] += part;
                }
            }
        }
        for (std::size_t l = 0; l < L && L * s + l < a.row_count; ++l) {
            for (std::size_t i = 0; i < B; ++i)
                a.y[B * static_cast<std::size_t>(a.rows[L * s + l]) + i] += static_cast<double>(sum[i][l]);
        }
    }
}

template <std::size_t B, class T>
inline void gather(const GatherArgs<T>& a, std::size_t begin, std::size_t end) noexcept {
    const FusedTerms& t = a.terms;
    for (std::size_t v = begin; v < end; ++v) {
        T* x = a.x + kGatherStride * static_cast<std::size_t>(a.gathered_index[v]);
        for (std::size_t i = B * v, k = 0; k < B; ++i, ++k) {
            x[k] = static_cast<T>(t.u_scale * t.u[i] + t.v_scale * t.v[i]);
            a.out[i] = t.mass != nullptr ? t.mass[v] * (t.a_scale * t.a[i] + t.b_scale * t.b[i]) : 0.0;
        }
    }
}

}  // namespace

void cluster_product2_baseline(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    product<2>(a, begin, end);
}
void cluster_product3_baseline(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept {
    product<3>(a, begin, end);
}
void cluster_product2_baseline(const ClusterArgs<float>& a, std::size_t begin, std::size_t end) noexcept {
    product<2>(a, begin, end);
}
void cluster_product3_baseline(const ClusterArgs<float>& a, std::size_t begin, std::size_t end) noexcept {
    product<3>(a, begin, end);
}

namespace {

template <class T>
ClusterProduct<T> of_block(int block, ClusterProduct<T> two, ClusterProduct<T> three) noexcept {
    return block == 2 ? two : three;
}

}  // namespace

template <>
ClusterProduct<double> cluster_product<double>(int block) noexcept {
    if (kernel_choice() >= Isa::avx2) return of_block<double>(block, cluster_product2_avx2, cluster_product3_avx2);
    return of_block<double>(block, cluster_product2_baseline, cluster_product3_baseline);
}

template <>
ClusterProduct<float> cluster_product<float>(int block) noexcept {
    if (kernel_choice() >= Isa::avx2) return of_block<float>(block, cluster_product2_avx2, cluster_product3_avx2);
    return of_block<float>(block, cluster_product2_baseline, cluster_product3_baseline);
}

void cluster_gather(const GatherArgs<double>& a, int block, std::size_t begin, std::size_t end) noexcept {
    block == 2 ? gather<2>(a, begin, end) : gather<3>(a, begin, end);
}
void cluster_gather(const GatherArgs<float>& a, int block, std::size_t begin, std::size_t end) noexcept {
    block == 2 ? gather<2>(a, begin, end) : gather<3>(a, begin, end);
}

}  // namespace limber
