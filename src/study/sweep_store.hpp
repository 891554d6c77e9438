// What a sweep has finished so far, on disk: one checked line per point, safe against being killed at any moment.
#pragma once

#include "study/sweep_point.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace limber {

/// What the points of a file belong to: each thing by name, and its text or hash.
using StoreKey = std::vector<std::pair<std::string, std::string>>;

/// DIR/points.jsonl. The first line says what the sweep was made of; another sweep's file is refused, not mixed with.
/// One program at a time: the file is locked while the store lives.
class SweepStore {
public:
    /// Reads what is there; `fresh` throws it away first. A line that was cut off or damaged counts as a point not
    /// done. Throws Error{bad_usage} for a file of another sweep or one that is in use, Error{bad_file}.
    SweepStore(std::string path, const StoreKey& key, std::size_t columns, bool fresh);
    ~SweepStore();
    SweepStore(const SweepStore&) = delete;
    SweepStore& operator=(const SweepStore&) = delete;

    const std::map<std::size_t, PointResult>& points() const { return points_; }
    /// On disk when it returns. Not for several threads at once.
    void add(std::size_t point, const PointResult& result);

private:
    void lock(bool fresh);
    void read(const StoreKey& key, std::size_t columns);
    void write_line(const std::string& line);

    std::string path_;
    int file_ = -1;
    std::map<std::size_t, PointResult> points_;
};

/// "0x..." of 64-bit FNV-1a.
std::string text_hash(std::string_view bytes);

}  // namespace limber
