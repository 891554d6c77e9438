// limber export --to matrices: K, M and C of a scene.
#include "cli/export.hpp"

namespace limber::cli {

int export_matrices(const ExportArguments&) { throw Error(Fault::unsupported, {}, "--to matrices is not there yet", "npz, pc2, mdd, vtu or csv"); }

}  // namespace limber::cli
