#include "reproduce/accuracy/accuracy_stability.hpp"

#include "core/text.hpp"
#include "integrate/stepper.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace limber {
namespace {

std::string lower(std::string words) {
    std::transform(words.begin(), words.end(), words.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return words;
}

Claim critical_step_claim(const AccuracySpectrum& s, int lumped) {
    const double expected = 2 / s.omega_max[lumped];
    return judged({text("critical-step-", lower(s.material), lumped ? "-lumped" : "-consistent"),
                   "The largest stable explicit step is inversely proportional to the natural frequency",
                   s.critical_step[lumped], "s", expected, 1e-3 * expected, Relation::equal, false,
                   text("Bisection on the step with the real stepper, started in the highest mode; expected 2 / "
                        "omega_max with omega_max = ",
                        short_number(s.omega_max[lumped], 6), " rad/s, whatever the damping.")});
}

Claim microsecond_claim(const AccuracySpectrum& mp2) {
    const Material m = paper_material("MP2");
    const double all_explicit = critical_step(Scheme::symplectic_euler, mp2.omega_max[0], m.rayleigh_alpha,
                                              m.rayleigh_beta);
    return judged({"mp2-step-below-1e-6", "MP2 needs a step below 1e-6 s for explicit integration",
                   mp2.critical_step[0], "s", 1e-6, 0.0, Relation::at_most, false,
                   text("The printed scheme treats half of the damping implicitly and is stable up to 2 / omega_max = ",
                        short_number(2 / mp2.omega_max[0]),
                        " s. Only with the damping force taken wholly from the last step does the limit fall to ",
                        short_number(all_explicit, 2), " s.")});
}

/// E is scaled until the highest mode grows at the paper's step.
Claim stiffer_claim(const Bench& mp1, bool lumped, double omega, const PartOfProgress& progress) {
    const std::vector<Vec3> shape = highest_mode(mp1, lumped).shape;
    const auto stable = [&](double factor) {
        progress.check();
        Bench stiffer = mp1;
        stiffer.material.young *= factor;
        return !grows(growth_of(stiffer, lumped ? "explicit_lumped" : "explicit", shape, kPaperStep));
    };
    const double expected = std::pow(2 / (omega * kPaperStep), 2);
    const double factor = last_stable(stable, 0.05, 40.0, 5e-4);
    return judged(
        {text("stiffer-mp1-diverges", lumped ? "-lumped" : ""),
         text("A stiffer MP1 makes explicit integration", lumped ? " with lumped mass" : "", " diverge"), factor, "x",
         expected, 3e-3 * expected, Relation::equal, false,
         text("Stable up to E = ", short_number(factor * mp1.material.young),
              " Pa (MP1: 200 Pa) at h = 1/30 s, then the highest mode grows; expected (2 / (omega_max h))^2.")});
}

/// nu is raised until the highest mode grows at the paper's step.
Claim less_compressible_claim(const Bench& mp1, bool lumped, const PartOfProgress& progress) {
    const auto with_nu = [&](double nu) {
        Bench out = mp1;
        out.material.poisson = nu;
        return out;
    };
    const auto stable_by_stepping = [&](double nu) {
        progress.check();
        const Bench bench = with_nu(nu);
        return !grows(
            growth_of(bench, lumped ? "explicit_lumped" : "explicit", highest_mode(bench, lumped).shape, kPaperStep));
    };
    const auto stable_by_frequency = [&](double nu) {
        return highest_mode(with_nu(nu), lumped).omega * kPaperStep <= 2.0;
    };
    const double measured = last_stable(stable_by_stepping, 0.0, 0.4999, 1e-4),
                 expected = last_stable(stable_by_frequency, 0.0, 0.4999, 1e-6);
    return judged(
        {text("less-compressible-mp1-diverges", lumped ? "-lumped" : ""),
         text("A less compressible MP1 makes explicit integration", lumped ? " with lumped mass" : "", " diverge"),
         measured, "", expected, 2e-4, Relation::equal, false,
         text("Poisson's ratio at which the highest mode begins to grow at h = 1/30 s (MP1: 0.47); expected where "
              "omega_max h = 2.")});
}

Claim divergence_claim(const AccuracyRun& run) {
    const double at = run.diverged_at.value_or(std::numeric_limits<double>::quiet_NaN());
    return judged({text("mp2-", run.scheme == "explicit" ? "explicit" : "explicit-lumped", "-diverges"),
                   "Explicit integration of MP2 is impossible at h = 1/30 s", at, "s", 10.0, 0.0, Relation::at_most,
                   false, "The time at which a vertex has gone further than a million metres."});
}

/// The smallest stiffness damping with which both explicit schemes stay bounded on MP1 at the paper's step.
Claim minimum_damping_claim(const Bench& mp1, const PartOfProgress& progress) {
    const std::vector<Vec3> consistent = highest_mode(mp1, false).shape, lumped = highest_mode(mp1, true).shape;
    const auto bounded = [&](double beta) {
        progress.check();
        Bench bench = mp1;
        bench.material.rayleigh_alpha = 0.0;
        bench.material.rayleigh_beta = beta;
        return !grows(growth_of(bench, "explicit", consistent, kPaperStep)) &&
               !grows(growth_of(bench, "explicit_lumped", lumped, kPaperStep));
    };
    double least = 0.0;
    if (!bounded(0.0)) {
        const auto unbounded_below = [&](double beta) { return !bounded(beta); };
        least = bounded(10.0) ? last_stable(unbounded_below, 0.0, 10.0, 1e-3)
                              : std::numeric_limits<double>::quiet_NaN();
    }
    return judged({"minimum-damping",
                   "alpha = 1 and beta = 0.1 are the smallest damping with which all schemes converge", least, "s", 0.1,
                   0.01, Relation::equal, false,
                   std::isfinite(least) ? "MP1 stays bounded without any damping (alpha = beta = 0): the limit 2 / "
                                          "omega_max of the printed scheme does not depend on damping."
                                        : "On this mesh 2 / omega_max is below 1/30 s, and no damping makes the "
                                          "printed explicit scheme bounded."});
}

/// What the penalty was proposed for: a lower Poisson's ratio, the missing bulk stiffness as an artificial force.
Claim penalty_claim(const Bench& mp2) {
    Bench softer = mp2;
    softer.material.poisson = 0.45;
    const double missing = mp2.material.bulk() - softer.material.bulk();
    const double step = 2 / highest_mode(softer, false, missing).omega;
    return judged({"volume-penalty-step",
                   "A lower Poisson's ratio with a volume penalty avoids the instability near 0.5", step, "s",
                   kPaperStep, 0.0, Relation::at_least, false,
                   text("2 / omega_max of MP2 with nu = 0.45 and a penalty that restores its bulk modulus. The penalty "
                        "is stiffness like any other, so the step hardly grows (without it, nu = 0.495: ",
                        short_number(2 / highest_mode(mp2, false).omega), " s).")});
}

}  // namespace

std::vector<Claim> stability_claims(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs,
                                    const std::vector<AccuracySpectrum>& spectra, PartOfProgress& progress) {
    const Bench mp1 = block_bench(settings, "MP1"), mp2 = block_bench(settings, "MP2");
    std::vector<Claim> out;
    for (int lumped = 0; lumped < 2; ++lumped) {
        progress.update(0.3 * lumped, "stiffening MP1");
        out.push_back(stiffer_claim(mp1, lumped == 1, spectra[0].omega_max[lumped], progress));
        out.push_back(less_compressible_claim(mp1, lumped == 1, progress));
    }
    for (const AccuracyRun& run : runs) {
        if (run.material == "MP2" && run.scheme.starts_with("explicit") && run.reference == "implicit")
            out.push_back(divergence_claim(run));
    }
    for (const AccuracySpectrum& s : spectra)
        for (int lumped = 0; lumped < 2; ++lumped) out.push_back(critical_step_claim(s, lumped));
    out.push_back(microsecond_claim(spectra[1]));
    progress.update(0.8, "taking damping away");
    out.push_back(minimum_damping_claim(mp1, progress));
    out.push_back(penalty_claim(mp2));
    return out;
}

}  // namespace limber
