#include "bench.hpp"
#include "yardstick.hpp"

#include <algorithm>
#include <numeric>

namespace limber::bench {
namespace {

/// Google Benchmark keeps time and rounds; the words are ours (report.cpp).
class Silent final : public benchmark::BenchmarkReporter {
public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
};

constexpr std::size_t kBaselineRounds = 7;
constexpr double kBaselineTime = 2.0;         // [s]; a slow baseline is timed once
constexpr int kYardsticks = 5;                // per round of a dear case, of which there are few
constexpr std::size_t kLeastBytes = 1 << 15;  // below this a timer sees only itself

double limit_time(const Work& work, double read_rate, double triad_rate, double peak) {
    const double bytes = static_cast<double>(work.bytes) * work.passes / work.units;
    switch (work.limit) {
        case Limit::read: return bytes / read_rate;
        case Limit::triad: return bytes / triad_rate;
        case Limit::flops: return work.flops / work.units / peak;
    }
    return 0.0;
}

double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }
double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

Result duel(benchmark::State& state, const Work& work) {
    Yardstick yardstick(std::max(work.bytes, kLeastBytes));
    const int passes = std::max(1,
                                static_cast<int>(work.passes));  // repeated as the subject repeats: in the same cache
    std::vector<double> time, read, triad, baseline;
    work.subject();  // warm
    yardstick.read();
    yardstick.triad();
    for (auto _ : state) {
        time.push_back(time_of(work.subject));
        for (int k = 0; k < (work.dear ? kYardsticks : 1); ++k) {
            read.push_back(time_of([&] {
                for (int i = 0; i < passes; ++i) yardstick.read();
            }));
            triad.push_back(time_of([&] {
                for (int i = 0; i < passes; ++i) yardstick.triad();
            }));
        }
        if (work.baseline && baseline.size() < kBaselineRounds && sum(baseline) < kBaselineTime)
            baseline.push_back(time_of(work.baseline));
        state.SetIterationTime(time.back());
    }
    Result r;
    r.time = median(time) / work.units;
    r.best = least(time) / work.units;
    r.bytes = work.bytes;
    const double bytes = static_cast<double>(yardstick.bytes()) * passes;
    r.read_rate = bytes / median(read);
    r.triad_rate = bytes / median(triad);
    r.peak = peak_flops();
    r.flops = work.flops / work.units;
    r.against = work.against;
    r.limit_time = limit_time(work, r.read_rate, r.triad_rate, r.peak);
    r.ratio = r.time / r.limit_time;
    r.best_ratio = r.best / limit_time(work, bytes / least(read), bytes / least(triad), r.peak);
    r.baseline = work.baseline ? work.baseline_name : "";
    r.baseline_time = median(baseline) / work.units;
    r.baseline_best = baseline.empty() ? 0.0 : least(baseline) / work.units;
    r.rounds = static_cast<int>(time.size());
    return r;
}

}  // namespace

std::vector<Result> run_cases(const Cases& cases, const Settings& settings,
                              const std::function<void(const std::string&, std::size_t)>& on_start) {
    std::vector<Result> results;
    Silent silent;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        on_start(cases[i].name, i);
        const Work work = cases[i].set_up();
        const int rounds = work.dear ? std::max(3, settings.rounds / 10) : settings.rounds;
        benchmark::ClearRegisteredBenchmarks();
        benchmark::RegisterBenchmark(cases[i].name.c_str(),
                                     [&](benchmark::State& state) {
                                         results.push_back(duel(state, work));
                                         results.back().name = cases[i].name;
                                     })
            ->Iterations(rounds)
            ->UseManualTime();
        benchmark::RunSpecifiedBenchmarks(&silent);
    }
    return results;
}

}  // namespace limber::bench
