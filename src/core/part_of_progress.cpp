#include "core/part_of_progress.hpp"

#include <limber/error.hpp>

namespace limber {

void PartOfProgress::check() const {
    if (stop_requested()) throw Error(Fault::interrupted, {}, "interrupted; nothing was written");
}

}  // namespace limber
