#include <limber/error.hpp>

namespace limber {

const char* to_string(Fault fault) {
    switch (fault) {
        case Fault::bad_usage: return "bad_usage";
        case Fault::bad_file: return "bad_file";
        case Fault::bad_mesh: return "bad_mesh";
        case Fault::bad_material: return "bad_material";
        case Fault::bad_scene: return "bad_scene";
        case Fault::bad_option: return "bad_option";
        case Fault::bad_data: return "bad_data";
        case Fault::unsupported: return "unsupported";
        case Fault::interrupted: return "interrupted";
    }
    return "unknown";
}

std::string to_string(const InputLocation& place) {
    std::string out = place.path;
    if (place.line > 0) out += (out.empty() ? "line " : ":") + std::to_string(place.line);
    if (!place.field.empty()) out += (out.empty() ? "" : "#") + place.field;
    return out;
}

namespace {
std::string one_line(const InputLocation& place, const std::string& found, const std::string& expected) {
    std::string line = to_string(place);
    if (!line.empty()) line += ": ";
    line += found;
    if (!expected.empty()) line += "; expected " + expected;
    // A message is one line whatever the input held (file names and JSON strings may carry anything).
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return line;
}
}  // namespace

Error::Error(Fault fault, InputLocation place, std::string found, std::string expected)
    : std::runtime_error(one_line(place, found, expected)),
      fault_(fault),
      place_(std::move(place)),
      found_(std::move(found)),
      expected_(std::move(expected)) {}

}  // namespace limber
