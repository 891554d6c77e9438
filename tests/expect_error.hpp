// An error is more than its type: which promise was broken, and where or in which words it is told.
#pragma once

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <exception>
#include <string>
#include <string_view>

namespace limber {

/// The call must throw an Error of this fault. `part` must stand in its place ("beam.msh:412", "scene.json#/bodies/0"),
/// or in its message where it has no place.
template <class Call>
void expect_error(Fault fault, std::string_view part, const Call& call, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    const auto fails = [&](const std::string& what) {
        ADD_FAILURE_AT(file, line) << what << "\nexpected " << to_string(fault) << " with \"" << part << "\"";
    };
    try {
        call();
    } catch (const Error& error) {
        const std::string place = to_string(error.place()), told = place.empty() ? std::string(error.what()) : place;
        if (error.fault() != fault || told.find(part) == std::string::npos)
            fails(std::string(to_string(error.fault())) + ": " + error.what());
        return;
    } catch (const std::exception& other) {
        fails(std::string("an exception that is no Error: ") + other.what());
        return;
    }
    fails("nothing was thrown");
}

}  // namespace limber
