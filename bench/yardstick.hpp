// What the machine can do at this moment, at this array size: the measures that every benchmark is put in ratio to.
#pragma once

#include "linalg/aligned.hpp"

#include <cstddef>
#include <vector>

namespace limber::bench {

double seconds();
double median(std::vector<double> values);

template <class F>
double time_of(F&& f) {
    const double start = seconds();
    f();
    return seconds() - start;
}

/// Arrays of a given size that are read, or written as a triad; both touch `bytes` bytes in all.
class Yardstick {
public:
    explicit Yardstick(std::size_t bytes);

    std::size_t bytes() const { return 8 * read_.size(); }
    void read() const;  ///< a sum over all of it, sixteen vector sums wide: limited by memory, not by the latency of an
                        ///< addition
    void triad();       ///< a = b + s c over three arrays of a third each, on as many threads as are set

private:
    enum class Vectors { plain, avx2, avx512 };
    Vectors read_use_, triad_use_;  // the faster of what the processor has, found once at this size
    AlignedArray read_, a_, b_, c_;
};

/// Additions and multiplications per second of one thread in fused AVX-512 or AVX2 instructions, whichever are faster
/// [1/s] (in plain ones where there are none). limber itself fuses them in fronts, clustered products, products per
/// element (AVX-512) and the two-level solver (AVX-512); elsewhere bits are the same on every machine.
double peak_flops();

/// Keeps a result alive.
void keep(double value);

}  // namespace limber::bench
