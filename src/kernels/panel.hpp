// Triangular solves with one panel of a Cholesky factor: `width` neighbouring columns and the `rows` rows below them.
//
// Layout of a panel (all runs are multiples of four doubles, so vector loads are aligned):
//   triangle  four rows at a time, each stored column by column up to and including its own 4x4 diagonal tile, which
//   holds
//             the *inverse* of the diagonal tile of L (rows beyond `width` are zero). Inverting only 4x4 tiles breaks
//             the chain of divisions without the loss of accuracy that inverses of whole blocks bring.
//   tiles     sixteen rows at a time, each stored column by column; the last tile has 4, 8, 12 or 16 rows, zero-padded.
// A forward sweep reads it from front to back, a backward sweep from back to front: one stream each.
// All instruction sets add in the same order and fuse nothing, so they give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber {

constexpr std::size_t kPanelWidth = 64;  ///< widest panel
constexpr std::size_t kTileRows = 16;
constexpr std::size_t kBundle = 8;  ///< right-hand sides solved together: each unknown then is eight numbers in a row
constexpr std::size_t kHalfBundle = 4;

/// `values` is the panel, `own` the panel's own unknowns (width), x the whole vector, `index` the rows below.
template <class T>
struct PanelArgsOf {
    const T* values;
    std::size_t width;
    std::size_t rows;
    const std::int32_t* index;
    T* own;
    T* x;
};
using PanelArgs = PanelArgsOf<double>;
using PanelFunction = void (*)(const PanelArgs&) noexcept;

/// own = L11^-1 own, x[index] -= L21 own
void panel_forward_baseline(const PanelArgs& p) noexcept;
void panel_forward_avx2(const PanelArgs& p) noexcept;
void panel_forward_avx512(const PanelArgs& p) noexcept;
/// own = L11^-T (own - L21^T x[index])
void panel_backward_baseline(const PanelArgs& p) noexcept;
void panel_backward_avx2(const PanelArgs& p) noexcept;
void panel_backward_avx512(const PanelArgs& p) noexcept;

/// The same for a bundle: `own` and `x` hold kBundle numbers per unknown, on 32-byte boundaries. Each entry of the
/// factor is read once for all of them. Sums run in another order than above (equal up to rounding), but alike in both
/// files.
void panel_forward_bundle_baseline(const PanelArgs& p) noexcept;
void panel_forward_bundle_avx2(const PanelArgs& p) noexcept;
void panel_backward_bundle_baseline(const PanelArgs& p) noexcept;
void panel_backward_bundle_avx2(const PanelArgs& p) noexcept;
/// The same for kHalfBundle.
void panel_forward_half_bundle_baseline(const PanelArgs& p) noexcept;
void panel_forward_half_bundle_avx2(const PanelArgs& p) noexcept;
void panel_backward_half_bundle_baseline(const PanelArgs& p) noexcept;
void panel_backward_half_bundle_avx2(const PanelArgs& p) noexcept;

/// Numbers taken by the triangle, and by the whole panel, whose last tile is padded to kPanelPad rows.
template <class T>
constexpr std::size_t kPanelPad = 32 / sizeof(T);
constexpr std::size_t panel_triangle_size(std::size_t width) noexcept {
    const std::size_t whole = width / 4;
    return 8 * whole * (whole + 1) + (width % 4 != 0 ? 4 * width : 0);
}
template <class T>
constexpr std::size_t panel_size(std::size_t width, std::size_t rows) noexcept {
    return (panel_triangle_size(width) + (rows + kPanelPad<T> - 1) / kPanelPad<T> * kPanelPad<T> * width +
            kPanelPad<T> - 1) /
           kPanelPad<T> * kPanelPad<T>;
}

}  // namespace limber
