#include "kernels/half_clusters.hpp"

#include "kernels/isa.hpp"

namespace limber {
namespace {

// Where entry (i, j) of a symmetric block stands among those with j >= i.
template <std::size_t B>
constexpr std::size_t upper(std::size_t i, std::size_t j) {
    const std::size_t low = i < j ? i : j, high = i < j ? j : i;
    return low * B - low * (low + 1) / 2 + high;
}

template <std::size_t B, class T, std::size_t L>
inline void add_diagonal(const T* v, const T (&own)[B][L], T (&sum)[B][L]) noexcept {
    for (std::size_t i = 0; i < B; ++i) {
        for (std::size_t l = 0; l < L; ++l) {
            sum[i][l] = v[upper<B>(i, 0) * L + l] * own[0][l] + v[upper<B>(i, 1) * L + l] * own[1][l];
            if constexpr (B == 3) sum[i][l] += v[upper<B>(i, 2) * L + l] * own[2][l];
        }
    }
}

template <std::size_t B, class T, std::size_t L>
inline void add_slot(const HalfArgs<T>& a, const std::uint32_t* column, const T* v, const T (&own)[B][L],
                     T (&sum)[B][L]) noexcept {
    for (std::size_t l = 0; l < L; ++l) {
        const T* x = a.x + column[l];
        T* y = a.y + column[l];
        for (std::size_t i = 0; i < B; ++i) {
            T part = v[B * i * L + l] * x[0] + v[(B * i + 1) * L + l] * x[1];
            T mirrored = v[i * L + l] * own[0][l] + v[(B + i) * L + l] * own[1][l];
            if constexpr (B == 3) {
                part += v[(B * i + 2) * L + l] * x[2];
                mirrored += v[(2 * B + i) * L + l] * own[2][l];
            }
            sum[i][l] += part;
            y[i] += mirrored;
        }
    }
}

template <std::size_t B, class T>
inline void gather_vertices(const VertexListArgs<T>& a, std::size_t count) noexcept {
    const FusedTerms& t = a.terms;
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < B; ++i) {
            const std::size_t from = B * a.list[k].vertex + i;
            a.x[a.list[k].at + i] = static_cast<T>(t.u_scale * t.u[from] + t.v_scale * t.v[from]);
        }
    }
}

template <std::size_t B, class T>
inline void finish_vertices(const VertexListArgs<T>& a, std::size_t count) noexcept {
    const FusedTerms& t = a.terms;
    for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < B; ++i) {
            const std::size_t vertex = a.list[k].vertex, to = B * vertex + i;
            const double product = static_cast<double>(a.y[a.list[k].at + i]);
            a.out[to] = t.mass != nullptr ? t.mass[vertex] * (t.a_scale * t.a[to] + t.b_scale * t.b[to]) + product
                                          : product;
        }
    }
}

HalfProduct<double> product(int block, std::size_t lanes, const double*) noexcept {
    if (lanes == 8 && kernel_choice() >= Isa::avx512) return block == 2 ? half_product2_avx512 : half_product3_avx512;
    if (lanes == 8) return block == 2 ? half_product_baseline<2, 8, double> : half_product_baseline<3, 8, double>;
    if (kernel_choice() >= Isa::avx2) {
        return block == 2 ? static_cast<HalfProduct<double>>(half_product2_avx2)
                          : static_cast<HalfProduct<double>>(half_product3_avx2);
    }
    return block == 2 ? half_product_baseline<2, 4, double> : half_product_baseline<3, 4, double>;
}

HalfProduct<float> product(int block, std::size_t, const float*) noexcept {
    if (kernel_choice() >= Isa::avx2) {
        return block == 2 ? static_cast<HalfProduct<float>>(half_product2_avx2)
                          : static_cast<HalfProduct<float>>(half_product3_avx2);
    }
    return block == 2 ? half_product_baseline<2, 8, float> : half_product_baseline<3, 8, float>;
}

VertexListLoop<double> finish3(const double*) noexcept { return half_finish3_avx2; }
VertexListLoop<float> finish3(const float*) noexcept {
    if (kernel_choice() >= Isa::avx512) return half_finish3_avx512;
    return half_finish3_avx2;
}

template <class T>
HalfKernels<T> kernels(int block, std::size_t lanes) noexcept {
    const HalfProduct<T> chosen = product(block, lanes, static_cast<const T*>(nullptr));
    if (block == 2) return {chosen, half_gather2_baseline, half_finish2_baseline};
    if (kernel_choice() >= Isa::avx2) return {chosen, half_gather3_avx2, finish3(static_cast<const T*>(nullptr))};
    return {chosen, half_gather3_baseline, half_finish3_baseline};
}

}  // namespace

template <std::size_t B, std::size_t L, class T>
void half_product_baseline(const HalfArgs<T>& a, std::size_t begin, std::size_t end) noexcept {
    const T* v = a.values + half_stream(B, L, begin, a.starts);
    for (std::size_t s = begin; s < end; ++s) {
        const std::size_t row = L * (s - a.first);
        T own[B][L], sum[B][L];
        for (std::size_t l = 0; l < L; ++l)
            for (std::size_t i = 0; i < B; ++i) own[i][l] = a.x[kGatherStride * (row + l) + i];
        add_diagonal<B>(v, own, sum);
        v += B * (B + 1) / 2 * L;
        for (auto slot = static_cast<std::size_t>(a.starts[s]); slot < static_cast<std::size_t>(a.starts[s + 1]);
             ++slot, v += B * B * L) {
            add_slot<B>(a, a.columns + L * slot, v, own, sum);
        }
        for (std::size_t l = 0; l < L; ++l)
            for (std::size_t i = 0; i < B; ++i) a.y[kGatherStride * (row + l) + i] += sum[i][l];
    }
}

template void half_product_baseline<2, 4>(const HalfArgs<double>&, std::size_t, std::size_t) noexcept;
template void half_product_baseline<3, 4>(const HalfArgs<double>&, std::size_t, std::size_t) noexcept;
template void half_product_baseline<2, 8>(const HalfArgs<double>&, std::size_t, std::size_t) noexcept;
template void half_product_baseline<3, 8>(const HalfArgs<double>&, std::size_t, std::size_t) noexcept;
template void half_product_baseline<2, 8>(const HalfArgs<float>&, std::size_t, std::size_t) noexcept;
template void half_product_baseline<3, 8>(const HalfArgs<float>&, std::size_t, std::size_t) noexcept;
void half_gather2_baseline(const VertexListArgs<double>& a, std::size_t count) noexcept {
    gather_vertices<2>(a, count);
}
void half_gather2_baseline(const VertexListArgs<float>& a, std::size_t count) noexcept { gather_vertices<2>(a, count); }
void half_gather3_baseline(const VertexListArgs<double>& a, std::size_t count) noexcept {
    gather_vertices<3>(a, count);
}
void half_gather3_baseline(const VertexListArgs<float>& a, std::size_t count) noexcept { gather_vertices<3>(a, count); }
void half_finish2_baseline(const VertexListArgs<double>& a, std::size_t count) noexcept {
    finish_vertices<2>(a, count);
}
void half_finish2_baseline(const VertexListArgs<float>& a, std::size_t count) noexcept { finish_vertices<2>(a, count); }
void half_finish3_baseline(const VertexListArgs<double>& a, std::size_t count) noexcept {
    finish_vertices<3>(a, count);
}
void half_finish3_baseline(const VertexListArgs<float>& a, std::size_t count) noexcept { finish_vertices<3>(a, count); }

template <>
std::size_t half_lanes<double>() noexcept {
    return kernel_choice() >= Isa::avx512 ? 8 : 4;
}
template <>
std::size_t half_lanes<float>() noexcept {
    return 8;
}
template <>
HalfKernels<double> half_kernels<double>(int block, std::size_t lanes) noexcept {
    return kernels<double>(block, lanes);
}
template <>
HalfKernels<float> half_kernels<float>(int block, std::size_t lanes) noexcept {
    return kernels<float>(block, lanes);
}

}  // namespace limber
