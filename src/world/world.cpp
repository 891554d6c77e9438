#include <limber/world.hpp>

#include <limber/error.hpp>

#include <algorithm>
#include <utility>

namespace limber {

struct World::Member {
    explicit Member(std::shared_ptr<const Deformer> prepared)
        : deformer(std::move(prepared)),
          state(deformer->rest_state()),
          good(state),
          scratch(deformer->make_workspace()) {
        const Body& body = deformer->body();
        inputs.force.resize(body.vertex_count());
        positions.resize(body.vertex_count());
        inputs.handles.resize(body.handles().size());
        for (const std::int32_t v : body.driven_vertices())
            inputs.vertices.push_back({body.mesh().vertices[static_cast<std::size_t>(v)], {}});
        inputs.live.resize(static_cast<std::size_t>(std::max(deformer->live_capacity(), 0)));
    }

    /// Forces of zero are told apart from none: a method that takes no forces refuses those that are there.
    bool any_force() const {
        return std::any_of(inputs.force.begin(), inputs.force.end(), [](const Vec3& f) { return !(f == Vec3{}); });
    }

    Loads loads(const World& world) const {
        Loads out;
        if (any_force()) out.force = inputs.force;
        out.gravity = world.gravity_;
        out.handles = inputs.handles;
        out.vertices = inputs.vertices;
        out.live = inputs.live;
        out.obstacles = world.obstacles_;
        return out;
    }

    /// Keeps the new state, or goes back to the last good one.
    Trouble settle_for(const StepReport& found, Trouble tolerated) noexcept {
        report = found;
        const auto bad = static_cast<std::uint32_t>(report.trouble) & ~static_cast<std::uint32_t>(tolerated);
        if (bad != 0) state = good;
        return report.trouble;
    }

    std::shared_ptr<const Deformer> deformer;
    State state, good;
    Workspace scratch;
    BodyInputs inputs;
    StepReport report;
    std::vector<Vec3> positions;
};

World::World() = default;
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

std::size_t World::add(std::shared_ptr<const Deformer> deformer) {
    if (deformer == nullptr) throw Error(Fault::bad_usage, {}, "no deformer", "a prepared or loaded one");
    members_.push_back(std::make_unique<Member>(std::move(deformer)));
    return members_.size() - 1;
}

std::size_t World::add_obstacle(const Obstacle& obstacle) {
    obstacles_.push_back(obstacle);
    return obstacles_.size() - 1;
}

std::size_t World::body_count() const { return members_.size(); }
std::size_t World::obstacle_count() const { return obstacles_.size(); }
const Deformer& World::deformer(std::size_t body) const { return *members_[body]->deformer; }
BodyInputs& World::inputs(std::size_t body) { return members_[body]->inputs; }
Obstacle& World::obstacle(std::size_t index) { return obstacles_[index]; }
void World::set_gravity(const Vec3& gravity) { gravity_ = gravity; }
const Vec3& World::gravity() const { return gravity_; }
void World::tolerate(Trouble trouble) { tolerated_ = trouble; }

Trouble World::start() noexcept {
    Trouble all = Trouble::none;
    for (const auto& m : members_) {
        m->good = m->state;
        all |= m->settle_for(m->deformer->start(m->state, m->loads(*this), m->scratch), tolerated_);
    }
    return all;
}

Trouble World::step(double dt) noexcept {
    Trouble all = Trouble::none;
    for (const auto& m : members_) {
        m->good = m->state;
        all |= m->settle_for(m->deformer->step(m->state, m->loads(*this), dt, m->scratch), tolerated_);
    }
    if (!has(all, Trouble::wrong_step)) time_ += dt;
    return all;
}

const StepReport& World::report(std::size_t body) const { return members_[body]->report; }
double World::time() const { return time_; }

void World::displacements(std::size_t body, std::span<Vec3> out) const noexcept {
    members_[body]->deformer->displacements(members_[body]->state, out);
}

void World::positions(std::size_t body, std::span<Vec3> out) const noexcept {
    displacements(body, out);
    const std::vector<Vec3>& rest = members_[body]->deformer->body().mesh().vertices;
    for (std::size_t v = 0; v < out.size(); ++v) out[v] += rest[v];
}

std::span<const Vec3> World::positions(std::size_t body) const noexcept {
    std::vector<Vec3>& own = members_[body]->positions;
    positions(body, own);
    return own;
}

void World::velocities(std::size_t body, std::span<Vec3> out) const noexcept {
    members_[body]->deformer->velocities(members_[body]->state, out);
}

bool World::cell_stress(std::size_t body, std::span<SymMat3> out) const noexcept {
    return members_[body]->deformer->cell_stress(members_[body]->state, out);
}

Wrench World::reaction(std::size_t body, SupportRef support) const noexcept {
    return members_[body]->deformer->reaction(members_[body]->state, support);
}

bool World::tangent_stiffness(std::size_t body, SupportRef support, Mat3& out) const noexcept {
    return members_[body]->deformer->tangent_stiffness(members_[body]->state, support, out);
}

Energies World::energies(std::size_t body) noexcept {
    Member& m = *members_[body];
    return m.deformer->energies(m.state, m.scratch);
}

const State& World::state(std::size_t body) const { return members_[body]->state; }

bool World::set_state(std::size_t body, const State& state) {
    return set_state(body, state.time, state.reals, state.marks);
}

bool World::set_state(std::size_t body, double time, std::span<const double> reals,
                      std::span<const std::int32_t> marks) {
    State& to = members_[body]->state;
    if (reals.size() != to.reals.size() || marks.size() != to.marks.size()) return false;
    to.time = time;
    std::copy(reals.begin(), reals.end(), to.reals.begin());
    std::copy(marks.begin(), marks.end(), to.marks.begin());
    return true;
}

bool World::set_motion(std::size_t body, std::span<const Vec3> displacement, std::span<const Vec3> velocity) noexcept {
    return members_[body]->deformer->set_motion(members_[body]->state, displacement, velocity);
}

}  // namespace limber
