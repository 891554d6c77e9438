// Sets of an INP file by node or element number, until those numbers are known.
#pragma once

#include "io/msh/msh.hpp"

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
    struct Range {
        std::int64_t first, last, step;
    };
    struct Set {
        std::string name;
        std::vector<Range> ranges;

        void add(std::int64_t tag) { ranges.push_back({tag, tag, 1}); }
    };
    /// Sets keep the first spelling of their name, and their place.
    Set& open(const std::string& name) { return at(name); }
    /// False when there is no such set yet. Throws Error{bad_file} when sets within sets grow beyond reason.
    bool add_set(Set& set, const std::string& other, const Scanner& in);

    /// The members among the ascending `tags`, as places in them. Numbers that do not exist are passed over, as Abaqus
    /// does. Calls put(name, places) for every set.
    template <class Put>
    void resolve(const std::vector<std::int64_t>& tags, const Scanner& in, Put&& put) const {
        for (const auto& entry : sets_) put(entry.second.name, places(entry.second, tags, in));
    }
    void put(const std::vector<std::int64_t>& tags, const Scanner& in, std::map<std::string, IndexSet>& out) const;

private:
    Set& at(const std::string& name);
    /// A file of ranges could ask for far more than it holds: every place that is looked at is counted.
    static IndexSet places(const Set& set, const std::vector<std::int64_t>& tags, const Scanner& in);

    std::map<std::string, Set> sets_;  ///< by upper-case name
};

/// Sets of cells become cell sets; elements of lower dimension put their nodes into a vertex set. `elements` ascending
/// by tag, with their node numbers in `nodes`; `tags`: the ascending node numbers.
void put_element_sets(const InpSets& sets, const std::vector<MshElement>& elements,
                      const std::vector<std::int64_t>& nodes, const std::vector<std::int64_t>& tags, const Scanner& in,
                      Mesh& mesh);

}  // namespace limber
