#include "methods/modal/basis.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

double dot_plain(std::size_t n, const double* a, const double* b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

class BasisMaker {
public:
    BasisMaker(const Body& body, const Supports& supports, const ModalSettings& settings, const ModalParts& parts)
        : body_(body),
          supports_(supports),
          settings_(settings),
          parts_(parts),
          n_(parts.system.size()),
          scratch_(2 * n_),
          image_(n_),
          many_(parts.solver->many_scratch_size()) {}

    ModalBasis run(Progress& progress) {
        out_.unknowns = n_;
        out_.dimension = static_cast<std::size_t>(body_.mesh().dimension());
        out_.drives = body_.handles().size() * out_.dimension * (1 + out_.dimension);
        out_.corrected = settings_.correct_supports;
        find_modes(progress);
        progress.update(0.0, "static shapes");
        add_drives();
        couple();
        if (out_.corrected) add_corrections();
        reduce(progress);
        return std::move(out_);
    }

private:
    double* shape(std::size_t k) { return out_.shapes.data() + k * n_; }
    const std::vector<std::int32_t>& free() const { return parts_.system.free; }

    void find_modes(Progress& progress) {
        const System& s = parts_.system;
        const auto wanted = std::min(free().size(), static_cast<std::size_t>(settings_.modes));
        ModeSettings search;
        search.count = static_cast<int>(wanted);
        search.solver = parts_.solver.get();
        const Eigenpairs pairs = lowest_modes(compress(s.stiffness, free()), effective_matrix(s, 1.0, 0.0, 0.0), search,
                                              progress);
        const double limit = 2.0 * std::numbers::pi * settings_.frequency_limit;
        while (out_.modes < pairs.omega.size() && (limit == 0.0 || pairs.omega[out_.modes] <= limit)) ++out_.modes;
        if (pairs.omega.empty()) {
            throw Error(Fault::bad_scene, {"", 0, "/bodies/0"},
                        "anchors and handles hold every vertex: nothing is left to vibrate", "a vertex that is free");
        }
        if (out_.modes == 0) {
            throw Error(Fault::bad_option, {"", 0, "/method/options/frequency_limit"},
                        text(settings_.frequency_limit, " Hz, below every mode"),
                        text("at least the first mode's ", pairs.omega[0] / (2.0 * std::numbers::pi), " Hz"));
        }
        out_.omega.assign(pairs.omega.begin(), pairs.omega.begin() + static_cast<std::ptrdiff_t>(out_.modes));
        out_.residual.assign(pairs.residual.begin(), pairs.residual.begin() + static_cast<std::ptrdiff_t>(out_.modes));
        out_.shapes = AlignedArray(out_.count() * n_);
        for (std::size_t k = 0; k < out_.modes; ++k)
            for (std::size_t i = 0; i < free().size(); ++i) shape(k)[free()[i]] = pairs.shapes[k * free().size() + i];
    }

    // K^-1 of forces on the free unknowns, several at once; `loads` and the answer are columns over the free unknowns.
    std::vector<double> at_rest_under(const std::vector<double>& loads) {
        std::vector<double> u(loads.size(), 0.0);
        parts_.solver->solve_many(loads.data(), u.data(), free().empty() ? 0 : loads.size() / free().size(),
                                  many_.data());
        return u;
    }

    void scatter(const double* from, double* to) const {
        for (std::size_t i = 0; i < free().size(); ++i) to[free()[i]] = from[i];
    }
    void gather(const double* from, std::vector<double>& to, double sign) const {
        for (const std::int32_t f : free()) to.push_back(sign * from[f]);
    }

    // image_ = M x, C x or K x over all unknowns
    const double* inertia_of(const double* x) {
        const System& s = parts_.system;
        if (!s.is_lumped())
            multiply(s.mass, x, image_.data());
        else
            for (std::size_t i = 0; i < n_; ++i) image_[i] = s.lumped[i / out_.dimension] * x[i];
        return image_.data();
    }
    const double* damping_of(const double* x) {
        const std::vector<double> zero(n_, 0.0);
        internal_force(parts_.system, zero.data(), x, nullptr, image_.data(), scratch_.data());
        return image_.data();
    }
    const double* force_of(const double* x) {
        multiply(parts_.system.stiffness, x, image_.data());
        return image_.data();
    }

    // Component c of handle h: translation along axis c, or entry (i, j) of R - I at c = d + i d + j.
    void prescribe(std::size_t h, std::size_t c, double* u) const {
        const std::size_t d = out_.dimension;
        const auto& owners = supports_.owners();
        const auto owner = static_cast<std::int32_t>(body_.anchors().size() + h);
        for (std::size_t i = 0; i < owners.size(); ++i) {
            if (owners[i] != owner) continue;
            const auto dof = static_cast<std::size_t>(supports_.prescribed()[i]);
            const std::size_t axis = dof % d;
            if (c < d)
                u[dof] = c == axis ? 1.0 : 0.0;
            else if ((c - d) / d == axis)
                u[dof] = (body_.mesh().vertices[dof / d] - body_.handles()[h].pivot)[static_cast<int>((c - d) % d)];
        }
    }

    void add_drives() {
        const std::size_t each = out_.dimension * (1 + out_.dimension);
        std::vector<double> loads;
        for (std::size_t c = 0; c < out_.drives; ++c) {
            prescribe(c / each, c % each, shape(out_.modes + c));
            gather(force_of(shape(out_.modes + c)), loads, -1.0);
        }
        const std::vector<double> u = at_rest_under(loads);
        for (std::size_t c = 0; c < out_.drives; ++c) scatter(u.data() + c * free().size(), shape(out_.modes + c));
    }

    void couple() {
        const System& s = parts_.system;
        out_.drive_damping = s.uniform_damping && !settings_.own_ratio ? s.alpha : 0.0;
        for (std::size_t k = 0; k < out_.modes; ++k) {
            const double damping = settings_.own_ratio ? 2.0 * settings_.damping_ratio * out_.omega[k]
                                   : s.uniform_damping ? s.alpha + s.beta * out_.omega[k] * out_.omega[k]
                                                       : dot_plain(n_, shape(k), damping_of(shape(k)));
            out_.decay.push_back(0.5 * damping);
        }
        out_.push.assign(out_.modes * out_.drives, 0.0);
        out_.drag = out_.lag = out_.push;
        for (std::size_t c = 0; c < out_.drives; ++c) {
            const double* psi = shape(out_.modes + c);
            inertia_of(psi);
            for (std::size_t k = 0; k < out_.modes; ++k)
                out_.push[k * out_.drives + c] = dot_plain(n_, shape(k), image_.data());
            std::vector<double> free_part(n_, 0.0);
            for (const std::int32_t f : free()) free_part[static_cast<std::size_t>(f)] = psi[f];
            inertia_of(free_part.data());
            for (std::size_t k = 0; k < out_.modes; ++k)
                out_.lag[k * out_.drives + c] = dot_plain(n_, shape(k), image_.data());
            if (settings_.own_ratio)
                continue;  // then damping is between the modes and their rest shape, which moves with the drives
            damping_of(psi);
            for (std::size_t k = 0; k < out_.modes; ++k)
                out_.drag[k * out_.drives + c] = dot_plain(n_, shape(k), image_.data());
        }
        out_.weigh.assign(out_.modes * out_.dimension, 0.0);
        for (std::size_t k = 0; k < out_.modes; ++k) {
            for (std::size_t i = 0; i < n_; ++i)
                out_.weigh[k * out_.dimension + i % out_.dimension] += shape(k)[i] * parts_.weight[i / out_.dimension];
        }
    }

    // What the kept modes leave out of the answer to each load at rest.
    void add_corrections() {
        std::vector<double> loads;
        for (std::size_t axis = 0; axis < out_.dimension; ++axis) {
            for (const std::int32_t f : free()) {
                loads.push_back(static_cast<std::size_t>(f) % out_.dimension == axis
                                    ? parts_.weight[static_cast<std::size_t>(f) / out_.dimension]
                                    : 0.0);
            }
        }
        for (std::size_t c = 0; c < out_.drives; ++c) gather(inertia_of(shape(out_.modes + c)), loads, -1.0);
        const std::vector<double> u = at_rest_under(loads);
        const std::size_t f = free().size();
        for (std::size_t c = 0; c < out_.dimension + out_.drives; ++c) {
            double* to = shape(out_.gravity_at() + c);
            scatter(u.data() + c * f, to);
            for (std::size_t k = 0; k < out_.modes; ++k) {
                const bool weight = c < out_.dimension;
                const double force = weight ? out_.weigh[k * out_.dimension + c]
                                            : -out_.push[k * out_.drives + c - out_.dimension];
                const double known = force / (out_.omega[k] * out_.omega[k]);
                for (std::size_t i = 0; i < n_; ++i) to[i] -= known * shape(k)[i];
            }
        }
    }

    // One operator over all shapes: its small square matrix (if wanted) and what it makes the supports feel.
    template <class Operator>
    void reduce_one(Operator&& apply, std::vector<double>* square, std::vector<double>& reactions) {
        const std::size_t count = out_.count(), held = supports_.count();
        reactions.assign(6 * held * count, 0.0);
        if (square != nullptr) square->assign(count * count, 0.0);
        std::vector<Wrench> wrenches(held);
        for (std::size_t b = 0; b < count; ++b) {
            apply(shape(b));
            if (square != nullptr) {
                for (std::size_t a = 0; a < count; ++a)
                    (*square)[a * count + b] = dot_plain(n_, shape(a), image_.data());
            }
            supports_.sum_reactions(image_.data(), wrenches);
            for (std::size_t s = 0; s < held; ++s) {
                for (int i = 0; i < 3; ++i) {
                    reactions[(6 * s + static_cast<std::size_t>(i)) * count + b] = wrenches[s].force[i];
                    reactions[(6 * s + 3 + static_cast<std::size_t>(i)) * count + b] = wrenches[s].torque[i];
                }
            }
        }
    }

    void reduce(Progress& progress) {
        if (progress.stop_requested()) throw Error(Fault::interrupted, {}, "interrupted while preparing modes");
        reduce_one([&](const double* x) { force_of(x); }, &out_.stiffness, out_.reaction_k);
        if (!settings_.own_ratio)
            reduce_one([&](const double* x) { damping_of(x); }, nullptr, out_.reaction_c);
        else
            out_.reaction_c.assign(6 * supports_.count() * out_.count(), 0.0);
        reduce_one([&](const double* x) { inertia_of(x); }, &out_.mass, out_.reaction_m);
        const std::size_t held = supports_.count(), d = out_.dimension;
        out_.reaction_g.assign(6 * held * d, 0.0);
        std::vector<Wrench> wrenches(held);
        for (std::size_t axis = 0; axis < d; ++axis) {
            for (std::size_t i = 0; i < n_; ++i) image_[i] = i % d == axis ? parts_.weight[i / d] : 0.0;
            supports_.sum_reactions(image_.data(), wrenches);
            for (std::size_t s = 0; s < held; ++s) {
                for (int i = 0; i < 3; ++i) {
                    out_.reaction_g[(6 * s + static_cast<std::size_t>(i)) * d + axis] = wrenches[s].force[i];
                    out_.reaction_g[(6 * s + 3 + static_cast<std::size_t>(i)) * d + axis] = wrenches[s].torque[i];
                }
            }
        }
    }

    const Body& body_;
    const Supports& supports_;
    const ModalSettings& settings_;
    const ModalParts& parts_;
    std::size_t n_;
    std::vector<double> scratch_, image_;
    AlignedArray many_;
    ModalBasis out_;
};

}  // namespace

std::size_t ModalBasis::bytes() const {
    const std::size_t small = omega.size() + decay.size() + residual.size() + push.size() + lag.size() + drag.size() +
                              weigh.size() + stiffness.size() + mass.size() + reaction_k.size() + reaction_c.size() +
                              reaction_m.size() + reaction_g.size();
    return (shapes.size() + small) * sizeof(double);
}

ModalBasis make_modal_basis(const Body& body, const Supports& supports, const ModalSettings& settings,
                            const ModalParts& parts, Progress& progress) {
    return BasisMaker(body, supports, settings, parts).run(progress);
}

}  // namespace limber
