// A body that anchors and handles hold: static balance of loads, prescribed displacements and one-sided obstacles, at small strain.
#pragma once

#include "bem/low_rank.hpp"
#include "fem/supports.hpp"

#include <limber/obstacle.hpp>

#include <span>
#include <vector>

namespace limber {

class HeldShape {
public:
    /// `node_of`: per body vertex, -1 inside. Inner vertices of supports are left to themselves.
    HeldShape(const Body& body, const Supports& supports, const FreeResponse& response, const std::vector<std::int32_t>& node_of, std::size_t contacts, int passes);

    std::size_t scratch_reals() const;
    std::size_t capacity() const { return prescribed_.size() + contacts_; }

    struct Input {
        const double* target;               ///< per prescribed unknown of `supports` [m]
        const double* force;                ///< per node and axis [N]
        Vec3 weight;                        ///< gravity's force, at the centroid [N]
        std::span<const Obstacle> obstacles;
        double thickness;                   ///< 1 in space
    };
    struct Report {
        bool solved = true;
        bool dropped = false;
        int passes = 0;
    };
    /// u: per node and axis [m]; support: force of supports per node and axis [N]; wrenches: one per obstacle, torque about the origin.
    Report solve(const Input& input, std::int32_t* marks, double* u, double* support, Wrench* wrenches, double* scratch, PrescribedDirection* items) const noexcept;

private:
    struct Search;
    const FreeResponse& response_;
    std::vector<PrescribedDirection> prescribed_;       ///< on nodes
    std::vector<std::size_t> number_;           ///< of the prescribed unknown among supports.prescribed()
    std::vector<double> prepared_;              ///< the small system of the supports alone
    std::size_t contacts_;
    int passes_;
};

}  // namespace limber
