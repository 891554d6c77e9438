#include <limber/modes.hpp>

#include "core/text.hpp"
#include "linalg/solvers.hpp"
#include "methods/linear_fem/settings.hpp"
#include "fem/supports.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace limber {
namespace {

System make_system(FemMatrices fem, const Supports& supports) {
    System s;
    s.stiffness = std::move(fem.stiffness);
    s.mass = std::move(fem.mass);
    s.lumped = std::move(fem.lumped);
    s.free = supports.free();
    s.prescribed = supports.prescribed();
    s.prescribed_rows = supports.rows();
    return s;
}

// M applied to a unit acceleration along `axis`, then read in the free rows: prescribed columns count, since the supports move too.
std::vector<double> unit_inertia(const std::vector<double>& weight, const System& s, int axis) {
    const std::int32_t b = s.stiffness.block;
    std::vector<double> out;
    for (const std::int32_t f : s.free) out.push_back(f % b == axis ? weight[static_cast<std::size_t>(f / b)] : 0.0);
    return out;
}

LinearFemSettings mode_settings(const Body& body, OptionValues options) {
    options.erase("scheme");    // modes do not depend on how time is stepped
    options.erase("step");
    return read_linear_fem_settings(body, options);
}

}  // namespace

ModeList body_modes(std::shared_ptr<const Body> body, const OptionValues& given, int count, Progress& progress) {
    const LinearFemSettings settings = mode_settings(*body, given);
    const Supports supports(*body);
    const auto unknowns = static_cast<int>(supports.free().size());
    if (count < 1 || count > unknowns)
        throw Error(Fault::bad_usage, {"", 0, "--count"}, text(count, " modes of a body with ", unknowns, " free unknowns"), text("1 to ", unknowns));
    FemMatrices fem = assemble(*body, settings.assembly, progress);
    const std::vector<double> weight = fem.weight;
    const System system = make_system(std::move(fem), supports);
    const Eigenpairs pairs = lowest_modes(effective_matrix(system, 0.0, 0.0, 1.0), effective_matrix(system, 1.0, 0.0, 0.0), count, progress);

    ModeList list;
    list.omega = pairs.omega;
    list.residual = pairs.residual;
    list.total_mass = std::accumulate(weight.begin(), weight.end(), 0.0);
    const std::size_t n = system.free.size();
    const std::int32_t d = system.stiffness.block;
    std::vector<std::vector<double>> inertia;
    for (int axis = 0; axis < d; ++axis) inertia.push_back(unit_inertia(weight, system, axis));
    for (std::size_t k = 0; k < list.omega.size(); ++k) {
        const double* phi = pairs.shapes.data() + k * n;
        std::vector<Vec3> shape(body->vertex_count());
        Vec3 effective;
        for (std::size_t i = 0; i < n; ++i) shape[static_cast<std::size_t>(system.free[i] / d)][system.free[i] % d] = phi[i];
        for (int axis = 0; axis < d; ++axis) {
            const double share = std::inner_product(phi, phi + n, inertia[static_cast<std::size_t>(axis)].begin(), 0.0);
            effective[axis] = share * share;
        }
        list.effective_mass.push_back(effective);
        list.shapes.push_back(std::move(shape));
        if (list.omega[k] == 0.0) ++list.rigid;
    }
    return list;
}

TopMode highest_mode(std::shared_ptr<const Body> body, const OptionValues& options, Progress& progress) {
    const Supports supports(*body);
    const System system = make_system(assemble(*body, mode_settings(*body, options).assembly, progress), supports);
    const Csr mass = effective_matrix(system, 1.0, 0.0, 0.0);
    const std::unique_ptr<LinearSolver> solver = make_solver(mass, {}, progress);
    TopMode mode;
    std::vector<double> values;
    mode.omega = largest_frequency(effective_matrix(system, 0.0, 0.0, 1.0), *solver, 1e-9, &values, &mass);
    double top = 0.0;
    for (const double v : values) top = std::max(top, std::abs(v));
    mode.shape.resize(body->vertex_count());
    const std::int32_t d = system.stiffness.block;
    for (std::size_t i = 0; i < values.size(); ++i)
        mode.shape[static_cast<std::size_t>(system.free[i] / d)][system.free[i] % d] = top > 0.0 ? values[i] / top : 0.0;
    return mode;
}

}  // namespace limber
