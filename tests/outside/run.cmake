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

# What ./run leaves: no limber_conformance. The rules that were written for installing, with its archive where there is none.
function(install_without_conformance prefix)
  file(READ ${BUILD}/cmake_install.cmake rules)
  string(REPLACE "liblimber_conformance.a" "not_built/liblimber_conformance.a" rules "${rules}")
  file(WRITE ${WORK}/without.cmake "${rules}")
  must("installing without the conformance suite" ${CMAKE_COMMAND} -DCMAKE_INSTALL_PREFIX=${prefix} -P ${WORK}/without.cmake)
  if(NOT output MATCHES "Left out: limber::conformance" OR EXISTS ${prefix}/lib/liblimber_conformance.a)
    message(FATAL_ERROR "the conformance suite was installed, or nothing said that it was not:\n${output}")
  endif()
endfunction()
install_without_conformance(${WORK}/small)
set(small -G ${GENERATOR} -S ${SOURCE}/small -DCMAKE_PREFIX_PATH=${WORK}/small
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_BUILD_TYPE=${TYPE})
must("configuring without the conformance suite" ${CMAKE_COMMAND} ${small} -B ${WORK}/small_build)
must("building without the conformance suite" ${CMAKE_COMMAND} --build ${WORK}/small_build)
must("running without the conformance suite" ${WORK}/small_build/small)
execute_process(COMMAND ${CMAKE_COMMAND} ${small} -B ${WORK}/small_refused -DWANTED=conformance
  RESULT_VARIABLE code ERROR_VARIABLE err OUTPUT_QUIET)
if(code EQUAL 0 OR NOT err MATCHES "conformance")
  message(FATAL_ERROR "a component that is not installed was found (${code}):\n${err}")
endif()
# A caller may be old, or set no policies at all.
file(MAKE_DIRECTORY ${WORK}/plain)
file(WRITE ${WORK}/plain/CMakeLists.txt "project(plain CXX)\nfind_package(limber 0.1 REQUIRED)\n")
must("configuring without policies" ${CMAKE_COMMAND} -G ${GENERATOR} -S ${WORK}/plain -B ${WORK}/plain/build
  -DCMAKE_PREFIX_PATH=${WORK}/small -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${flags})
must("the installed program" ${WORK}/prefix/bin/limber --version)
message("${output}")
