# All 500 cases of the battery; the sample is part of test_elastic as it is.
add_test(NAME elastic.every_case_of_the_battery COMMAND test_elastic --gtest_filter=LargeStrainBattery.*)
set_tests_properties(elastic.every_case_of_the_battery PROPERTIES TIMEOUT 3600 LABELS heavy ENVIRONMENT LIMBER_BATTERY=500)
