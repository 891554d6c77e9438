#include "linalg/aggregates.hpp"

#include "linalg/metis_lock.hpp"

#include <metis.h>

#include <algorithm>
#include <numeric>

namespace limber {
namespace {

// Numbers without gaps, in the order in which they are first met.
std::size_t renumber(std::vector<std::int32_t>& part) {
    std::vector<std::int32_t> number(
        part.empty() ? 0 : static_cast<std::size_t>(*std::max_element(part.begin(), part.end())) + 1, -1);
    std::int32_t next = 0;
    for (std::int32_t& p : part) {
        std::int32_t& to = number[static_cast<std::size_t>(p)];
        if (to < 0) to = next++;
        p = to;
    }
    return static_cast<std::size_t>(next);
}

}  // namespace

std::vector<std::int32_t> aggregate(const Graph& graph, std::size_t size, std::size_t& count) {
    const std::size_t n = graph.nodes();
    std::vector<std::int32_t> part(n, 0);
    idx_t wanted = static_cast<idx_t>((n + size / 2) / size);
    if (wanted > 1 && !graph.neighbours.empty()) {
        std::vector<idx_t> starts(graph.starts), neighbours(graph.neighbours);
        idx_t options[METIS_NOPTIONS];
        METIS_SetDefaultOptions(options);
        options[METIS_OPTION_SEED] = 1;
        options[METIS_OPTION_NUMBERING] = 0;
        idx_t nodes = static_cast<idx_t>(n), constraints = 1, cut = 0;
        const std::lock_guard lock(metis_lock());
        const int status = METIS_PartGraphRecursive(&nodes, &constraints, starts.data(), neighbours.data(), nullptr,
                                                    nullptr, nullptr, &wanted, nullptr, nullptr, options, &cut,
                                                    part.data());
        if (status != METIS_OK)  // runs of neighbouring numbers: worse, never wrong
            for (std::size_t i = 0; i < n; ++i) part[i] = static_cast<std::int32_t>(i / size);
    }
    count = renumber(part);
    return part;
}

std::vector<std::int32_t> pair_up(const Graph& graph, std::size_t& count) {
    std::vector<std::int32_t> part(graph.nodes(), -1);
    std::int32_t next = 0;
    for (std::size_t i = 0; i < graph.nodes(); ++i) {
        if (part[i] >= 0) continue;
        part[i] = next;
        for (std::int32_t e = graph.starts[i]; e < graph.starts[i + 1]; ++e) {
            std::int32_t& other = part[static_cast<std::size_t>(graph.neighbours[static_cast<std::size_t>(e)])];
            if (other >= 0) continue;
            other = next;
            break;
        }
        ++next;
    }
    count = static_cast<std::size_t>(next);
    return part;
}

Graph quotient_graph(const Graph& graph, const std::vector<std::int32_t>& part, std::size_t count) {
    std::vector<std::vector<std::int32_t>> beside(count);
    for (std::size_t i = 0; i < graph.nodes(); ++i) {
        for (std::int32_t e = graph.starts[i]; e < graph.starts[i + 1]; ++e) {
            const std::int32_t other = part[static_cast<std::size_t>(graph.neighbours[static_cast<std::size_t>(e)])];
            if (other != part[i]) beside[static_cast<std::size_t>(part[i])].push_back(other);
        }
    }
    Graph out;
    for (std::size_t p = 0; p < count; ++p) {
        auto& row = beside[p];
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        out.neighbours.insert(out.neighbours.end(), row.begin(), row.end());
        out.starts.push_back(static_cast<std::int32_t>(out.neighbours.size()));
        out.members.push_back(static_cast<std::int32_t>(p));
        out.member_starts.push_back(static_cast<std::int32_t>(p) + 1);
    }
    return out;
}

}  // namespace limber
