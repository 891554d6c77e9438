#include "io/surface/obj_series.hpp"

#include "core/text.hpp"
#include "io/files/scanner.hpp"
#include "io/surface/obj_lines.hpp"
#include "io/surface/surfaces.hpp"

#include <limber/tools/mesh_io.hpp>

#include <cmath>
#include <unordered_map>

namespace limber {

namespace {
class ObjModelReader {
public:
    ObjModelReader(ObjModel& model, const std::string& name) : out_(model), in_(model.text, name) {}

    void read() {
        for (std::size_t at = 0; at < out_.text.size();) {
            LineWords line(out_.text, at);
            start_ = at;
            if (line.next()) read_line(line);
            at = line.next_line();
        }
        check(out_.corner_uv, out_.uvs.size(), "texture coordinate");
        check(out_.corner_normal, out_.normals.size(), "normal");
    }

private:
    void read_line(LineWords& line) {
        const std::string_view keyword = line.word();
        if (keyword == "v")
            out_.vertex_numbers.push_back(numbers_at(line));
        else if (keyword == "vn")
            add_normal(line);
        else if (keyword == "vt")
            add_uv(line);
        else if (keyword == "f")
            add_face(line);
        else if (keyword == "usemtl")
            material_ = material(line.rest());
        else if (keyword == "mtllib")
            out_.libraries.push_back(line.rest());
    }

    static ObjModel::Numbers numbers_at(LineWords& line) {
        ObjModel::Numbers n;
        for (std::size_t k = 0; k < 3 && line.next(); ++k) {
            n.begin[k] = line.begin;
            n.end[k] = line.end;
        }
        return n;
    }

    void add_normal(LineWords& line) {
        const ObjModel::Numbers n = numbers_at(line);
        Vec3 v;
        for (int k = 0; k < 3; ++k) {
            const auto i = static_cast<std::size_t>(k);
            if (!parse_real(std::string_view(out_.text).substr(n.begin[i], n.end[i] - n.begin[i]), v[k]) ||
                !std::isfinite(v[k])) {
                in_.fail_at(start_, Fault::bad_file,
                            text("normal ", out_.normals.size() + 1, " is not three finite numbers"),
                            "lines such as 'vn 0 0 1'");
            }
        }
        out_.normal_numbers.push_back(n);
        out_.normals.push_back(v);
    }

    void add_uv(LineWords& line) {
        std::array<double, 2> uv{};
        for (std::size_t k = 0; k < 2 && line.next() && line.word()[0] != '#'; ++k) {
            if (!parse_real(line.word(), uv[k]) || !std::isfinite(uv[k])) {
                in_.fail_at(start_, Fault::bad_file,
                            text("texture coordinate ", out_.uvs.size() + 1, " has ", in_quotes(line.word())),
                            "finite numbers");
            }
        }
        out_.uvs.push_back(uv);
    }

    // Numbers from 1, or back from the last one so far; those that come later are checked at the end.
    std::int32_t index(std::string_view word, std::size_t so_far, const char* what) const {
        if (word.empty()) return -1;
        std::int64_t i = 0;
        if (!parse_integer(word, i) || i == 0 || i > 2147483647 || i < -static_cast<std::int64_t>(so_far)) {
            in_.fail_at(start_, Fault::bad_file, text("a face names ", what, " ", in_quotes(word)),
                        text("1 to the number of ", what, "s"));
        }
        return static_cast<std::int32_t>(i > 0 ? i - 1 : static_cast<std::int64_t>(so_far) + i);
    }

    void add_face(LineWords& line) {
        while (line.next() && line.word()[0] != '#') {
            const std::string_view word = line.word();
            const std::size_t first = word.find('/'),
                              second = first == std::string_view::npos ? first : word.find('/', first + 1);
            const std::string_view uv = first == std::string_view::npos
                                            ? ""
                                            : word.substr(first + 1, second == std::string_view::npos
                                                                         ? second
                                                                         : second - first - 1);
            out_.corner_uv.push_back(index(uv, out_.uvs.size(), "texture coordinate"));
            out_.corner_normal.push_back(
                index(second == std::string_view::npos ? "" : word.substr(second + 1), out_.normals.size(), "normal"));
        }
        out_.face_material.push_back(material_);
    }

    std::int32_t material(const std::string& name) {
        const auto [known, fresh] = number_of_material_.try_emplace(name,
                                                                    static_cast<std::int32_t>(out_.materials.size()));
        if (fresh) out_.materials.push_back(name);
        return known->second;
    }

    void check(const std::vector<std::int32_t>& indices, std::size_t count, const char* what) const {
        for (const std::int32_t i : indices) {
            if (i >= 0 && static_cast<std::size_t>(i) >= count) {
                in_.fail_at(out_.text.size(), Fault::bad_mesh,
                            text("a face names ", what, " ", i + 1, ", but the file has ", count), {});
            }
        }
    }

    ObjModel& out_;
    Scanner in_;
    std::size_t start_ = 0;  ///< of the current line
    std::int32_t material_ = -1;
    std::unordered_map<std::string, std::int32_t> number_of_material_;
};

/// Copies the text up to each number and puts the new one in its place.
class NumberWriter {
public:
    explicit NumberWriter(const std::string& text) : text_(text) { out_.reserve(text.size() + text.size() / 2); }

    void replace(const ObjModel::Numbers& numbers, const Vec3& before, const Vec3& after) {
        for (int k = 0; k < 3; ++k) {
            if (before[k] == after[k]) continue;
            const auto i = static_cast<std::size_t>(k);
            out_.append(text_, at_, numbers.begin[i] - at_);
            fmt::format_to(std::back_inserter(out_), "{}", after[k]);
            at_ = numbers.end[i];
        }
    }
    std::string finish(const std::string& comment) {
        out_.append(text_, at_);
        const bool continued = out_.size() > 1 && out_.back() == '\n' &&
                               (out_[out_.size() - 2] == '\\' || out_[out_.size() - 2] == '\r');
        if (!out_.empty() && (out_.back() != '\n' || continued)) out_ += '\n';
        if (!comment.empty()) out_ += text("# ", comment, "\n");
        return std::move(out_);
    }

private:
    const std::string& text_;
    std::string out_;
    std::size_t at_ = 0;
};
}  // namespace

ObjModel parse_obj_model(std::string text, const std::string& name) {
    ObjModel model;
    model.surface = parse_obj(text, name);
    model.text = std::move(text);
    ObjModelReader(model, name).read();
    if (model.vertex_numbers.size() != model.surface.vertices.size() ||
        model.corner_uv.size() != model.surface.faces.size() ||
        model.face_material.size() != model.surface.face_count()) {
        throw Error(Fault::bad_file, {name, 0, {}}, "lines that end in the middle of a word", "one v or f per line");
    }
    return model;
}

std::string rewrite_obj(const ObjModel& model, std::span<const Vec3> vertices, std::span<const Vec3> normals,
                        const std::string& comment) {
    NumberWriter out(model.text);
    std::size_t v = 0, n = 0;
    while (v < vertices.size() || n < normals.size()) {  // both lists ascend: one walk through the text
        const bool vertex_next = v < vertices.size() && (n >= normals.size() || model.vertex_numbers[v].begin[0] <
                                                                                    model.normal_numbers[n].begin[0]);
        if (vertex_next) {
            out.replace(model.vertex_numbers[v], model.surface.vertices[v], vertices[v]);
            ++v;
        } else {
            out.replace(model.normal_numbers[n], model.normals[n], normals[n]);
            ++n;
        }
    }
    return out.finish(comment);
}

}  // namespace limber
