#include "bem/low_rank.hpp"

#include "core/parallel.hpp"
#include "linalg/dense_blas.hpp"
#include "linalg/dense_lu.hpp"
#include "linalg/small_lu.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kDependent = 1e-11;  // of a pivot's size before elimination: the rest would be rounding
constexpr double kGoodResidual = 1e-12;
constexpr double kBadResidual = 1e-6;
constexpr std::size_t kRowsPerBlock = 1024;

}  // namespace

LowRank::LowRank(const FreeResponse& response, std::size_t capacity, double* memory, PrescribedDirection* items,
                 bool reuse_partly)
    : response_(response),
      capacity_(capacity),
      matrix_(memory),
      inverse_(memory + capacity * capacity),
      row_(inverse_ + capacity * capacity),
      column_(row_ + capacity),
      work_(column_ + capacity),
      residual_(work_ + capacity),
      fields_(residual_ + capacity),
      items_(items),
      pivots_(reinterpret_cast<std::int32_t*>(fields_ + kMaxExtra * capacity)),
      reuse_partly_(reuse_partly),
      owner_(fields_ + (kMaxExtra + 1) * capacity),
      factored_(owner_ + 1),
      whole_(owner_ + 2),
      entered_(owner_ + 3),
      listed_(owner_ + 4) {}

void LowRank::clear() noexcept {
    count_ = built_ = 0;
    rebuilds_ = 0;
    ready_ = inverted_ = true;
    known_ = 0;
    *factored_ = *entered_ = 0.0;
}

void LowRank::begin_bulk() noexcept {
    if (*owner_ != static_cast<double>(response_.id())) *factored_ = *entered_ = *whole_ = 0.0;
    known_ = built_ = static_cast<std::size_t>(*factored_);
    count_ = 0;
    ready_ = inverted_ = false;
}

void LowRank::times(const double* matrix, const double* x, double* y) const noexcept {
    if (count_ > kMany) return dense_times(matrix, count_, count_, capacity_, x, y);
    std::fill(y, y + count_, 0.0);
    for (std::size_t j = 0; j < count_; ++j)
        for (std::size_t i = 0; i < count_; ++i) y[i] += matrix[j * capacity_ + i] * x[j];
}

bool LowRank::insert(const PrescribedDirection& item) noexcept {
    if (count_ >= capacity_) return false;
    const std::size_t s = count_;
    if (!inverted_ || s >= kIncremental) {
        if (s < known_ && !(items_[s] == item)) known_ = built_ = s;
        items_[s] = item;
        ++count_;
        ready_ = inverted_ = false;
        return true;
    }
    build();
    for (std::size_t i = 0; i < s; ++i) {
        m(i, s) = entry(items_[i], item);
        m(s, i) = entry(item, items_[i]);
    }
    m(s, s) = entry(item, item);
    if (!ready_ && !rebuild()) return false;
    times(inverse_, &m(0, s), column_);    // M^-1 c
    for (std::size_t j = 0; j < s; ++j) {  // r M^-1
        double sum = 0.0;
        for (std::size_t i = 0; i < s; ++i) sum += m(s, i) * inv(i, j);
        row_[j] = sum;
    }
    double pivot = m(s, s);
    for (std::size_t i = 0; i < s; ++i) pivot -= m(s, i) * column_[i];
    if (!(std::abs(pivot) > kDependent * std::abs(m(s, s)))) return false;
    for (std::size_t j = 0; j < s; ++j)
        for (std::size_t i = 0; i < s; ++i) inv(i, j) += column_[i] * row_[j] / pivot;
    for (std::size_t i = 0; i < s; ++i) {
        inv(i, s) = -column_[i] / pivot;
        inv(s, i) = -row_[i] / pivot;
    }
    inv(s, s) = 1.0 / pivot;
    items_[s] = item;
    built_ = ++count_;
    return true;
}

void LowRank::swap_items(std::size_t a, std::size_t b) noexcept {
    std::swap(items_[a], items_[b]);
    const bool both = inverted_ && ready_;
    for (std::size_t j = 0; j < count_; ++j) {
        std::swap(m(a, j), m(b, j));
        if (both) std::swap(inv(a, j), inv(b, j));
    }
    for (std::size_t i = 0; i < count_; ++i) {
        std::swap(m(i, a), m(i, b));
        if (both) std::swap(inv(i, a), inv(i, b));
    }
}

void LowRank::remove(std::size_t index) noexcept {
    build();
    known_ = 0;
    *factored_ = *entered_ = 0.0;
    const std::size_t last = count_ - 1;
    if (index != last) swap_items(index, last);
    if (!inverted_ || !ready_) {
        built_ = --count_;
        ready_ = false;
        return;
    }
    const double pivot = inv(last, last);
    double size = 0.0;
    for (std::size_t i = 0; i < last; ++i) size = std::max(size, std::abs(inv(i, last)));
    built_ = --count_;
    // The pivot is the inverse of what the item adds to the others; near zero the formula has no digits left.
    if (!(std::abs(pivot) > 1e-10 * size)) {
        ++rebuilds_;
        ready_ = false;
        return;
    }
    for (std::size_t j = 0; j < last; ++j)
        for (std::size_t i = 0; i < last; ++i) inv(i, j) -= inv(i, last) * inv(last, j) / pivot;
}

bool LowRank::rebuild(bool exchange) noexcept {
    inverted_ = inverted_ || count_ <= kMany;
    const std::size_t first = inverted_ || exchange ? 0 : std::min(known_, count_);
    for (std::size_t j = 0; j < count_; ++j)
        for (std::size_t i = j < first ? first : 0; i < count_; ++i) inv(i, j) = m(i, j);
    exchanged_ = exchange;
    if (inverted_) {
        ready_ = invert_in_place(inverse_, count_, capacity_, work_);
    } else {
        ready_ = exchange ? lu_in_place(inverse_, count_, capacity_, pivots_)
                          : lu_continue(inverse_, count_, capacity_, first);
    }
    known_ = ready_ && !inverted_ && !exchange ? count_ : 0;
    *owner_ = static_cast<double>(response_.id());
    *factored_ = static_cast<double>(known_);
    *whole_ = first == 0 ? *factored_ : 0.0;
    return ready_ || (!inverted_ && !exchange && rebuild(true));
}

void LowRank::apply_inverse(const double* b, double* x) const noexcept {
    if (inverted_) return times(inverse_, b, x);
    std::copy(b, b + count_, x);
    lu_solve(inverse_, count_, capacity_, exchanged_ ? pivots_ : nullptr, x);
}

double LowRank::refine(const double* target, double* tau) noexcept {
    double size = 0.0, left = 0.0;
    for (int pass = 0; pass < 3; ++pass) {
        times(matrix_, tau, residual_);
        size = left = 0.0;
        for (std::size_t i = 0; i < count_; ++i) {
            residual_[i] = target[i] - residual_[i];
            left = std::max(left, std::abs(residual_[i]));
            size = std::max(size, std::abs(target[i]));
        }
        if (size == 0.0 || left <= kGoodResidual * size) break;
        if (pass == 2) break;
        apply_inverse(residual_, work_);
        for (std::size_t i = 0; i < count_; ++i) tau[i] += work_[i];
    }
    return size == 0.0 ? left : left / size;
}

bool LowRank::solve(const double* target, double* tau) noexcept {
    build();
    if (!ready_ && !rebuild()) return false;
    for (int attempt = 0; attempt < 2; ++attempt) {
        apply_inverse(target, tau);
        const double left = refine(target, tau);
        if (left <= 1e3 * kGoodResidual) return true;
        if (attempt == 1) return left <= kBadResidual;
        ++rebuilds_;
        if (!rebuild(true)) return false;
    }
    return false;
}

bool LowRank::solve(const double* target, const double* field, const double* weight, const double* sum,
                    std::size_t extra, double* tau, double* amplitude) noexcept {
    if (!solve(target, tau)) return false;
    double small[kMaxExtra * kMaxExtra], right[kMaxExtra];
    for (std::size_t e = 0; e < extra; ++e)
        if (!solve(field + e * count_, fields_ + e * capacity_)) return false;
    for (std::size_t k = 0; k < extra; ++k) {
        right[k] = -sum[k];
        for (std::size_t i = 0; i < count_; ++i) right[k] += weight[k * count_ + i] * tau[i];
        for (std::size_t e = 0; e < extra; ++e) {
            double value = 0.0;
            for (std::size_t i = 0; i < count_; ++i) value += weight[k * count_ + i] * fields_[e * capacity_ + i];
            small[e * kMaxExtra + k] = value;
        }
    }
    if (!solve_in_place(small, extra, kMaxExtra, right)) return false;
    for (std::size_t e = 0; e < extra; ++e) {
        amplitude[e] = right[e];
        for (std::size_t i = 0; i < count_; ++i) tau[i] -= right[e] * fields_[e * capacity_ + i];
    }
    return true;
}

void LowRank::add_displacement(const double* tau, double* u) const noexcept {
    const bool planar = response_.dimension() == 2;
    parallel_blocks(response_.size(), kRowsPerBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t k = 0; k < count_;) {
            const auto node = static_cast<std::size_t>(items_[k].node);
            Vec3 by;
            for (; k < count_ && static_cast<std::size_t>(items_[k].node) == node; ++k)
                by += items_[k].direction * tau[k];
            const double *x = response_.column(node, 0), *y = response_.column(node, 1),
                         *z = planar ? x : response_.column(node, 2);
            // Most that touches lies on a floor: columns that count nothing are not read.
            if (by.x == 0.0 && by.z == 0.0)
                for (std::size_t i = begin; i < end; ++i) u[i] += by.y * y[i];
            else if (planar)
                for (std::size_t i = begin; i < end; ++i) u[i] += by.x * x[i] + by.y * y[i];
            else
                for (std::size_t i = begin; i < end; ++i) u[i] += by.x * x[i] + by.y * y[i] + by.z * z[i];
        }
    });
}

Vec3 LowRank::displacement_at(std::size_t node, const double* tau) const noexcept {
    const int d = response_.dimension();
    const std::size_t at = static_cast<std::size_t>(d) * node;
    Vec3 sum;
    for (std::size_t k = 0; k < count_; ++k) {
        for (int c = 0; c < d; ++c) {
            const double* column = response_.column(static_cast<std::size_t>(items_[k].node), c) + at;
            sum += Vec3{column[0], column[1], d == 3 ? column[2] : 0.0} * (items_[k].direction[c] * tau[k]);
        }
    }
    return sum;
}

void LowRank::export_small(std::vector<double>& out) {
    build();
    out.clear();
    for (const double* from : {matrix_, inverse_}) {
        for (std::size_t j = 0; j < count_; ++j)
            out.insert(out.end(), from + j * capacity_, from + j * capacity_ + count_);
    }
}

void LowRank::import_small(const std::vector<double>& from, const std::vector<PrescribedDirection>& items) noexcept {
    count_ = built_ = items.size();
    known_ = 0;
    *factored_ = *entered_ = 0.0;
    ready_ = inverted_ = count_ <= kIncremental;  // a factor is made anew
    rebuilds_ = 0;
    std::copy(items.begin(), items.end(), items_);
    const double* at = from.data();
    for (double* to : {matrix_, inverse_})
        for (std::size_t j = 0; j < count_; ++j, at += count_) std::copy(at, at + count_, to + j * capacity_);
}

double LowRank::growth() const noexcept {
    double size = 0.0, inverse_size = 0.0;
    for (std::size_t i = 0; i < count_; ++i) {
        double a = 0.0, b = 0.0;
        for (std::size_t j = 0; j < count_; ++j) {
            a += std::abs(m(i, j));
            b += std::abs(inv(i, j));
        }
        size = std::max(size, a);
        inverse_size = std::max(inverse_size, b);
    }
    return size * inverse_size;
}

}  // namespace limber
