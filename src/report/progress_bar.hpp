// Progress on stderr: a bar with the time left on a terminal, an occasional line elsewhere; stops on Ctrl-C.
#pragma once

#include <limber/progress.hpp>

#include <chrono>
#include <cstdio>
#include <string>

namespace limber {

class ProgressBar : public Progress {
public:
    enum class Style { bar, lines, silent };

    /// Draws to `out`, which outlives it. `bar` redraws in place; `lines` prints at most every ten seconds.
    ProgressBar(std::FILE* out, Style style);
    ~ProgressBar() override;
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void update(double fraction, std::string_view what) override;
    /// True after Ctrl-C (interrupt.hpp).
    bool stop_requested() const override;
    /// Removes the bar, so that other text can follow.
    void clear();

    /// `bar` when the stream is a terminal, `lines` otherwise.
    static Style style_for(std::FILE* out);

private:
    using Clock = std::chrono::steady_clock;
    void draw(double fraction, const std::string& what, double elapsed);

    std::FILE* out_;
    Style style_;
    Clock::time_point start_, last_;
    bool drawn_ = false, first_ = true;
    double fraction_ = 0.0;  // the last one seen; a fall means that another phase has begun
};

/// "[#####.....]  50 %  factoring, 12 s left"; never wider than `width` columns.
std::string progress_line(double fraction, const std::string& what, double elapsed_s, std::size_t width);
/// "8 s", "3 min", "1 h 20 min"
std::string time_left(double seconds);

}  // namespace limber
