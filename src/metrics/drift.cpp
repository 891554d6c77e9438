// Drifts: how volume, energy and momentum of the candidate wander off those of the reference.
#include "body/mass_centre.hpp"
#include "metrics/measure.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

// Relative change of a recording's own deformed measure against its own rest mesh.
class OwnVolume {
public:
    explicit OwnVolume(const Mesh& mesh) : rest_(mesh), moved_(mesh), rest_measure_(measure_of(mesh)) {}
    double change(std::span<const Vec3> u) {
        for (std::size_t i = 0; i < u.size(); ++i) moved_.vertices[i] = rest_.vertices[i] + u[i];
        return (measure_of(moved_) - rest_measure_) / rest_measure_;
    }

private:
    const Mesh& rest_;
    Mesh moved_;
    double rest_measure_;
};

class VolumeDrift : public FrameMeasure {
public:
    explicit VolumeDrift(const Pairing& pairing)
        : reference_(pairing.mesh()), candidate_(pairing.candidate().body->mesh()) {}
    std::optional<double> at(const Pairing::Pair& pair) override {
        return candidate_.change(pair.candidate->displacement) - reference_.change(pair.reference->displacement);
    }

private:
    OwnVolume reference_, candidate_;
};

// Series of other programs may lack energies or velocities: a drift of zeros or of differences would be a made-up
// number.
void demand(bool known, const Recording& recording, const char* what) {
    if (!known) {
        throw Error(Fault::unsupported, InputLocation{recording.scene, 0, {}},
                    text("an imported series without ", what), text("a recording with ", what));
    }
}

class EnergyDrift : public FrameMeasure {
public:
    explicit EnergyDrift(const Pairing& pairing) {
        for (const Recording* r : {&pairing.reference(), &pairing.candidate()}) demand(r->has_energies, *r, "energies");
        for (const auto& pair : pairing.frames()) {
            const double energy = std::abs(pair.reference->energies.total());
            if (std::isfinite(energy)) peak_ = std::max(peak_, energy);
        }
    }
    std::optional<double> at(const Pairing::Pair& pair) override {
        return ratio(pair.candidate->energies.total() - pair.reference->energies.total(), peak_);
    }

private:
    double peak_ = 0.0;
};

class MomentumDrift : public FrameMeasure {
public:
    explicit MomentumDrift(const Pairing& pairing)
        : reference_masses_(vertex_masses(*pairing.reference().body)),
          candidate_masses_(vertex_masses(*pairing.candidate().body)) {
        for (const Recording* r : {&pairing.reference(), &pairing.candidate()})
            demand(r->has_velocity, *r, "velocities of its own");
        for (const auto& pair : pairing.frames()) {
            check(pair.reference->velocity, reference_masses_, pairing.reference());
            check(pair.candidate->velocity, candidate_masses_, pairing.candidate());
            const double amount = amount_of_motion(pair.reference->velocity);
            if (std::isfinite(amount)) peak_ = std::max(peak_, amount);
        }
    }
    std::optional<double> at(const Pairing::Pair& pair) override {
        return ratio(length(momentum(candidate_masses_, pair.candidate->velocity) -
                            momentum(reference_masses_, pair.reference->velocity)),
                     peak_);
    }

private:
    static void check(std::span<const Vec3> velocity, const std::vector<double>& masses, const Recording& recording) {
        if (velocity.size() != masses.size()) {
            throw Error(Fault::unsupported, InputLocation{recording.scene, 0, {}},
                        text("a frame with ", counted(velocity.size(), "velocity value")),
                        text("one per body vertex, ", masses.size(), ": momentum needs velocities"));
        }
    }
    static Vec3 momentum(const std::vector<double>& masses, std::span<const Vec3> velocity) {
        Vec3 sum;
        for (std::size_t i = 0; i < masses.size(); ++i) sum += masses[i] * velocity[i];
        return sum;
    }
    // Sum of m |v|: unlike the momentum itself it does not vanish for a body that spins or rings in place.
    double amount_of_motion(std::span<const Vec3> velocity) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < velocity.size(); ++i) sum += std::abs(reference_masses_[i]) * length(velocity[i]);
        return sum;
    }

    std::vector<double> reference_masses_, candidate_masses_;
    double peak_ = 0.0;
};

}  // namespace

std::unique_ptr<FrameMeasure> make_volume_drift(const Pairing& pairing) {
    return std::make_unique<VolumeDrift>(pairing);
}
std::unique_ptr<FrameMeasure> make_energy_drift(const Pairing& pairing) {
    return std::make_unique<EnergyDrift>(pairing);
}
std::unique_ptr<FrameMeasure> make_momentum_drift(const Pairing& pairing) {
    return std::make_unique<MomentumDrift>(pairing);
}

}  // namespace limber
