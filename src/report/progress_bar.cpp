#include "report/progress_bar.hpp"

#include "core/text.hpp"
#include "report/files.hpp"
#include "report/interrupt.hpp"
#include "report/table.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace limber {

std::string time_left(double seconds) {
    if (!(seconds >= 0.0) || seconds > 1e8) return "a long time";
    const long s = std::lround(std::ceil(seconds));
    if (s < 100) return text(s, " s");
    if (s < 3600) return text((s + 30) / 60, " min");
    return text(s / 3600, " h ", s % 3600 / 60, " min");
}

std::string progress_line(double fraction, const std::string& what, double elapsed_s, std::size_t width) {
    const double f = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
    std::string words = text(fmt::format("{:3.0f} %  ", 100 * f), valid_utf8(what));
    // An estimate from less than a twentieth of the work or half a second misleads more than it helps.
    if (f > 0.05 && elapsed_s > 0.5) words += text(", ", time_left(elapsed_s * (1 - f) / f), " left");
    constexpr std::size_t kLongest = 30;
    const std::size_t used = display_width(words) + 4;
    const std::size_t bar = width > used ? std::min(kLongest, width - used) : 0;
    std::string line;
    if (bar >= 5) {
        const std::size_t full = static_cast<std::size_t>(std::lround(f * static_cast<double>(bar)));
        line = text("[", std::string(full, '#'), std::string(bar - full, '.'), "] ");
    }
    line += words;
    while (display_width(line) > width && !line.empty()) {
        do line.pop_back();
        while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0) == 0x80);
    }
    return line;
}

ProgressBar::ProgressBar(std::FILE* out, Style style) : out_(out), style_(style), start_(Clock::now()), last_(start_) {}

ProgressBar::~ProgressBar() { clear(); }

ProgressBar::Style ProgressBar::style_for(std::FILE* out) {
    return ::isatty(::fileno(out)) == 1 ? Style::bar : Style::lines;
}

void ProgressBar::update(double fraction, std::string_view what) {
    if (style_ == Style::silent) return;
    const Clock::time_point now = Clock::now();
    const bool next_phase = fraction < fraction_ - 0.2;
    fraction_ = fraction;
    if (next_phase) start_ = now;
    if (first_) {
        first_ = false;
        start_ = now;
        last_ = now;
        if (style_ == Style::lines) return;
    } else {
        const double since = std::chrono::duration<double>(now - last_).count();
        if (since < (style_ == Style::bar ? 0.1 : 10.0)) return;
    }
    last_ = now;
    draw(fraction, std::string(what), std::chrono::duration<double>(now - start_).count());
}

void ProgressBar::draw(double fraction, const std::string& what, double elapsed) {
    if (style_ == Style::bar) {
        const std::size_t columns = look_of(::fileno(out_)).width;
        std::fprintf(out_, "\r\x1b[2K%s",
                     progress_line(fraction, what, elapsed, columns > 1 ? columns - 1 : 79).c_str());
        drawn_ = true;
    } else {
        std::fprintf(out_, "%3.0f %%  %s\n", 100 * std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0),
                     valid_utf8(what).c_str());
    }
    std::fflush(out_);
}

void ProgressBar::clear() {
    if (drawn_) {
        std::fprintf(out_, "\r\x1b[2K");
        std::fflush(out_);
    }
    drawn_ = false;
}

bool ProgressBar::stop_requested() const { return interrupt_requested(); }

}  // namespace limber
