// Candidates of a comparison: one scene in every combination of methods and varied values, and results read from files.
#pragma once

#include "scene_file/scene_set.hpp"

#include <limber/tools/scene.hpp>
#include <limber/tools/series.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limber {

/// One thing that is varied, and what it is set to in one candidate.
struct Choice {
    std::string axis;    ///< as typed: "scheme", "step", "material.young"; "method" for the method
    std::string value;   ///< as typed: "bdf2", "1/60"
    bool words = false;  ///< the value says by itself what it is ("bdf2"); a number does not
};

/// One row of a comparison before it has run: a scene, or a file with somebody's result.
struct Candidate {
    std::string name;  ///< different for each
    std::vector<Choice> choices;
    std::optional<Scene> scene;
    SeriesSource file;  ///< when its path is not empty
    std::string fault;  ///< why it cannot run; "" = it can
};

/// As typed on a command line.
struct CandidateRequest {
    std::string scene_path;
    std::vector<std::string> sets;     ///< "path=value", for all of them
    std::vector<std::string> methods;  ///< "name" or "name:option=value,..."; "all"; none = the scene's own
    std::vector<std::string> vary;     ///< "path=v1,v2,..." or "path=all"
    std::vector<std::string> files;    ///< "name=file" or "name=file:rate=25,unit=mm,up=z,match=by_index"
    Progress* progress = nullptr;      ///< told how far the filling of solids is; nullptr = silent
};

struct CandidateList {
    Scene base;                         ///< the scene with `sets` alone
    std::string scene_json;             ///< the same as text
    std::vector<Candidate> candidates;  ///< methods slowest, the last varied path fastest, files last
};

/// More than this is a sweep, or a typing mistake.
inline constexpr std::size_t kMaxCandidates = 500;

/// A combination that makes no scene becomes a candidate with a fault. Throws Error{bad_usage} for a path, name or
/// value that means nothing in any method, and whatever read_scene throws for the scene itself.
CandidateList list_candidates(const CandidateRequest& request);

/// "a,[1,2],\"x,y\"" at its outer commas: a vector is one value.
std::vector<std::string> split_values(std::string_view typed, char separator = ',');
/// False for a word where a number belongs; what is quoted or in brackets is left to the scene's own checks.
bool may_be_value(const ScenePathTarget& target, const std::string& typed);
/// "name" and the pairs of "name:key=value,key=value". A word without "=" is a key with an empty value.
struct NamedOptions {
    std::string name;
    std::vector<std::pair<std::string, std::string>> options;
};
NamedOptions split_options(const std::string& typed);
/// A method's option from text; throws Error{bad_option | bad_usage} naming `argument`.
OptionValue parse_option(const OptionTable& table, const std::string& option, const std::string& value,
                         const std::string& argument);
/// "file" or "file:rate=25,unit=mm,up=z,match=by_index,rest=FILE"; throws Error{bad_usage}.
SeriesSource parse_series_source(const std::string& typed, const std::string& argument);

}  // namespace limber
