#include "fem_linear/explicit_forecast.hpp"

#include "fem_linear/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace limber {
namespace {

constexpr int kPowerSteps = 60;  // of the iteration for one cell's highest frequency
constexpr double kWorthALook =
    0.2;  // of the largest sum of squared frequencies: cells below cannot be the fastest, or hardly
constexpr std::size_t kMostLooks = 2000;

/// K_e and the inverse of M_e of one cell.
class OneCell {
public:
    OneCell(const Body& body, std::size_t cell, const AssemblySettings& assembly)
        : dimension_(static_cast<std::size_t>(body.mesh().dimension())) {
        // Averages around vertices are softer than the cells they are made of: plain cells bound them too.
        const bool simplex = body.mesh().kind == CellKind::tri3 || body.mesh().kind == CellKind::tet4;
        element_matrices(body, cell,
                         {simplex ? Integration::full : assembly.integration, false, assembly.volume_penalty}, e_);
        corners_ = static_cast<std::size_t>(corners_of(body.mesh().kind));
        lumped_ = assembly.mass == MassKind::lumped;
        lump();
        if (!lumped_) factor();
    }

    /// The sum of all squared frequencies with lumped mass [rad^2/s^2].
    double sum_of_squares() const {
        double sum = 0.0;
        for (std::size_t i = 0; i < dofs(); ++i) sum += e_.stiffness[i * dofs() + i] / point_mass_[i / dimension_];
        return sum;
    }

    /// The largest squared frequency, by the power method.
    double fastest_square() const {
        std::array<double, kMaxElementDofs> x{}, y{};
        for (std::size_t i = 0; i < dofs(); ++i) x[i] = std::sin(1.0 + 2.3 * static_cast<double>(i));
        double square = 0.0;
        for (int k = 0; k < kPowerSteps; ++k) {
            double size = 0.0;
            for (std::size_t i = 0; i < dofs(); ++i) size += x[i] * x[i];
            size = std::sqrt(size);
            if (!(size > 0.0)) return 0.0;
            for (std::size_t i = 0; i < dofs(); ++i) x[i] /= size;
            for (std::size_t i = 0; i < dofs(); ++i) {
                y[i] = 0.0;
                for (std::size_t j = 0; j < dofs(); ++j) y[i] += e_.stiffness[i * dofs() + j] * x[j];
            }
            double stiff = 0.0;
            for (std::size_t i = 0; i < dofs(); ++i) stiff += x[i] * y[i];
            square = std::max(square, stiff / inertia(x.data()));
            divide_by_mass(y.data());
            x = y;
        }
        return square;
    }

private:
    std::size_t dofs() const { return static_cast<std::size_t>(e_.dofs); }

    // The diagonal, scaled to the cell's mass: row sums where the cell is linear.
    void lump() {
        double diagonal = 0.0, whole = 0.0;
        for (std::size_t a = 0; a < corners_; ++a) diagonal += e_.mass[a * corners_ + a];
        for (std::size_t a = 0; a < corners_ * corners_; ++a) whole += e_.mass[a];
        for (std::size_t a = 0; a < corners_; ++a) point_mass_[a] = e_.mass[a * corners_ + a] * whole / diagonal;
    }
    double inertia(const double* x) const {
        double sum = 0.0;
        for (std::size_t a = 0; a < corners_; ++a) {
            for (std::size_t b = 0; b < corners_; ++b) {
                const double mass = lumped_ ? (a == b ? point_mass_[a] : 0.0) : e_.mass[a * corners_ + b];
                for (std::size_t i = 0; i < dimension_; ++i)
                    sum += mass * x[a * dimension_ + i] * x[b * dimension_ + i];
            }
        }
        return sum;
    }
    // M_e = L L^T
    void factor() {
        for (std::size_t a = 0; a < corners_; ++a) {
            for (std::size_t b = 0; b <= a; ++b) {
                double sum = e_.mass[a * corners_ + b];
                for (std::size_t k = 0; k < b; ++k) sum -= factor_[a * corners_ + k] * factor_[b * corners_ + k];
                factor_[a * corners_ + b] = a == b ? std::sqrt(sum) : sum / factor_[b * corners_ + b];
            }
        }
    }
    void divide_by_mass(double* y) const {
        for (std::size_t i = 0; i < dimension_; ++i) {
            if (lumped_) {
                for (std::size_t a = 0; a < corners_; ++a) y[a * dimension_ + i] /= point_mass_[a];
                continue;
            }
            for (std::size_t a = 0; a < corners_; ++a) {
                for (std::size_t k = 0; k < a; ++k)
                    y[a * dimension_ + i] -= factor_[a * corners_ + k] * y[k * dimension_ + i];
                y[a * dimension_ + i] /= factor_[a * corners_ + a];
            }
            for (std::size_t a = corners_; a-- > 0;) {
                for (std::size_t k = a + 1; k < corners_; ++k)
                    y[a * dimension_ + i] -= factor_[k * corners_ + a] * y[k * dimension_ + i];
                y[a * dimension_ + i] /= factor_[a * corners_ + a];
            }
        }
    }

    ElementMatrices e_;
    std::size_t dimension_, corners_ = 0;
    bool lumped_ = false;
    std::array<double, kMaxCorners> point_mass_{};
    std::array<double, kMaxCorners * kMaxCorners> factor_{};
};

}  // namespace

double fastest_cell(const Body& body, const AssemblySettings& assembly) {
    std::vector<std::pair<double, std::size_t>> sums;
    for (std::size_t c = 0; c < body.mesh().cell_count(); ++c)
        sums.emplace_back(OneCell(body, c, assembly).sum_of_squares(), c);
    std::sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    double square = 0.0;
    for (std::size_t k = 0; k < std::min(sums.size(), kMostLooks) && sums[k].first >= kWorthALook * sums[0].first; ++k)
        square = std::max(square, OneCell(body, sums[k].second, assembly).fastest_square());
    return std::sqrt(square);
}

ExplicitForecast forecast_explicit(const Body& body, const AssemblySettings& assembly, Scheme scheme, double step) {
    double alpha = 0.0, beta = 0.0;
    for (const Material& m : body.materials()) {
        alpha = std::max(alpha, m.rayleigh_alpha);
        if (assembly.damping == DampingKind::rayleigh) beta = std::max(beta, m.rayleigh_beta);
    }
    const double omega = fastest_cell(body, assembly);
    const auto count = [&](double critical) { return std::max(1.0, std::ceil(step / (kStepSafety * critical))); };
    ExplicitForecast out;
    out.critical_step = critical_step(scheme, omega, alpha, beta);
    out.sub_steps = count(out.critical_step);
    out.without_damping = count(critical_step(scheme, omega, alpha, 0.0));
    return out;
}

}  // namespace limber
