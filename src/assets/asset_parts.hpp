// An asset's surface as the parts of a rig: one per paint.
#pragma once

#include <limber/tools/assets.hpp>

namespace limber {

struct PaintedPart {
    SkinPart part;                     ///< neither bound nor held
    std::vector<std::int32_t> source;  ///< the surface's vertex behind each of the part's
};
/// One per paint that is used. A vertex becomes two where paint ends or the texture's turn does; normals stay smooth
/// across. `material` counts the looks that looks_of() gives.
std::vector<PaintedPart> painted_parts(const AssetSurface& surface);
std::vector<MaterialLook> looks_of(const AssetSurface& surface);

}  // namespace limber
