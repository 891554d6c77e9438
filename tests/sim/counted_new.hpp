// How often this test program has allocated. Defined in counted_new_test.cpp, which replaces operator new.
#pragma once

namespace limber {
long allocation_count();
}
