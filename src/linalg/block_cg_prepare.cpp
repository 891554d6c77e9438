#include "linalg/aggregates.hpp"
#include "linalg/block_cg_parts.hpp"
#include "linalg/factor.hpp"
#include "linalg/symbolic.hpp"

#include <algorithm>
#include <utility>

namespace limber {
namespace {

constexpr std::int32_t kChunkRows = 512;

// What a step would cost either way [ns], with constants measured on the beam of
// bench/corotational/corotational_steps.cpp; only their ratio matters.
constexpr std::size_t kMostDirect = 4000;  // vertices: beyond, even asking takes too long
double direct_time(const Block6Factor& factor) {
    return 25.0 * factor.products() + 3 * 12.0 * static_cast<double>(factor.blocks());
}
double two_level_time(std::size_t entries) { return 80 * 3.0 * static_cast<double>(entries); }

// Vertices per aggregate: iterations grow with its fourth root or so, the coarse problem's price falls faster where
// there are many. By bench/corotational/corotational_steps.cpp, where half or twice as many cost some 10 %.
std::size_t group_size(std::size_t vertices) { return vertices < 2500 ? 24 : vertices < 15000 ? 32 : 40; }

Graph free_graph(const BlockCsr& pattern, const std::vector<std::int32_t>& vertices) {
    std::vector<std::int32_t> number(pattern.rows(), -1);
    for (std::size_t i = 0; i < vertices.size(); ++i)
        number[static_cast<std::size_t>(vertices[i])] = static_cast<std::int32_t>(i);
    Graph graph;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const auto row = static_cast<std::size_t>(vertices[i]);
        for (std::int32_t e = pattern.starts[row]; e < pattern.starts[row + 1]; ++e) {
            if (const std::int32_t j = number[static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(e)])];
                j >= 0 && j != static_cast<std::int32_t>(i)) {
                graph.neighbours.push_back(j);
            }
        }
        graph.starts.push_back(static_cast<std::int32_t>(graph.neighbours.size()));
        graph.members.push_back(static_cast<std::int32_t>(i));
        graph.member_starts.push_back(static_cast<std::int32_t>(i) + 1);
    }
    return graph;
}

// The same where all vertices of a patch see each other.
Graph patch_graph(const PatchOperator& patches, std::size_t rows, const std::vector<std::int32_t>& vertices) {
    BlockCsr wide;
    wide.block = 3;
    wide.starts = {0};
    std::vector<std::int32_t> row;
    for (std::size_t v = 0; v < rows; ++v) {
        row = {static_cast<std::int32_t>(v)};
        for (auto k = static_cast<std::size_t>(patches.around_starts[v]);
             k < static_cast<std::size_t>(patches.around_starts[v + 1]); k += 2) {
            const auto p = static_cast<std::size_t>(patches.around[k]);
            row.insert(row.end(), patches.vertices.begin() + patches.starts[p],
                       patches.vertices.begin() + patches.starts[p + 1]);
        }
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        wide.columns.insert(wide.columns.end(), row.begin(), row.end());
        wide.starts.push_back(static_cast<std::int32_t>(wide.columns.size()));
    }
    return free_graph(wide, vertices);
}

// Entry (j, i) of a symmetric pattern.
std::int32_t opposite(const BlockCsr& pattern, std::int32_t i, std::int32_t column) {
    const auto j = static_cast<std::size_t>(column);
    const auto begin = pattern.columns.begin() + pattern.starts[j],
               end = pattern.columns.begin() + pattern.starts[j + 1];
    return static_cast<std::int32_t>(std::lower_bound(begin, end, i) - pattern.columns.begin());
}

Graph renumbered(const Graph& graph, const std::vector<std::int32_t>& order,
                 const std::vector<std::int32_t>& position) {
    Graph out;
    for (const std::int32_t old : order) {
        const auto first = static_cast<std::ptrdiff_t>(out.neighbours.size());
        for (std::int32_t e = graph.starts[static_cast<std::size_t>(old)];
             e < graph.starts[static_cast<std::size_t>(old) + 1]; ++e) {
            out.neighbours.push_back(position[static_cast<std::size_t>(graph.neighbours[static_cast<std::size_t>(e)])]);
        }
        std::sort(out.neighbours.begin() + first, out.neighbours.end());
        out.starts.push_back(static_cast<std::int32_t>(out.neighbours.size()));
    }
    return out;
}

}  // namespace

BlockCg::BlockCg(const BlockCsr& pattern, std::span<const std::uint8_t> held, Way way, const PatchOperator* patches)
    : block_(pattern.block), unknowns_(pattern.size()), pattern_(&pattern), patches_(patches) {
    if (patches != nullptr) way = Way::two_level;
    const auto block = static_cast<std::size_t>(block_);
    std::vector<std::int32_t> vertices;
    std::vector<std::uint8_t> any_held(pattern.rows(), 0);
    for (std::size_t v = 0; v < pattern.rows(); ++v) {
        std::size_t count = 0;
        for (std::size_t c = 0; c < block && !held.empty(); ++c) count += held[block * v + c] != 0 ? 1 : 0;
        any_held[v] = count > 0;
        if (count < block) vertices.push_back(static_cast<std::int32_t>(v));
    }
    const Graph graph = patches != nullptr ? patch_graph(*patches, pattern.rows(), vertices)
                                           : free_graph(pattern, vertices);
    std::size_t count = 0;
    if (way != Way::two_level && (way == Way::direct || vertices.size() <= kMostDirect)) {
        std::vector<std::int32_t> part = pair_up(graph, count);
        build(pattern, vertices, graph, std::move(part), count);
        direct_ = way == Way::direct || direct_time(coarse_) < two_level_time(columns_.size());
    }
    if (!direct_) {
        std::vector<std::int32_t> part = aggregate(graph, group_size(vertices.size()), count);
        build(pattern, vertices, graph, std::move(part), count);
    }
    for (const std::int32_t v : vertex_) unheld_.push_back(any_held[static_cast<std::size_t>(v)] == 0);
    make_chunks();
    make_slices(pattern);
    if (patches != nullptr) make_patches(held);
    lay_out();
}

// Groups numbered in the order of elimination, rows by groups, and where the coarse matrix's blocks are.
void BlockCg::build(const BlockCsr& pattern, const std::vector<std::int32_t>& vertices, const Graph& graph,
                    std::vector<std::int32_t> part, std::size_t count) {
    vertex_ = aggregate_of_ = columns_ = coarse_columns_ = coarse_slots_ = {};
    starts_ = aggregate_starts_ = coarse_starts_ = {0};
    const Graph groups = quotient_graph(graph, part, count);
    const std::vector<std::int32_t> order = best_order(groups), position = inverse_permutation(order);
    for (std::int32_t& p : part) p = position[static_cast<std::size_t>(p)];
    number_vertices(pattern, part, count, vertices);
    copy_pattern(pattern);
    const Graph ordered = renumbered(groups, order, position);
    coarse_ = Block6Factor(ordered);
    for (std::size_t a = 0; a < count; ++a) {
        const auto self = static_cast<std::int32_t>(a);
        for (std::int32_t e = ordered.starts[a];
             e < ordered.starts[a + 1] && ordered.neighbours[static_cast<std::size_t>(e)] < self; ++e) {
            coarse_columns_.push_back(ordered.neighbours[static_cast<std::size_t>(e)]);
        }
        coarse_columns_.push_back(self);
        coarse_starts_.push_back(static_cast<std::int32_t>(coarse_columns_.size()));
        for (auto i = static_cast<std::size_t>(coarse_starts_[a]); i < coarse_columns_.size(); ++i)
            coarse_slots_.push_back(coarse_.slot(self, coarse_columns_[i]));
    }
}

// Within a group by falling length of their rows: slices have fewer empty places then.
void BlockCg::number_vertices(const BlockCsr& pattern, const std::vector<std::int32_t>& part, std::size_t count,
                              const std::vector<std::int32_t>& vertices) {
    std::vector<std::vector<std::int32_t>> members(count);
    for (std::size_t i = 0; i < part.size(); ++i) members[static_cast<std::size_t>(part[i])].push_back(vertices[i]);
    const auto length = [&](std::int32_t v) {
        return pattern.starts[static_cast<std::size_t>(v) + 1] - pattern.starts[static_cast<std::size_t>(v)];
    };
    for (std::size_t a = 0; a < count; ++a) {
        std::stable_sort(members[a].begin(), members[a].end(),
                         [&](std::int32_t v, std::int32_t w) { return length(v) > length(w); });
        vertex_.insert(vertex_.end(), members[a].begin(), members[a].end());
        aggregate_of_.insert(aggregate_of_.end(), members[a].size(), static_cast<std::int32_t>(a));
        aggregate_starts_.push_back(static_cast<std::int32_t>(vertex_.size()));
    }
}

void BlockCg::copy_pattern(const BlockCsr& pattern) {
    std::vector<std::int32_t> row_of(pattern.rows(), -1);
    for (std::size_t r = 0; r < vertex_.size(); ++r)
        row_of[static_cast<std::size_t>(vertex_[r])] = static_cast<std::int32_t>(r);
    for (const std::int32_t v : vertex_) {
        const auto first = static_cast<std::ptrdiff_t>(columns_.size());
        for (std::int32_t e = pattern.starts[static_cast<std::size_t>(v)];
             e < pattern.starts[static_cast<std::size_t>(v) + 1]; ++e) {
            if (const std::int32_t c = row_of[static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(e)])];
                c >= 0) {
                columns_.push_back(c);
            }
        }
        std::sort(columns_.begin() + first, columns_.end());
        starts_.push_back(static_cast<std::int32_t>(columns_.size()));
    }
}

void BlockCg::make_chunks() {
    for (std::size_t a = 1; a <= aggregates(); ++a) {
        const std::int32_t begin = aggregate_starts_[static_cast<std::size_t>(chunks_.back())];
        if (a == aggregates() || aggregate_starts_[a] - begin >= kChunkRows)
            chunks_.push_back(static_cast<std::int32_t>(a));
    }
}

// Five rows each, anew at every chunk: a slice belongs to one thread.
void BlockCg::make_slices(const BlockCsr& pattern) {
    const auto at = [](const std::vector<std::int32_t>& v, std::int32_t i) { return v[static_cast<std::size_t>(i)]; };
    diagonal_.resize(vertex_.size());
    diagonal_source_.resize(vertex_.size());
    for (std::size_t chunk = 0; chunk + 1 < chunks_.size(); ++chunk) {
        const std::int32_t end = at(aggregate_starts_, chunks_[chunk + 1]);
        for (std::int32_t first = at(aggregate_starts_, chunks_[chunk]); first < end;
             first += static_cast<std::int32_t>(kFloatRows)) {
            const std::int32_t last = std::min(end, first + static_cast<std::int32_t>(kFloatRows));
            std::int32_t longest = 0;
            for (std::int32_t row = first; row < last; ++row) {
                longest = std::max(longest, at(starts_, row + 1) - at(starts_, row));
                place_.push_back(kFloatSlot * static_cast<std::size_t>(slice_starts_.back()) +
                                 3 * static_cast<std::size_t>(row - first));
            }
            for (std::int32_t k = 0; k < longest; ++k) {
                for (std::int32_t row = first; row < first + static_cast<std::int32_t>(kFloatRows); ++row) {
                    const bool filled = row < last && at(starts_, row) + k < at(starts_, row + 1);
                    const std::int32_t column = filled ? at(columns_, at(starts_, row) + k) : first;
                    slice_columns_.push_back(column);
                    source_.push_back(filled ? opposite(pattern, at(vertex_, row), at(vertex_, column)) : -1);
                    if (!filled || column != row) continue;
                    diagonal_[static_cast<std::size_t>(row)] = place_[static_cast<std::size_t>(row)] +
                                                               kFloatSlot * static_cast<std::size_t>(k);
                    diagonal_source_[static_cast<std::size_t>(row)] = source_.back();
                }
            }
            slice_starts_.push_back(slice_starts_.back() + longest);
            slice_rows_.push_back(last);
        }
        chunk_slices_.push_back(static_cast<std::int32_t>(slice_rows_.size()) - 1);
    }
}

void BlockCg::lay_out() {
    std::size_t at = 0;
    const auto doubles = [&at](std::size_t n) { return std::exchange(at, at + (n + 7) / 8 * 8); };
    const auto floats = [&doubles](std::size_t n) { return doubles((n + 1) / 2); };
    const std::size_t rows = vertex_.size();
    layout_.scale = doubles(1);
    layout_.residual = doubles(unknowns_);
    layout_.direction = doubles(unknowns_);
    layout_.product = doubles(unknowns_);
    layout_.sums = doubles(2 * chunks_.size());
    layout_.values = floats(kFloatSlot * static_cast<std::size_t>(slice_starts_.back()));
    layout_.plane = 4 * rows;
    layout_.inverse = floats(3 * layout_.plane);
    layout_.arm = floats(4 * rows);
    for (std::size_t* v : {&layout_.x, &layout_.r, &layout_.z, &layout_.p, &layout_.q}) *v = floats(4 * rows);
    layout_.coarse = floats(coarse_.value_count());
    layout_.resultant = floats(8 * aggregates());
    layout_.motion = floats(8 * aggregates());
    layout_.map = floats(aggregates());
    const std::size_t patches = patches_ != nullptr ? patches_->count() : 0;
    layout_.patch_stress = doubles(9 * patches);
    layout_.patch_sums = doubles(patches / kPatchesAtOnce + 2);  // and whether anything turns or presses
    layout_.patch_numbers = floats(PatchOperator::kNumbers * whole_lanes(patches));
    layout_.patch_floats = floats(patches > 0 ? kPatchStress * std::max(patches, rows) : 0);
    layout_.end = at + 8;  // to begin on a line of the cache
}

std::size_t BlockCg::bytes() const {
    const std::size_t ints = vertex_.size() + starts_.size() + columns_.size() + slice_rows_.size() +
                             slice_starts_.size() + slice_columns_.size() + source_.size() +
                             2 * (place_.size() + diagonal_.size()) + diagonal_source_.size() + chunk_slices_.size() +
                             aggregate_starts_.size() + aggregate_of_.size() + coarse_starts_.size() +
                             coarse_columns_.size() + coarse_slots_.size() + chunks_.size();
    return sizeof(std::int32_t) * (ints + patch_source_.size() + patch_starts_.size() + patch_rows_.size() +
                                   row_order_.size() + row_starts_.size() + row_patches_.size()) +
           unheld_.size() + held_.size() + sizeof(float) * (patch_slopes_.size() + row_slopes_.size() + free_.size()) +
           coarse_.bytes();
}

}  // namespace limber
