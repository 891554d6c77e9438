#include "linalg/solvers.hpp"

#include "core/text.hpp"
#include "linalg/direct.hpp"
#include "linalg/iterative.hpp"

namespace limber {

std::unique_ptr<LinearSolver> make_solver(const Csr& a, const SolverSettings& settings, Progress& progress) {
    if (settings.kind != SolverKind::cholesky) return make_iterative(a, settings);
    if (is_diagonal(a)) return make_diagonal(a);
    return make_cholesky(a, FactorEngine::automatic, progress);
}

std::unique_ptr<LinearSolver> load_solver(ByteReader& in) {
    const std::uint8_t tag = in.u8();
    switch (static_cast<SolverTag>(tag)) {
        case SolverTag::cholesky: return load_cholesky(in);
        case SolverTag::diagonal: return load_diagonal(in);
        case SolverTag::pcg:
        case SolverTag::gauss_seidel: return load_iterative(in, static_cast<SolverTag>(tag));
    }
    in.fail(text("a solver of kind ", tag), "1 (Cholesky), 2 (diagonal), 3 (conjugate gradients) or 4 (Gauss-Seidel)");
}

}  // namespace limber
