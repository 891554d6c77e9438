#include "reproduce/strain/strain.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace limber {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// What the mesh alone does to the answer: its ratio to the truth at the smallest amplitude, where the two truths are
/// one. 1 where they are zero or already apart.
double mesh_factor(const StrainQuantity& q, const StrainRow& row) {
    const double a = row.amplitude[0], value = row.measured[0];
    const bool one_truth = row.apart[0] < 1e-5 && std::abs(q.linear(a)) > 0.5 * q.scale(a);
    return one_truth && std::isfinite(value) ? value / q.linear(a) : 1.0;
}

/// The power at which the method leaves Green strain, where the leading term of linear strain's departure still rules.
double departure_exponent(const StrainQuantity& q, const StrainRow& row) {
    const double factor = mesh_factor(q, row);
    std::vector<double> x, y;
    for (std::size_t i = 0; i < row.amplitude.size(); ++i) {
        if (!(row.apart[i] > 1e-5 && row.apart[i] < 0.02)) continue;
        const double departure = q.against_green(row.amplitude[i], row.measured[i] / factor);
        if (!(departure > 0.05 * row.apart[i])) return kNaN;
        x.push_back(row.amplitude[i]);
        y.push_back(departure);
    }
    return fitted_exponent(x, y);
}

/// Judged at the last amplitude it reached.
std::string followed(const StrainRow& row) {
    for (std::size_t i = row.amplitude.size(); i-- > 0;) {
        if (!std::isfinite(row.measured[i])) continue;
        if (row.against_linear[i] < 0.1 * row.apart[i]) return "linear strain";
        return row.against_green[i] < 0.1 * row.apart[i] ? "Green strain" : "neither";
    }
    return "nothing";
}

}  // namespace

double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y) {
    const std::size_t n = std::min(x.size(), y.size());
    if (n < 3) return kNaN;
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        mean_x += std::log(x[i]) / static_cast<double>(n);
        mean_y += std::log(y[i]) / static_cast<double>(n);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double dx = std::log(x[i]) - mean_x;
        xx += dx * dx;
        xy += dx * (std::log(y[i]) - mean_y);
    }
    return xy / xx;
}

double amplitude_at(const std::vector<double>& amplitude, const std::vector<double>& error, double level) {
    for (std::size_t i = 0; i < amplitude.size(); ++i) {
        if (!(error[i] > level)) continue;
        if (i == 0) return kNaN;
        if (!(error[i - 1] > 0.0)) return amplitude[i];
        const double part = std::log(level / error[i - 1]) / std::log(error[i] / error[i - 1]);
        return amplitude[i - 1] * std::pow(amplitude[i] / amplitude[i - 1], part);
    }
    // A run that failed is no proof that the error stays small beyond it.
    for (std::size_t i = amplitude.size(); i-- > 0;)
        if (std::isfinite(error[i])) return amplitude[i];
    return kNaN;
}

StrainLimits predicted_limits(const StrainCase& c, const StrainQuantity& q) {
    const auto limit = [&](double level) {
        double low = 1e-3, high = c.largest;
        if (q.apart(low) > level) return kNaN;
        if (q.apart(high) <= level) return high;
        for (int i = 0; i < 60 && high - low > 1e-10 * high; ++i) {
            const double middle = std::sqrt(low * high);
            (q.apart(middle) > level ? high : low) = middle;
        }
        return low;
    };
    return {limit(0.01), limit(0.05)};
}

std::vector<StrainRow> measured_rows(const StrainCase& c, const StrainRun& run) {
    std::vector<StrainRow> rows;
    for (std::size_t k = 0; k < c.quantities.size() && run.left_out.empty(); ++k) {
        const StrainQuantity& q = c.quantities[k];
        StrainRow row;
        row.case_name = c.name;
        row.quantity = q.name;
        row.method = run.method;
        row.cells = run.cells;
        row.how = run.how;
        for (const StrainPoint& point : run.points) {
            row.amplitude.push_back(point.amplitude);
            row.measured.push_back(point.measured[k]);
            row.against_linear.push_back(q.against_linear(point.amplitude, point.measured[k]));
            row.against_green.push_back(q.against_green(point.amplitude, point.measured[k]));
            row.apart.push_back(q.apart(point.amplitude));
            if (std::isfinite(point.measured[k])) continue;
            if (row.failed++ == 0) row.trouble = point.trouble;
        }
        row.expected_exponent = q.exponent;
        row.exponent = departure_exponent(q, row);
        row.limits = {amplitude_at(row.amplitude, row.against_green, 0.01),
                      amplitude_at(row.amplitude, row.against_green, 0.05)};
        row.expected = predicted_limits(c, q);
        row.follows = followed(row);
        rows.push_back(std::move(row));
    }
    return rows;
}

void run_every_method(const std::vector<StrainCase>& cases, StrainReport& report, Progress& progress) {
    const std::vector<const Method*> methods = all_methods();
    const double share = 1.0 / static_cast<double>(cases.size() * methods.size());
    double done = 0.0;
    for (const StrainCase& c : cases) {
        for (const Method* method : methods) {
            PartOfProgress part(progress, done, done + share);
            done += share;
            const StrainRun run = run_strain_case(c, *method, c.amplitudes(report.settings.per_decade()), part);
            if (!run.left_out.empty()) report.left_out.push_back({c.name, run.method, run.left_out});
            for (StrainRow& row : measured_rows(c, run)) report.rows.push_back(std::move(row));
        }
    }
}

StrainReport reproduce_strain(const StrainSettings& settings, Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    StrainReport report;
    report.settings = settings;
    PartOfProgress cases(progress, 0.0, 0.6), rest(progress, 0.6, 1.0);
    run_every_method(strain_cases(), report, cases);
    report.incompressible = study_incompressible({settings.quick, settings.command}, rest);
    report.claims = strain_claims(report.rows);
    report.plots = strain_plots(settings, report.rows);
    report.claims.insert(report.claims.end(), report.incompressible.claims.begin(), report.incompressible.claims.end());
    report.plots.insert(report.plots.end(), report.incompressible.plots.begin(), report.incompressible.plots.end());
    report.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace limber
