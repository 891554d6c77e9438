// Sets of an INP file by node or element number, until those numbers are known.
#pragma once

#include "io/msh.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// ASCII letters in upper case: names in INP files do not differ by case.
std::string upper(std::string_view word);

class InpSets {
public:
    /// Sets keep the first spelling of their name.
    void open(const std::string& name) { at(name); }
    void add(const std::string& name, std::int64_t tag) { at(name).ranges.push_back({tag, tag, 1}); }
    void add_range(const std::string& name, std::int64_t first, std::int64_t last, std::int64_t step) { at(name).ranges.push_back({first, last, step}); }
    /// False when there is no such set yet. Throws Error{bad_file} when sets within sets grow beyond reason.
    bool add_set(const std::string& name, const std::string& other, const Scanner& in);

    /// The members among the ascending `tags`, as places in them. Numbers that do not exist are passed over, as Abaqus does.
    /// Calls put(name, places) for every set.
    template <class Put>
    void resolve(const std::vector<std::int64_t>& tags, const Scanner& in, Put&& put) const {
        std::size_t budget = kMostMembers;
        for (const auto& entry : sets_) put(entry.second.name, places(entry.first, tags, in, budget));
    }
    void put(const std::vector<std::int64_t>& tags, const Scanner& in, std::map<std::string, IndexSet>& out) const;

private:
    /// A file of ranges could ask for far more than it holds.
    static constexpr std::size_t kMostMembers = 200'000'000, kMostCopied = 4'000'000;
    struct Range {
        std::int64_t first, last, step;
    };
    struct Set {
        std::string name;
        std::vector<Range> ranges;
    };
    Set& at(const std::string& name);
    IndexSet places(const std::string& key, const std::vector<std::int64_t>& tags, const Scanner& in, std::size_t& budget) const;

    std::map<std::string, Set> sets_;       ///< by upper-case name
    std::size_t copied_ = 0;                ///< entries taken over from other sets
};

/// Sets of cells become cell sets; elements of lower dimension put their nodes into a vertex set. `elements` ascending by tag,
/// with their node numbers in `nodes`; `tags`: the ascending node numbers.
void put_element_sets(const InpSets& sets, const std::vector<MshElement>& elements, const std::vector<std::int64_t>& nodes, const std::vector<std::int64_t>& tags, const Scanner& in, Mesh& mesh);

}  // namespace limber
