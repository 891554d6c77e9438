// Stability measured by stepping: start in the highest mode, watch whether it grows.
#pragma once

#include "reproduce/accuracy/accuracy_bench.hpp"

#include <limber/tools/modes.hpp>

#include <functional>

namespace limber {

TopMode highest_mode(const Bench& bench, bool lumped, double volume_penalty = 0.0);

/// Largest displacement in the second half of 1500 steps over that of the first half, started at rest in `shape`.
double growth_of(const Bench& bench, const std::string& scheme, const std::vector<Vec3>& shape, double step);
/// True when it grows: by more than rounding and a beat could explain.
bool grows(double growth);

/// Largest x in [low, high] at which `stable` still says yes, to `tolerance` relative; NaN when it says no at `low`,
/// `high` when it never says no.
double last_stable(const std::function<bool(double)>& stable, double low, double high, double tolerance);

/// By doubling and bisection, knowing nothing of frequencies but the shape to start in [s].
double measured_critical_step(const Bench& bench, bool lumped, const PartOfProgress& progress);

std::vector<AccuracySpectrum> measure_spectra(const AccuracySettings& settings, PartOfProgress& progress);
std::vector<Claim> stability_claims(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs,
                                    const std::vector<AccuracySpectrum>& spectra, PartOfProgress& progress);
Plot critical_step_plot(const AccuracySettings& settings, const std::vector<AccuracySpectrum>& spectra);

}  // namespace limber
