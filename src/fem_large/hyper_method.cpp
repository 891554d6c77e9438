#include "fem_large/hyper_method.hpp"

#include "deform/option_specs.hpp"
#include "fem_large/deformer.hpp"

namespace limber {
namespace {

ElasticSettings read_settings(const HyperMethod& method, const Body& body, const OptionValues& given) {
    return read_elastic_settings(body, Options(method.options(), given, {"", 0, "/method/options"}));
}

}  // namespace

Traits HyperMethod::traits() const {
    Traits t;
    t.cells = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8};
    t.fixed_step = false;
    t.linear = false;
    t.free_bodies = true;
    t.accepts_vertex_targets = true;
    t.order = 2;
    t.small_load_tolerance = 1e-4;
    return t;
}

OptionTable HyperMethod::options() const { return elastic_options({}); }

void HyperMethod::check(const Body& body, const OptionValues& options) const { read_settings(*this, body, options); }

std::unique_ptr<Deformer> HyperMethod::prepare(std::shared_ptr<const Body> body, const OptionValues& options,
                                               Progress& progress) const {
    check_traits(*this, *body);
    const ElasticSettings settings = read_settings(*this, *body, options);
    auto model = make_hyperelastic(*body, law_, settings.assembly.integration);
    return std::make_unique<ElasticDeformer>(name_, std::move(body), options, settings, std::move(model), progress);
}

std::unique_ptr<Deformer> HyperMethod::load(std::shared_ptr<const Body> body, ByteReader& in) const {
    const OptionValues options = load_options(in);
    Progress silent;
    return prepare(std::move(body), options, silent);
}

}  // namespace limber
