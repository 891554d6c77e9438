// One function from several, for std::visit: a shape or value that none of them takes does not compile.
#pragma once

namespace limber {

template <class... F>
struct Overloads : F... {
    using F::operator()...;
};
template <class... F>
Overloads(F...) -> Overloads<F...>;

}  // namespace limber
