#include "fem_large/tangent_solver.hpp"

#include "linalg/block_cg.hpp"

#include <vector>

namespace limber {
namespace {

class FloatCg final : public TangentSolver {
public:
    FloatCg(const Body& body, const BlockCsr& pattern, std::span<const std::uint8_t> held, const PatchOperator* apart)
        : body_(body), n_(pattern.size()), cg_(pattern, held, BlockCg::Way::automatic, apart) {}
    const char* name() const override { return cg_.name(); }
    std::size_t scratch_size() const override { return n_ + cg_.scratch_size(); }
    std::size_t bytes() const override { return cg_.bytes(); }
    void refresh(const double* values, const double* u, double* scratch) const noexcept override {
        const auto d = static_cast<std::size_t>(body_.mesh().dimension());
        for (std::size_t v = 0; v < body_.vertex_count(); ++v) {
            for (std::size_t i = 0; i < d; ++i)
                scratch[v * d + i] = body_.mesh().vertices[v][static_cast<int>(i)] + u[v * d + i];
        }
        cg_.refresh(values, scratch, scratch + n_);
    }
    SolveReport solve(const double* values, const double* b, double* x, double tolerance, int max_iterations,
                      double* scratch) const noexcept override {
        return cg_.solve(values, b, x, tolerance, max_iterations, scratch + n_);
    }

private:
    const Body& body_;
    std::size_t n_;
    BlockCg cg_;
};

}  // namespace

std::unique_ptr<TangentSolver> make_tangent_solver(const Body& body, const BlockCsr& pattern,
                                                   std::span<const std::int32_t> held, const PatchOperator* apart) {
    std::vector<std::uint8_t> marks(pattern.size(), 0);
    for (const std::int32_t h : held) marks[static_cast<std::size_t>(h)] = 1;
    return std::make_unique<FloatCg>(body, pattern, marks, apart);
}

}  // namespace limber
