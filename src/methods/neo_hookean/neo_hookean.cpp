#include "methods/neo_hookean/neo_hookean.hpp"

#include "fem_large/hyper_method.hpp"

namespace limber {

std::unique_ptr<const Method> make_neo_hookean() {
    return std::make_unique<HyperMethod>("neo_hookean",
                                         "Finite elements with a neo-Hookean energy: right for large strain, and comes "
                                         "back from being crushed or inverted.",
                                         HyperLaw::neo_hookean);
}

}  // namespace limber
