// A piece of work that is part of a larger one: its progress is scaled into the larger one's.
#pragma once

#include <limber/progress.hpp>

#include <string>
#include <utility>

namespace limber {

/// A part [low, high] of somebody's progress.
class PartOfProgress : public Progress {
public:
    PartOfProgress(Progress& whole, double low, double high) : whole_(whole), low_(low), high_(high) {}
    void update(double fraction, std::string_view what) override {
        whole_.update(low_ + (high_ - low_) * fraction, words_.empty() ? what : words_);
    }
    bool stop_requested() const override { return whole_.stop_requested(); }
    void name(std::string words) { words_ = std::move(words); }
    /// Throws Error{interrupted} when asked to stop.
    void check() const;

private:
    Progress& whole_;
    double low_, high_;
    std::string words_;
};

}  // namespace limber
