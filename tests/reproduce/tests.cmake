# `limber reproduce strain` as its users meet it.
if(TARGET limber_cli)
  find_program(LIMBER_PYTHON python3 REQUIRED)
  add_test(NAME cli.strain
    COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/../cli/strain_test.py
      $<TARGET_FILE:limber_cli> ${CMAKE_SOURCE_DIR}/scenes)
  set_tests_properties(cli.strain PROPERTIES TIMEOUT 300 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endif()
