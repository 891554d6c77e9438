// LIMBER_ASSERT: a promise inside our own code. A broken one is a bug, so it stops the program with its place.
#pragma once

#include <cstdio>
#include <cstdlib>

#define LIMBER_ASSERT(condition)                                                                            \
    do {                                                                                                    \
        if (!(condition)) {                                                                                 \
            std::fprintf(stderr, "limber: internal error at %s:%d: %s does not hold\n", __FILE__, __LINE__, \
                         #condition);                                                                       \
            std::abort();                                                                                   \
        }                                                                                                   \
    } while (false)
