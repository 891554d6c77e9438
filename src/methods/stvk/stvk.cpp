#include "methods/stvk/stvk.hpp"

#include "fem_large/hyper_method.hpp"

namespace limber {

std::unique_ptr<const Method> make_stvk() {
    return std::make_unique<HyperMethod>("stvk",
                                         "Finite elements with Green's strain: right for large rotations and moderate "
                                         "strain, not for strong compression.",
                                         HyperLaw::stvk);
}

}  // namespace limber
