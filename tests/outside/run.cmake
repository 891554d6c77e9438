# cmake -DBUILD=... -DSOURCE=... -DWORK=... -P run.cmake: install, configure, build, run; stops at the first failure.
function(must what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${out}\n${err}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

# Built where nothing else is, so that no header or library of the source tree can help.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(flags "")
if(SANITIZE)
  set(flags -fsanitize=${SANITIZE})
endif()
must("installing" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
must("configuring" ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${WORK}/build -DCMAKE_PREFIX_PATH=${WORK}/prefix
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_BUILD_TYPE=${TYPE})
must("building" ${CMAKE_COMMAND} --build ${WORK}/build)
must("running" ${WORK}/build/outside)
message("${output}")
must("the installed program" ${WORK}/prefix/bin/limber --version)
message("${output}")
