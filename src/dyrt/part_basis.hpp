// The shapes a flesh part moves in: its lowest modes, and residuals for what they leave of the answer to slow motion.
#pragma once

#include "dyrt/part_system.hpp"

namespace limber {

struct PartBasis {
    std::size_t unknowns = 0;          ///< of a shape, held ones included
    std::size_t modes = 0;             ///< the first of the shapes
    std::vector<double> omega, error;  ///< as in DyrtPart
    std::vector<double> shapes;        ///< count() columns, M-orthonormal
    std::vector<double> transfer;      ///< count() x kDyrtDrives
    double orthonormality = 0.0;

    std::size_t count() const { return omega.size(); }
    const double* shape(std::size_t k) const { return shapes.data() + k * unknowns; }
};

/// Throws Error{bad_usage} when the frequency limit leaves no mode.
PartBasis make_part_basis(const PartSystem& part, const Vec3& bone, const DyrtSettings& settings, Progress& progress);

/// 3 x count x count: -2 phi_k^T M (e_a x phi_j).
std::vector<double> coriolis_table(const PartSystem& part, const PartBasis& basis);

}  // namespace limber
