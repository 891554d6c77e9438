# All 500 cases of the battery; the sample is part of test_fem_large as it is.
add_test(NAME fem_large.every_case_of_the_battery COMMAND test_fem_large --gtest_filter=LargeStrainBattery.*)
set_tests_properties(fem_large.every_case_of_the_battery PROPERTIES TIMEOUT 3600 LABELS heavy ENVIRONMENT LIMBER_BATTERY=500)
# Meshes of 20,000 cells.
add_test(NAME fem_large.nearly_incompressible_20k COMMAND test_fem_large --gtest_filter=Tet4NearlyIncompressible.Answers*)
set_tests_properties(fem_large.nearly_incompressible_20k PROPERTIES TIMEOUT 3600 LABELS heavy ENVIRONMENT LIMBER_HEAVY_LOCKING=1)
# Four hundred free spins of ten turns.
add_test(NAME fem_large.free_spins COMMAND test_fem_large --gtest_filter=FreeSpins.EveryStep*)
set_tests_properties(fem_large.free_spins PROPERTIES TIMEOUT 3600 LABELS heavy ENVIRONMENT LIMBER_SPINS=400)
