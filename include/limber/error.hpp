// What limber throws while loading and preparing. Stepping never throws: it reports (see deformer.hpp).
#pragma once

#include <stdexcept>
#include <string>

namespace limber {

/// Which promise of the input was broken. One word per cause, so that programs can branch on it.
enum class Fault {
    bad_usage,     ///< the call or the command line
    bad_file,      ///< cannot be opened, read or written; not the format it claims to be
    bad_mesh,      ///< geometry or connectivity
    bad_material,  ///< a material value out of range
    bad_scene,     ///< a scene's field
    bad_option,    ///< a method's option
    bad_data,      ///< a saved deformer or recording: damaged, of another body, or of a newer version
    unsupported,   ///< understood, but this method or build cannot do it (traits say so beforehand)
    interrupted,   ///< the caller asked to stop
};

/// The name of a fault as it is written in machine-readable reports.
const char* to_string(Fault fault);

/// Where in the *input* the fault is: a file and line, or a file and a JSON path such as "/bodies/0/material".
struct InputLocation {
    std::string path;
    long line = 0;  ///< counted from 1; 0 = not known
    std::string field;
};

/// "beam.msh:412" or "scene.json#/bodies/0" or ""
std::string to_string(const InputLocation& place);

/// One line: the place, what was found, what was expected.
class Error : public std::runtime_error {
public:
    Error(Fault fault, InputLocation place, std::string found, std::string expected = {});

    Fault fault() const { return fault_; }
    const InputLocation& place() const { return place_; }
    const std::string& found() const { return found_; }
    const std::string& expected() const { return expected_; }

private:
    Fault fault_;
    InputLocation place_;
    std::string found_;
    std::string expected_;
};

}  // namespace limber
