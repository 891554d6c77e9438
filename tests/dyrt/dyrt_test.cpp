// Flesh as oscillators: against the finite elements they come from, and against closed forms.
#include "dyrt_fixtures.hpp"

#include "dyrt/part_basis.hpp"
#include "expect_error.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace limber {
namespace {

double largest(const std::vector<double>& v) {
    double out = 0.0;
    for (const double x : v) out = std::max(out, std::abs(x));
    return out;
}

// A lost sign, a held column of M left out, or a wrong moment arm would show here: the static answer is computed a
// second way, by a solve.
TEST(Dyrt, SlowMotionGivesTheStaticAnswerOfAllFiniteElements) {
    const DyrtPart& p = thigh();
    Progress quiet;
    const PartSystem system = make_part_system(p.flesh, p.material, false, quiet);
    const std::vector<double> loads = drive_loads(system, p.flesh.bind_origin);
    const std::size_t n = system.system.size(), vertices = p.flesh.mesh.vertices.size();
    std::vector<double> scratch(system.solver->scratch_size());
    for (std::size_t c = 0; c < 6; ++c) {
        std::vector<double> b, x(system.system.free.size(), 0.0);
        for (const std::int32_t f : system.system.free) b.push_back(loads[c * n + static_cast<std::size_t>(f)]);
        system.solver->solve(b.data(), x.data(), scratch.data());
        std::vector<double> truth(n, 0.0);
        for (std::size_t i = 0; i < x.size(); ++i) truth[static_cast<std::size_t>(system.system.free[i])] = x[i];
        double wrong = 0.0;
        for (std::size_t v = 0; v < vertices; ++v) {
            Vec3 u;
            for (std::size_t k = 0; k < p.count(); ++k)
                u += p.shapes[k * vertices + v] * (p.transfer[k * kDyrtDrives + c] / (p.omega[k] * p.omega[k]));
            wrong = std::max(wrong, norm(u - Vec3{truth[3 * v], truth[3 * v + 1], truth[3 * v + 2]}));
        }
        EXPECT_LT(wrong, 1e-9 * largest(truth)) << "drive " << c;
    }
}

// Gravity alone: the sum of the loads is the weight of what is free, and points the right way (D'Alembert's force is
// minus M a).
TEST(Dyrt, ABoneThatAcceleratesUpwardsLeavesItsFleshBehind) {
    const DyrtPart& p = thigh();
    Progress quiet;
    const PartSystem system = make_part_system(p.flesh, p.material, false, quiet);
    const std::vector<double> loads = drive_loads(system, p.flesh.bind_origin);
    double sum = 0.0;
    for (std::size_t i = 1; i < system.system.size(); i += 3) sum += loads[system.system.size() + i];
    EXPECT_NEAR(sum, -p.flesh.volume * p.material.density, 1e-9 * p.flesh.volume * p.material.density);
    double mean = 0.0;
    for (std::size_t v = 0; v < p.flesh.mesh.vertices.size(); ++v) {
        for (std::size_t k = 0; k < p.count(); ++k) {
            mean += p.shapes[k * p.flesh.mesh.vertices.size() + v].y * p.transfer[k * kDyrtDrives + 1] /
                    (p.omega[k] * p.omega[k]);
        }
    }
    EXPECT_LT(mean, 0.0);
}

TEST(Dyrt, ShapesAreOrthonormalAndModesAreModes) {
    const DyrtPart& p = thigh();
    EXPECT_LT(p.orthonormality, 1e-8);
    EXPECT_LT(largest(p.error), 1e-8);
    EXPECT_EQ(p.count(), p.modes + 6);
    EXPECT_TRUE(std::is_sorted(p.omega.begin(), p.omega.begin() + 5));
}

// The centripetal field must be that of w x (w x r) for any w.
TEST(Dyrt, CentripetalDrivesAreTheDoubleCrossProduct) {
    const Vec3 w{0.3, -1.2, 0.7}, r{0.5, 0.1, -0.9};
    const double product[6] = {w.x * w.x, w.y * w.y, w.z * w.z, w.x * w.y, w.y * w.z, w.z * w.x};
    Vec3 sum;
    for (std::size_t c = 0; c < 6; ++c) sum += drive_field(6 + c, r) * product[c];
    EXPECT_LT(norm(sum - cross(w, cross(w, r))), 1e-15);
    for (int i = 0; i < 3; ++i) {
        Vec3 axis;
        axis[i] = 1.0;
        EXPECT_EQ(drive_field(3 + static_cast<std::size_t>(i), r), cross(axis, r));
    }
}

TEST(Dyrt, FrequencyAndSettlingTimeAreWhatWasAskedFor) {
    DyrtSettings s = fat(3);
    s.frequency = 4.5;
    s.settle = 0.6;
    const DyrtPart p = dyrt_of(humanoid(), "thigh=bone:thigh_l", 1500, s);
    EXPECT_NEAR(p.omega[0], 2.0 * M_PI * 4.5, 1e-12);
    EXPECT_NEAR(std::exp(-p.decay[0] * 0.6), 0.05, 1e-12);
    // Said again in moduli it is the same body.
    DyrtSettings again = fat(3);
    again.material = p.material;
    const DyrtPart q = dyrt_of(humanoid(), "thigh=bone:thigh_l", 1500, again);
    for (std::size_t k = 0; k < p.count(); ++k) {
        EXPECT_NEAR(q.omega[k], p.omega[k], 1e-7 * p.omega[k]) << k;
        EXPECT_NEAR(q.decay[k], p.decay[k], 1e-7 * p.decay[k]) << k;
    }
}

// A clip that repeats must not jump where it starts again, in place and in velocity.
TEST(Dyrt, ASlowPartIsMadeAsFastAsTheLeastFrequencyAndAFastOneStays) {
    DyrtSettings soft = fat(2);
    soft.material.young = 1.0;  // swings once in many seconds: damped beyond critical by its alpha of 2/s
    const DyrtPart slow = dyrt_of(humanoid(), "thigh=bone:thigh_l", 1500, soft);
    ASSERT_LT(slow.omega[0], 2.0 * std::numbers::pi * 0.5);
    EXPECT_EQ(slow.warnings.size(), thigh().warnings.size() + 1);
    soft.least_frequency = 2.0;
    const DyrtPart raised = dyrt_of(humanoid(), "thigh=bone:thigh_l", 1500, soft);
    EXPECT_NEAR(raised.omega[0], 4.0 * std::numbers::pi, 1e-9);
    EXPECT_NEAR(raised.omega[1] / raised.omega[0], slow.omega[1] / slow.omega[0], 1e-9);
    EXPECT_NEAR(raised.material.young, std::pow(raised.omega[0] / slow.omega[0], 2), 1e-6 * raised.material.young);
    EXPECT_NEAR(raised.decay[0], 0.5 * (2.0 + 0.002 * raised.omega[0] * raised.omega[0]), 1e-9);
    EXPECT_EQ(raised.warnings.size(), thigh().warnings.size());
    soft.frequency = 0.25;  // what is asked for counts
    EXPECT_NEAR(dyrt_of(humanoid(), "thigh=bone:thigh_l", 1500, soft).omega[0], 0.5 * std::numbers::pi, 1e-9);
}

TEST(Dyrt, ACyclicClipEndsAsItBegan) {
    for (std::size_t clip = 0; clip < humanoid().clips.size(); ++clip) {
        const DyrtTrack t = bake_clip(humanoid(), thigh(), clip, {});
        ASSERT_TRUE(t.looped);
        EXPECT_LT(t.seam, 1e-12 * largest(t.amplitudes));
        const std::size_t m = thigh().count();
        for (std::size_t k = 0; k < m; ++k)
            EXPECT_NEAR(t.rates[k], t.rates[t.rates.size() - m + k], 1e-9 * largest(t.rates));
    }
}

// The closed form against the slow way: play the clip until everything has died away but the cycle.
TEST(Dyrt, TheSteadyStateIsWhatManyCyclesLeadTo) {
    Rig rig = humanoid();
    const DyrtTrack once = bake_clip(rig, thigh(), 0, {});
    Clip& clip = rig.clips[0];
    const double period = clip.duration;
    const int rounds = 8;
    for (Channel& c : clip.channels) {  // the same curves several times over
        const std::vector<double> times = c.times, values = c.values;
        const std::size_t each = c.values.size() / c.times.size();
        for (int r = 1; r < rounds; ++r) {
            for (std::size_t k = 1; k < times.size(); ++k) {
                c.times.push_back(times[k] + r * period);
                c.values.insert(c.values.end(), values.begin() + static_cast<std::ptrdiff_t>(k * each),
                                values.begin() + static_cast<std::ptrdiff_t>((k + 1) * each));
            }
        }
    }
    clip.duration = rounds * period;
    BakeSettings settings;
    settings.loop = BakeSettings::Loop::no;
    const DyrtTrack many = bake_clip(rig, thigh(), 0, settings);
    const std::size_t m = thigh().count(), per = once.times.size() - 1;
    double wrong = 0.0;
    for (std::size_t i = 0; i < per; ++i) {
        for (std::size_t k = 0; k < m; ++k) {
            wrong = std::max(wrong,
                             std::abs(many.amplitudes[(i + (rounds - 1) * per) * m + k] - once.amplitudes[i * m + k]));
        }
    }
    EXPECT_LT(wrong, 1e-4 * largest(once.amplitudes));  // exp(-1.5 * 7) of the transient is left
}

// Finite elements with all unknowns, stepped by other code, under the same bone: few modes are near, many come nearer.
TEST(Dyrt, MoreModesComeNearerToFiniteElements) {
    Progress quiet;
    BakeSettings whole;  // the reference has Coriolis's force
    whole.coriolis = true;
    const auto error_with = [&](int modes) {
        DyrtSettings settings = fat(modes);
        settings.coriolis = true;
        return error_of(humanoid(), dyrt_of(humanoid(), "thigh=bone:thigh_l", 1500, settings), 0, whole, quiet);
    };
    const DyrtError few = error_with(5), many = error_with(24);
    EXPECT_LT(few.relative_l2, 0.6);
    EXPECT_LT(many.relative_l2, 0.1);
    EXPECT_LT(many.relative_l2, 0.3 * few.relative_l2);
    EXPECT_LT(few.relative_l2, few.by_modes.back());  // residuals help
}

/// The humanoid's pelvis goes up and down and turns, once a second, smoothly: nothing in it is faster than a person
/// moves.
Rig swaying() {
    Rig rig = humanoid();
    Clip clip;
    clip.name = "sway";
    clip.duration = 1.0;
    const auto root = static_cast<std::int32_t>(
        std::find_if(rig.joints.begin(), rig.joints.end(), [](const Joint& j) { return j.parent < 0; }) -
        rig.joints.begin());
    const Vec3 position = rig.joints[static_cast<std::size_t>(root)].rest.translation;
    constexpr int kKeys = 16;
    constexpr double kTurn = 2.0 * std::numbers::pi;
    Channel move{root, Channel::Target::translation, Channel::Curve::cubic, {}, {}},
        turn{root, Channel::Target::rotation, Channel::Curve::cubic, {}, {}};
    for (int k = 0; k <= kKeys; ++k) {
        const double t = static_cast<double>(k) / kKeys, s = std::sin(kTurn * t), c = std::cos(kTurn * t);
        move.times.push_back(t);
        turn.times.push_back(t);
        const double height = position.y + 0.05 * s, rate = 0.05 * kTurn * c, angle = 0.15 * s, spin = 0.15 * kTurn * c;
        for (const double v : {0.0, rate, 0.0, position.x, height, position.z, 0.0, rate, 0.0})
            move.values.push_back(v);
        const double qs = std::sin(angle / 2), qc = std::cos(angle / 2);
        for (const double v :
             {qc * spin / 2, 0.0, 0.0, -qs * spin / 2, qs, 0.0, 0.0, qc, qc * spin / 2, 0.0, 0.0, -qs * spin / 2}) {
            turn.values.push_back(v);
        }
    }
    clip.channels = {move, turn};
    rig.clips = {clip};
    return rig;
}

// The bar: twenty modes and residuals within one per cent of all finite elements, in the bone's own frame,
// where nothing but the jiggling counts.
TEST(Dyrt, TwentyModesAndResidualsAreWithinOnePerCentOfFiniteElements) {
    const Rig rig = swaying();
    Progress quiet;
    for (const auto& [line, cells] : {std::pair{"thigh=bone:thigh_l", 1500}, {"belly=ball:0,1.05,0.06,0.2", 4000}}) {
        DyrtSettings settings = fat(20);
        settings.material = {"fat", 3250.0, 0.49, 950.0, 2.0, 0.004};
        settings.coriolis = true;
        const DyrtPart part = dyrt_of(rig, line, cells, settings);
        BakeSettings fine;
        fine.substep = 1.0 / 960.0;
        fine.coriolis = true;
        const DyrtError e = error_of(rig, part, 0, fine, quiet);
        EXPECT_GT(e.most, 0.002) << line;
        EXPECT_LT(e.relative_l2, 0.01) << line;
    }
}

/// The humanoid's pelvis turns about the vertical at a steady rate and goes to and fro twice a second: flesh that moves
/// in a turning frame.
Rig spinning(double rate) {
    Rig rig = humanoid();
    Clip clip;
    clip.name = "spin";
    clip.duration = 1.0;
    const auto root = static_cast<std::int32_t>(
        std::find_if(rig.joints.begin(), rig.joints.end(), [](const Joint& j) { return j.parent < 0; }) -
        rig.joints.begin());
    const Vec3 position = rig.joints[static_cast<std::size_t>(root)].rest.translation;
    constexpr int kKeys = 64;
    constexpr double kTwice = 4.0 * std::numbers::pi;
    Channel move{root, Channel::Target::translation, Channel::Curve::cubic, {}, {}},
        turn{root, Channel::Target::rotation, Channel::Curve::cubic, {}, {}};
    for (int k = 0; k <= kKeys; ++k) {
        const double t = static_cast<double>(k) / kKeys, half = 0.5 * rate, s = std::sin(half * t),
                     c = std::cos(half * t);
        move.times.push_back(t);
        turn.times.push_back(t);
        const double speed = 0.04 * kTwice * std::sin(kTwice * t), x = position.x + 0.04 * (1.0 - std::cos(kTwice * t));
        for (const double v : {speed, 0.0, 0.0, x, position.y, position.z, speed, 0.0, 0.0}) move.values.push_back(v);
        for (const double v : {0.0, half * c, 0.0, -half * s, 0.0, s, 0.0, c, 0.0, half * c, 0.0, -half * s})
            turn.values.push_back(v);
    }
    clip.channels = {move, turn};
    rig.clips = {clip};
    return rig;
}

// The reference has every force of the turning frame, so that whoever keeps more of them is nearer to it; it lacked
// Coriolis's, and who had it was labelled worse.
TEST(Dyrt, OnASpinningBoneTheBetterSettingIsLabelledBetter) {
    DyrtSettings settings = fat(16);
    settings.coriolis = true;
    const DyrtPart part = dyrt_of(humanoid(), "thigh=bone:thigh_l", 1500, settings);
    Progress quiet;
    struct Case {
        double rate;  // [rad/s]; a clip of 3 does not end as it began, one of 4 pi does
        BakeSettings::Loop loop;
    };
    for (const Case& c : {Case{4.0 * std::numbers::pi, BakeSettings::Loop::no},
                          {3.0, BakeSettings::Loop::yes},
                          {4.0 * std::numbers::pi, BakeSettings::Loop::yes}}) {
        const Rig rig = spinning(c.rate);
        BakeSettings all;
        all.loop = c.loop;
        all.coriolis = true;
        all.substep = 1.0 / 240.0;
        BakeSettings without = all, still = all;
        without.coriolis = false;
        still.centripetal = false;
        const DyrtError best = error_of(rig, part, 0, all, quiet), lacking = error_of(rig, part, 0, without, quiet);
        EXPECT_LT(best.relative_l2, 0.5 * lacking.relative_l2) << c.rate;
        EXPECT_LT(best.relative_l2, 0.25)
            << c.rate;  // a spin that begins at once, or starts again, shakes more than sixteen modes
        EXPECT_EQ(best.reference, lacking.reference);
        if (c.loop == BakeSettings::Loop::no) {
            EXPECT_LT(best.relative_l2, 0.7 * error_of(rig, part, 0, still, quiet).relative_l2);
        }
    }
}

// The reference is damped as the oscillators are. It had the material's own damping, so that half of this distance was
// between two materials.
TEST(Dyrt, ADampingRatioIsComparedWithFiniteElementsOfThatRatio) {
    DyrtSettings settings = fat(12);
    settings.damping_ratio = 0.4;
    const DyrtPart part = dyrt_of(humanoid(), "thigh=bone:thigh_l", 1500, settings);
    for (const std::size_t k : {std::size_t{0}, part.modes - 1}) {
        EXPECT_NEAR(0.5 * (part.material.rayleigh_alpha / part.omega[k] + part.material.rayleigh_beta * part.omega[k]),
                    0.4, 1e-12);
    }
    Progress quiet;
    const DyrtError e = error_of(spinning(0.0), part, 0, {}, quiet);
    EXPECT_LT(e.relative_l2, 0.03);
    EXPECT_NE(e.reference.find("ratio 0.4"), std::string::npos);
}

// Normal corrections are derivatives: a finite difference of the surface's own normals says the same.
TEST(Dyrt, NormalCorrectionsAreDerivativesOfTheNormals) {
    const DyrtPart& p = thigh();
    const std::size_t n = p.vertices.size();
    double turned = 0.0;
    for (std::size_t k = 0; k < p.count(); ++k) {
        for (std::size_t i = 0; i < n; ++i) {
            EXPECT_NEAR(dot(p.corrections[k * n + i], p.vertices[i].normal), 0.0, 1e-9);  // a unit vector can only turn
            turned = std::max(turned, norm(p.corrections[k * n + i]));
        }
    }
    EXPECT_GT(turned, 1.0);
    const Rig& rig = humanoid();  // its parts meet where their colours do: vertices there are at equal places
    std::map<std::array<double, 3>, Vec3> area[2];
    constexpr double kStep = 1e-6;
    std::vector<std::vector<Vec3>> move;
    for (const SkinPart& skin : rig.parts) move.emplace_back(skin.positions.size());
    for (std::size_t i = 0; i < n; ++i) {
        move[static_cast<std::size_t>(p.vertices[i].part)][static_cast<std::size_t>(p.vertices[i].vertex)] =
            p.displacements[i];
    }
    const auto key = [](const Vec3& x) { return std::array<double, 3>{x.x, x.y, x.z}; };
    for (int side = 0; side < 2; ++side) {
        for (std::size_t part = 0; part < rig.parts.size(); ++part) {
            for (const auto& t : rig.parts[part].triangles) {
                const auto at = [&](std::size_t c) {
                    const auto v = static_cast<std::size_t>(t[c]);
                    return rig.parts[part].positions[v] + move[part][v] * (side == 0 ? -kStep : kStep);
                };
                for (const std::int32_t v : t) {
                    area[side][key(rig.parts[part].positions[static_cast<std::size_t>(v)])] += cross(at(1) - at(0),
                                                                                                     at(2) - at(0));
                }
            }
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 a = area[0][key(p.vertices[i].position)], b = area[1][key(p.vertices[i].position)];
        const Vec3 rate = (b / norm(b) - a / norm(a)) / (2.0 * kStep), turn = cross(a / norm(a), rate);
        EXPECT_LT(norm(p.corrections[i] - cross(turn, p.vertices[i].normal)), 3e-5 * (1.0 + norm(rate))) << i;
    }
}

TEST(Dyrt, WhatCannotBeMadeIsRefusedInOneLine) {
    const auto refusal = [](DyrtSettings s) {
        try {
            dyrt_of(humanoid(), "thigh=bone:thigh_l", 1500, s);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    DyrtSettings s = fat(0);
    EXPECT_NE(refusal(s).find("modes"), std::string::npos);
    s = fat(50);  // a .dyrt part has room for 64 oscillators, and three orders of residuals take 18
    s.residuals = 3;
    EXPECT_NE(refusal(s).find("1 to 46"), std::string::npos);
    s.residuals = 4;
    EXPECT_NE(refusal(s).find("residuals"), std::string::npos);
    s = fat();
    s.frequency_limit = 0.1;
    EXPECT_NE(refusal(s).find("below every mode"), std::string::npos);
    s = fat();
    s.amount = std::nan("");
    EXPECT_NE(refusal(s).find("amount"), std::string::npos);
    expect_error(Fault::bad_usage, "clip", [&] { bake_clip(humanoid(), thigh(), 99, {}); });
}

}  // namespace
}  // namespace limber
