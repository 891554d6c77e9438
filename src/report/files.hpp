// Output files that appear whole or not at all, and text made safe for HTML and XML.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace limber {

/// Writes beside the target and renames: an interruption leaves the old file or none. Throws Error{bad_file}.
void write_text_file(const std::string& path, std::string_view content);
/// Makes the directory and its parents. Throws Error{bad_file}.
void make_directories(const std::string& path);
/// & < > " ' replaced; control characters and bytes that are not UTF-8 become U+FFFD.
std::string escape_markup(std::string_view text);
/// The longest prefix-free reading of `text` as UTF-8: broken bytes become U+FFFD.
std::string valid_utf8(std::string_view text);
/// Columns a terminal needs: combining marks take none, wide characters two.
std::size_t display_width(std::string_view text);
/// A name for a file: letters and digits of `words`, one "_" between them, at most 80; where that is taken, or nothing
/// is left, with a number behind it. Takes it.
std::string file_name(std::string_view words, std::set<std::string>& taken);
/// "limber 0.1.0 (commit), compiler, CPU, ISA, threads, linked libraries"
std::string provenance_line();

}  // namespace limber
