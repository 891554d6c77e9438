#include "methods/bem/contact_shape.hpp"

#include "methods/bem/contact_search.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr int kFinalPasses = 24;  // that only take in
constexpr int kAgain = 6;         // with equations at the present shape

}  // namespace

ContactShape::ContactShape(const FreeResponse& response, const BoundaryShape& shape, const ShapeSettings& settings,
                           std::size_t capacity)
    : response_(response),
      settings_(settings),
      capacity_(std::min(capacity, response.size())),
      normal_(outward_at_points(shape)) {}

std::size_t ContactShape::scratch_reals() const { return Search::scratch_reals(response_, capacity_); }

ShapeReport ContactShape::solve(const Input& input, ContactMark* marks, double* touch_points, double* u,
                                double* traction, double* scratch, PrescribedDirection* items) const noexcept {
    Search search(*this, input, marks, touch_points, u, scratch, items);
    ShapeReport report;
    search.begin();
    bool solved = search.solve();
    // Releasing and taking in can chase each other for ever; in the end nothing is released any more.
    const int most = settings_.passes > 1 ? settings_.passes + kFinalPasses : settings_.passes;
    for (; report.passes < most && solved; ++report.passes) {
        const bool released = settings_.passes > 1 && report.passes < settings_.passes &&
                              search.release();  // the paper's "once more" (1) takes in only
        if (!released) {
            search.spread();
            if (!search.take_in()) break;
        }
        search.follow_marks();
        solved = search.solve();
    }
    if (solved) search.spread();
    // Where obstacles are round or meet, a point that slid is no longer where its equation thinks: new equations at the
    // present shape.
    for (int again = 0; again < kAgain && settings_.passes > 1 && solved && search.slid(); ++again, ++report.passes) {
        search.take_in();
        search.rebuild(u);
        solved = search.solve();
        if (solved) search.spread();
    }
    if (!solved) {  // nothing linear fits: the undeformed body, put out
        search.fall_back();
        report.fell_back = true;
    }
    if (settings_.passes > 1) {
        search.limit();
        report.moved = search.put_out();
    }
    report.rebuilds = search.rank.rebuilds();
    std::fill(traction, traction + response_.size(), 0.0);
    const auto d = static_cast<std::size_t>(response_.dimension());
    for (std::size_t k = 0; k < search.rank.count(); ++k) {
        for (std::size_t c = 0; c < d; ++c) {
            traction[d * static_cast<std::size_t>(search.rank.item(k).node) + c] += search.tau[k] *
                                                                                    search.rank.item(k)
                                                                                        .direction[static_cast<int>(c)];
        }
    }
    return report;
}

}  // namespace limber
