// What this process has read, so that nothing it writes takes the place of it: by any path, symbolic link or hard link.
#pragma once

#include <string>

namespace limber {

/// From now on. The command line asks for it; programs that use the library may read a file, change it and write it
/// again.
void protect_files_read();

/// Readers call it with the file they opened. Pipes and devices do not count.
void remember_file_read(int file);

/// Throws Error{bad_usage} when `path` leads to a file that was read. Nothing there is fine.
void refuse_file_read(const std::string& path);

}  // namespace limber
