#include "methods/modal/modal.hpp"

#include "deform/option_specs.hpp"
#include "methods/modal/deformer.hpp"

namespace limber {
namespace {

class Modal final : public Method {
public:
    const char* name() const override { return "modal"; }
    const char* summary() const override {
        return "The lowest modes of the linear body, each advanced exactly: a few numbers per step, any step, small "
               "deformations.";
    }
    Traits traits() const override {
        Traits t;
        t.cells = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8};
        t.fixed_step = false;
        t.accepts_live = false;
        t.order = 2;
        t.small_load_tolerance = 0.05;  // modes left out ring differently; at rest they are exact
        return t;
    }
    OptionTable options() const override { return modal_options(); }
    void check(const Body& body, const OptionValues& options) const override { read_modal_settings(body, options); }
    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& options,
                                      Progress& progress) const override {
        check_traits(*this, *body);
        return std::make_unique<ModalDeformer>(std::move(body), options, progress);
    }
    std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader& in) const override {
        check_traits(*this, *body);
        const OptionValues options = load_options(in);
        Progress silent;
        return std::make_unique<ModalDeformer>(std::move(body), options, silent, &in);
    }
};

}  // namespace

std::unique_ptr<const Method> make_modal() { return std::make_unique<Modal>(); }

}  // namespace limber
