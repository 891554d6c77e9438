#include "elastic/hyper_method.hpp"

#include "core/text.hpp"
#include "deform/option_specs.hpp"
#include "elastic/deformer.hpp"
#include "fem/integration.hpp"

namespace limber {
namespace {

bool is_simplex(const Body& body) { return body.mesh().kind == CellKind::tri3 || body.mesh().kind == CellKind::tet4; }

// Averages around vertices, which linear_fem has for tri3 and tet4, have no counterpart here: automatic integration is full there.
ElasticSettings read_settings(const HyperMethod& method, const Body& body, const OptionValues& given) {
    const Options options(method.options(), given, {"", 0, "/method/options"});
    ElasticSettings s = read_elastic_settings(body, options);
    if (is_simplex(body) && options.choice("integration") == "auto") s.assembly.integration = Integration::full;
    if (is_simplex(body) && s.assembly.integration == Integration::bbar)
        throw Error(Fault::bad_option, {"", 0, "/method/options/integration"}, text("\"bbar\" for a body of ", to_string(body.mesh().kind)),
                    "\"full\" or \"auto\", or cells of kind quad4, hex8 or tet10");
    return s;
}

std::vector<std::string> remarks_on(const Body& body, const ElasticSettings& s) {
    std::vector<std::string> lines;
    if (is_simplex(body) && s.assembly.integration == Integration::full && automatic_integration(body) == Integration::bbar)
        lines.push_back(text(to_string(body.mesh().kind), " cells of a nearly incompressible material are too stiff (locking): quad4, hex8 or tet10 cells are not"));
    return lines;
}

}  // namespace

Traits HyperMethod::traits() const {
    Traits t;
    t.cells = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8};
    t.fixed_step = false;
    t.linear = false;
    t.free_bodies = true;
    t.order = 2;
    t.small_load_tolerance = 1e-4;
    return t;
}

OptionTable HyperMethod::options() const { return elastic_options({}); }

void HyperMethod::check(const Body& body, const OptionValues& options) const { read_settings(*this, body, options); }

std::unique_ptr<Deformer> HyperMethod::prepare(std::shared_ptr<const Body> body, const OptionValues& options, Progress& progress) const {
    check_traits(*this, *body);
    const ElasticSettings settings = read_settings(*this, *body, options);
    auto model = make_hyperelastic(*body, law_, settings.assembly.integration);
    std::vector<std::string> remarks = remarks_on(*body, settings);
    return std::make_unique<ElasticDeformer>(name_, std::move(body), options, settings, std::move(model), progress, std::move(remarks));
}

std::unique_ptr<Deformer> HyperMethod::load(std::shared_ptr<const Body> body, ByteReader& in) const {
    const OptionValues options = load_options(in);
    Progress silent;
    return prepare(std::move(body), options, silent);
}

}  // namespace limber
