// Files that another file names: the one rule for all formats.
#pragma once

#include <filesystem>
#include <string>

namespace limber {

/// A model from elsewhere must not pull files of this machine into what is shown, recorded or handed on. It may
/// therefore name only regular files in its own folder and below: no absolute path, no "..", and no link that leads out
/// of the folder.
struct NamedFile {
    enum class State { fine, missing, elsewhere };
    State state = State::elsewhere;
    std::filesystem::path path;  ///< where it is, spelt from the folder of the file that names it
    std::filesystem::path real;  ///< links followed; of a fine one: equal for two names of one file
};
NamedFile file_named_by(const std::string& owner, const std::string& name);

/// For messages: "is not there", "is not in the folder of the file that names it or below".
const char* to_words(NamedFile::State state);

}  // namespace limber
