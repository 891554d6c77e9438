#include "show/field.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "io/series_resample.hpp"

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
    {Field::error, "error", {"distance to reference", "m"}},
    {Field::material, "material", {"", ""}},
};

bool same_mesh(const Mesh& a, const Mesh& b) { return &a == &b || (a.kind == b.kind && a.cells == b.cells && a.vertices == b.vertices); }

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
    throw Error(Fault::bad_usage, {"--field", 0, {}}, text("'", name, "'", suggestion(name, names)), text("one of ", all));
}

FieldWords words_of(Field field) { return kFields[static_cast<std::size_t>(field)].words; }

FieldOnBody::FieldOnBody(const Recording& recording, Field field, const Recording* reference) : recording_(recording), reference_(reference), field_(field) {
    // Distortion alone counts in the von Mises stress, so how a method averages volume changes makes no difference here.
    if (field == Field::von_mises) stress_ = std::make_unique<StressMap>(*recording.body, Integration::full);
    if (field != Field::error) return;
    if (!reference) throw Error(Fault::bad_usage, {"--field", 0, {}}, "error without a reference", "--reference with a recording to compare with");
    if (reference->frames.empty()) throw Error(Fault::bad_data, {reference->scene, 0, {}}, "a reference without frames", "at least one");
    if (reference->body->mesh().dimension() != recording.body->mesh().dimension())
        throw Error(Fault::unsupported, {recording.scene, 0, {}}, "a reference of another dimension", "two bodies in the plane or two in space");
    if (!same_mesh(reference->body->mesh(), recording.body->mesh())) sampler_.emplace(reference->body->mesh(), recording.body->mesh().vertices);
}

std::vector<double> FieldOnBody::at(double time) const {
    if (field_ == Field::none || field_ == Field::material) return {};
    const FrameMix mix = frames_at(recording_, time);
    if (field_ == Field::velocity) return lengths(blended(recording_, mix, &Frame::velocity));
    std::vector<Vec3> u = blended(recording_, mix);
    if (field_ == Field::von_mises) return stress(u);
    if (field_ == Field::error) {
        std::vector<Vec3> truth = blended(*reference_, frames_at(*reference_, time));
        if (sampler_) truth = (*sampler_)(truth);
        for (std::size_t v = 0; v < u.size(); ++v) u[v] -= truth[v];
    }
    return lengths(u);
}

std::vector<double> FieldOnBody::stress(const std::vector<Vec3>& u) const {
    const Mesh& mesh = recording_.body->mesh();
    const auto dimension = static_cast<std::size_t>(mesh.dimension());
    std::vector<double> flat;
    flat.reserve(u.size() * dimension);
    for (const Vec3& v : u)
        for (std::size_t i = 0; i < dimension; ++i) flat.push_back(v[static_cast<int>(i)]);
    std::vector<SymMat3> cells(mesh.cell_count()), vertices(u.size());
    stress_->cell_stress(flat, cells);
    stress_->to_vertices(cells, vertices);
    std::vector<double> out;
    out.reserve(vertices.size());
    for (const SymMat3& s : vertices) out.push_back(von_mises(s));
    return out;
}

}  // namespace limber
