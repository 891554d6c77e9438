#include "study/sweep_store.hpp"

#include "core/text.hpp"
#include "report/claims.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace limber {
namespace {

using nlohmann::json;
constexpr int kFormat = 1;

[[noreturn]] void fail(const std::string& path, const char* action, int reason) {
    throw Error(Fault::bad_file, {path, 0, {}}, text(action, ": ", std::generic_category().message(reason)));
}

/// {..., "check": hash of the line without it}
std::string sealed(json line) {
    line["check"] = text_hash(line.dump(-1, ' ', true, json::error_handler_t::replace));
    return line.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
}

/// The line, when it is whole and its check is right.
std::optional<json> unsealed(const std::string& line) {
    json value = json::parse(line, nullptr, false);
    if (!value.is_object() || !value.contains("check") || !value["check"].is_string()) return std::nullopt;
    const std::string check = value["check"];
    value.erase("check");
    if (text_hash(value.dump(-1, ' ', true, json::error_handler_t::replace)) != check) return std::nullopt;
    return value;
}

json head_of(const StoreKey& key) {
    json head{{"limber sweep", kFormat}};
    for (const auto& [name, value] : key) head["key"][name] = value;
    return head;
}

json line_of(std::size_t point, const PointResult& r) {
    return {{"point", point},
            {"status", to_string(r.status)},
            {"cause", r.cause},
            {"steps", r.steps},
            {"values", json_numbers(r.values)},
            {"prepare_ms", json_number(r.prepare_ms)},
            {"step_ms", json_number(r.step_ms)},
            {"total_ms", json_number(r.total_ms)}};
}

PointResult result_of(const json& line) {
    PointResult r;
    const std::string status = line.at("status");
    r.status = status == "done" ? PointStatus::done : status == "refused" ? PointStatus::refused : PointStatus::trouble;
    r.cause = line.at("cause");
    r.steps = line.at("steps");
    for (const json& v : line.at("values"))
        r.values.push_back(v.is_number() ? v.get<double>() : std::numeric_limits<double>::quiet_NaN());
    const auto ms = [&](const char* name) { return line.at(name).is_number() ? line.at(name).get<double>() : 0.0; };
    r.prepare_ms = ms("prepare_ms");
    r.step_ms = ms("step_ms");
    r.total_ms = ms("total_ms");
    return r;
}

std::string whole_content(const std::string& path, int file) {
    std::string out;
    char buffer[1 << 16];
    for (;;) {
        const ssize_t n = ::read(file, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(path, "cannot be read", errno);
        if (n == 0) return out;
        out.append(buffer, static_cast<std::size_t>(n));
    }
}

/// Whole lines only: what follows the last line break was cut off.
std::vector<std::string> lines_of(const std::string& content) {
    std::vector<std::string> lines;
    for (std::size_t start = 0, end; (end = content.find('\n', start)) != std::string::npos; start = end + 1)
        lines.push_back(content.substr(start, end - start));
    return lines;
}

/// Names what differs, so that the user knows whether it was meant.
void check_head(const std::string& path, const json& head, const StoreKey& key) {
    std::string changed;
    for (const auto& [name, value] : key) {
        const bool same = head.contains("key") && head["key"].contains(name) && head["key"][name] == value;
        if (!same) changed += text(changed.empty() ? "" : ", ", name);
    }
    if (head.value("limber sweep", 0) != kFormat) changed = "the format of this file";
    if (!changed.empty()) {
        throw Error(Fault::bad_usage, {path, 0, {}}, text("points of another sweep: ", changed, " changed"),
                    "the same command as before, another -o, or --fresh to start over");
    }
}

}  // namespace

std::string text_hash(std::string_view bytes) {
    std::uint64_t h = 0xcbf29ce484222325ull;
    for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return fmt::format("{:#018x}", h);
}

SweepStore::SweepStore(std::string path, const StoreKey& key, std::size_t columns, bool fresh)
    : path_(std::move(path)) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file_ < 0) fail(path_, "cannot be written", errno);
    try {
        struct stat info {};
        if (::fstat(file_, &info) != 0) fail(path_, "cannot be read", errno);
        if (!S_ISREG(info.st_mode)) {
            throw Error(Fault::bad_usage, {path_, 0, {}}, "is not a regular file",
                        "the points of a sweep, or nothing there");
        }
        lock(fresh);
        read(key, columns);
    } catch (...) {
        ::close(file_);
        throw;
    }
}

SweepStore::~SweepStore() { ::close(file_); }

void SweepStore::lock(bool fresh) {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) fail(path_, "cannot be locked", errno);
        throw Error(Fault::bad_usage, {path_, 0, {}}, "another sweep is writing here", "its end, or another -o");
    }
    if (fresh && ::ftruncate(file_, 0) != 0) fail(path_, "cannot be emptied", errno);
}

void SweepStore::read(const StoreKey& key, std::size_t columns) {
    const std::string content = whole_content(path_, file_);
    const std::vector<std::string> lines = lines_of(content);
    std::optional<json> head;
    if (!lines.empty()) head = unsealed(lines[0]);
    // A torn head is the mark of a sweep killed at birth, with nothing after it; anything else without one is not ours
    // to overwrite.
    if (!head && (lines.size() > 1 || content.size() > (1u << 16) || (!content.empty() && content[0] != '{'))) {
        throw Error(Fault::bad_usage, {path_, 0, {}}, "not the points of a sweep, or damaged",
                    "another -o, or --fresh to overwrite it");
    }
    std::string good = sealed(head_of(key));
    if (head) check_head(path_, *head, key);
    for (std::size_t i = 1; head && i < lines.size(); ++i) {
        const std::optional<json> line = unsealed(lines[i]);
        if (!line || !line->contains("point")) continue;
        PointResult result = result_of(*line);
        if (result.values.size() != columns ||
            !points_.emplace((*line)["point"].get<std::size_t>(), std::move(result)).second) {
            continue;
        }
        good += lines[i] + "\n";
    }
    if (good == content) return;
    // Only a torn tail (or nothing) is replaced here, and the head was whole or absent: a kill in between loses points,
    // never truth.
    if (content.size() > good.size() && content.compare(0, good.size(), good) == 0) {
        if (::ftruncate(file_, static_cast<off_t>(good.size())) != 0) fail(path_, "cannot be mended", errno);
        return;
    }
    if (::ftruncate(file_, 0) != 0 || ::lseek(file_, 0, SEEK_SET) != 0) fail(path_, "cannot be written", errno);
    write_line(good);
}

void SweepStore::write_line(const std::string& line) {
    if (::lseek(file_, 0, SEEK_END) < 0) fail(path_, "cannot be written", errno);
    for (std::size_t at = 0; at < line.size();) {
        const ssize_t n = ::write(file_, line.data() + at, line.size() - at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(path_, "cannot be written", errno);
        at += static_cast<std::size_t>(n);
    }
    if (::fsync(file_) != 0 && errno != EINVAL) fail(path_, "cannot be written", errno);
}

void SweepStore::add(std::size_t point, const PointResult& result) {
    write_line(sealed(line_of(point, result)));
    points_.emplace(point, result);
}

}  // namespace limber
