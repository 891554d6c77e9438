# `limber reproduce strain` as its users meet it; a whole quick run with ./test --heavy.
if(TARGET limber_cli)
  find_program(LIMBER_PYTHON python3 REQUIRED)
  foreach(size part whole)
    add_test(NAME cli.strain.${size}
      COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/../cli/strain_test.py
        $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes ${size})
    set_tests_properties(cli.strain.${size} PROPERTIES TIMEOUT 300 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
  endforeach()
  set_tests_properties(cli.strain.whole PROPERTIES LABELS heavy)
endif()
