#include "methods/modal/basis.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace limber {
namespace {

// Every array of a basis beside the length it must have.
template <class Basis, class Visit>
void for_each_array(Basis& b, std::size_t supports, Visit&& visit) {
    const std::size_t count = b.count();
    visit(b.omega, b.modes);
    visit(b.decay, b.modes);
    visit(b.residual, b.modes);
    visit(b.push, b.modes * b.drives);
    visit(b.lag, b.modes * b.drives);
    visit(b.drag, b.modes * b.drives);
    visit(b.weigh, b.modes * b.dimension);
    visit(b.stiffness, count * count);
    visit(b.mass, count * count);
    visit(b.reaction_k, 6 * supports * count);
    visit(b.reaction_c, 6 * supports * count);
    visit(b.reaction_m, 6 * supports * count);
    visit(b.reaction_g, 6 * supports * b.dimension);
}

}  // namespace

void save_modal_basis(ByteWriter& out, const ModalBasis& basis) {
    out.u32(static_cast<std::uint32_t>(basis.modes));
    out.u8(basis.corrected ? 1 : 0);
    out.f64(basis.drive_damping);
    for_each_array(basis, 0, [&](const std::vector<double>& values, std::size_t) { out.reals(values); });
    out.reals({basis.shapes.data(), basis.shapes.size()});
}

ModalBasis load_modal_basis(ByteReader& in, const Body& body, const Supports& supports) {
    ModalBasis b;
    b.dimension = static_cast<std::size_t>(body.mesh().dimension());
    b.unknowns = body.vertex_count() * b.dimension;
    b.drives = body.handles().size() * b.dimension * (1 + b.dimension);
    b.modes = in.u32();
    if (b.modes == 0 || b.modes > supports.free().size())
        in.fail(text(b.modes, " modes"), text("1 to ", supports.free().size()));
    b.corrected = in.u8() != 0;
    b.drive_damping = in.f64();
    for_each_array(b, supports.count(), [&](std::vector<double>& values, std::size_t size) {
        values = in.reals();
        if (values.size() != size) in.fail(text(values.size(), " numbers of a modal body"), text(size));
    });
    const std::vector<double> shapes = in.reals();
    if (shapes.size() != b.count() * b.unknowns)
        in.fail(text(shapes.size(), " numbers in shapes"), text(b.count() * b.unknowns));
    b.shapes = AlignedArray(shapes.size());
    std::copy(shapes.begin(), shapes.end(), b.shapes.data());
    return b;
}

}  // namespace limber
