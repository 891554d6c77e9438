# Checks on the sources themselves; Python's standard library only, so any python3 will do.
find_program(LIMBER_PYTHON python3 REQUIRED)
add_test(NAME tools.layers COMMAND ${LIMBER_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check_layers.py ${PROJECT_SOURCE_DIR})
add_test(NAME tools.style COMMAND ${LIMBER_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check_style.py ${PROJECT_SOURCE_DIR})
add_test(NAME tools.unity COMMAND ${LIMBER_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check_unity.py ${PROJECT_SOURCE_DIR})
add_test(NAME tools.checks_can_fail COMMAND ${LIMBER_PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/tools_test.py)
add_test(NAME tools.packages_are_named_once COMMAND ${LIMBER_PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/packages_test.py)
add_test(NAME tools.test_command COMMAND ${LIMBER_PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/test_command_test.py)
if(CMAKE_CXX_CLANG_TIDY)    # minutes, and about the source: one preset is enough
  add_test(NAME tools.headers COMMAND ${LIMBER_PYTHON} ${PROJECT_SOURCE_DIR}/tools/check_headers.py
    --compiler ${CMAKE_CXX_COMPILER} ${PROJECT_SOURCE_DIR})
  set_tests_properties(tools.headers PROPERTIES TIMEOUT 3600 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endif()
set_tests_properties(tools.layers tools.style tools.unity tools.checks_can_fail tools.packages_are_named_once
  tools.test_command PROPERTIES TIMEOUT 120 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
# ./test -L io is in CONTRIBUTING.md: a folder's tests must have its label.
add_test(NAME tools.labels COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${PROJECT_BINARY_DIR} -N -L "^core$")
set_tests_properties(tools.labels PROPERTIES PASS_REGULAR_EXPRESSION "Total Tests: [1-9]")
