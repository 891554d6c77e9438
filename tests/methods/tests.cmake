# Batteries of the boundary element method: a seeded sample in every run, all of it with ./test --heavy.
if(NOT TARGET test_methods)
  return()
endif()
add_test(NAME methods.bem_batteries
  COMMAND test_methods --gtest_filter=BemEnergy.*:BemHeldEnergy.WhateverActs*:BemHeld.Random*:Bem.RandomDrops*)
set_tests_properties(methods.bem_batteries PROPERTIES TIMEOUT 7200 LABELS heavy ENVIRONMENT LIMBER_DROPS=1000)
