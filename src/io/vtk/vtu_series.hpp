// VTU files and the PVD file that lists them, as `run` and `export` write them.
#pragma once

#include "io/files/indexed_folder.hpp"

#include <string>

namespace limber {

/// `stem`_000000.vtu and so on, listed by `index`.
inline FolderClaim vtu_series_claim(const std::string& index, const std::string& stem) {
    return {"limber run or export", index, {stem + "_*.vtu"}, {}};
}

}  // namespace limber
