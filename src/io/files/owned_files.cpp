#include "io/files/owned_files.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"

#include <limber/error.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace limber {
namespace {

bool is_one_path_part(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

}  // namespace

std::string owned_files_name(const std::string& index) { return text(".", index, ".files"); }

std::string read_own_file(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return {};  // a pipe of that name would be waited for
    std::ifstream in(path, std::ios::binary);
    return in ? std::string{std::istreambuf_iterator<char>(in), {}} : std::string();
}

std::optional<OwnedFiles> read_owned_files(const std::string& folder, const std::string& index) {
    const nlohmann::json list = nlohmann::json::parse(read_own_file(text(folder, "/", owned_files_name(index))),
                                                      nullptr, false);
    if (!list.is_object() || !list.contains("made_by") || !list["made_by"].is_string() || !list.contains("files") ||
        !list["files"].is_array()) {
        return std::nullopt;
    }
    OwnedFiles out{list["made_by"].get<std::string>(), {}};
    for (const nlohmann::json& name : list["files"])
        if (name.is_string() && is_one_path_part(name.get<std::string>())) out.files.push_back(name.get<std::string>());
    return out;
}

void write_owned_files(const std::string& folder, const std::string& index, const OwnedFiles& owned) {
    const nlohmann::json list{
        {"about", "written by limber: which files here the next run of the same command may replace"},
        {"made_by", owned.made_by},
        {"files", owned.files}};
    write_file(text(folder, "/", owned_files_name(index)),
               list.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void refuse_stranger(const std::string& folder, const std::string& name, const std::string& made_by) {
    throw Error(Fault::bad_usage, {folder, 0, {}}, text("is a folder that holds something else (", name, ")"),
                text("a new or empty folder, or an earlier output of ", made_by));
}

}  // namespace limber
