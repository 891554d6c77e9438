#include "linalg/ordering.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace limber {
namespace {

/// A square grid of nodes, each next to four others.
Graph grid_graph(std::int32_t side) {
    Graph g;
    g.starts = {0};
    g.member_starts = {0};
    for (std::int32_t i = 0; i < side * side; ++i) {
        if (i >= side) g.neighbours.push_back(i - side);
        if (i % side > 0) g.neighbours.push_back(i - 1);
        if (i % side < side - 1) g.neighbours.push_back(i + 1);
        if (i + side < side * side) g.neighbours.push_back(i + side);
        g.starts.push_back(static_cast<std::int32_t>(g.neighbours.size()));
        g.members.push_back(i);
        g.member_starts.push_back(i + 1);
    }
    return g;
}

TEST(Ordering, NestedDissectionIsTheSameWhenThreadsOrderAtOnce) {
    // METIS seeds and draws from the C library's one rand(): without a lock another thread's draws shift ours.
    const Graph graph = grid_graph(60);
    const std::vector<std::int32_t> alone = order_nested_dissection(graph);
    std::vector<std::vector<std::int32_t>> found(8);
    std::vector<std::thread> threads;
    for (auto& order : found) {
        threads.emplace_back([&order, &graph] {
            for (int i = 0; i < 5; ++i) order = order_nested_dissection(graph);
        });
    }
    for (std::thread& t : threads) t.join();
    for (const auto& order : found) EXPECT_EQ(order, alone);
}

}  // namespace
}  // namespace limber
