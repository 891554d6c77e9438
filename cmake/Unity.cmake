# Unity builds: the compiler takes several sources as one, so that the headers they share are read and their templates
# made once. Off by default, because then an edit recompiles its neighbours too; ./test and ./run switch it on.
# It asks that names in unnamed namespaces differ within a folder (tools/check_unity.py).
option(LIMBER_UNITY "Compile several sources as one" OFF)

# limber_unity(TARGET SIZE): SIZE sources at once. Small enough that two cores have work and one compiler stays below 1.5 GB;
# half of them under sanitizers, which double what a function takes.
function(limber_unity target size)
  if(LIMBER_UNITY)
    if(LIMBER_SANITIZE)
      math(EXPR size "(${size} + 1) / 2")
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")   # a source that is included looks like a header to it
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    if(CMAKE_CXX_CLANG_TIDY)
      set_target_properties(${target} PROPERTIES
        UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
    endif()
  endif()
endfunction()
