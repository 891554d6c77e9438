#include "methods/bem/bem.hpp"

#include "deform/option_specs.hpp"
#include "methods/bem/deformer.hpp"

namespace limber {
namespace {

class Bem final : public Method {
public:
    const char* name() const override { return "bem"; }
    const char* summary() const override {
        return "Boundary elements: free bodies fall, hit obstacles, squash, stick and bounce; held ones are in static "
               "balance. Small strain, surface only.";
    }
    Traits traits() const override {
        Traits t;
        t.cells = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8};
        t.fixed_step = false;
        t.dynamic = false;  // of a held body; free ones move rigidly
        t.accepts_live = false;
        t.accepts_obstacles = true;
        t.free_bodies = true;
        t.accepts_vertex_targets = true;
        t.small_load_tolerance =
            0.65;  // tri3 and tet4 of linear_fem lock on that coarse body (0.61 and 0.47 from bem); quad4 does not
                   // (0.08). 0.005 with eight times as many cells (tests/methods/bem_test.cpp)
        return t;
    }
    OptionTable options() const override { return bem_options(); }
    void check(const Body& body, const OptionValues& options) const override { read_bem_settings(body, options); }
    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& options,
                                      Progress& progress) const override {
        check_traits(*this, *body);
        return std::make_unique<BemDeformer>(std::move(body), options, progress);
    }
    std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader& in) const override {
        check_traits(*this, *body);
        const OptionValues options = load_options(in);
        Progress silent;
        return std::make_unique<BemDeformer>(std::move(body), options, silent, &in);
    }
};

}  // namespace

std::unique_ptr<const Method> make_bem() { return std::make_unique<Bem>(); }

}  // namespace limber
