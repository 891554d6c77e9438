// Triangular solves with one panel of a Cholesky factor kept in single precision: the layout of kernels/panel.hpp, but
// the last tile has 8 or 16 rows, so that every run of the tiles is a multiple of eight floats.
#pragma once

#include "kernels/panel.hpp"

namespace limber {

using PanelArgsFloat = PanelArgsOf<float>;

void panel_forward_float_baseline(const PanelArgsFloat& p) noexcept;
void panel_forward_float_avx2(const PanelArgsFloat& p) noexcept;
void panel_forward_float_avx512(const PanelArgsFloat& p) noexcept;
void panel_backward_float_baseline(const PanelArgsFloat& p) noexcept;
void panel_backward_float_avx2(const PanelArgsFloat& p) noexcept;
void panel_backward_float_avx512(const PanelArgsFloat& p) noexcept;

}  // namespace limber
