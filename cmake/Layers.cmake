# One static library per folder of src/, so that a layer and its tests build without the layers above it.

add_library(limber_flags INTERFACE)
target_compile_options(limber_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overflows in std::string's own inlined code that are not there.
  target_compile_options(limber_flags INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
endif()
# Off for users: a newer compiler's new warning must not keep anyone from building.
option(LIMBER_WERROR "Treat warnings as errors" OFF)
if(LIMBER_WERROR)
  target_compile_options(limber_flags INTERFACE -Werror)
endif()
if(LIMBER_SANITIZE)
  target_compile_options(limber_flags INTERFACE -fsanitize=${LIMBER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented code of <regex> and <functional> looks uninitialised to GCC 12.
    target_compile_options(limber_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
  target_link_options(limber_flags INTERFACE -fsanitize=${LIMBER_SANITIZE})
endif()

set_property(GLOBAL PROPERTY LIMBER_LAYERS "")

# What provenance() tells: version and libraries at configure time, the commit at every build (see GitCommit.cmake).
function(limber_build_info)
  set(LIMBER_LINKED "METIS, Eigen ${Eigen3_VERSION}, fmt ${fmt_VERSION}")
  if(LIMBER_BUILD_TOOLS)
    set(LIMBER_LINKED "METIS, zlib ${ZLIB_VERSION_STRING}, Eigen ${Eigen3_VERSION}, fmt ${fmt_VERSION}")
  endif()
  if(LIMBER_WITH_OPENBLAS)
    set(LIMBER_LINKED "OpenBLAS, ${LIMBER_LINKED}")
  endif()
  if(LIMBER_WITH_CHOLMOD)
    set(LIMBER_LINKED "CHOLMOD ${CHOLMOD_VERSION} (GPL supernodal module), ${LIMBER_LINKED}")
  endif()
  set(generated ${PROJECT_BINARY_DIR}/generated/core)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/build_info.hpp.in ${generated}/build_info.hpp @ONLY)
  add_custom_target(limber_commit BYPRODUCTS ${generated}/commit.hpp
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${generated}/commit.hpp -P ${PROJECT_SOURCE_DIR}/cmake/GitCommit.cmake
    COMMENT "")
  add_dependencies(limber_core limber_commit)
  target_include_directories(limber_core PRIVATE ${PROJECT_BINARY_DIR}/generated)
endfunction()

# web/ as string literals for the page that limber dyrt writes.
function(limber_live_files)
  set(generated ${PROJECT_BINARY_DIR}/generated/dyrt/live_files.hpp)
  file(GLOB web CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.js ${PROJECT_SOURCE_DIR}/web/*.html)
  add_custom_command(OUTPUT ${generated} DEPENDS ${web} ${PROJECT_SOURCE_DIR}/cmake/LiveFiles.cmake COMMENT ""
    COMMAND ${CMAKE_COMMAND} -DWEB=${PROJECT_SOURCE_DIR}/web -DOUT=${generated} -P ${PROJECT_SOURCE_DIR}/cmake/LiveFiles.cmake)
  target_sources(limber_dyrt PRIVATE ${generated})
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/dyrt/live_page.cpp PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_BINARY_DIR}/generated)
endfunction()

# limber_layer(NAME deps...): src/NAME/**.cpp; a folder without sources yet is skipped.
function(limber_layer name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(NOT sources)
    add_library(limber_${name} INTERFACE)
    foreach(dep ${ARGN})
      target_link_libraries(limber_${name} INTERFACE limber_${dep})
    endforeach()
    return()
  endif()
  add_library(limber_${name} STATIC ${sources})
  target_include_directories(limber_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(limber_${name} PRIVATE limber_flags)
  set(level "")
  if(name MATCHES "^(kernels|fem_large|bem)$" AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(limber_${name} PRIVATE -O3)
  elseif(name MATCHES "^(rig|assets|scene|io|scene_file|playback|report|show|study|reproduce)$" AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(limber_${name} PRIVATE -O1)   # text and pictures: nobody waits for it but the compiler's user
    set(level _o1)    # of its precompiled header: GCC 12 crashed on one of another level
  endif()
  # Beside the bundles, whose names may be alike.
  set_target_properties(limber_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/layers)
  foreach(dep ${ARGN})
    target_link_libraries(limber_${name} PUBLIC limber_${dep})
  endforeach()
  # Outside libraries stay in the layers that need them.
  if(name STREQUAL "core")
    target_link_libraries(limber_core PUBLIC fmt::fmt Threads::Threads)
    limber_build_info()
  elseif(name STREQUAL "linalg")
    target_link_libraries(limber_linalg PRIVATE Eigen3::Eigen METIS::METIS)
    if(LIMBER_WITH_OPENBLAS)
      target_link_libraries(limber_linalg PRIVATE OpenBLAS::OpenBLAS)
      target_compile_definitions(limber_linalg PRIVATE LIMBER_WITH_OPENBLAS)
    endif()
    if(LIMBER_WITH_CHOLMOD)
      target_link_libraries(limber_linalg PRIVATE CHOLMOD::CHOLMOD)
      target_compile_definitions(limber_linalg PRIVATE LIMBER_WITH_CHOLMOD)
    endif()
  elseif(name STREQUAL "render")
    target_link_libraries(limber_render PRIVATE ${CMAKE_DL_LIBS})   # EGL and OpenGL ES are found at run time
  elseif(name MATCHES "^(io|scene_file|playback|report|dyrt|study|reproduce)$")
    target_link_libraries(limber_${name} PRIVATE nlohmann_json::nlohmann_json)
  endif()
  if(name MATCHES "^(dyrt|bem|methods)$")
    target_link_libraries(limber_${name} PRIVATE Eigen3::Eigen)
  endif()
  if(name MATCHES "^(methods|dyrt|reproduce)$")
    target_include_directories(limber_${name} PRIVATE ${PROJECT_SOURCE_DIR}/runtime)   # not passed on: nothing above needs it
  endif()
  if(name STREQUAL "io")
    target_link_libraries(limber_io PRIVATE ZLIB::ZLIB)   # npz members may be deflated
  elseif(name STREQUAL "dyrt")
    limber_live_files()
  elseif(name STREQUAL "render")
    target_link_libraries(limber_render PRIVATE ZLIB::ZLIB)   # PNG
  endif()
  if(name MATCHES "^(io|scene_file|playback|report|dyrt|study|reproduce)$")
    limber_precompile(limber_${name} json${level})
  elseif(NOT name STREQUAL "kernels")
    limber_precompile(limber_${name} layer${level})
  endif()
  if(NOT name STREQUAL "kernels")   # its variants share names on purpose, and each has its own instruction set
    limber_unity(limber_${name} 12)
  endif()
  set_property(GLOBAL APPEND PROPERTY LIMBER_LAYERS limber_${name})
endfunction()

# runtime/dyrt/*.c: a library of its own for games, and part of the bundle.
function(limber_runtime)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/runtime/dyrt/*.c)
  add_library(limber_runtime STATIC ${sources})
  target_compile_options(limber_runtime PRIVATE -pedantic)
  target_link_libraries(limber_runtime PRIVATE limber_flags)
  set_target_properties(limber_runtime PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(limber_runtime PUBLIC m)
  set_property(GLOBAL APPEND PROPERTY LIMBER_LAYERS limber_runtime)
endfunction()

# limber_bundle(TARGET NAME FIRST LAST...): one archive of layers; limber::NAME, in this build and installed.
function(limber_bundle target name)
  set(objects "")
  foreach(layer ${ARGN})
    list(APPEND objects $<TARGET_OBJECTS:${layer}>)
  endforeach()
  add_library(${target} STATIC ${objects})
  add_library(limber::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX POSITION_INDEPENDENT_CODE ON EXPORT_NAME ${name} OUTPUT_NAME
    limber_${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

# limber::core: the engine alone.
function(limber_bundle_engine)
  get_property(layers GLOBAL PROPERTY LIMBER_LAYERS)
  set_property(GLOBAL PROPERTY LIMBER_ENGINE_LAYERS "${layers}")
  limber_bundle(limber_engine core ${layers})
  target_link_libraries(limber_engine PRIVATE fmt::fmt Threads::Threads METIS::METIS)
  if(LIMBER_WITH_OPENBLAS)
    target_link_libraries(limber_engine PRIVATE OpenBLAS::OpenBLAS)
  endif()
  if(LIMBER_WITH_CHOLMOD)
    target_link_libraries(limber_engine PRIVATE CHOLMOD::CHOLMOD)
  endif()
endfunction()

# limber::limber: what is made with the engine, over it.
function(limber_bundle_tools)
  get_property(layers GLOBAL PROPERTY LIMBER_LAYERS)
  get_property(engine GLOBAL PROPERTY LIMBER_ENGINE_LAYERS)
  list(REMOVE_ITEM layers ${engine})
  limber_bundle(limber limber ${layers})
  set_target_properties(limber PROPERTIES OUTPUT_NAME limber)
  target_link_libraries(limber PUBLIC limber_engine PRIVATE fmt::fmt ZLIB::ZLIB ${CMAKE_DL_LIBS})
endfunction()

function(limber_install)
  include(CMakePackageConfigHelpers)
  set(bundles limber_engine)
  if(LIMBER_BUILD_TOOLS)
    list(APPEND bundles limber)
  endif()
  install(TARGETS ${bundles} EXPORT limberTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/limber DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  # The run-time: its header beside the others, its sources for those who compile them into an engine.
  install(FILES ${PROJECT_SOURCE_DIR}/runtime/dyrt/limber_dyrt.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/dyrt ${PROJECT_SOURCE_DIR}/web DESTINATION ${CMAKE_INSTALL_DATADIR}/limber)
  install(EXPORT limberTargets NAMESPACE limber:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/limberConfig.cmake.in ${PROJECT_BINARY_DIR}/limberConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/limberConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/limberConfig.cmake ${PROJECT_BINARY_DIR}/limberConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/FindMETIS.cmake ${PROJECT_SOURCE_DIR}/cmake/FindOpenBLAS.cmake
    ${PROJECT_SOURCE_DIR}/cmake/FindCHOLMOD.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/CITATION.cff
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
endfunction()

# limber_test(FOLDER libs...): tests/FOLDER/*_test.cpp becomes test_FOLDER, one CTest per test case.
function(limber_test folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  string(REPLACE "/" "_" target test_${folder})
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${target} PRIVATE ${ARGN} limber_flags GTest::gtest GTest::gtest_main)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)   # they are compiled far more often than they are waited for
  endif()
  if(CMAKE_CXX_CLANG_TIDY)   # nobody waits for what a test copies; samples may be taken in steps
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "clang-tidy;--checks=-performance-*,-clang-analyzer-security.FloatLoopCounter")
  endif()
  limber_precompile(${target} test)
  limber_unity(${target} 8)
  # One replaces operator new (seen by neighbours, it gives false warnings), the other emulates intrinsics by macros.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/${folder}/counted_new_test.cpp
    ${PROJECT_SOURCE_DIR}/tests/${folder}/clusters_test.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/${folder}/counted_new_test.cpp PROPERTIES COMPILE_OPTIONS -Wno-mismatched-new-delete)
  endif()
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600 LABELS ${folder})
endfunction()
