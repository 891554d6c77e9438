# The live page's program as string literals, so that an installed limber needs no source tree:
#   cmake -DWEB=folder -DOUT=header -P LiveFiles.cmake
# Order: what a module imports stands before it.
set(modules limber_dyrt.js live_pose.js live_flesh.js live_view.js live_hands.js live_character.js live.js)

# A literal in pieces: compilers promise 65536 characters each, and join neighbours.
function(literal file out)
  file(READ ${WEB}/${file} text)
  set(pieces "")
  string(LENGTH "${text}" length)
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND pieces "R\"LIVE(${piece})LIVE\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  set(${out} "${pieces}" PARENT_SCOPE)
endfunction()

literal(live.html html)
set(header "// Made by cmake/LiveFiles.cmake from web/.\n#pragma once\n\n#include <string_view>\n\nnamespace limber {\n\n")
string(APPEND header "inline constexpr std::string_view kLiveHtml =\n${html};\n\ninline constexpr std::string_view kLiveModules[] = {\n")
foreach(module ${modules})
  literal(${module} text)
  string(APPEND header "// ${module}\n${text},\n")
endforeach()
string(APPEND header "};\n\n}  // namespace limber\n")
file(WRITE ${OUT} "${header}")
