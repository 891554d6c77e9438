# Precompiled headers: half of the build's time went into parsing the same outside headers again. Off in dev and tidy.
# A missing #include shows in tools/check_headers.py.
option(LIMBER_PCH "Precompile outside headers" ON)

set(LIMBER_PCH_STANDARD <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <span> <string> <string_view>
    <utility> <vector> <fmt/format.h>)

# limber_precompile(TARGET KIND): the first target of a KIND makes its header, the others use that one.
# Kinds: layer, json (layers that read or write JSON), both also with _o1, test, cli.
function(limber_precompile target kind)
  if(NOT LIMBER_PCH)
    return()
  endif()
  get_property(first GLOBAL PROPERTY LIMBER_PCH_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
    return()
  endif()
  set_property(GLOBAL PROPERTY LIMBER_PCH_${kind} ${target})
  set(headers ${LIMBER_PCH_STANDARD})
  if(kind MATCHES "^json")
    list(APPEND headers <nlohmann/json.hpp>)
  elseif(kind STREQUAL "test")
    list(APPEND headers <random> <gtest/gtest.h>)
  elseif(kind STREQUAL "cli")
    list(APPEND headers <nlohmann/json.hpp> <CLI/CLI.hpp>)
  endif()
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()
