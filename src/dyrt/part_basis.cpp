#include "dyrt/part_basis.hpp"

#include "core/text.hpp"
#include "linalg/aligned.hpp"

#include <limber/error.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

using Eigen::MatrixXd;
using ConstColumns = Eigen::Map<const MatrixXd>;

constexpr std::size_t kTwists = 6;  // the drives that get a residual: linear and angular acceleration
constexpr double kNothingLeft =
    1e-8;  // a static answer whose rest is shorter than this share of it is in the modes already

MatrixXd inertia_of(const System& system, const MatrixXd& x) {
    MatrixXd out(x.rows(), x.cols());
    for (Eigen::Index c = 0; c < x.cols(); ++c) inertia(system, x.col(c).data(), out.col(c).data());
    return out;
}

MatrixXd stiffness_of(const System& system, const MatrixXd& x) {
    MatrixXd out(x.rows(), x.cols());
    for (Eigen::Index c = 0; c < x.cols(); ++c) multiply(system.stiffness, x.col(c).data(), out.col(c).data());
    return out;
}

void find_modes(const PartSystem& part, const DyrtSettings& settings, PartBasis& out, Progress& progress) {
    const auto& free = part.system.free;
    const auto wanted = std::min(free.size(), static_cast<std::size_t>(settings.modes));
    ModeSettings search;
    search.count = static_cast<int>(wanted);
    search.solver = part.solver.get();
    const Eigenpairs pairs = lowest_modes(compress(part.system.stiffness, free),
                                          effective_matrix(part.system, 1.0, 0.0, 0.0), search, progress);
    const double limit = 2.0 * std::numbers::pi * settings.frequency_limit;
    while (out.modes < pairs.omega.size() && (limit == 0.0 || pairs.omega[out.modes] <= limit)) ++out.modes;
    if (out.modes == 0) {
        throw Error(Fault::bad_usage, {part.body->name(), 0, {}},
                    text("a frequency limit of ", settings.frequency_limit, " Hz, below every mode"),
                    text("at least the first mode's ",
                         pairs.omega.empty() ? 0.0 : pairs.omega[0] / (2.0 * std::numbers::pi), " Hz"));
    }
    out.omega.assign(pairs.omega.begin(), pairs.omega.begin() + static_cast<std::ptrdiff_t>(out.modes));
    out.error.assign(pairs.residual.begin(), pairs.residual.begin() + static_cast<std::ptrdiff_t>(out.modes));
    out.shapes.assign(out.modes * out.unknowns, 0.0);
    for (std::size_t k = 0; k < out.modes; ++k) {
        for (std::size_t i = 0; i < free.size(); ++i)
            out.shapes[k * out.unknowns + static_cast<std::size_t>(free[i])] = pairs.shapes[k * free.size() + i];
    }
}

/// x = K^-1 b over the free unknowns, each column brought to unit M length.
MatrixXd answers(const PartSystem& part, const MatrixXd& loads) {
    const auto& free = part.system.free;
    const auto columns = static_cast<std::size_t>(loads.cols());
    std::vector<double> b(columns * free.size()), x(b.size(), 0.0);
    for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t i = 0; i < free.size(); ++i)
            b[c * free.size() + i] = loads(free[i], static_cast<Eigen::Index>(c));
    }
    AlignedArray scratch(part.solver->many_scratch_size());
    part.solver->solve_many(b.data(), x.data(), columns, scratch.data());
    MatrixXd out = MatrixXd::Zero(loads.rows(), loads.cols());
    for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t i = 0; i < free.size(); ++i)
            out(free[i], static_cast<Eigen::Index>(c)) = x[c * free.size() + i];
    }
    const MatrixXd heavy = inertia_of(part.system, out);
    for (Eigen::Index c = 0; c < out.cols(); ++c) {
        const double length = std::sqrt(out.col(c).dot(heavy.col(c)));
        if (length > 0.0) out.col(c) /= length;
    }
    return out;
}

/// The static answers to the twists, then the static answers to the inertia of those, and so on: what a motion that is
/// not quite slow asks for next.
MatrixXd static_answers(const PartSystem& part, const std::vector<double>& loads, const ConstColumns& modes,
                        const MatrixXd& heavy, int order) {
    MatrixXd out(modes.rows(), 0);
    MatrixXd next = ConstColumns(loads.data(), modes.rows(), kTwists);
    for (int o = 0; o < order; ++o) {
        MatrixXd x = answers(part, next);
        for (int pass = 0; pass < 2; ++pass)
            x -= modes * (heavy.transpose() * x);  // twice: once leaves rounding of the large part
        out.conservativeResize(Eigen::NoChange, out.cols() + x.cols());
        out.rightCols(x.cols()) = x;
        next = inertia_of(part.system, x);
    }
    return out;
}

/// What modes leave of the static answers, as shapes that are orthogonal to them and to each other in M and in K.
void add_residuals(const PartSystem& part, const std::vector<double>& loads, int order, PartBasis& out) {
    const auto rows = static_cast<Eigen::Index>(out.unknowns);
    const ConstColumns modes(out.shapes.data(), rows, static_cast<Eigen::Index>(out.modes));
    const MatrixXd heavy = inertia_of(part.system, modes);
    const MatrixXd rest = static_answers(part, loads, modes, heavy, order);
    const MatrixXd gram = rest.transpose() * inertia_of(part.system, rest);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> lengths(0.5 * (gram + gram.transpose()));
    std::vector<Eigen::Index> kept;
    for (Eigen::Index i = 0; i < gram.rows(); ++i)
        if (lengths.eigenvalues()[i] > kNothingLeft * kNothingLeft) kept.push_back(i);
    if (kept.empty()) return;
    MatrixXd basis(rows, static_cast<Eigen::Index>(kept.size()));
    for (std::size_t i = 0; i < kept.size(); ++i) {
        basis.col(static_cast<Eigen::Index>(i)) = rest * lengths.eigenvectors().col(kept[i]) /
                                                  std::sqrt(lengths.eigenvalues()[kept[i]]);
    }
    basis -= modes * (heavy.transpose() * basis);
    const MatrixXd k = basis.transpose() * stiffness_of(part.system, basis),
                   m = basis.transpose() * inertia_of(part.system, basis);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> own(0.5 * (k + k.transpose()), 0.5 * (m + m.transpose()));
    const MatrixXd shapes = basis * own.eigenvectors();
    for (Eigen::Index i = 0; i < shapes.cols(); ++i) {
        out.omega.push_back(std::sqrt(std::max(0.0, own.eigenvalues()[i])));
        Eigen::Index largest = 0;
        shapes.col(i).cwiseAbs().maxCoeff(&largest);
        const double sign = shapes(largest, i) < 0.0 ? -1.0 : 1.0;
        for (Eigen::Index r = 0; r < rows; ++r) out.shapes.push_back(sign * shapes(r, i));
    }
}

}  // namespace

PartBasis make_part_basis(const PartSystem& part, const Vec3& bone, const DyrtSettings& settings, Progress& progress) {
    PartBasis out;
    out.unknowns = part.system.size();
    find_modes(part, settings, out, progress);
    const std::vector<double> loads = drive_loads(part, bone);
    if (settings.residuals > 0) add_residuals(part, loads, settings.residuals, out);
    const auto rows = static_cast<Eigen::Index>(out.unknowns), count = static_cast<Eigen::Index>(out.count());
    const ConstColumns shapes(out.shapes.data(), rows, count);
    out.orthonormality =
        (shapes.transpose() * inertia_of(part.system, shapes) - MatrixXd::Identity(count, count)).cwiseAbs().maxCoeff();
    const MatrixXd transfer = ConstColumns(loads.data(), rows, kDyrtDrives).transpose() *
                              shapes;  // 12 x count, column by column
    out.transfer.assign(transfer.data(), transfer.data() + transfer.size());
    return out;
}

std::vector<double> coriolis_table(const PartSystem& part, const PartBasis& basis) {
    const auto rows = static_cast<Eigen::Index>(basis.unknowns), count = static_cast<Eigen::Index>(basis.count());
    const ConstColumns shapes(basis.shapes.data(), rows, count);
    const MatrixXd heavy = inertia_of(part.system, shapes);
    std::vector<double> out;
    for (int a = 0; a < 3; ++a) {
        MatrixXd turned(rows, count);
        for (Eigen::Index c = 0; c < count; ++c) {
            for (Eigen::Index v = 0; v < rows; v += 3) {
                const int b = (a + 1) % 3, d = (a + 2) % 3;  // e_a x u
                turned(v + a, c) = 0.0;
                turned(v + b, c) = -shapes(v + d, c);
                turned(v + d, c) = shapes(v + b, c);
            }
        }
        const MatrixXd table = -2.0 * turned.transpose() * heavy;  // (j, k): column by column is row k after row k
        out.insert(out.end(), table.data(), table.data() + table.size());
    }
    return out;
}

}  // namespace limber
