// limber_bench_modes ours|spectra NX NY NZ MODES: finds the lowest modes of the bench's beam once and prints what it
// took, as JSON. One process per way of doing it, because peak memory belongs to a process; modes_bench.py starts it
// beside CalculiX.
#include "eigen.hpp"

#include "fem/assembly.hpp"
#include "fem/supports.hpp"

#include <limber/body.hpp>
#include <limber/tools/modes.hpp>
#include <limber/version.hpp>

#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/SymGEigsShiftSolver.h>
#include <Eigen/CholmodSupport>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern "C" void openblas_set_num_threads(int);

namespace limber::bench {
namespace {

constexpr double kTolerance = 1e-10;  // of Spectra: its residuals then are about as small as ours

double cpu() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

std::shared_ptr<const Body> beam(int nx, int ny, int nz) {
    BodyDescription d;
    d.mesh = make_box(CellKind::tet10, nx, ny, nz, {0, 0, 0}, {1, 0.25, 0.25});
    d.materials = {{"", {"soft", 1e5, 0.3, 1000.0, 0.0, 0.0}}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    return Body::make(d);
}

struct Outcome {
    double seconds = 0.0, residual = 0.0, orthonormality = 0.0;
    int solves = 0;
    std::vector<double> omega;
};

Outcome by_limber(const std::shared_ptr<const Body>& body, int modes) {
    Progress silent;
    const double before = cpu();
    const ModeList list = body_modes(body, {}, modes, silent);
    Outcome out{cpu() - before, 0.0, list.orthonormality, list.solves, list.omega};
    for (const double r : list.residual) out.residual = std::max(out.residual, r);
    return out;
}

// (K)^-1 by CHOLMOD with its defaults: it orders the graph of single unknowns.
class CholmodInverse {
public:
    using Scalar = double;
    explicit CholmodInverse(const EigenMatrix& k) : k_(k) {}
    Eigen::Index rows() const { return k_.rows(); }
    Eigen::Index cols() const { return k_.cols(); }
    void set_shift(double) { factor_.compute(k_); }
    void perform_op(const double* x, double* y) const {
        ++solves;
        Eigen::Map<Eigen::VectorXd>(y, rows()) = factor_.solve(Eigen::Map<const Eigen::VectorXd>(x, rows()));
    }
    mutable int solves = 0;

private:
    const EigenMatrix& k_;
    Eigen::CholmodSupernodalLLT<EigenMatrix> factor_;
};

Outcome by_spectra(const std::shared_ptr<const Body>& body, int modes) {
    openblas_set_num_threads(1);
    Progress silent;
    const double before = cpu();
    EigenMatrix k, m;
    {
        const Supports supports(*body);
        const FemMatrices fem = assemble(*body, {}, silent);  // ours: the plain way would only be slower
        k = to_eigen(compress(fem.stiffness, supports.free()));
        m = to_eigen(compress(fem.mass, supports.free()));
    }
    CholmodInverse inverse(k);
    Spectra::SparseSymMatProd<double> mass(m);
    Spectra::SymGEigsShiftSolver<CholmodInverse, Spectra::SparseSymMatProd<double>, Spectra::GEigsMode::ShiftInvert>
        solver(inverse, mass, modes, 2 * modes, 0.0);
    solver.init();
    solver.compute(Spectra::SortRule::LargestMagn, 1000, kTolerance);
    const Eigen::VectorXd lambda = solver.eigenvalues().reverse();
    const Eigen::MatrixXd x = solver.eigenvectors().rowwise().reverse();
    Outcome out{cpu() - before,
                0.0,
                (x.transpose() * (m * x) - Eigen::MatrixXd::Identity(x.cols(), x.cols())).cwiseAbs().maxCoeff(),
                inverse.solves,
                {}};
    const bool ascending = lambda.size() < 2 || lambda[0] <= lambda[lambda.size() - 1];
    for (Eigen::Index i = 0; i < lambda.size(); ++i) {
        const Eigen::Index j = ascending ? i : lambda.size() - 1 - i;
        const Eigen::VectorXd kx = k * x.col(j);
        out.residual = std::max(out.residual, (kx - lambda[j] * (m * x.col(j))).norm() / kx.norm());
        out.omega.push_back(std::sqrt(lambda[j]));
    }
    return out;
}

int run(int argc, char** argv) {
    if (argc != 6 || (std::strcmp(argv[1], "ours") != 0 && std::strcmp(argv[1], "spectra") != 0)) {
        std::fprintf(stderr, "limber_bench_modes: expected ours|spectra NX NY NZ MODES\n");
        return 2;
    }
    set_thread_count(1);
    const auto body = beam(std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
    const Outcome out = std::strcmp(argv[1], "ours") == 0 ? by_limber(body, std::atoi(argv[5]))
                                                          : by_spectra(body, std::atoi(argv[5]));
    std::printf(
        "{\"cells\": %zu, \"seconds\": %.6f, \"residual\": %.3e, \"orthonormality\": %.3e, \"solves\": %d, \"omega\": "
        "[",
        body->mesh().cell_count(), out.seconds, out.residual, out.orthonormality, out.solves);
    for (std::size_t i = 0; i < out.omega.size(); ++i) std::printf("%s%.17g", i > 0 ? ", " : "", out.omega[i]);
    std::printf("]}\n");
    return 0;
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
    try {
        return limber::bench::run(argc, argv);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "limber_bench_modes: %s\n", problem.what());
        return 2;
    }
}
