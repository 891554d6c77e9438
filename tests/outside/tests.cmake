# Installs limber into an empty prefix, then configures, builds and runs this folder as a stranger's project.
if(TARGET limber_cli AND EXISTS ${CMAKE_SOURCE_DIR}/include/limber/conformance.hpp)
  add_test(NAME outside.project_passes_the_conformance_suite COMMAND ${CMAKE_COMMAND}
    -DBUILD=${CMAKE_BINARY_DIR} -DSOURCE=${CMAKE_CURRENT_LIST_DIR} -DWORK=${CMAKE_CURRENT_BINARY_DIR}/outside
    -DCOMPILER=${CMAKE_CXX_COMPILER} -DSANITIZE=${LIMBER_SANITIZE} -DTYPE=${CMAKE_BUILD_TYPE} -DGENERATOR=${CMAKE_GENERATOR}
    -P ${CMAKE_CURRENT_LIST_DIR}/run.cmake)
  set_tests_properties(outside.project_passes_the_conformance_suite PROPERTIES TIMEOUT 600)
endif()
