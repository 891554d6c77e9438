// The provenance written into every recording, as JSON text.
#pragma once

#include <string>

namespace limber {

/// {"version": ..., "commit": ..., "compiler": ..., "cpu": ..., "isa": ..., "linked": ..., "threads": ...}
std::string provenance_text();

}  // namespace limber
