# Meshes of 20,000 cells.
add_test(NAME elastic.nearly_incompressible_20k COMMAND test_elastic --gtest_filter=Tet4NearlyIncompressible.Answers*)
set_tests_properties(elastic.nearly_incompressible_20k PROPERTIES TIMEOUT 3600 LABELS heavy ENVIRONMENT LIMBER_HEAVY_LOCKING=1)
