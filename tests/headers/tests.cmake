# Each public header compiled alone and twice: what it needs it includes, and including it again does no harm.
# Part of the default build; no CTest, because a header that does not compile stops the build.
file(GLOB public_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/limber/*.hpp)
set(header_units "")
foreach(header ${public_headers})
  get_filename_component(name ${header} NAME_WE)
  set(unit ${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cpp)
  file(CONFIGURE OUTPUT ${unit} CONTENT "#include <limber/${name}.hpp>\n#include <limber/${name}.hpp>\n")
  list(APPEND header_units ${unit})
endforeach()
add_library(test_headers OBJECT ${header_units})
target_include_directories(test_headers PRIVATE ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(test_headers PRIVATE limber_flags)
