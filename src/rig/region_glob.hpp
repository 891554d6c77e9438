// Names with * and ?, ASCII case ignored.
#pragma once

#include <string_view>

namespace limber {

bool glob_matches(std::string_view glob, std::string_view name);

}  // namespace limber
