#include "core/percentile.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace limber {
namespace {

TEST(Percentile, IsTheSmallestValueThatTheShareDoesNotExceed) {
    // Every count up to where 99 of 100 is more than one value less than all: an index off by one shows somewhere.
    for (int n = 1; n <= 450; ++n) {
        std::vector<float> values(static_cast<std::size_t>(n));
        std::iota(values.begin(), values.end(), 1.0f);
        const int rank99 = (99 * n + 99) / 100, rank50 = (n + 1) / 2;
        EXPECT_EQ(percentile(values, 0.99), static_cast<float>(rank99)) << n;
        EXPECT_EQ(percentile(values, 0.5), static_cast<float>(rank50)) << n;
        EXPECT_EQ(percentile(values, 1.0), static_cast<float>(n));
        EXPECT_EQ(percentile(values, 0.0), 1.0f);
    }
}

}  // namespace
}  // namespace limber
