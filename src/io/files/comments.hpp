// Numbers between comments that run from '#' to the end of the line (Medit, TetGen).
#pragma once

#include "io/files/scanner.hpp"

namespace limber {

inline void skip_comments(Scanner& in) {
    while (in.more() && in.bytes()[in.position()] == '#') in.line();
}
inline std::int64_t next_integer(Scanner& in, const char* what) {
    skip_comments(in);
    return in.integer(what);
}
inline double next_coordinate(Scanner& in) {
    skip_comments(in);
    return in.coordinate();
}
inline std::size_t next_count(Scanner& in, const char* what, std::size_t bytes_each) {
    skip_comments(in);
    return in.count(what, bytes_each);
}

}  // namespace limber
