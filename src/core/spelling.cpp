#include "core/spelling.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace limber {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Names are short; a word from a hostile file may not be, and the distance costs length x length.
constexpr std::size_t kLongestName = 64;

// Optimal string alignment: insert, drop, change or swap two neighbours, each at cost one.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0u : 1u)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                now[j] = std::min(now[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(now);
    }
    return last[b.size()];
}

}  // namespace

std::string nearest_name(const std::string& word, std::span<const std::string> candidates) {
    if (word.empty() || word.size() > kLongestName) return {};
    std::string best;
    std::size_t best_distance = 0;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > kLongestName) continue;
        const std::size_t d = distance(word, candidate);
        // A third of the letters may differ (at least one): beyond that a suggestion misleads.
        if (d > std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3)) continue;
        if (best.empty() || d < best_distance) {
            best = candidate;
            best_distance = d;
        }
    }
    return best;
}

std::string suggestion(const std::string& word, std::span<const std::string> candidates) {
    const std::string near = nearest_name(word, candidates);
    return near.empty() ? std::string() : "; did you mean '" + near + "'?";
}

}  // namespace limber
