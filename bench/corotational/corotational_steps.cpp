// limber_bench_corotational [5k|30k|150k|trace|vertices ...]: whole corotational steps of a falling cantilever beside
// what Eigen's conjugate gradients need for the linear solve alone on the same systems, step by step. Prints JSON: CPU
// seconds of one thread. "trace" measures volume by the trace, "vertices" takes the steps with a rotation per vertex as
// well (which is slow).
#include "fem/assembly.hpp"
#include "fem_large/corotated.hpp"
#include "methods/corotational/corotational.hpp"

#include <limber/body.hpp>
#include <limber/version.hpp>

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace limber::bench {
namespace {

constexpr double kStep = 1.0 / 60, kTolerance = 1e-6;
constexpr int kSteps = 60;
constexpr Vec3 kGravity{0.0, 0.0, -9.81};

double cpu() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

struct Grid {
    const char* name;
    int nx, ny, nz;
};
constexpr Grid kGrids[] = {{"5k", 24, 6, 6}, {"30k", 42, 11, 11}, {"150k", 76, 18, 18}};

// Interior vertices off their grid by up to a tenth of a cell.
std::shared_ptr<const Body> falling_beam(const Grid& g) {
    BodyDescription d;
    d.mesh = make_box(CellKind::tet4, g.nx, g.ny, g.nz, {0, 0, 0}, {1, 0.25, 0.25});
    const Vec3 size{1.0, 0.25, 0.25}, cell{1.0 / g.nx, 0.25 / g.ny, 0.25 / g.nz};
    std::uint64_t state = 1;
    const auto roll = [&state] {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<double>(state >> 11) * 0x1p-52 - 1.0;
    };
    for (Vec3& x : d.mesh.vertices) {
        bool inside = true;
        for (int i = 0; i < 3; ++i) inside = inside && x[i] > 1e-9 && x[i] < size[i] - 1e-9;
        for (int i = 0; i < 3; ++i) x[i] += 0.1 * cell[i] * roll() * (inside ? 1.0 : 0.0);
    }
    d.materials = {{"", {"soft", 1e5, 0.45, 1000.0, 0.0, 0.01}}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    return Body::make(d);
}

// The linear system of each step, made anew from the state the step starts from: A dx = b, x the acceleration,
// linearised where the last acceleration would lead.
class Systems {
public:
    Systems(const Body& body, VolumeLaw volume)
        : body_(body),
          model_(make_corotated(body, {.volume = volume})),
          warm_(model_->warm_size()),
          scratch_(model_->scratch_size()) {
        Progress silent;
        fem_ = assemble(body, {}, silent);
        model_->warm_start(warm_.data());
        const std::size_t n = model_->pattern().size();
        number_.assign(n, -1);
        for (std::size_t v = 0; v < body.vertex_count(); ++v)
            for (std::size_t i = 0; i < 3 && body.mesh().vertices[v].x > 1e-9; ++i) number_[3 * v + i] = free_++;
        lay_out();
    }

    void make(const double* u, const double* v, const double* a) {
        const BlockCsr& pattern = model_->pattern();
        const std::size_t n = pattern.size();
        const double beta = 0.01, h = kStep;
        std::vector<double> ue(n), ve(n), g(n), values(9 * pattern.columns.size()), product(n), damping(n);
        for (std::size_t i = 0; i < n; ++i) {
            ue[i] = u[i] + h * v[i] + h * h * a[i];
            ve[i] = v[i] + h * a[i];
        }
        model_->linearise(ue.data(), {h * h, h * beta, false}, warm_.data(), g.data(), values.data(), scratch_.data());
        model_->viscous(ue.data(), ve.data(), warm_.data(), damping.data(), scratch_.data());
        multiply(fem_.mass, a, product.data());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] += fem_.mass.values[i];
        for (std::size_t i = 0; i < n; ++i) {
            if (number_[i] >= 0) {
                b[number_[i]] = fem_.weight[i / 3] * kGravity[static_cast<int>(i % 3)] - product[i] -
                                beta * damping[i] - g[i];
            }
        }
        for (std::size_t k = 0; k < source_.size(); ++k) a_.valuePtr()[k] = values[source_[k]];
    }

    using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;
    const Matrix& matrix() const { return a_; }
    Eigen::VectorXd b;

private:
    void lay_out() {
        const BlockCsr& pattern = model_->pattern();
        std::vector<Eigen::Triplet<double, std::int32_t>> entries;
        for (std::size_t r = 0; r < pattern.rows(); ++r) {
            for (auto e = static_cast<std::size_t>(pattern.starts[r]);
                 e < static_cast<std::size_t>(pattern.starts[r + 1]); ++e) {
                for (std::size_t k = 0; k < 9; ++k) {
                    const std::int32_t i = number_[3 * r + k / 3],
                                       j = number_[3 * static_cast<std::size_t>(pattern.columns[e]) + k % 3];
                    if (i >= 0 && j >= 0) entries.emplace_back(i, j, static_cast<double>(9 * e + k));
                }
            }
        }
        a_.resize(free_, free_);
        a_.setFromTriplets(entries.begin(), entries.end());
        for (Eigen::Index k = 0; k < a_.nonZeros(); ++k) source_.push_back(static_cast<std::size_t>(a_.valuePtr()[k]));
        b.resize(free_);
    }

    const Body& body_;
    std::unique_ptr<const ElasticModel> model_;
    std::vector<double> warm_, scratch_;
    FemMatrices fem_;
    std::vector<std::int32_t> number_;
    std::int32_t free_ = 0;
    Matrix a_;
    std::vector<std::size_t> source_;
};

struct Times {
    std::vector<double> ours, eigen;
    double worst_residual = 0.0;  // of the steps themselves: M a + C v + g - f, relative
    long our_iterations = 0, eigen_iterations = 0, linearisations = 0;
    const char* solver = "";
};

Times measure(const Grid& grid, bool vertices, VolumeLaw volume) {
    const auto body = falling_beam(grid);
    Progress silent;
    OptionValues options{
        {"integration",
         std::string("full")}};  // the systems that Eigen gets; averages are docs/methods/corotational.md's table
    if (vertices) options["warp"] = std::string("vertices");
    if (volume == VolumeLaw::trace) options["volume"] = std::string("trace");
    const auto deformer = make_corotational()->prepare(body, options, silent);
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    Loads loads;
    loads.gravity = kGravity;
    deformer->start(state, loads, scratch);
    Systems systems(*body, volume);
    Times out;
    const std::size_t n = 3 * body->vertex_count();
    Eigen::ConjugateGradient<Systems::Matrix, Eigen::Lower | Eigen::Upper> cg;
    cg.setTolerance(kTolerance);
    cg.setMaxIterations(100000);
    for (int step = 0; step < kSteps; ++step) {
        double* p = state.reals.data();  // displacements, velocities, accelerations come first (fem_large/layout.hpp)
        systems.make(p, p + n, p + 2 * n);
        double start = cpu();
        const StepReport report = deformer->step(state, loads, kStep, scratch);
        out.ours.push_back(cpu() - start);
        out.our_iterations += report.iterations;
        out.solver = report.solver;
        if (report.trouble != Trouble::none)
            std::fprintf(stderr, "step %d: %s\n", step, to_string(report.trouble).c_str());
        out.worst_residual = std::max(out.worst_residual, report.residual);
        out.linearisations += report.linearisations;
        if (vertices) continue;
        cg.compute(systems.matrix());
        start = cpu();
        const Eigen::VectorXd x = cg.solve(systems.b);
        out.eigen.push_back(cpu() - start);
        out.eigen_iterations += cg.iterations();
    }
    return out;
}

void print(const Grid& grid, bool vertices, const Times& t, bool first) {
    if (vertices) {
        std::printf(",\n  {\"grid\": \"%s\", \"warp\": \"vertices\", \"step_ms\": %.3f, \"iterations\": %.1f}",
                    grid.name, 1e3 * median(t.ours), static_cast<double>(t.our_iterations) / kSteps);
        return;
    }
    std::vector<double> ratio;
    for (std::size_t i = 0; i < t.ours.size(); ++i) ratio.push_back(t.eigen[i] / t.ours[i]);
    std::printf(
        "%s  {\"grid\": \"%s\", \"warp\": \"elements\", \"solver\": \"%s\", \"step_ms\": %.3f, \"eigen_cg_ms\": %.3f, "
        "\"ratio\": %.2f, \"ratio_worst_step\": %.2f, "
        "\"linearisations\": %.2f, \"iterations\": %.1f, \"eigen_iterations\": %.1f, \"residual_worst\": %.2e}",
        first ? "" : ",\n", grid.name, t.solver, 1e3 * median(t.ours), 1e3 * median(t.eigen),
        median(t.eigen) / median(t.ours), *std::min_element(ratio.begin(), ratio.end()),
        static_cast<double>(t.linearisations) / kSteps, static_cast<double>(t.our_iterations) / kSteps,
        static_cast<double>(t.eigen_iterations) / kSteps, t.worst_residual);
    std::fflush(stdout);
}

int run(int count, char** words) {
    set_thread_count(1);
    const auto named = [&](const char* word) {
        return std::any_of(words, words + count, [&](const char* w) { return std::strcmp(w, word) == 0; });
    };
    const bool any_grid = std::any_of(std::begin(kGrids), std::end(kGrids),
                                      [&](const Grid& g) { return named(g.name); });
    const VolumeLaw volume = named("trace") ? VolumeLaw::trace : VolumeLaw::determinant;
    bool first = true;
    std::printf("[\n");
    for (const Grid& grid : kGrids) {
        if (any_grid ? !named(grid.name) : std::strcmp(grid.name, "150k") == 0) continue;
        print(grid, false, measure(grid, false, volume), first);
        if (named("vertices")) print(grid, true, measure(grid, true, VolumeLaw::trace), false);
        first = false;
    }
    std::printf("\n]\n");
    return 0;
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) { return limber::bench::run(argc - 1, argv + 1); }
