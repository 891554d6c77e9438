# The program as its users meet it: exit codes, one-line errors, JSON, Ctrl-C.
if(NOT TARGET limber_cli)
  return()
endif()
find_program(LIMBER_PYTHON python3 REQUIRED)
foreach(group usage scenes run metrics mesh lists reproduce interrupt)
  add_test(NAME cli.${group}
    COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/cli_test.py
      $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes ${group})
  set_tests_properties(cli.${group} PROPERTIES TIMEOUT 300 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endforeach()
foreach(verb cite compare dyrt export files flesh jelly live looks matrices own_object provenance render rig solid static
    surface_export units)
  add_test(NAME cli.${verb}
    COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/${verb}_test.py
      $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes)
  set_tests_properties(cli.${verb} PROPERTIES TIMEOUT 300
    ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;LIMBER_SANITIZE=${LIMBER_SANITIZE}")
endforeach()
foreach(group resume sweep sensitivity)
  add_test(NAME cli.sweep.${group}
    COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/sweep_test.py
      $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes ${group})
  set_tests_properties(cli.sweep.${group} PROPERTIES TIMEOUT 300 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endforeach()

# What PRESET=cholmod runs of the program: it starts, solves, and says what it links.
set_tests_properties(cli.usage cli.run cli.static cli.provenance PROPERTIES LABELS yardstick)

# Signals at random moments over every verb that writes: a seeded sample in every run, 200 of them with ./test --heavy.
foreach(size sample all)
  add_test(NAME cli.signals.${size}
    COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/signals_test.py
      $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes)
endforeach()
set_tests_properties(cli.signals.sample PROPERTIES TIMEOUT 300
  ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;LIMBER_SIGNAL_TRIALS=10")
set_tests_properties(cli.signals.all PROPERTIES TIMEOUT 7200 LABELS heavy
  ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;LIMBER_SIGNAL_TRIALS=200")
# Files that ask for much: a seeded sample in every run, every file through every verb (issue 18's bar) with ./test --heavy.
add_test(NAME cli.hostile
  COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/hostile_test.py
    $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes)
add_test(NAME cli.every_hostile_file
  COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/hostile_test.py
    $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes all)
set_tests_properties(cli.hostile cli.every_hostile_file PROPERTIES
  ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;LIMBER_SANITIZE=${LIMBER_SANITIZE}")
set_tests_properties(cli.every_hostile_file PROPERTIES TIMEOUT 7200 LABELS heavy)
# Every block of the README and the tutorial: what takes minutes in part, whole with ./test --heavy.
foreach(size part whole)
  add_test(NAME cli.documents.${size}
    COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/documents_test.py
      $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER} ${size})
endforeach()
set_tests_properties(cli.documents.part PROPERTIES TIMEOUT 300
  ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;LIMBER_SANITIZE=${LIMBER_SANITIZE}")
set_tests_properties(cli.documents.whole PROPERTIES TIMEOUT 7200 LABELS heavy
  ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;LIMBER_SANITIZE=${LIMBER_SANITIZE}")
# Rigs as strangers export them: a seeded sample with few cells in every run, every region that rig info offers on each
# (issue 19's bar) with ./test --heavy.
add_test(NAME cli.odd_rigs
  COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/odd_rigs_test.py
    $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes)
add_test(NAME cli.every_region_of_odd_rigs
  COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/odd_rigs_test.py
    $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes all)
set_tests_properties(cli.odd_rigs cli.every_region_of_odd_rigs PROPERTIES TIMEOUT 300
  ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
set_tests_properties(cli.every_region_of_odd_rigs PROPERTIES TIMEOUT 7200 LABELS heavy)
# Soft shapes that hang: a few in every run, 480 of them (forty shapes, three methods, issue 19's bar) with ./test --heavy.
foreach(size sample all)
  add_test(NAME cli.soft_bodies.${size}
    COMMAND ${LIMBER_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/soft_bodies.py
      $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes ${size})
  set_tests_properties(cli.soft_bodies.${size} PROPERTIES ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endforeach()
set_tests_properties(cli.soft_bodies.sample PROPERTIES TIMEOUT 300)
set_tests_properties(cli.soft_bodies.all PROPERTIES TIMEOUT 14400 LABELS heavy)
