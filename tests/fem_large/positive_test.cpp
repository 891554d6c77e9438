// Tangents without negative eigenvalues: what Newton's method goes downhill by where bodies buckle, collapse or turn
// inside out.
#include "fem_large/elastic_fixtures.hpp"
#include "fem_large/laws.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace limber::testing;

constexpr TangentWeights kExact{1.0, 0.0, false, false}, kPositive{1.0, 0.0, true, false};

template <class F>
void for_each_law(F&& check) {
    for (const HyperLaw law : {HyperLaw::stvk, HyperLaw::neo_hookean}) {
        for (const CellKind kind : kAllKinds) {
            for (const Integration integration : {Integration::full, Integration::bbar}) {
                check(law, kind, integration,
                      std::string(name_of(law)) + " " + to_string(kind) +
                          (integration == Integration::bbar ? " bbar" : " full"));
            }
        }
    }
}

TEST(PositiveTangent, HasNoNegativeCurvatureInAnyPosture) {
    for_each_law([](HyperLaw law, CellKind kind, Integration integration, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.45});
        Probe probe(*body, law, integration);
        bool bent = false;  // the exact one has negative curvature somewhere, or nothing is shown here
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const std::vector<double> u = bent_field(body->mesh(), scaled(Mat3::identity(), 0.5),
                                                     0.05 * static_cast<double>(seed - 1), seed);  // crushed
            const Evaluated exact = probe.linearise(u, kExact), positive = probe.linearise(u, kPositive);
            for (std::uint64_t k = 0; k < 20; ++k) {
                std::vector<double> d = random_field(body->mesh(), 1.0, 100 + k);
                // Towards what the exact one is softest for.
                for (int round = 0; round < 30; ++round) {
                    const std::vector<double> slope = probe.product(exact, d);
                    d = along(d, -2e-5 / size_of(d), slope);
                }
                const double at = inner(d, probe.product(exact, d)), up = inner(d, probe.product(positive, d)),
                             scale = size_of(d) * size_of(probe.product(positive, d));
                bent = bent || at < 0.0;
                EXPECT_GE(up, -1e-12 * scale) << label << " " << seed;
                EXPECT_GE(up, at - 1e-12 * scale) << label << " " << seed;
            }
        }
        EXPECT_TRUE(bent) << label;
    });
}

TEST(PositiveTangent, IsTheExactOneWhereThatIsPositive) {
    for (const CellKind kind : kAllKinds) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.3});
        Mat3 f = Mat3::identity();
        f(0, 0) = 1.12;
        f(1, 1) = 1.08;
        f(2, 2) = dimension_of(kind) == 3 ? 1.1 : 1.0;
        f(0, 1) = 0.02;
        const std::vector<double> u = bent_field(body->mesh(), f, 0.0, 1), d = random_field(body->mesh(), 1.0, 2);
        for (const HyperLaw law : {HyperLaw::stvk, HyperLaw::neo_hookean}) {
            Probe probe(*body, law, Integration::full);
            const std::vector<double> exact = probe.product(probe.linearise(u, kExact), d),
                                      positive = probe.product(probe.linearise(u, kPositive), d);
            EXPECT_LT(apart(exact, positive) / size_of(exact), 1e-12) << name_of(law) << " " << to_string(kind);
        }
    }
}

}  // namespace
}  // namespace limber
