// The standard evaluation: per element, gather u and v, two dense products K_e u_e + D_e v_e, scatter. What row
// clusters are measured against.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber {

struct ElementArgs {
    std::size_t corners, block;    ///< corners * block unknowns per element, at most 32
    const std::int32_t* vertices;  ///< corners per element
    const double* stiffness;       ///< per element, column by column, on a 64-byte boundary
    const double* damping;         ///< the same; read only with v
    const double *u, *v;           ///< v may be null
    double u_scale, v_scale;
    double* out;  ///< added to
};

void element_product_baseline(const ElementArgs& a, std::size_t begin, std::size_t end) noexcept;
/// Four corners of three unknowns only.
void element_product12_avx2(const ElementArgs& a, std::size_t begin, std::size_t end) noexcept;
/// The same, fused: the last digit may differ.
void element_product12_avx512(const ElementArgs& a, std::size_t begin, std::size_t end) noexcept;
/// The one for this processor.
void element_product(const ElementArgs& a, std::size_t begin, std::size_t end) noexcept;

}  // namespace limber
