# Installs limber into an empty prefix, then configures, builds and runs this folder as a stranger's project.
if(TARGET limber_cli AND EXISTS ${CMAKE_SOURCE_DIR}/include/limber/conformance.hpp)
  add_test(NAME outside.project_passes_the_conformance_suite COMMAND ${CMAKE_COMMAND}
    -DBUILD=${CMAKE_BINARY_DIR} -DSOURCE=${CMAKE_CURRENT_LIST_DIR} -DWORK=${CMAKE_CURRENT_BINARY_DIR}/outside
    -DCOMPILER=${CMAKE_CXX_COMPILER} -DSANITIZE=${LIMBER_SANITIZE} -DTYPE=${CMAKE_BUILD_TYPE} -DGENERATOR=${CMAKE_GENERATOR}
    -P ${CMAKE_CURRENT_LIST_DIR}/run.cmake)
  set_tests_properties(outside.project_passes_the_conformance_suite PROPERTIES TIMEOUT 600)
endif()
# As part of another project: the engine is built anew for each, so these two are of the heavy ones.
foreach(by subdirectory fetch)
  add_test(NAME outside.embedded_by_${by} COMMAND ${CMAKE_COMMAND} -DBY=${by} -DLIMBER=${PROJECT_SOURCE_DIR}
    -DSOURCE=${CMAKE_CURRENT_LIST_DIR}/embedded -DWORK=${CMAKE_CURRENT_BINARY_DIR}/embedded_${by}
    -DCOMPILER=${CMAKE_CXX_COMPILER} -DGENERATOR=${CMAKE_GENERATOR} -P ${CMAKE_CURRENT_LIST_DIR}/embedded.cmake)
  set_tests_properties(outside.embedded_by_${by} PROPERTIES LABELS heavy TIMEOUT 1800)
endforeach()
