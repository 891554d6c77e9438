#include "playback/series_build.hpp"

#include "playback/series_match.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

namespace {
constexpr double kNear = 1e-6;  // of the body's diagonal: as near as a rest position must be

void to_metres_y_up(std::vector<Vec3>& field, const SeriesSource& source) {
    const FileAxes axes(source.unit, source.up);
    for (Vec3& v : field) v = axes.from_file(v);
}

// Lengths in remarks and messages: four digits say enough.
std::string metres(double length) { return fmt::format("{:.4g} m", length); }

double diagonal_of(std::span<const Vec3> points) {
    Mesh cloud;
    cloud.vertices.assign(points.begin(), points.end());
    return diagonal_of(cloud);
}

class SeriesBuilder {
public:
    SeriesBuilder(SeriesData data, const SeriesSource& source, std::shared_ptr<const Body> body)
        : data_(std::move(data)),
          source_(source),
          body_(std::move(body)),
          tolerance_(kNear * diagonal_of(body_->mesh())) {}

    Recording build() {
        if (data_.points > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
            fail(Fault::unsupported, counted(data_.points, "point"), "at most 2147483647");
        out_.frames.resize(data_.frames.size());
        const std::vector<double> times = series_times(data_, source_);
        convert();
        choose_rest();
        match();
        for (std::size_t f = 0; f < times.size(); ++f) fill_frame(f, times[f]);
        out_.step = times.size() > 1 ? times[1] - times[0] : 0.0;
        for (std::size_t f = 1; f < times.size(); ++f) out_.step = std::min(out_.step, times[f] - times[f - 1]);
        fill_velocities();
        fill_extras();
        out_.body = body_;
        out_.remarks = std::move(data_.remarks);
        return std::move(out_);
    }

private:
    [[noreturn]] void fail(Fault fault, const std::string& found, const std::string& expected) const {
        throw Error(fault, {source_.path, 0, {}}, found, expected);
    }
    void remark(std::string words) { data_.remarks.push_back(std::move(words)); }
    const std::vector<Vec3>& vertices() const { return body_->mesh().vertices; }

    void convert() {
        for (auto* list : {&data_.frames, &data_.velocities})
            for (std::vector<Vec3>& field : *list) to_metres_y_up(field, source_);
        to_metres_y_up(data_.rest, source_);
        if (source_.unit != LengthUnit::m || source_.up != UpAxis::y)
            remark(text("lengths are read in ", to_string(source_.unit), " with ", to_string(source_.up), " up"));
    }

    void choose_rest() {
        if (!source_.rest.empty()) {
            remark(text("the rest shape is that of ", source_.rest));
        } else if (source_.first_frame_is_rest) {
            if (data_.displaced) {
                fail(Fault::bad_usage, "the file has displacements, and its first frame cannot be the rest shape",
                     "positions, or another rest shape");
            }
            data_.rest = data_.frames.front();
            remark("the first frame is taken as the rest shape");
        }
    }

    bool rests_alike(RestGap& gap) const {
        if (data_.points != vertices().size()) return false;
        gap = gap_by_index(vertices(), data_.rest);
        return gap.distance <= tolerance_;
    }

    void match() {
        const bool known = !data_.rest.empty();
        RestGap gap;
        switch (source_.match) {
            case SeriesMatch::by_index: return match_by_index();
            case SeriesMatch::by_rest_position:
                if (!known) {
                    fail(Fault::bad_usage, "the rest positions of the points are not known",
                         "a rest shape: a file, or the first frame");
                }
                if (!try_rest_positions()) fail_unmatched();
                return;
            case SeriesMatch::automatic: break;
        }
        if (!known) {
            if (data_.points != vertices().size() && data_.mesh) {
                fail(Fault::bad_usage,
                     text("another mesh of ", counted(data_.points, "point"), ", whose rest shape is not known"),
                     "a rest shape: a file, or the first frame");
            }
            return match_by_index();
        }
        if (rests_alike(gap)) return match_by_index();
        if (try_rest_positions()) return;
        if (!data_.mesh) fail_unmatched();
        use_own_mesh();
    }

    void match_by_index() {
        if (data_.points != vertices().size()) {
            fail(Fault::bad_data, text("frames of ", counted(data_.points, "point")),
                 text(vertices().size(), ", one per vertex of the body",
                      data_.rest.empty() ? "; with a rest shape points are found by position" : ""));
        }
        points_.clear();
        for (std::size_t v = 0; v < vertices().size(); ++v) points_.push_back(static_cast<std::int32_t>(v));
        remark("points are matched to vertices by index");
        RestGap gap;
        if (!data_.rest.empty()) {
            if (!rests_alike(gap)) {
                remark(text("the series' own rest shape is up to ", metres(gap.distance), " from the body's (vertex ",
                            gap.vertex, "); displacements are measured from its own"));
            }
        } else if (!data_.displaced) {
            gap = gap_by_index(vertices(), data_.frames.front());
            remark(text("displacements are measured from the body's rest shape; the first frame is up to ",
                        metres(gap.distance), " from it (vertex ", gap.vertex, ")"));
        }
    }

    bool try_rest_positions() {
        found_ = match_by_rest(vertices(), data_.rest, tolerance_);
        if (!found_.complete()) return false;
        points_ = found_.point;
        remark("points are matched to vertices by rest position");
        if (found_.unused > 0)
            remark(text(counted(found_.unused, "point"), " of the series rest at no vertex and are left out"));
        return true;
    }

    [[noreturn]] void fail_unmatched() const {
        const double ratio = diagonal_of(data_.rest) / diagonal_of(body_->mesh());
        const std::string size = ratio > 1.5 || ratio < 0.67
                                     ? text("; the series is ", fmt::format("{:.4g}", ratio),
                                            " times as large as the body: its unit may be another")
                                     : "";
        fail(Fault::bad_data,
             text(found_.missing, " of ", vertices().size(), " vertices have no point at their rest position; vertex ",
                  found_.worst.vertex, " is ", metres(found_.worst.distance), " from the nearest", size),
             text("a point within ", metres(tolerance_), " of every vertex"));
    }

    // Metrics compare across meshes; what a body needs besides the mesh is taken from the one it stands for.
    void use_own_mesh() {
        BodyDescription d;
        d.name = body_->name();
        d.mesh = std::move(*data_.mesh);
        d.mesh.vertices = data_.rest;
        if (d.mesh.dimension() == 2) flatten(d.mesh.vertices, "the rest shape");
        d.plane = body_->plane();
        d.thickness = body_->thickness();
        d.materials = body_->description().materials;
        const bool sets = std::all_of(d.materials.begin(), d.materials.end(), [&](const MaterialAssignment& m) {
            return m.cell_set.empty() || d.mesh.cell_sets.contains(m.cell_set);
        });
        if (!sets) {
            d.materials = {{"", body_->materials().front()}};
            remark("the file has not the sets of the body's materials: the first one fills its mesh");
        }
        remark(text("the series is on a mesh of its own: ", data_.points, " vertices, ",
                    counted(d.mesh.cell_count(), "cell")));
        body_ = Body::make(std::move(d), {source_.path, 0, {}});
        tolerance_ = kNear * diagonal_of(body_->mesh());
        points_.clear();
        found_ = {};
        for (std::size_t v = 0; v < data_.points; ++v) points_.push_back(static_cast<std::int32_t>(v));
    }

    void flatten(std::vector<Vec3>& field, const std::string& what) const {
        for (std::size_t v = 0; v < field.size(); ++v) {
            if (std::abs(field[v].z) > tolerance_) {
                fail(Fault::bad_data, text(what, " leaves the plane at vertex ", v, ": z is ", metres(field[v].z)),
                     "the motion of a planar body, z = 0");
            }
            field[v].z = 0.0;
        }
    }

    std::vector<Vec3> taken(const std::vector<Vec3>& field) const {
        std::vector<Vec3> out;
        out.reserve(points_.size());
        for (const std::int32_t p : points_) out.push_back(field[static_cast<std::size_t>(p)]);
        return out;
    }

    void fill_frame(std::size_t f, double time) {
        Frame& axes = out_.frames[f];
        std::vector<Vec3>& field = data_.frames[f];
        for (const auto& [v, other] : found_.also) {
            if (norm(field[static_cast<std::size_t>(other)] -
                     field[static_cast<std::size_t>(points_[static_cast<std::size_t>(v)])]) > 2 * tolerance_) {
                fail(Fault::bad_data,
                     text("points ", points_[static_cast<std::size_t>(v)], " and ", other, " rest at vertex ", v,
                          " but part in frame ", f),
                     "points that can be told apart at rest, or matching by index");
            }
        }
        axes.time = time;
        axes.displacement = taken(field);
        if (!data_.displaced) {
            for (std::size_t v = 0; v < points_.size(); ++v) {
                axes.displacement[v] -= data_.rest.empty() ? vertices()[v]
                                                           : data_.rest[static_cast<std::size_t>(points_[v])];
            }
        }
        if (body_->mesh().dimension() == 2) flatten(axes.displacement, text("frame ", f));
        for (std::size_t v = 0; v < points_.size(); ++v) {
            if (!is_finite(axes.displacement[v]))
                fail(Fault::bad_data, text("frame ", f, " is not finite at vertex ", v), "finite motion");
        }
        field = {};  // a long series need not be there twice
    }

    void fill_velocities() {
        out_.has_velocity = !data_.velocities.empty();
        const std::size_t n = out_.frames.size();
        if (!out_.has_velocity) remark("velocities are differences of frames");
        for (std::size_t f = 0; f < n; ++f) {
            Frame& axes = out_.frames[f];
            if (out_.has_velocity) {
                axes.velocity = taken(data_.velocities[f]);
                if (body_->mesh().dimension() == 2)
                    for (Vec3& v : axes.velocity) v.z = 0.0;
                continue;
            }
            const Frame &before = out_.frames[f == 0 ? 0 : f - 1], &after = out_.frames[std::min(f + 1, n - 1)];
            const double span = after.time - before.time;
            axes.velocity.assign(points_.size(), Vec3{});
            for (std::size_t v = 0; v < points_.size() && span > 0; ++v) {
                axes.velocity[v] = (after.displacement[v] - before.displacement[v]) / span;
                if (!is_finite(axes.velocity[v])) {
                    fail(Fault::bad_data,
                         text("the difference of frames at ", axes.time, " s is not finite at vertex ", v),
                         "finite motion");
                }
            }
        }
    }

    void fill_extras() {
        out_.has_energies = !data_.energies.empty();
        out_.has_cost = !data_.step_ms.empty();
        if (out_.has_cost) {
            out_.prepare_ms = data_.prepare_ms;
            out_.prepared_bytes = static_cast<std::size_t>(data_.prepared_bytes);
        }
        if (out_.has_cost && data_.prepare_ms == 0) remark("the cost of preparing is not known");
        for (std::size_t f = 0; f < out_.frames.size(); ++f) {
            if (out_.has_energies) out_.frames[f].energies = data_.energies[f];
            if (out_.has_cost) out_.frames[f].step_ms = data_.step_ms[f];
        }
        if (!out_.has_energies) remark("energies are not known");
        if (!out_.has_cost) remark("the cost of a step is not known");
    }

    SeriesData data_;
    const SeriesSource& source_;
    std::shared_ptr<const Body> body_;
    double tolerance_;                  ///< [m]
    std::vector<std::int32_t> points_;  ///< the point of each vertex
    RestMatch found_;
    Recording out_;
};
}  // namespace

Recording build_series(SeriesData data, const SeriesSource& source, std::shared_ptr<const Body> body) {
    return SeriesBuilder(std::move(data), source, std::move(body)).build();
}

}  // namespace limber
