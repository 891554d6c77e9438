#include "io/files/atomic_file.hpp"
#include "io/files/read_budget.hpp"
#include "io/files/scanner.hpp"

#include "core/text.hpp"

#include <limber/tools/rig_io.hpp>

namespace limber {

Rig read_rig(const std::string& path, const RigReading& reading) {
    const std::string ending = ending_of(path);
    if (ending != ".glb" && ending != ".gltf" && ending != ".bvh") {
        throw Error(Fault::bad_file, {path, 0, {}}, text("a file name ending in ", in_quotes(ending)),
                    ".glb, .gltf or .bvh");
    }
    const ReadBudget budget;
    const std::string bytes = read_file(path);
    return ending == ".bvh" ? parse_bvh(bytes, path, reading) : parse_gltf(bytes, path, reading);
}

}  // namespace limber
