#include "show/field.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "playback/series_resample.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

struct FieldName {
    Field field;
    const char* name;
    FieldWords words;
};
constexpr FieldName kFields[] = {
    {Field::none, "none", {"", ""}},
    {Field::displacement, "displacement", {"displacement", "m"}},
    {Field::velocity, "velocity", {"speed", "m/s"}},
    {Field::von_mises, "von_mises", {"von Mises stress", "Pa"}},
    {Field::principal_max, "principal_max", {"largest principal stress", "Pa"}},
    {Field::principal_min, "principal_min", {"smallest principal stress", "Pa"}},
    {Field::error, "error", {"distance to reference", "m"}},
    {Field::von_mises_error, "von_mises_error", {"von Mises stress minus reference", "Pa"}},
    {Field::material, "material", {"", ""}},
};

bool same_mesh(const Mesh& a, const Mesh& b) {
    return &a == &b || (a.kind == b.kind && a.cells == b.cells && a.vertices == b.vertices);
}

std::vector<double> lengths(const std::vector<Vec3>& vectors) {
    std::vector<double> out;
    out.reserve(vectors.size());
    for (const Vec3& v : vectors) out.push_back(norm(v));
    return out;
}

}  // namespace

const char* to_string(Field field) { return kFields[static_cast<std::size_t>(field)].name; }

std::vector<std::string> field_names() {
    std::vector<std::string> out;
    for (const FieldName& f : kFields) out.emplace_back(f.name);
    return out;
}

Field parse_field(const std::string& name) {
    for (const FieldName& f : kFields)
        if (name == f.name) return f.field;
    std::string all;
    const std::vector<std::string> names = field_names();
    for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
    throw Error(Fault::bad_usage, {"--field", 0, {}}, text("'", name, "'", suggestion(name, names)),
                text("one of ", all));
}

bool is_stress(Field field) {
    return field == Field::von_mises || field == Field::principal_max || field == Field::principal_min ||
           field == Field::von_mises_error;
}
bool is_signed(Field field) {
    return field == Field::principal_max || field == Field::principal_min || field == Field::von_mises_error;
}
bool is_difference(Field field) { return field == Field::error || field == Field::von_mises_error; }

FieldWords words_of(Field field) { return kFields[static_cast<std::size_t>(field)].words; }

// Where a recording holds no stress, it comes from small strain. Volume changes as plain elements see them: how a
// method averages them is not known.
FieldOnBody::Stress::Stress(const Recording& r) : recording(r), map(*r.body, Integration::full) {}

std::vector<SymMat3> FieldOnBody::Stress::at_vertices(double time) const {
    const Mesh& mesh = recording.body->mesh();
    const FrameMix mix = frames_at(recording, time);
    std::vector<SymMat3> cells(mesh.cell_count()), vertices(mesh.vertices.size());
    if (recording.has_stress) {
        const std::vector<SymMat3>&a = recording.frames[mix.first].stress, &b = recording.frames[mix.second].stress;
        const double p = 1.0 - mix.part, q = mix.part;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            cells[c] = {p * a[c].xx + q * b[c].xx, p * a[c].yy + q * b[c].yy, p * a[c].zz + q * b[c].zz,
                        p * a[c].xy + q * b[c].xy, p * a[c].yz + q * b[c].yz, p * a[c].zx + q * b[c].zx};
        }
    } else {
        std::vector<double> flat;
        for (const Vec3& v : blended(recording, mix))
            for (int i = 0; i < mesh.dimension(); ++i) flat.push_back(v[i]);
        map.cell_stress(flat, cells);
    }
    map.to_vertices(cells, vertices);
    return vertices;
}

FieldOnBody::FieldOnBody(const Recording& recording, Field field, const Recording* reference)
    : recording_(recording), reference_(reference), field_(field) {
    if (is_stress(field)) stress_ = std::make_unique<Stress>(recording);
    if (!is_difference(field)) return;
    if (!reference) {
        throw Error(Fault::bad_usage, {"--field", 0, {}}, text(to_string(field), " without a reference"),
                    "--reference with a recording to compare with");
    }
    if (reference->frames.empty())
        throw Error(Fault::bad_data, {reference->scene, 0, {}}, "a reference without frames", "at least one");
    if (reference->body->mesh().dimension() != recording.body->mesh().dimension()) {
        throw Error(Fault::unsupported, {recording.scene, 0, {}}, "a reference of another dimension",
                    "two bodies in the plane or two in space");
    }
    if (!same_mesh(reference->body->mesh(), recording.body->mesh()))
        sampler_.emplace(reference->body->mesh(), recording.body->mesh().vertices);
    if (is_stress(field)) reference_stress_ = std::make_unique<Stress>(*reference);
}

std::vector<double> FieldOnBody::scalar(const std::vector<SymMat3>& stress, Field field) {
    std::vector<double> out;
    out.reserve(stress.size());
    for (const SymMat3& s : stress) {
        if (field == Field::principal_max)
            out.push_back(principal_stresses(s)[0]);
        else if (field == Field::principal_min)
            out.push_back(principal_stresses(s)[2]);
        else
            out.push_back(von_mises(s));
    }
    return out;
}

/// The reference's von Mises stress at this body's vertices.
std::vector<double> FieldOnBody::reference_at(double time) const {
    std::vector<double> there = scalar(reference_stress_->at_vertices(time), field_);
    if (!sampler_) return there;
    std::vector<Vec3> wide;
    wide.reserve(there.size());
    for (const double value : there) wide.push_back({value, 0.0, 0.0});
    there.clear();
    for (const Vec3& v : (*sampler_)(wide)) there.push_back(v.x);
    return there;
}

std::vector<double> FieldOnBody::at(double time) const {
    if (field_ == Field::none || field_ == Field::material) return {};
    const FrameMix mix = frames_at(recording_, time);
    if (field_ == Field::velocity) return lengths(blended(recording_, mix, &Frame::velocity));
    if (stress_) {
        std::vector<double> out = scalar(stress_->at_vertices(time), field_);
        if (field_ != Field::von_mises_error) return out;
        const std::vector<double> truth = reference_at(time);
        for (std::size_t v = 0; v < out.size(); ++v) out[v] -= truth[v];
        return out;
    }
    std::vector<Vec3> u = blended(recording_, mix);
    if (field_ == Field::error) {
        std::vector<Vec3> truth = blended(*reference_, frames_at(*reference_, time));
        if (sampler_) truth = (*sampler_)(truth);
        for (std::size_t v = 0; v < u.size(); ++v) u[v] -= truth[v];
    }
    return lengths(u);
}

FieldOnBody::Distance FieldOnBody::distance(double time) const {
    Distance out;
    double square = 0.0, whole = 0.0, largest = 0.0;
    for (const double d : at(time)) {
        out.largest = std::max(out.largest, std::abs(d));
        square += d * d;
    }
    if (stress_) {
        for (const double value : reference_at(time)) largest = std::max(largest, value);
        out.share = largest > 0.0 ? out.largest / largest : 0.0;
        return out;
    }
    std::vector<Vec3> truth = blended(*reference_, frames_at(*reference_, time));
    if (sampler_) truth = (*sampler_)(truth);
    for (const Vec3& v : truth) whole += norm2(v);
    out.share = whole > 0.0 ? std::sqrt(square / whole) : 0.0;
    return out;
}

}  // namespace limber
