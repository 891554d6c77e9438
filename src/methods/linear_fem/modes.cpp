#include <limber/tools/modes.hpp>

#include "body/support.hpp"
#include "core/text.hpp"
#include "fem/integration.hpp"
#include "fem/supports.hpp"
#include "linalg/solvers.hpp"
#include "methods/linear_fem/settings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace limber {
namespace {

AssemblySettings mode_assembly(const Body& body, const OptionValues& given) {
    const Options o(linear_fem_options(), given, {"", 0, "/method/options"});
    AssemblySettings s = read_assembly_options(body, o);
    s.volume_penalty = o.real("volume_penalty");
    return s;
}

// K, M and what is needed of the body's mass, over the free unknowns; the matrices over all vertices are gone by then.
struct FreeSystem {
    Csr stiffness, mass;
    std::vector<double> weight;  // per vertex [kg]
    int block = 3;
};

FreeSystem assemble_free(const Body& body, const AssemblySettings& settings, const Supports& supports,
                         Progress& progress) {
    FemMatrices fem = assemble(body, settings, progress);
    FreeSystem out;
    out.block = fem.stiffness.block;
    out.stiffness = compress(fem.stiffness, supports.free());
    fem.stiffness = {};
    if (settings.mass == MassKind::consistent) {
        out.mass = compress(fem.mass, supports.free());
    } else {
        std::vector<double> d;
        for (const std::int32_t i : supports.free()) d.push_back(fem.lumped[static_cast<std::size_t>(i / out.block)]);
        out.mass = diagonal(d);
    }
    out.weight = std::move(fem.weight);
    return out;
}

void check_request(const ModeRequest& request, std::size_t unknowns) {
    const auto most = static_cast<int>(std::min<std::size_t>(unknowns, std::numeric_limits<int>::max()));
    if (request.count < 1 || (request.below == 0.0 && request.count > most)) {
        throw Error(Fault::bad_usage, {"", 0, "--count"},
                    text(request.count, " modes of a body with ", unknowns, " free unknowns"), text("1 to ", unknowns));
    }
    constexpr double kMost = 16e9;
    const double needed = 8.0 * static_cast<double>(unknowns) * 5.0 * request.count;
    if (request.below == 0.0 && needed > kMost) {
        throw Error(
            Fault::bad_usage, {"", 0, "--count"},
            text(request.count, " modes of ", unknowns, " unknowns, which take ", std::round(needed / 1e9), " GB"),
            text("at most ", static_cast<int>(kMost / 40.0 / static_cast<double>(unknowns))));
    }
}

// Positions of the free unknowns by where they are, so that a mesh numbered otherwise gives the same.
std::vector<std::int32_t> by_position(const Body& body, const std::vector<std::int32_t>& free, int d) {
    std::vector<std::int32_t> order(free.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::int32_t i) {
        const std::int32_t unknown = free[static_cast<std::size_t>(i)];
        const Vec3& x = body.mesh().vertices[static_cast<std::size_t>(unknown / d)];
        return std::tuple(x.x, x.y, x.z, unknown % d, unknown);
    };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
    return order;
}

// How often a frequency may be repeated: as often as there are rigid motions, or three times (cubes) in each of several
// equal pieces.
std::size_t repeated(const Body& body) {
    std::size_t rigid_motions = 0, pieces = 0;
    for (const PartSupport& part : part_supports(body.description())) {
        rigid_motions += static_cast<std::size_t>(part.ways - part.stopped);
        ++pieces;
    }
    return std::max({std::size_t{4}, rigid_motions, 3 * pieces});
}

void add_mode(ModeList& list, const double* phi, const Body& body, const FreeSystem& system,
              const std::vector<std::int32_t>& free) {
    std::vector<Vec3> shape(body.vertex_count());
    // M applied to a unit acceleration, read in the free rows: prescribed columns count, since the supports move too.
    Vec3 share;
    for (std::size_t i = 0; i < free.size(); ++i) {
        const auto vertex = static_cast<std::size_t>(free[i] / system.block);
        const int axis = free[i] % system.block;
        shape[vertex][axis] = phi[i];
        share[axis] += phi[i] * system.weight[vertex];
    }
    list.effective_mass.push_back({share.x * share.x, share.y * share.y, share.z * share.z});
    list.shapes.push_back(std::move(shape));
}

}  // namespace

ModeList body_modes(const std::shared_ptr<const Body>& body, const OptionValues& given, const ModeRequest& request,
                    Progress& progress) {
    const AssemblySettings assembly = mode_assembly(*body, given);
    const Supports supports(*body);
    const std::vector<std::int32_t>& free = supports.free();
    check_request(request, free.size());
    const FreeSystem system = assemble_free(*body, assembly, supports, progress);
    const std::vector<std::int32_t> order = by_position(*body, free, system.block);
    ModeSettings search;
    search.count = request.count;
    search.below = request.below;
    search.singular = body->support() != Support::held;
    search.priority = order;
    search.block = repeated(*body);
    const Eigenpairs pairs = lowest_modes(system.stiffness, system.mass, search, progress);

    ModeList list;
    list.omega = pairs.omega;
    list.residual = pairs.residual;
    list.orthonormality = pairs.orthonormality;
    list.total_mass = std::accumulate(system.weight.begin(), system.weight.end(), 0.0);
    list.rigid = pairs.rigid;
    list.unknowns = free.size();
    list.solves = pairs.solves;
    for (std::size_t k = 0; k < list.omega.size(); ++k)
        add_mode(list, pairs.shapes.data() + k * free.size(), *body, system, free);
    return list;
}

TopMode highest_mode(const std::shared_ptr<const Body>& body, const OptionValues& options, Progress& progress) {
    const Supports supports(*body);
    const FreeSystem system = assemble_free(*body, mode_assembly(*body, options), supports, progress);
    const std::unique_ptr<LinearSolver> solver = make_solver(system.mass, {}, progress);
    TopMode mode;
    std::vector<double> values;
    mode.omega = largest_frequency(system.stiffness, *solver, 1e-9, &values, &system.mass);
    double top = 0.0;
    for (const double v : values) top = std::max(top, std::abs(v));
    mode.shape.resize(body->vertex_count());
    const std::int32_t d = system.block;
    for (std::size_t i = 0; i < values.size(); ++i) {
        mode.shape[static_cast<std::size_t>(supports.free()[i] / d)][supports.free()[i] % d] = top > 0.0
                                                                                                   ? values[i] / top
                                                                                                   : 0.0;
    }
    return mode;
}

}  // namespace limber
