# The examples, built as programs of users are and run: each says where things are, ten times a second for two seconds.
foreach(example game_loop.c game_loop.cpp)
  string(REPLACE "." "_" name ${example})
  add_executable(example_${name} ${PROJECT_SOURCE_DIR}/examples/${example})
  target_link_libraries(example_${name} PRIVATE limber::core)
  if(name MATCHES "_c$")
    set_target_properties(example_${name} PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
    target_compile_options(example_${name} PRIVATE -Wall -Wextra -pedantic)
    target_link_libraries(example_${name} PRIVATE m)
  endif()
  add_test(NAME examples.${name} COMMAND example_${name})
  set_tests_properties(examples.${name} PROPERTIES TIMEOUT 120 LABELS examples PASS_REGULAR_EXPRESSION "2.0 s: [0-9.-]+ [0-9.-]+ [0-9.-]+"
    FAIL_REGULAR_EXPRESSION "frame [0-9]+;nan;inf")
endforeach()
find_program(LIMBER_PYTHON python3 REQUIRED)
add_test(NAME examples.are_short COMMAND ${LIMBER_PYTHON} -c
  "import pathlib,sys; long=[p.name for p in pathlib.Path(sys.argv[1]).glob('*.c*') if len(p.read_text().splitlines()) >= 80]; sys.exit(f'{long}: 80 lines and more' if long else 0)"
  ${PROJECT_SOURCE_DIR}/examples)
