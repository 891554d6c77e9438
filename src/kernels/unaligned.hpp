// Vectors from and to any address, for kernels written in the compiler's vector types. A type of lower alignment would
// do for GCC only: clang forgets it behind references and aliases, and its aligned loads then end the program.
#pragma once

#ifndef LIMBER_INLINE
#define LIMBER_INLINE inline __attribute__((always_inline))
#endif

// All of it is inlined: no vector crosses a call, whatever the calling convention would be. It holds for the loops of
// the including files too.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace limber {

template <class V, class T>
LIMBER_INLINE V taken(const T* from) {
    V value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}
template <class V, class T>
LIMBER_INLINE void put(T* to, const V& value) {
    __builtin_memcpy(to, &value, sizeof value);
}
template <class V, class T>
LIMBER_INLINE void add_to(T* to, const V& value) {
    put(to, taken<V>(to) + value);
}
template <class V, class T>
LIMBER_INLINE void take_from(T* to, const V& value) {
    put(to, taken<V>(to) - value);
}

}  // namespace limber
