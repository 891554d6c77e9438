#include "linalg/solvers.hpp"

#include "core/text.hpp"
#include "linalg/direct.hpp"
#include "linalg/iterative.hpp"

namespace limber {

std::unique_ptr<LinearSolver> make_solver(const Csr& a, const SolverSettings& settings, Progress& progress) {
    if (settings.kind == SolverKind::pcg || settings.kind == SolverKind::gauss_seidel)
        return make_iterative(a, settings);
    if (is_diagonal(a)) return make_diagonal(a);
    if (settings.kind == SolverKind::cholesky_float) return make_float_cholesky(a, settings, progress);
    return make_cholesky(a, FactorEngine::automatic, progress);
}

std::unique_ptr<LinearSolver> load_solver(ByteReader& in) {
    const std::uint8_t tag = in.u8();
    switch (static_cast<SolverTag>(tag)) {
        case SolverTag::cholesky: return load_cholesky(in);
        case SolverTag::diagonal: return load_diagonal(in);
        case SolverTag::cholesky_float: return load_float_cholesky(in);
        case SolverTag::pcg:
        case SolverTag::gauss_seidel: return load_iterative(in, static_cast<SolverTag>(tag));
    }
    in.fail(
        text("a solver of kind ", tag),
        "1 (Cholesky), 2 (diagonal), 3 (conjugate gradients), 4 (Gauss-Seidel) or 5 (Cholesky in single precision)");
}

}  // namespace limber
