// A fixed-size array of numbers on a cache line (large ones on huge pages): what streaming loops read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace limber {

/// T is double or float.
template <class T>
class AlignedArrayOf {
public:
    AlignedArrayOf() = default;
    /// Zero-filled.
    explicit AlignedArrayOf(std::size_t size) : AlignedArrayOf(size, Raw{}) {
        if (pages_ == nullptr)
            for (std::size_t i = 0; i < size; ++i) data_[i] = T{};
    }
    /// Filled with whatever was there: for what is written before it is read.
    static AlignedArrayOf raw(std::size_t size) { return AlignedArrayOf(size, Raw{}); }
    AlignedArrayOf(AlignedArrayOf&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          pages_(std::exchange(other.pages_, nullptr)) {}
    AlignedArrayOf& operator=(AlignedArrayOf&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(pages_, other.pages_);
        return *this;
    }
    AlignedArrayOf(const AlignedArrayOf&) = delete;
    AlignedArrayOf& operator=(const AlignedArrayOf&) = delete;
    ~AlignedArrayOf() { release(); }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    struct Raw {};
    AlignedArrayOf(std::size_t size, Raw) : size_(size) {
        if (size == 0 || allocate_pages()) return;
        const std::size_t bytes = (size * sizeof(T) + 63) / 64 * 64;
        data_ = static_cast<T*>(std::aligned_alloc(64, bytes));
        if (data_ == nullptr) throw std::bad_alloc();
    }
    static constexpr std::size_t kHuge = std::size_t{1} << 21;
    std::size_t mapped_bytes() const { return (size_ * sizeof(T) + 2 * kHuge - 1) / kHuge * kHuge; }

#if defined(__linux__)
    // Large ones straight from the kernel: zero already, and in memory only where something was written. A stream over
    // 4 KiB pages spends a good part of its time on address translation.
    bool allocate_pages() {
        if (size_ * sizeof(T) < kHuge) return false;
        pages_ = mmap(nullptr, mapped_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages_ == MAP_FAILED) {
            pages_ = nullptr;
            throw std::bad_alloc();
        }
        madvise(pages_, mapped_bytes(), MADV_HUGEPAGE);  // only a wish: refusal is no fault
        const auto at = reinterpret_cast<std::uintptr_t>(pages_);
        data_ = reinterpret_cast<T*>(static_cast<char*>(pages_) + (kHuge - at % kHuge) % kHuge);
        return true;
    }
    void release() {
        if (pages_ != nullptr)
            munmap(pages_, mapped_bytes());
        else
            std::free(data_);
    }
#else
    bool allocate_pages() { return false; }
    void release() { std::free(data_); }
#endif

    T* data_ = nullptr;
    std::size_t size_ = 0;
    void* pages_ = nullptr;  // what the kernel gave, when it came from there
};

using AlignedArray = AlignedArrayOf<double>;

/// The first cache line at or after `p`, for scratch memory that came from elsewhere.
inline double* on_cache_line(double* p) noexcept {
    const std::size_t over = reinterpret_cast<std::uintptr_t>(p) % 64;
    return over == 0 ? p : p + (64 - over) / sizeof(double);
}

}  // namespace limber
