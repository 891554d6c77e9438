#include "io/inp_sets.hpp"

#include "core/text.hpp"
#include "io/inp.hpp"

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

bool InpSets::add_set(const std::string& name, const std::string& other, const Scanner& in) {
    const auto found = sets_.find(upper(other));
    if (found == sets_.end()) return false;
    Set& set = at(name);
    if (&found->second == &set) return true;
    // What the other one holds now: sets that grow later, or name each other, cannot run in circles.
    const std::vector<Range>& more = found->second.ranges;
    copied_ += more.size();
    if (copied_ > kMostCopied) throw Error(Fault::bad_file, {in.name(), 0, {}}, text("sets within sets name more than ", kMostCopied, " numbers"), "fewer or smaller sets");
    set.ranges.insert(set.ranges.end(), more.begin(), more.end());
    return true;
}

IndexSet InpSets::places(const std::string& key, const std::vector<std::int64_t>& tags, const Scanner& in, std::size_t& budget) const {
    const Set& set = sets_.at(key);
    IndexSet out;
    for (const Range& r : set.ranges) {
        for (auto it = std::lower_bound(tags.begin(), tags.end(), r.first); it != tags.end() && *it <= r.last; ++it) {
            if (budget-- == 0) throw Error(Fault::bad_file, {in.name(), 0, {}}, text("the sets name more than ", kMostMembers, " members"), "fewer or smaller sets");
            // Unsigned: the difference of two absurd numbers may not fit.
            if ((static_cast<std::uint64_t>(*it) - static_cast<std::uint64_t>(r.first)) % static_cast<std::uint64_t>(r.step) == 0) out.push_back(static_cast<std::int32_t>(it - tags.begin()));
        }
        if (out.size() > 2 * tags.size() + 1024) sort_set(out);
    }
    sort_set(out);
    return out;
}

void InpSets::put(const std::vector<std::int64_t>& tags, const Scanner& in, std::map<std::string, IndexSet>& out) const {
    resolve(tags, in, [&](const std::string& name, IndexSet places) { out[name] = std::move(places); });
}

void put_element_sets(const InpSets& sets, const std::vector<MshElement>& elements, const std::vector<std::int64_t>& nodes, const std::vector<std::int64_t>& tags, const Scanner& in, Mesh& mesh) {
    std::vector<std::int64_t> element_tags;
    std::vector<std::int32_t> cell_of;      // -1: of lower dimension
    std::int32_t cells = 0;
    for (const MshElement& e : elements) {
        element_tags.push_back(e.tag);
        cell_of.push_back(e.type->kind == static_cast<int>(mesh.kind) ? cells++ : -1);
    }
    sets.resolve(element_tags, in, [&](const std::string& name, const IndexSet& places) {
        if (upper(name) == kInpAllCells) return;
        bool any_cell = places.empty();
        IndexSet vertices;
        for (const std::int32_t p : places) {
            const auto i = static_cast<std::size_t>(p);
            if (cell_of[i] >= 0) {
                mesh.cell_sets[name].push_back(cell_of[i]);
                any_cell = true;
                continue;
            }
            for (int c = 0; c < elements[i].type->nodes; ++c) {
                const auto at = std::lower_bound(tags.begin(), tags.end(), nodes[elements[i].first + static_cast<std::size_t>(c)]);
                if (at != tags.end() && *at == nodes[elements[i].first + static_cast<std::size_t>(c)]) vertices.push_back(static_cast<std::int32_t>(at - tags.begin()));
            }
        }
        if (any_cell) mesh.cell_sets[name];
        if (vertices.empty()) return;
        IndexSet& set = mesh.vertex_sets[name];
        set.insert(set.end(), vertices.begin(), vertices.end());
        sort_set(set);
    });
}

}  // namespace limber
