# The program as its users meet it: exit codes, one-line errors, JSON, Ctrl-C.
if(NOT TARGET limber_cli)
  return()
endif()
find_program(LIMBER_PYTHON python3 REQUIRED)
foreach(group usage scenes run metrics mesh lists reproduce interrupt)
  add_test(NAME cli.${group} COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/cli_test.py $<TARGET_FILE:limber_cli> ${CMAKE_SOURCE_DIR}/scenes ${group})
  set_tests_properties(cli.${group} PROPERTIES TIMEOUT 300 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endforeach()
