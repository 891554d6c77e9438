# Run at every build: writes OUT with the commit of SOURCE, touching it only when it changed, so that a build with
# nothing new recompiles nothing. "+" = uncommitted changes in tracked files; "unknown" outside a clone (a tarball).
set(commit unknown)
if(EXISTS "${SOURCE}/.git")
  execute_process(COMMAND git rev-parse --short=12 HEAD WORKING_DIRECTORY "${SOURCE}"
    OUTPUT_VARIABLE hash RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND hash MATCHES "^[0-9a-f]+$")
    set(commit ${hash})
    # --no-optional-locks: a build must not get in the way of a commit made at the same time.
    execute_process(COMMAND git --no-optional-locks status --porcelain --untracked-files=no WORKING_DIRECTORY "${SOURCE}"
      OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed AND NOT changes STREQUAL "")
      string(APPEND commit "+")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT "${OUT}" CONTENT "#define LIMBER_COMMIT \"${commit}\"\n")
