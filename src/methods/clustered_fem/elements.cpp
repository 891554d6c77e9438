#include "kernels/elements.hpp"
#include "fem/element.hpp"
#include "linalg/aligned.hpp"
#include "methods/clustered_fem/product.hpp"

#include <algorithm>

namespace limber {
namespace {

class ElementProduct final : public StiffnessProduct {
public:
    ElementProduct(const Body& body, const AssemblySettings& assembly)
        : cells_(body.mesh().cell_count()),
          vertices_(body.vertex_count()),
          corners_(static_cast<std::size_t>(corners_of(body.mesh().kind))),
          block_(static_cast<std::size_t>(body.mesh().dimension())),
          stiffness_(cells_ * size()),
          damping_(cells_ * size()) {
        const std::size_t n = corners_ * block_;
        ElementMatrices e;
        for (std::size_t c = 0; c < cells_; ++c) {
            element_matrices(body, c, {assembly.integration, false, assembly.volume_penalty}, e);
            corner_.insert(corner_.end(), body.mesh().cell(c), body.mesh().cell(c) + corners_);
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < n; ++j) {
                    stiffness_.data()[c * size() + j * n + i] = damping_.data()[c * size() + j * n + i] =
                        e.stiffness[i * n + j];
                }
            }
        }
    }

    // One thread: elements that share a vertex add to the same place.
    void apply(const Terms& t, double* out, double*) const noexcept override {
        for (std::size_t v = 0; v < vertices_; ++v) {
            for (std::size_t i = v * block_; i < (v + 1) * block_; ++i) {
                const double sum = (t.a != nullptr ? t.a_scale * t.a[i] : 0.0) +
                                   (t.b != nullptr ? t.b_scale * t.b[i] : 0.0);
                out[i] = t.a != nullptr || t.b != nullptr ? t.mass[v] * sum : 0.0;
            }
        }
        element_product(
            {corners_, block_, corner_.data(), stiffness_.data(), damping_.data(), t.u, t.v, t.u_scale, t.v_scale, out},
            0, cells_);
    }
    std::size_t scratch_size() const override { return 0; }
    std::size_t bytes() const override {
        return (stiffness_.size() + damping_.size()) * sizeof(double) + corner_.size() * sizeof(std::int32_t);
    }

private:
    std::size_t size() const { return corners_ * block_ * corners_ * block_; }
    std::size_t cells_, vertices_, corners_, block_;
    std::vector<std::int32_t> corner_;
    AlignedArray stiffness_, damping_;  // column by column
};

}  // namespace

std::unique_ptr<StiffnessProduct> make_element_product(const Body& body, const AssemblySettings& assembly) {
    return std::make_unique<ElementProduct>(body, assembly);
}

}  // namespace limber
