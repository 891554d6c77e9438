#include "methods/corotational/corotational.hpp"

#include "core/text.hpp"
#include "deform/option_specs.hpp"
#include "fem/integration.hpp"
#include "fem_large/corotated.hpp"
#include "fem_large/deformer.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr const char* kName = "corotational";

// A step stops where what is left is small beside its motion: mostly after one linearisation at 60 Hz.
ElasticSettings corotational_defaults() {
    ElasticSettings s;
    s.scheme = Scheme::backward_euler;
    s.tolerance = 0.0;
    return s;
}

struct CorotationalSettings {
    ElasticSettings elastic;
    CorotatedSettings model;
    std::vector<std::string> remarks;
};

bool one_damping(const Body& body) {
    return std::all_of(body.materials().begin(), body.materials().end(),
                       [&](const Material& m) { return m.rayleigh_beta == body.materials()[0].rayleigh_beta; });
}

class Corotational final : public Method {
public:
    const char* name() const override { return kName; }
    const char* summary() const override {
        return "Finite elements of small strain in frames that turn with each cell: large motion at a fixed price per "
               "step.";
    }
    Traits traits() const override {
        Traits t;
        t.cells = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8};
        t.fixed_step = false;
        t.linear = false;
        t.free_bodies = true;
        t.accepts_vertex_targets = true;
        t.order = 1;
        t.small_load_tolerance = 1e-4;
        return t;
    }
    OptionTable options() const override {
        OptionTable table = elastic_options(corotational_defaults());
        table.insert(table.begin() + 1,
                     {
                         choice_option("tangent", {"auto", "classic", "exact"},
                                       "classic: turned stiffness alone, always positive definite; exact: with the "
                                       "derivative of the rotations, with which Newton's method converges "
                                       "quadratically; auto: classic while that converges soon, exact elsewhere."),
                         choice_option("volume", {"auto", "determinant", "trace"},
                                       "What a change of volume is measured by: det F, or tr S, the linear law's, "
                                       "which loses volume at large strain; auto: the determinant, but with a rotation "
                                       "per vertex, or below a Poisson's ratio of 0, the trace."),
                         choice_option("warp", {"elements", "vertices"},
                                       "What has a rotation of its own: each cell, or each vertex, which keeps the "
                                       "assembled rows and loses momentum and energy."),
                     });
        return table;
    }
    void check(const Body& body, const OptionValues& options) const override { read(body, options); }

    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& options,
                                      Progress& progress) const override {
        check_traits(*this, *body);
        CorotationalSettings s = read(*body, options);
        auto model = make_corotated(*body, s.model);
        return std::make_unique<ElasticDeformer>(kName, std::move(body), options, s.elastic, std::move(model), progress,
                                                 std::move(s.remarks));
    }
    std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader& in) const override {
        const OptionValues options = load_options(in);
        Progress silent;
        return prepare(std::move(body), options, silent);
    }

private:
    CorotationalSettings read(const Body& body, const OptionValues& given) const {
        const Options options(this->options(), given, {"", 0, "/method/options"});
        CorotationalSettings s;
        s.elastic = read_elastic_settings(body, options);
        s.model.integration = s.elastic.assembly.integration;
        s.model.warp = options.choice("warp") == "vertices" ? Warp::vertices : Warp::elements;
        const std::string tangent = s.model.warp == Warp::vertices ? "classic" : options.choice("tangent");
        s.model.exact_tangent = tangent != "classic";
        s.elastic.tangent = tangent == "exact"  ? TangentChoice::exact
                            : tangent == "auto" ? TangentChoice::automatic
                                                : TangentChoice::classic;
        if (s.model.warp == Warp::vertices && !one_damping(body)) {
            throw Error(Fault::bad_option, {"", 0, "/method/options/warp"},
                        "\"vertices\" for a body of several stiffness dampings", "\"elements\", or one rayleigh_beta");
        }
        s.model.volume = volume_law(body, s.model.warp, options.choice("volume"));
        remark(s);
        if (s.model.warp == Warp::vertices && options.choice("tangent") == "exact")
            s.remarks.push_back("there is no exact tangent with a rotation per vertex; this body gets the classic one");
        return s;
    }

    // Below nu = 0 lambda is negative: the trace's energy is still bounded by the shear's, lambda/2 (det F - 1)^2 would
    // have no bound.
    static VolumeLaw volume_law(const Body& body, Warp warp, const std::string& wanted) {
        const bool auxetic = std::any_of(body.materials().begin(), body.materials().end(),
                                         [](const Material& m) { return m.poisson < 0.0; });
        if (wanted == "determinant" && (warp == Warp::vertices || auxetic)) {
            throw Error(
                Fault::bad_option, {"", 0, "/method/options/volume"},
                text("\"determinant\" with ", auxetic ? "a Poisson's ratio below 0" : "a rotation per vertex"),
                text("\"auto\" or \"trace\", or ", auxetic ? "a Poisson's ratio from 0 on" : "\"warp\": \"elements\""));
        }
        return wanted == "trace" || warp == Warp::vertices || auxetic ? VolumeLaw::trace : VolumeLaw::determinant;
    }

    static void remark(CorotationalSettings& s) {
        if (s.model.warp == Warp::vertices) {
            s.remarks.push_back(
                "a rotation per vertex leaves forces that neither sum to zero nor have an energy: see "
                "docs/methods/corotational.md for what that loses");
        }
    }
};

}  // namespace

std::unique_ptr<Method> make_corotational() { return std::make_unique<Corotational>(); }

}  // namespace limber
