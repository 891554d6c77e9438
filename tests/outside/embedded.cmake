# cmake -DBY=subdirectory|fetch -DLIMBER=... -DSOURCE=... -DWORK=... -P embedded.cmake: configures, builds and runs the project.
function(must what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${out}\n${err}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
must("configuring" ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${WORK} -DBY=${BY} -DLIMBER=${LIMBER} -DLIMBER_UNITY=ON
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release)
must("building" ${CMAKE_COMMAND} --build ${WORK} --target game_loop)
must("running" ${WORK}/game_loop)
string(REGEX MATCHALL "[0-9.]+ s: " lines "${output}")
list(LENGTH lines count)
if(NOT count EQUAL 20)
  message(FATAL_ERROR "expected 20 lines of positions, found ${count}:\n${output}")
endif()
