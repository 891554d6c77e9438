# The example, compiled as users do.
find_program(LIMBER_PYTHON python3 REQUIRED)
add_test(NAME runtime.example COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/example_test.py ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER})
set_tests_properties(runtime.example PROPERTIES TIMEOUT 300 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
