// Bodies, fields and dense copies of matrices for the tests of large strain.
#pragma once

#include "fem/integration.hpp"
#include "fem_large/hyperelastic.hpp"

#include <limber/body.hpp>
#include <limber/mesh.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace limber::testing {

inline constexpr CellKind kAllKinds[] = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10,
                                         CellKind::hex8};

/// Numbers in [-1, 1], the same for a seed everywhere.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
    double roll() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<double>(state_ >> 11) * 0x1p-52 - 1.0;
    }

private:
    std::uint64_t state_;
};

struct HyperSpec {
    CellKind kind = CellKind::tet4;
    int cells = 2;  ///< along x; half as many across
    double poisson = 0.3;
    double young = 5e3;
    double alpha = 0.0, beta = 0.0;
    bool anchored = false;
};

inline Mesh box_mesh(CellKind kind, int cells) {
    const int across = std::max(1, cells / 2);
    if (dimension_of(kind) == 2) return make_grid(kind, cells, across, {}, {1.0, 0.5, 0.0});
    return make_box(kind, cells, across, across, {}, {1.0, 0.5, 0.5});
}

inline std::shared_ptr<const Body> hyper_body(const HyperSpec& spec) {
    BodyDescription d;
    d.mesh = box_mesh(spec.kind, spec.cells);
    d.thickness = 0.5;
    d.materials = {{"", {"test", spec.young, spec.poisson, 1000.0, spec.alpha, spec.beta}}};
    if (spec.anchored) d.anchors = {{"left", d.mesh.vertex_sets.at("left"), {}}};
    return Body::make(std::move(d));
}

/// u(X) = (F - 1) X plus noise, per unknown.
inline std::vector<double> bent_field(const Mesh& mesh, const Mat3& f, double noise, std::uint64_t seed) {
    Dice dice(seed);
    std::vector<double> u;
    for (const Vec3& x : mesh.vertices) {
        const Vec3 to = f * x - x;
        for (int i = 0; i < mesh.dimension(); ++i) u.push_back(to[i] + noise * dice.roll());
    }
    return u;
}

inline std::vector<double> random_field(const Mesh& mesh, double size, std::uint64_t seed) {
    return bent_field(mesh, Mat3::identity(), size, seed);
}

struct Evaluated {
    double energy = 0.0;
    std::vector<double> force, values;
};

/// One model with the memory its functions want.
struct Probe {
    explicit Probe(std::unique_ptr<const ElasticModel> any)
        : model(std::move(any)), scratch(model->scratch_size()), warm(model->warm_size()) {
        model->warm_start(warm.data());
    }
    Probe(const Body& body, HyperLaw law, Integration integration) : Probe(make_hyperelastic(body, law, integration)) {}
    double energy(const std::vector<double>& u) { return model->energy(u.data(), warm.data(), scratch.data()); }
    std::vector<double> gradient(const std::vector<double>& u) {
        std::vector<double> g(u.size());
        model->gradient(u.data(), warm.data(), g.data(), scratch.data());
        return g;
    }
    Evaluated linearise(const std::vector<double>& u, const TangentWeights& w) {
        Evaluated out;
        out.force.resize(u.size());
        const auto b = static_cast<std::size_t>(model->pattern().block);
        out.values.resize(model->pattern().columns.size() * b * b);
        out.energy = model->linearise(u.data(), w, warm.data(), out.force.data(), out.values.data(), scratch.data());
        return out;
    }
    std::vector<double> product(const Evaluated& a, const std::vector<double>& x) {
        std::vector<double> y(x.size());
        multiply(model->pattern(), a.values.data(), x.data(), y.data());
        return y;
    }
    std::vector<double> viscous(const std::vector<double>& u, const std::vector<double>& v) {
        std::vector<double> y(u.size());
        model->viscous(u.data(), v.data(), warm.data(), y.data(), scratch.data());
        return y;
    }
    std::unique_ptr<const ElasticModel> model;
    std::vector<double> scratch, warm;
};

inline double size_of(const std::vector<double>& a) {
    double s = 0.0;
    for (const double x : a) s += x * x;
    return std::sqrt(s);
}
inline double inner(const std::vector<double>& a, const std::vector<double>& b) {
    double s = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
    return s;
}
inline std::vector<double> along(const std::vector<double>& a, double t, const std::vector<double>& d) {
    std::vector<double> c = a;
    for (std::size_t i = 0; i < a.size(); ++i) c[i] += t * d[i];
    return c;
}
inline double apart(const std::vector<double>& a, const std::vector<double>& b) { return size_of(along(a, -1.0, b)); }

inline const char* name_of(HyperLaw law) { return law == HyperLaw::stvk ? "stvk" : "neo_hookean"; }

/// The first Piola stress P(F) by the textbook, written independently of laws.hpp.
inline Mat3 textbook_piola(HyperLaw law, const Mat3& f, const Material& m) {
    const Mat3 c = transpose(f) * f;
    const double j = determinant(f);
    Mat3 p;
    if (law == HyperLaw::stvk) {
        Mat3 s;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) s(a, b) = m.shear() * (c(a, b) - (a == b ? 1.0 : 0.0));
        for (int a = 0; a < 3; ++a) s(a, a) += m.lame_lambda() * (c(0, 0) + c(1, 1) + c(2, 2) - 3) / 2;
        return f * s;
    }
    const double mu = 4.0 / 3.0 * m.shear(), lambda = m.lame_lambda() + 5.0 / 6.0 * m.shear(),
                 i1 = c(0, 0) + c(1, 1) + c(2, 2);
    const Mat3 back = transpose(inverse(f));
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b)
            p(a, b) = mu * (1 - 1 / (i1 + 1)) * f(a, b) + lambda * (j - 1 - 0.75 * mu / lambda) * j * back(a, b);
    }
    return p;
}

/// Every law, kind and integration there is.
template <class F>
void for_each_model(F&& f) {
    for (const HyperLaw law : {HyperLaw::stvk, HyperLaw::neo_hookean}) {
        for (const CellKind kind : kAllKinds) {
            for (const Integration integration : {Integration::full, Integration::bbar}) {
                f(law, kind, integration,
                  std::string(name_of(law)) + " " + to_string(kind) +
                      (integration == Integration::bbar ? " bbar" : " full"));
            }
        }
    }
}

}  // namespace limber::testing
