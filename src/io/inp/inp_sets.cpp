#include "io/inp/inp_sets.hpp"

#include "core/text.hpp"
#include "io/inp/inp.hpp"

#include <algorithm>

namespace limber {

std::string upper(std::string_view word) {
    std::string out(word);
    for (char& c : out)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return out;
}

InpSets::Set& InpSets::at(const std::string& name) {
    Set& set = sets_[upper(name)];
    if (set.name.empty()) set.name = name;
    return set;
}

bool InpSets::add_set(Set& set, const std::string& other, const Scanner& in) {
    const auto found = sets_.find(upper(other));
    if (found == sets_.end()) return false;
    if (&found->second == &set) return true;
    // What the other one holds now: sets that grow later, or name each other, cannot run in circles.
    const std::vector<Range>& more = found->second.ranges;
    in.spend(2 * sizeof(Range) * more.size(), "sets within sets");
    set.ranges.insert(set.ranges.end(), more.begin(), more.end());
    return true;
}

IndexSet InpSets::places(const Set& set, const std::vector<std::int64_t>& tags, const Scanner& in) {
    IndexSet out;
    for (const Range& r : set.ranges) {
        const auto first = std::lower_bound(tags.begin(), tags.end(), r.first),
                   end = std::upper_bound(first, tags.end(), r.last);
        in.spend(16 * static_cast<std::uint64_t>(end - first), "the sets");
        for (auto it = first; it != end; ++it) {
            // Unsigned: the difference of two absurd numbers may not fit.
            if ((static_cast<std::uint64_t>(*it) - static_cast<std::uint64_t>(r.first)) %
                    static_cast<std::uint64_t>(r.step) ==
                0) {
                out.push_back(static_cast<std::int32_t>(it - tags.begin()));
            }
        }
        if (out.size() > 2 * tags.size() + 1024) sort_set(out);
    }
    sort_set(out);
    return out;
}

void InpSets::put(const std::vector<std::int64_t>& tags, const Scanner& in,
                  std::map<std::string, IndexSet>& out) const {
    resolve(tags, in, [&](const std::string& name, IndexSet places) { out[name] = std::move(places); });
}

void put_element_sets(const InpSets& sets, const std::vector<MshElement>& elements,
                      const std::vector<std::int64_t>& nodes, const std::vector<std::int64_t>& tags, const Scanner& in,
                      Mesh& mesh) {
    std::vector<std::int64_t> element_tags;
    std::vector<std::int32_t> cell_of;  // -1: of lower dimension
    std::int32_t cells = 0;
    for (const MshElement& e : elements) {
        element_tags.push_back(e.tag);
        cell_of.push_back(e.type->kind == static_cast<int>(mesh.kind) ? cells++ : -1);
    }
    sets.resolve(element_tags, in, [&](const std::string& name, const IndexSet& places) {
        if (upper(name) == kInpAllCells) return;
        bool any_cell = places.empty();
        IndexSet vertices, marked;
        for (const std::int32_t p : places) {
            const auto i = static_cast<std::size_t>(p);
            if (cell_of[i] >= 0) {
                marked.push_back(cell_of[i]);
                any_cell = true;
                continue;
            }
            in.spend(16 * static_cast<std::uint64_t>(elements[i].type->nodes), "the sets");
            for (int c = 0; c < elements[i].type->nodes; ++c) {
                const auto at = std::lower_bound(tags.begin(), tags.end(),
                                                 nodes[elements[i].first + static_cast<std::size_t>(c)]);
                if (at != tags.end() && *at == nodes[elements[i].first + static_cast<std::size_t>(c)])
                    vertices.push_back(static_cast<std::int32_t>(at - tags.begin()));
            }
        }
        if (any_cell) mesh.cell_sets[name] = std::move(marked);
        if (vertices.empty()) return;
        IndexSet& set = mesh.vertex_sets[name];
        set.insert(set.end(), vertices.begin(), vertices.end());
        sort_set(set);
    });
}

}  // namespace limber
