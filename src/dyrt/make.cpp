#include "dyrt/skin_shapes.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kMost = 64;            // oscillators in a .dyrt part

void check_settings(const DyrtSettings& s) {
    const auto refuse = [](const char* what, const std::string& found, const char* expected) { throw Error(Fault::bad_usage, {what, 0, {}}, found, expected); };
    if (s.modes < 1 || s.modes > kMost - 6) refuse("modes", text(s.modes), "1 to 58");
    for (const auto& [name, value] : {std::pair{"frequency", s.frequency}, {"settle", s.settle}, {"frequency limit", s.frequency_limit}})
        if (!(value >= 0.0 && std::isfinite(value))) refuse(name, text(value), "a number above 0");
    if (!(s.amount >= 0.0 && std::isfinite(s.amount))) refuse("amount", text(s.amount), "0 or more");
    if (!(s.damping_ratio <= 5.0)) refuse("damping ratio", text(s.damping_ratio), "0 to 5");
    check(s.material);
}

/// Moduli as the first mode's frequency and settling time ask for them. With every modulus times s all frequencies are times sqrt(s).
void fit_material(const DyrtSettings& settings, DyrtPart& out) {
    if (settings.frequency > 0.0) {
        const double factor = 2.0 * kPi * settings.frequency / out.omega[0];
        out.material.young *= factor * factor;
        for (double& w : out.omega) w *= factor;
    }
    if (settings.settle > 0.0) {
        const double rate = std::log(20.0) / settings.settle;       // of the first mode's decay
        out.material.rayleigh_alpha = rate;
        out.material.rayleigh_beta = rate / (out.omega[0] * out.omega[0]);
    }
    const Material& m = out.material;
    for (const double w : out.omega)
        out.decay.push_back(settings.damping_ratio >= 0.0 ? settings.damping_ratio * w : 0.5 * (m.rayleigh_alpha + m.rayleigh_beta * w * w));
    if (out.decay[0] >= out.omega[0]) out.warnings.push_back(text("damped beyond critical: the first mode (", out.omega[0] / (2.0 * kPi), " Hz) creeps back and does not swing"));
}

/// Part `done` of `all` of the work, as the caller sees it.
class Share final : public Progress {
public:
    Share(Progress& whole, std::size_t done, std::size_t all) : whole_(whole), done_(static_cast<double>(done)), all_(static_cast<double>(all)) {}
    void update(double fraction, std::string_view what) override { whole_.update((done_ + fraction) / all_, what); }
    bool stop_requested() const override { return whole_.stop_requested(); }

private:
    Progress& whole_;
    double done_, all_;
};

}  // namespace

std::vector<DyrtPart> make_dyrt(const Rig& rig, std::vector<FleshPart> flesh, const DyrtSettings& settings, Progress& progress) {
    check_settings(settings);
    const SkinGround ground(rig);
    std::vector<DyrtPart> out;
    for (std::size_t i = 0; i < flesh.size(); ++i) {
        if (progress.stop_requested()) throw Error(Fault::interrupted, {flesh[i].name, 0, {}}, "interrupted", "");
        Share share(progress, i, flesh.size());
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
        if (basis.modes < static_cast<std::size_t>(settings.modes) && settings.frequency_limit == 0.0) part.warnings.push_back(text("only ", basis.modes, " modes: it has no more"));
        fit_material(settings, part);
        put_on_skin(ground, basis, settings, part);
        out.push_back(std::move(part));
    }
    return out;
}

}  // namespace limber
