#include "methods/clustered_fem/clustered_fem.hpp"

#include "deform/option_specs.hpp"
#include "fem_linear/deformer.hpp"
#include "methods/clustered_fem/product.hpp"

namespace limber {
namespace {

class ClusteredFem final : public Method {
public:
    const char* name() const override { return "clustered_fem"; }
    const char* summary() const override {
        return "Finite elements with small strain over row clusters: nothing factored, any step at any time, explicit "
               "or by conjugate gradients.";
    }
    Traits traits() const override {
        Traits t;
        t.cells = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8};
        t.free_bodies = true;
        t.accepts_vertex_targets = true;
        t.fixed_step = false;
        t.order = 2;
        return t;
    }
    OptionTable options() const override { return clustered_fem_options(); }
    void check(const Body& body, const OptionValues& options) const override {
        read_clustered_fem_settings(body, options);
    }
    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& options,
                                      Progress& progress) const override {
        return make(std::move(body), options, progress, nullptr);
    }
    std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader& in) const override {
        const OptionValues options = load_options(in);
        Progress silent;
        return make(std::move(body), options, silent, &in);
    }

private:
    std::unique_ptr<Deformer> make(std::shared_ptr<const Body> body, const OptionValues& options, Progress& progress,
                                   ByteReader* saved) const {
        check_traits(*this, *body);
        const ClusteredFemSettings settings = read_clustered_fem_settings(*body, options);
        const auto product = [&settings](const Body& b, const BlockCsr& stiffness) {
            return make_clustered_product(b, stiffness, settings);
        };
        return std::make_unique<LinearDeformer>(name(), std::move(body), options, settings.linear, progress, saved,
                                                product);
    }
};

}  // namespace

std::unique_ptr<const Method> make_clustered_fem() { return std::make_unique<ClusteredFem>(); }

}  // namespace limber
