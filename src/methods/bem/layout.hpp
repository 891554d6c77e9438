// Where everything of a BemDeformer lies in a State and in a Workspace: the only place that knows.
#pragma once

#include "methods/bem/deformer.hpp"

#include <type_traits>

namespace limber {

struct BemDeformer::Layout {
    explicit Layout(const BemDeformer& b)
        : d(static_cast<std::size_t>(b.dim_)),
          vertices(d * b.body_->vertex_count()),
          nodes(b.response_->nodes()),
          size(b.response_->size()),
          field(b.held() ? vertices : size),
          supports(b.supports_.count()),
          obstacles(static_cast<std::size_t>(b.settings_.max_obstacles)),
          ringing(b.ringing_ ? b.ringing_->state_size() : 0),
          prescribed(b.supports_.prescribed().size()),
          points(b.sections_ ? b.sections_->contact_points() : nodes),
          rank(b.rank_scratch()),
          items(b.rank_capacity()),
          inner(b.inner_->scratch_size()),
          reaction(b.reaction_ ? b.reaction_->scratch_size() : 0),
          touches(b.reaction_ ? b.reaction_->max_touches(obstacles) : 0) {}
    std::size_t d, vertices, nodes, size, field, supports, obstacles, ringing, prescribed, points, rank, items, inner,
        reaction, touches;

    // In State::reals
    static constexpr std::size_t kRigid = 13;  // position, rotation, velocity, angular momentum
    std::size_t rigid() const { return 0; }
    std::size_t u() const { return kRigid; }  // held: per vertex; free: per node, body axes
    std::size_t rate() const { return u() + field; }
    std::size_t touch_points() const { return rate() + field; }           // where contact points touched, world
    std::size_t traction() const { return touch_points() + 3 * points; }  // per node, body axes
    std::size_t wrenches() const { return traction() + size; }            // supports, then obstacles: 6 each
    std::size_t energy() const { return wrenches() + 6 * (supports + obstacles); }  // kinetic, elastic
    std::size_t entered() const { return energy() + 2; }   // 3: the way out where the middle entered an obstacle
    std::size_t account() const { return entered() + 3; }  // 4: energy that is owed, velocity of what pushed last
    std::size_t ring() const { return account() + 4; }
    std::size_t reals() const { return ring() + ringing; }
    // In State::marks
    std::size_t contacts() const { return 0; }
    std::size_t latches() const { return points; }
    std::size_t pair() const { return points + nodes; }  // of cross-sections
    std::size_t released() const { return pair() + 1; }
    std::size_t crossing() const { return released() + nodes; }  // obstacle + 1
    std::size_t marks() const { return crossing() + 1; }

    // In Workspace::reals
    double* forces(double* p) const { return p; }  // per vertex
    double* on_nodes(double* p) const { return p + vertices; }
    double* base(double* p) const { return on_nodes(p) + size; }
    double* shape(double* p) const { return base(p) + size; }
    double* support(double* p) const { return shape(p) + size; }
    double* targets(double* p) const { return support(p) + size; }  // u, v, a
    double* wrench(double* p) const { return targets(p) + 3 * prescribed; }
    double* rubbed(double* p) const { return wrench(p) + 6 * (supports + obstacles); }  // per obstacle, of a sub-step
    double* rank_memory(double* p) const { return rubbed(p) + 6 * obstacles; }
    double* inner_memory(double* p) const { return rank_memory(p) + rank; }
    double* reaction_memory(double* p) const { return inner_memory(p) + inner; }
    PrescribedDirection* item_memory(double* p) const {
        return reinterpret_cast<PrescribedDirection*>(reaction_memory(p) + reaction);
    }
    Touch* touch_memory(double* p) const {
        return reinterpret_cast<Touch*>(reinterpret_cast<double*>(item_memory(p)) +
                                        doubles<PrescribedDirection>(items));
    }
    // Obstacles are assigned to memory that may hold anything; a shape that owns something could not be.
    static_assert(std::is_trivially_copyable_v<Obstacle>);
    Obstacle* obstacle_memory(double* p) const {
        return reinterpret_cast<Obstacle*>(reinterpret_cast<double*>(touch_memory(p)) + doubles<Touch>(touches));
    }
    std::size_t scratch() const {
        return vertices + 4 * size + 3 * prescribed + 6 * (supports + obstacles) + rank + inner + reaction +
               doubles<PrescribedDirection>(items) + doubles<Touch>(touches) + doubles<Obstacle>(obstacles) + 8;
    }

private:
    template <class T>
    static std::size_t doubles(std::size_t count) {
        static_assert(alignof(T) <= alignof(double));
        return (count * sizeof(T) + sizeof(double) - 1) / sizeof(double);
    }
};

}  // namespace limber
