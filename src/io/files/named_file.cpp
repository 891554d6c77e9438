#include "io/files/named_file.hpp"

#include <algorithm>

namespace limber {

namespace fs = std::filesystem;

namespace {
bool stays_below(const std::string& name) {
    const fs::path path(name);
    const bool printable = std::none_of(name.begin(), name.end(),
                                        [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    return !name.empty() && printable && !path.is_absolute() && std::find(path.begin(), path.end(), "..") == path.end();
}
}  // namespace

NamedFile file_named_by(const std::string& owner, const std::string& name) {
    if (!stays_below(name)) return {};
    const fs::path folder = fs::path(owner).parent_path();
    NamedFile out{NamedFile::State::missing, folder / name, {}};
    std::error_code problem;
    const fs::path root = fs::canonical(folder.empty() ? fs::path(".") : folder, problem);
    if (problem) return out;
    out.real = fs::canonical(out.path, problem);
    if (problem) return out;
    const bool below = std::mismatch(root.begin(), root.end(), out.real.begin(), out.real.end()).first == root.end();
    const bool regular = below && fs::is_regular_file(out.real, problem);
    out.state = !below ? NamedFile::State::elsewhere : regular ? NamedFile::State::fine : NamedFile::State::missing;
    return out;
}

const char* to_words(NamedFile::State state) {
    switch (state) {
        case NamedFile::State::fine: return "is there";
        case NamedFile::State::missing: return "is not there";
        case NamedFile::State::elsewhere: return "is not in the folder of the file that names it, or below";
    }
    return "?";
}

}  // namespace limber
