#include "io/surface/repaired.hpp"

#include "core/text.hpp"
#include "io/surface/obj_lines.hpp"

namespace limber {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Of a polygon, by its fan.
Vec3 area_vector(const Surface& s, std::size_t f) {
    Vec3 sum;
    const auto p = [&](std::int32_t c) -> const Vec3& { return s.vertices[at(s.faces[at(c)])]; };
    for (std::int32_t c = s.face_starts[f] + 1; c + 1 < s.face_starts[f + 1]; ++c)
        sum += cross(p(c) - p(s.face_starts[f]), p(c + 1) - p(s.face_starts[f]));
    return sum;
}

class ObjRepairer {
public:
    ObjRepairer(const ObjModel& model, const Surface& repaired, const RepairSources& sources)
        : model_(model),
          repaired_(repaired),
          sources_(sources),
          is_kept_(model.surface.vertices.size(), 0),
          new_face_(model.surface.face_count(), -1) {
        for (const std::int32_t v : sources.vertex) is_kept_[at(v)] = 1;
        for (std::size_t f = 0; f < sources.face.size(); ++f)
            new_face_[at(sources.face[f])] = static_cast<std::int32_t>(f);
    }

    std::string write() {
        std::size_t vertex = 0, face = 0;
        for (std::size_t start = 0; start < model_.text.size();) {
            LineWords line(model_.text, start);
            const std::string_view keyword = line.next() ? line.word() : std::string_view();
            const std::size_t end = line.next_line();
            const bool dropped = keyword == "v"   ? !is_kept_[vertex++]
                                 : keyword == "f" ? true
                                                  : is_line_or_point(keyword);
            if (keyword == "f")
                put_face(new_face_[face++]);
            else if (!dropped)
                out_.append(model_.text, start, end - start);
            start = end;
        }
        if (!out_.empty() && out_.back() != '\n') out_ += '\n';
        return std::move(out_);
    }
    std::size_t lines_and_points() const { return lines_and_points_; }

private:
    /// Lines and points name vertices too, and no repair follows them.
    bool is_line_or_point(std::string_view keyword) {
        const bool lines_and_points = keyword == "l" || keyword == "p";
        lines_and_points_ += lines_and_points ? 1 : 0;
        return lines_and_points;
    }

    /// Of a face that did not turn they stay whatever they say.
    bool normals_fit(std::size_t f) const {
        const std::int32_t first = repaired_.face_starts[f], last = repaired_.face_starts[f + 1];
        if (sources_.corner[at(first + 1)] < sources_.corner[at(first + 2)]) return true;
        const Vec3 outwards = area_vector(repaired_, f);
        for (std::int32_t c = first; c < last; ++c) {
            const std::int32_t n = model_.corner_normal[at(sources_.corner[at(c)])];
            if (n >= 0 && dot(model_.normals[at(n)], outwards) <= 0.0) return false;
        }
        return true;
    }

    void put_face(std::int32_t face) {
        if (face < 0) return;
        const bool normals = normals_fit(at(face));
        out_ += 'f';
        for (std::int32_t c = repaired_.face_starts[at(face)]; c < repaired_.face_starts[at(face) + 1]; ++c) {
            const std::size_t from = at(sources_.corner[at(c)]);
            const std::int32_t uv = model_.corner_uv[from], n = normals ? model_.corner_normal[from] : -1;
            fmt::format_to(std::back_inserter(out_), " {}", repaired_.faces[at(c)] + 1);
            if (uv >= 0 || n >= 0) out_ += '/';
            if (uv >= 0) fmt::format_to(std::back_inserter(out_), "{}", uv + 1);
            if (n >= 0) fmt::format_to(std::back_inserter(out_), "/{}", n + 1);
        }
        out_ += '\n';
    }

    const ObjModel& model_;
    const Surface& repaired_;
    const RepairSources& sources_;
    std::vector<char> is_kept_;           // per vertex of the file
    std::vector<std::int32_t> new_face_;  // per face of the file; -1 = goes
    std::string out_;
    std::size_t lines_and_points_ = 0;
};

}  // namespace

std::string repaired_obj(const ObjModel& model, const Surface& repaired, const RepairSources& sources,
                         const std::string& comment, std::vector<std::string>& remarks) {
    ObjRepairer repairer(model, repaired, sources);
    std::string out = repairer.write();
    if (repairer.lines_and_points() > 0)
        remarks.push_back(text(counted(repairer.lines_and_points(), "line"), " of loose edges and points left out"));
    return out + text("# ", comment, "\n");
}

Rig repaired_rig(const Rig& rig, const RepairSources& sources) {
    Rig out = rig;
    std::vector<std::size_t> part_of, first_corner;
    std::size_t corners = 0;
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        first_corner.push_back(corners);
        corners += 3 * rig.parts[p].triangles.size();
        part_of.insert(part_of.end(), rig.parts[p].triangles.size(), p);
        out.parts[p].triangles.clear();
    }
    for (std::size_t f = 0; f < sources.face.size(); ++f) {
        const std::size_t p = part_of[at(sources.face[f])];
        std::array<std::int32_t, 3> triangle{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t corner = at(sources.corner[3 * f + k]) - first_corner[p];
            triangle[k] = rig.parts[p].triangles[corner / 3][corner % 3];
        }
        out.parts[p].triangles.push_back(triangle);
    }
    return out;
}

}  // namespace limber
