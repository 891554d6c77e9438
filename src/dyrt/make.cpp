#include "dyrt/skin_shapes.hpp"

#include "core/part_of_progress.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>

#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kMostOscillators = 64, kPerResidual = 6;  // in a .dyrt part; shapes of one order of residuals

void check_settings(const DyrtSettings& s) {
    const auto refuse = [](const char* what, const std::string& found, const std::string& expected) {
        throw Error(Fault::bad_usage, {what, 0, {}}, found, expected);
    };
    if (s.residuals < 0 || s.residuals > 3) refuse("residuals", text(s.residuals), "0 to 3");
    const int most = kMostOscillators - kPerResidual * s.residuals;
    if (s.modes < 1 || s.modes > most)
        refuse("modes", text(s.modes), text("1 to ", most, ", with residuals ", s.residuals));
    for (const auto& [name, value] : {std::pair{"frequency", s.frequency},
                                      {"settle", s.settle},
                                      {"frequency limit", s.frequency_limit},
                                      {"least frequency", s.least_frequency}}) {
        if (!(value >= 0.0 && std::isfinite(value))) refuse(name, text(value), "a number above 0");
    }
    if (!(s.amount >= 0.0 && std::isfinite(s.amount))) refuse("amount", text(s.amount), "0 or more");
    if (!(s.damping_ratio <= 5.0)) refuse("damping ratio", text(s.damping_ratio), "0 to 5");
    check(s.material);
}

/// Moduli as the first mode's frequency and settling time ask for them. With every modulus times s all frequencies are
/// times sqrt(s).
void fit_material(const DyrtSettings& settings, DyrtPart& out) {
    const double frequency = out.omega[0] / (2.0 * kPi);
    const double wanted = settings.frequency > 0.0 ? settings.frequency : std::max(frequency, settings.least_frequency);
    if (wanted != frequency) {
        const double factor = wanted / frequency;
        out.material.young *= factor * factor;
        for (double& w : out.omega) w *= factor;
    }
    if (settings.settle > 0.0) {
        const double rate = std::log(20.0) / settings.settle;  // of the first mode's decay
        out.material.rayleigh_alpha = rate;
        out.material.rayleigh_beta = rate / (out.omega[0] * out.omega[0]);
    }
    Material& m = out.material;
    if (settings.damping_ratio >= 0.0) {
        // No alpha and beta give all modes the same ratio; these do it at both ends, and finite elements can be made of
        // them.
        const double first = out.omega[0], last = out.omega[out.modes - 1];
        m.rayleigh_alpha = 2.0 * settings.damping_ratio * first * last / (first + last);
        m.rayleigh_beta = 2.0 * settings.damping_ratio / (first + last);
        out.damping_ratio = settings.damping_ratio;
    }
    for (const double w : out.omega) {
        out.decay.push_back(settings.damping_ratio >= 0.0 ? settings.damping_ratio * w
                                                          : 0.5 * (m.rayleigh_alpha + m.rayleigh_beta * w * w));
    }
    if (out.decay[0] >= out.omega[0]) {
        out.warnings.push_back(text("damped beyond critical: the first mode (", out.omega[0] / (2.0 * kPi),
                                    " Hz) creeps back and does not swing"));
    }
}

}  // namespace

std::vector<DyrtPart> make_dyrt(const Rig& rig, std::vector<FleshPart> flesh, const DyrtSettings& settings,
                                Progress& progress) {
    check_settings(settings);
    const SkinGround ground(rig);
    std::vector<DyrtPart> out;
    for (std::size_t i = 0; i < flesh.size(); ++i) {
        PartOfProgress share(progress, static_cast<double>(i) / static_cast<double>(flesh.size()),
                             static_cast<double>(i + 1) / static_cast<double>(flesh.size()));
        share.check();
        DyrtPart part;
        part.flesh = std::move(flesh[i]);
        part.material = settings.material;
        const PartSystem system = make_part_system(part.flesh, settings.material, settings.quadratic, share);
        const PartBasis basis = make_part_basis(system, part.flesh.bind_origin, settings, share);
        part.quadratic = settings.quadratic;
        part.amount = settings.amount;
        part.unknowns = system.system.free.size();
        part.modes = basis.modes;
        part.omega = basis.omega;
        part.error = basis.error;
        part.orthonormality = basis.orthonormality;
        part.transfer = basis.transfer;
        for (double& t : part.transfer) t *= settings.amount;
        if (settings.coriolis) part.coriolis = coriolis_table(system, basis);
        if (basis.modes < static_cast<std::size_t>(settings.modes) && settings.frequency_limit == 0.0)
            part.warnings.push_back(text("only ", basis.modes, " modes: it has no more"));
        fit_material(settings, part);
        put_on_skin(ground, basis, settings, part);
        out.push_back(std::move(part));
    }
    return out;
}

}  // namespace limber
