# What other programs make of our files. Run by ./test --clients, which installs them; skipped where they are missing.
add_test(NAME clients.dyrt
  COMMAND ${LIMBER_CLIENTS_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/dyrt_test.py
    ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER} ${PROJECT_BINARY_DIR}/clients)
set_tests_properties(clients.dyrt PROPERTIES TIMEOUT 300 LABELS clients SKIP_RETURN_CODE 77
  ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
if(NOT TARGET limber_cli)
  return()
endif()
add_test(NAME clients.scipy_solves_our_matrices
  COMMAND ${LIMBER_CLIENTS_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/scipy_test.py $<TARGET_FILE:limber_cli>)
set_tests_properties(clients.scipy_solves_our_matrices PROPERTIES TIMEOUT 300 LABELS clients SKIP_RETURN_CODE 77
  ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
add_test(NAME clients.numpy_loads_our_recordings
  COMMAND ${LIMBER_CLIENTS_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/numpy_test.py
    $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes)
set_tests_properties(clients.numpy_loads_our_recordings PROPERTIES TIMEOUT 300 LABELS clients SKIP_RETURN_CODE 77
  ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
foreach(client gltf three blender calculix mesh)
  add_test(NAME clients.${client}
    COMMAND ${LIMBER_CLIENTS_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/${client}_test.py
      $<TARGET_FILE:limber_cli> ${PROJECT_BINARY_DIR}/clients)
  set_tests_properties(clients.${client} PROPERTIES TIMEOUT 300 LABELS clients SKIP_RETURN_CODE 77
    ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
endforeach()
add_test(NAME clients.live_page
  COMMAND ${LIMBER_CLIENTS_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/live_test.py
    $<TARGET_FILE:limber_cli> ${PROJECT_BINARY_DIR}/clients ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER})
set_tests_properties(clients.live_page PROPERTIES TIMEOUT 300 LABELS clients SKIP_RETURN_CODE 77
  ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
add_test(NAME clients.movies_play_elsewhere
  COMMAND ${LIMBER_CLIENTS_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/movie_test.py
    $<TARGET_FILE:limber_cli> ${PROJECT_SOURCE_DIR}/scenes)
set_tests_properties(clients.movies_play_elsewhere PROPERTIES TIMEOUT 300 LABELS clients SKIP_RETURN_CODE 77
  ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
