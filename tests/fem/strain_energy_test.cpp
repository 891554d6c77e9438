#include "fem/strain_energy.hpp"

#include "fem/fem_fixtures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace limber {
namespace {

std::shared_ptr<const Body> body_of(CellKind kind, double poisson, Plane plane) {
    Material m;
    m.young = 2e5;
    m.poisson = poisson;
    m.density = 1000.0;
    return test::unit_body(test::unit_mesh(kind, 3, 0.2), m, plane);
}

struct Case {
    CellKind kind;
    Integration integration;
    Plane plane;
};

std::vector<Case> cases() {
    std::vector<Case> out;
    for (const CellKind kind : {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8}) {
        for (const Integration integration : {Integration::full, Integration::bbar})
            out.push_back({kind, integration, Plane::strain});
    }
    out.push_back({CellKind::quad4, Integration::full, Plane::stress});
    out.push_back({CellKind::tri3, Integration::full, Plane::stress});
    return out;
}

TEST(StrainEnergy, IsTheQuadraticFormOfTheStiffness) {
    Progress silent;
    for (const Case& c : cases()) {
        for (const double poisson : {-0.4, 0.0, 0.3, 0.49}) {
            for (const double penalty : {0.0, 1e5}) {
                const auto body = body_of(c.kind, poisson, c.plane);
                AssemblySettings settings;
                settings.integration = c.integration;
                settings.volume_penalty = penalty;
                const FemMatrices fem = assemble(*body, settings, silent);
                std::mt19937 random(1);
                std::uniform_real_distribution<double> in(-1.0, 1.0);
                std::vector<double> u(fem.stiffness.size()), product(u.size());
                for (double& x : u) x = in(random);
                multiply(fem.stiffness, u.data(), product.data());
                double wanted = 0.0;
                for (std::size_t i = 0; i < u.size(); ++i) wanted += 0.5 * u[i] * product[i];
                EXPECT_NEAR(StrainEnergy(*body, settings).of(u.data()), wanted, 1e-11 * wanted)
                    << to_string(c.kind) << " nu " << poisson;
            }
        }
    }
}

TEST(StrainEnergy, IsNeverNegativeWhateverCancels) {
    // Carried a thousand kilometres with a strain of 1e-9, next to incompressible: the product with K loses all of it.
    for (const Case& c : cases()) {
        for (const double poisson : {0.3, 0.4999999999}) {
            if (c.plane == Plane::stress && poisson > 0.4) continue;
            const auto body = body_of(c.kind, poisson, c.plane);
            AssemblySettings settings;
            settings.integration = c.integration;
            const auto d = static_cast<std::size_t>(body->mesh().dimension());
            std::vector<double> u(body->vertex_count() * d);
            for (std::size_t i = 0; i < u.size(); ++i) u[i] = 1e6 + 1e-9 * std::sin(static_cast<double>(i));
            EXPECT_GE(StrainEnergy(*body, settings).of(u.data()), 0.0) << to_string(c.kind);
            std::fill(u.begin(), u.end(), 12345.678);
            EXPECT_EQ(StrainEnergy(*body, settings).of(u.data()), 0.0) << to_string(c.kind);
        }
    }
}

}  // namespace
}  // namespace limber
