// MTL: the colours and pictures that an OBJ file's materials have.
#include "io/surface/painted_file.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/named_file.hpp"
#include "io/files/scanner.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace limber {

namespace {
/// A file that leaves out a thousand pictures tells the first few and how many more.
constexpr std::size_t kMostRemarks = 5;

std::string trimmed_text(std::string_view s) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!s.empty() && blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && blank(s.back())) s.remove_suffix(1);
    return std::string(s);
}

class MtlReader {
public:
    MtlReader(PaintedSurface& out, std::vector<std::string>& remarks) : out_(out), remarks_(remarks) {
        for (std::size_t l = 0; l < out.looks.size(); ++l) look_of_name_.try_emplace(out.looks[l].name, l);
    }
    ~MtlReader() {
        if (left_out_ > kMostRemarks)
            remarks_.push_back(text("... and ", left_out_ - kMostRemarks, " more pictures are left out"));
    }

    void read(const std::string& path) {
        const std::string bytes = read_file(path);
        MaterialLook* look = nullptr;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
            const std::string line = trimmed_text(std::string_view(bytes).substr(at, end - at));
            at = end + 1;
            const std::size_t gap = std::min(line.find_first_of(" \t"), line.size());
            const std::string word = line.substr(0, gap), rest = trimmed_text(std::string_view(line).substr(gap));
            if (word == "newmtl")
                look = find(rest);
            else if (look && word == "Kd")
                colour(rest, *look);
            else if (look && (word == "d" || word == "Tr"))
                alpha(rest, word == "Tr", *look);
            else if (look && word == "map_Kd")
                picture(path, rest, *look);
        }
    }

private:
    MaterialLook* find(const std::string& name) {
        const auto found = look_of_name_.find(name);
        return found == look_of_name_.end() ? nullptr : &out_.looks[found->second];
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
    void leave_out(const std::string& words) {
        if (++left_out_ <= kMostRemarks) remarks_.push_back(words);
    }
    void picture(const std::string& owner, const std::string& rest, MaterialLook& look) {
        // Options such as "-s 1 1 1" come before the name; a name may hold blanks, so only without options all of it
        // counts.
        std::string name = rest.starts_with('-') ? rest.substr(std::min(rest.find_last_of(" \t"), rest.size() - 1) + 1)
                                                 : rest;
        std::replace(name.begin(), name.end(), '\\', '/');
        const NamedFile file = file_named_by(owner, name);
        if (file.state != NamedFile::State::fine)
            return leave_out(text(owner, ": the picture ", in_quotes(name), " ", to_words(file.state), ": left out"));
        const auto [known, fresh] = picture_of_file_.try_emplace(file.real.string(), -1);
        if (fresh) known->second = load_picture(file.path.string(), name);
        if (known->second >= 0) look.base_map.picture = known->second;
    }
    /// -1 when it is none that can be shown.
    std::int32_t load_picture(const std::string& path, const std::string& name) {
        const std::string bytes = read_file(path);
        const bool png = bytes.starts_with("\x89PNG\r\n"), jpeg = bytes.starts_with("\xff\xd8\xff");
        if (!png && !jpeg) {
            leave_out(text(path, ": neither PNG nor JPEG, which is all that glTF takes: left out"));
            return -1;
        }
        out_.pictures.push_back({name, png ? "image/png" : "image/jpeg", {bytes.begin(), bytes.end()}});
        return static_cast<std::int32_t>(out_.pictures.size() - 1);
    }

    PaintedSurface& out_;
    std::vector<std::string>& remarks_;
    std::unordered_map<std::string, std::size_t> look_of_name_;
    std::unordered_map<std::string, std::int32_t> picture_of_file_;  ///< by the real path: one file has many names
    std::size_t left_out_ = 0;
};
}  // namespace

void read_obj_looks(const ObjModel& model, const std::string& obj_path, PaintedSurface& out,
                    std::vector<std::string>& remarks) {
    for (const std::string& name : model.materials) {
        MaterialLook look;
        look.name = name;
        look.metallic = 0.0;
        look.roughness = 0.8;
        out.looks.push_back(std::move(look));
    }
    if (model.materials.empty()) return;
    MtlReader reader(out, remarks);
    std::set<std::string> seen;
    std::size_t left_out = 0;
    for (const std::string& library : model.libraries) {
        if (!seen.insert(library).second) continue;
        const NamedFile file = file_named_by(obj_path, library);
        if (file.state == NamedFile::State::fine) {
            if (seen.insert(file.real.string()).second) reader.read(file.path.string());
        } else if (++left_out <= kMostRemarks) {
            remarks.push_back(text(obj_path, ": the material library ", in_quotes(library), " ", to_words(file.state),
                                   ": plain colours are shown"));
        }
    }
    if (left_out > kMostRemarks)
        remarks.push_back(text(obj_path, ": ", left_out - kMostRemarks, " more material libraries are left out"));
}

}  // namespace limber
