// MTL: the colours and pictures that an OBJ file's materials have.
#include "io/painted_file.hpp"

#include "core/text.hpp"
#include "io/atomic_file.hpp"
#include "io/scanner.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace limber {

namespace {
namespace fs = std::filesystem;

std::string trimmed_text(std::string_view s) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!s.empty() && blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && blank(s.back())) s.remove_suffix(1);
    return std::string(s);
}

/// A file that another names: only beside or below that one, so that a model from elsewhere cannot pull in files of this machine.
std::optional<fs::path> beside(const fs::path& owner, std::string name) {
    std::replace(name.begin(), name.end(), '\\', '/');
    const fs::path given(name);
    if (name.empty() || given.is_absolute()) return std::nullopt;
    for (const fs::path& step : given)
        if (step == "..") return std::nullopt;
    return owner.parent_path() / given;
}

class MtlReader {
public:
    MtlReader(PaintedSurface& out, std::vector<std::string>& remarks) : out_(out), remarks_(remarks) {}

    void read(const fs::path& path) {
        const std::string bytes = read_file(path.string());
        MaterialLook* look = nullptr;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
            const std::string line = trimmed_text(std::string_view(bytes).substr(at, end - at));
            at = end + 1;
            const std::size_t gap = std::min(line.find_first_of(" \t"), line.size());
            const std::string word = line.substr(0, gap), rest = trimmed_text(std::string_view(line).substr(gap));
            if (word == "newmtl") look = find(rest);
            else if (look && word == "Kd") colour(rest, *look);
            else if (look && (word == "d" || word == "Tr")) alpha(rest, word == "Tr", *look);
            else if (look && word == "map_Kd") picture(path, rest, *look);
        }
    }

private:
    MaterialLook* find(const std::string& name) {
        for (MaterialLook& look : out_.looks)
            if (look.name == name) return &look;
        return nullptr;
    }
    static void colour(const std::string& rest, MaterialLook& look) {
        Scanner in(rest, {});
        for (std::size_t k = 0; k < 3; ++k) {
            double value = 0.0;
            if (!parse_real(in.token(), value) || !std::isfinite(value)) return;
            look.base_color[k] = std::clamp(value, 0.0, 1.0);
        }
    }
    static void alpha(const std::string& rest, bool transparency, MaterialLook& look) {
        double value = 0.0;
        if (!parse_real(rest, value) || !std::isfinite(value)) return;
        look.base_color[3] = std::clamp(transparency ? 1.0 - value : value, 0.0, 1.0);
        if (look.base_color[3] < 1.0) look.alpha = "BLEND";
    }
    void picture(const fs::path& owner, const std::string& rest, MaterialLook& look) {
        // Options such as "-s 1 1 1" come before the name; a name may hold blanks, so only without options all of it counts.
        const std::string name = rest.starts_with('-') ? rest.substr(std::min(rest.find_last_of(" \t"), rest.size() - 1) + 1) : rest;
        const std::optional<fs::path> path = beside(owner, name);
        std::error_code problem;
        if (!path || !fs::is_regular_file(*path, problem)) {
            remarks_.push_back(text(owner.string(), ": the picture ", in_quotes(name), path ? " is not there" : " is not beside or below it", ": left out"));
            return;
        }
        const std::string bytes = read_file(path->string());
        const bool png = bytes.starts_with("\x89PNG\r\n"), jpeg = bytes.starts_with("\xff\xd8\xff");
        if (!png && !jpeg) {
            remarks_.push_back(text(path->string(), ": neither PNG nor JPEG, which is all that glTF takes: left out"));
            return;
        }
        look.base_picture = static_cast<std::int32_t>(out_.pictures.size());
        for (std::size_t p = 0; p < out_.pictures.size(); ++p)
            if (out_.pictures[p].name == name) look.base_picture = static_cast<std::int32_t>(p);
        if (static_cast<std::size_t>(look.base_picture) == out_.pictures.size()) out_.pictures.push_back({name, png ? "image/png" : "image/jpeg", {bytes.begin(), bytes.end()}});
    }

    PaintedSurface& out_;
    std::vector<std::string>& remarks_;
};
}  // namespace

void read_obj_looks(const ObjModel& model, const std::string& obj_path, PaintedSurface& out, std::vector<std::string>& remarks) {
    for (const std::string& name : model.materials) {
        MaterialLook look;
        look.name = name;
        look.metallic = 0.0;
        look.roughness = 0.8;
        out.looks.push_back(std::move(look));
    }
    if (model.materials.empty()) return;
    MtlReader reader(out, remarks);
    for (const std::string& library : model.libraries) {
        const std::optional<fs::path> path = beside(obj_path, library);
        std::error_code problem;
        if (path && fs::is_regular_file(*path, problem)) reader.read(*path);
        else remarks.push_back(text(obj_path, ": its materials ", in_quotes(library), path ? " are not there" : " are not beside or below it", ": plain ones are shown"));
    }
}

}  // namespace limber
