# limber_conformance: the suite that checks methods, for our tests and for methods of others (limber::conformance).
# A library of its own because it replaces malloc to count allocations: only test programs may link it.
# Inside this build it stands on the layers; installed, on the bundle. Its install rule is here, beside it.
file(GLOB conformance_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/conformance/*.cpp)
add_library(limber_conformance STATIC ${conformance_sources})
target_include_directories(limber_conformance PRIVATE ${PROJECT_SOURCE_DIR}/src PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_features(limber_conformance PUBLIC cxx_std_20)
target_link_libraries(limber_conformance PRIVATE $<BUILD_INTERFACE:limber_flags>
  PUBLIC $<BUILD_INTERFACE:limber_methods> $<INSTALL_INTERFACE:limber::core>)
limber_unity(limber_conformance 12)
if(NOT PROJECT_IS_TOP_LEVEL)
  set_target_properties(limber_conformance PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
set_target_properties(limber_conformance PROPERTIES POSITION_INDEPENDENT_CODE ON EXPORT_NAME conformance)
add_library(limber::conformance ALIAS limber_conformance)
if(LIMBER_INSTALL)
  # ./run does not build it: installed where it is there, as a component of its own that limberConfig.cmake finds or does not.
  install(TARGETS limber_conformance EXPORT limberConformanceTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
  install(EXPORT limberConformanceTargets NAMESPACE limber:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/limber)
  install(CODE "if(NOT EXISTS \"$<TARGET_FILE:limber_conformance>\")
  message(STATUS \"Left out: limber::conformance, which is not built (./test builds it)\")
endif()")
endif()
