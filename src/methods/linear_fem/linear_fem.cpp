#include "methods/linear_fem/linear_fem.hpp"

#include "deform/option_specs.hpp"
#include "fem_linear/deformer.hpp"
#include "methods/linear_fem/settings.hpp"

namespace limber {

namespace {

class LinearFem final : public Method {
public:
    const char* name() const override { return "linear_fem"; }
    const char* summary() const override {
        return "Finite elements with small strain: right for small deformations, factored once, cheap per step.";
    }
    Traits traits() const override {
        Traits t;
        t.cells = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8};
        t.free_bodies = true;
        t.accepts_vertex_targets = true;
        t.order = 2;
        return t;
    }
    OptionTable options() const override { return linear_fem_options(); }
    void check(const Body& body, const OptionValues& options) const override {
        read_linear_fem_settings(body, options);
    }
    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& options,
                                      Progress& progress) const override {
        check_traits(*this, *body);
        const LinearSettings settings = read_linear_fem_settings(*body, options);
        return std::make_unique<LinearDeformer>(name(), std::move(body), options, settings, progress);
    }
    std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader& in) const override {
        check_traits(*this, *body);
        const OptionValues options = load_options(in);
        const LinearSettings settings = read_linear_fem_settings(*body, options);
        Progress silent;
        return std::make_unique<LinearDeformer>(name(), std::move(body), options, settings, silent, &in);
    }
};

}  // namespace

std::unique_ptr<const Method> make_linear_fem() { return std::make_unique<LinearFem>(); }

}  // namespace limber
