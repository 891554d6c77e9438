# What other programs make of our files. Run by ./test --clients, which installs them; skipped where they are missing.
if(NOT TARGET limber_cli)
  return()
endif()
add_test(NAME clients.scipy_solves_our_matrices COMMAND ${LIMBER_CLIENTS_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/scipy_test.py $<TARGET_FILE:limber_cli>)
set_tests_properties(clients.scipy_solves_our_matrices PROPERTIES TIMEOUT 300 LABELS clients SKIP_RETURN_CODE 77 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
add_test(NAME clients.numpy_loads_our_recordings COMMAND ${LIMBER_CLIENTS_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/numpy_test.py $<TARGET_FILE:limber_cli> ${CMAKE_SOURCE_DIR}/scenes)
set_tests_properties(clients.numpy_loads_our_recordings PROPERTIES TIMEOUT 300 LABELS clients SKIP_RETURN_CODE 77 ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
