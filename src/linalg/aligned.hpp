// A fixed-size array of doubles on a cache line (large ones on huge pages): what streaming loops read.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace limber {

class AlignedArray {
public:
    AlignedArray() = default;
    /// Zero-filled.
    explicit AlignedArray(std::size_t size) : size_(size) {
        if (size == 0) return;
        // A stream over 4 KiB pages spends a good part of its time on address translation.
        const std::size_t page = size * sizeof(double) >= kHuge ? kHuge : 64;
        const std::size_t bytes = (size * sizeof(double) + page - 1) / page * page;
        data_ = static_cast<double*>(std::aligned_alloc(page, bytes));
        if (data_ == nullptr) throw std::bad_alloc();
#if defined(__linux__)
        if (page == kHuge) madvise(data_, bytes, MADV_HUGEPAGE);   // only a wish: refusal is no fault
#endif
        for (std::size_t i = 0; i < size; ++i) data_[i] = 0.0;
    }
    AlignedArray(AlignedArray&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    AlignedArray& operator=(AlignedArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    AlignedArray(const AlignedArray&) = delete;
    AlignedArray& operator=(const AlignedArray&) = delete;
    ~AlignedArray() { std::free(data_); }

    double* data() { return data_; }
    const double* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    static constexpr std::size_t kHuge = std::size_t{1} << 21;
    double* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace limber
