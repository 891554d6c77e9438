#include "io/recording/recording_file.hpp"

#include "core/text.hpp"
#include "deform/obstacle_numbers.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <set>

namespace limber {

static_assert(sizeof(Vec3) == 3 * sizeof(double));

void save_vectors(ByteWriter& out, const std::vector<Vec3>& v) {
    std::vector<double> flat(3 * v.size());
    if (!v.empty()) std::memcpy(flat.data(), v.data(), v.size() * sizeof(Vec3));
    out.reals(flat);
}
std::vector<Vec3> load_vectors(ByteReader& in) {
    const std::vector<double> flat = in.reals();
    if (flat.size() % 3 != 0) in.fail(text("a list of vectors with ", flat.size(), " components"), "three each");
    std::vector<Vec3> v(flat.size() / 3);
    if (!v.empty()) std::memcpy(static_cast<void*>(v.data()), flat.data(), flat.size() * sizeof(double));
    return v;
}

namespace {
void put(ByteWriter& out, const Vec3& v) {
    out.f64(v.x);
    out.f64(v.y);
    out.f64(v.z);
}
Vec3 get_vector(ByteReader& in) {
    Vec3 v;
    for (double* c : {&v.x, &v.y, &v.z}) *c = in.f64();
    return v;
}

void put(ByteWriter& out, const std::map<std::string, IndexSet>& sets) {
    out.u64(sets.size());
    for (const auto& [name, set] : sets) {
        out.text(name);
        out.ints(set);
    }
}
std::map<std::string, IndexSet> get_sets(ByteReader& in) {
    std::map<std::string, IndexSet> sets;
    for (std::uint64_t n = in.u64(); n > 0; --n) {
        std::string name = in.text();
        sets[std::move(name)] = in.ints();
    }
    return sets;
}

void put(ByteWriter& out, const Axes& axes) {
    out.u8(static_cast<std::uint8_t>((axes.x ? 1 : 0) | (axes.y ? 2 : 0) | (axes.z ? 4 : 0)));
}
Axes get_axes(ByteReader& in) {
    const unsigned bits = in.u8();
    return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
}

void put(ByteWriter& out, const Obstacle& o) {
    const ObstacleNumbers shape = numbers_of(o.shape);
    out.u8(shape.shape);
    out.u8(shape.inside ? 1 : 0);
    put(out, shape.size);
    put(out, o.position);
    for (const double c : {o.rotation.w, o.rotation.x, o.rotation.y, o.rotation.z}) out.f64(c);
    put(out, o.velocity);
    put(out, o.angular_velocity);
}

void save_body(ByteWriter& out, const BodyDescription& d) {
    out.text(d.name);
    out.u8(static_cast<std::uint8_t>(d.mesh.kind));
    save_vectors(out, d.mesh.vertices);
    out.ints(d.mesh.cells);
    put(out, d.mesh.vertex_sets);
    put(out, d.mesh.cell_sets);
    out.u8(static_cast<std::uint8_t>(d.plane));
    out.f64(d.thickness);
    out.u64(d.materials.size());
    for (const MaterialAssignment& a : d.materials) {
        out.text(a.cell_set);
        out.text(a.material.name);
        for (const double v : {a.material.young, a.material.poisson, a.material.density, a.material.rayleigh_alpha,
                               a.material.rayleigh_beta}) {
            out.f64(v);
        }
    }
    out.u64(d.anchors.size());
    for (const Anchor& a : d.anchors) {
        out.text(a.name);
        out.ints(a.vertices);
        put(out, a.axes);
    }
    out.u64(d.handles.size());
    for (const Handle& h : d.handles) {
        out.text(h.name);
        out.ints(h.vertices);
        put(out, h.axes);
        put(out, h.pivot);
    }
}

template <class E>
E get_enum(ByteReader& in, E last, const char* what) {
    const std::uint8_t v = in.u8();
    if (v > static_cast<std::uint8_t>(last)) in.fail(text(what, " ", v), text("at most ", static_cast<int>(last)));
    return static_cast<E>(v);
}

bool load_mark(ByteReader& in, const char* what) {
    const std::uint8_t mark = in.u8();
    if (mark > 1) in.fail(text("the mark ", mark, " for ", what), "0 or 1");
    return mark == 1;
}

Obstacle get_obstacle(ByteReader& in) {
    Obstacle o;
    ObstacleNumbers numbers;
    numbers.shape = in.u8();
    numbers.inside = load_mark(in, "the inside of an obstacle");
    numbers.size = get_vector(in);
    const std::optional<ObstacleShape> shape = shape_of(numbers);
    if (!shape && numbers.shape > kLastObstacleNumber)
        in.fail(text("shape of an obstacle ", numbers.shape), text("at most ", kLastObstacleNumber));
    if (!shape) in.fail(text("an obstacle of shape ", numbers.shape, " that keeps bodies inside"), "a box");
    o.shape = *shape;
    o.position = get_vector(in);
    for (double* c : {&o.rotation.w, &o.rotation.x, &o.rotation.y, &o.rotation.z}) *c = in.f64();
    o.velocity = get_vector(in);
    o.angular_velocity = get_vector(in);
    return o;
}

BodyDescription load_body(ByteReader& in) {
    BodyDescription d;
    d.name = in.text();
    d.mesh.kind = get_enum(in, CellKind::hex8, "cell kind");
    d.mesh.vertices = load_vectors(in);
    d.mesh.cells = in.ints();
    d.mesh.vertex_sets = get_sets(in);
    d.mesh.cell_sets = get_sets(in);
    d.plane = get_enum(in, Plane::stress, "plane state");
    d.thickness = in.f64();
    for (std::uint64_t n = in.u64(); n > 0; --n) {
        MaterialAssignment a;
        a.cell_set = in.text();
        a.material.name = in.text();
        for (double* v : {&a.material.young, &a.material.poisson, &a.material.density, &a.material.rayleigh_alpha,
                          &a.material.rayleigh_beta}) {
            *v = in.f64();
        }
        d.materials.push_back(std::move(a));
    }
    for (std::uint64_t n = in.u64(); n > 0; --n) {
        Anchor a;
        a.name = in.text();
        a.vertices = in.ints();
        a.axes = get_axes(in);
        d.anchors.push_back(std::move(a));
    }
    for (std::uint64_t n = in.u64(); n > 0; --n) {
        Handle h;
        h.name = in.text();
        h.vertices = in.ints();
        h.axes = get_axes(in);
        h.pivot = get_vector(in);
        d.handles.push_back(std::move(h));
    }
    return d;
}
}  // namespace

std::uint64_t checksum(std::span<const std::uint8_t> bytes, std::uint64_t start) {
    for (const std::uint8_t b : bytes) start = (start ^ b) * 0x100000001b3ull;
    return start;
}

std::uint32_t format_of(const Recording& r) {
    if (r.shown && has_all_looks(*r.shown)) return 7;
    if (r.obstacle_count > 0) return 6;
    if (r.has_stress || r.has_linearisations) return 5;
    if (r.unit != LengthUnit::m || r.up != UpAxis::y) return 4;
    if (r.shown) return 3;
    return r.has_energies && r.has_velocity && r.has_cost && r.remarks.empty() ? 1 : 2;
}

void save_head(ByteWriter& out, const Recording& r) {
    out.text(r.scene);
    out.u64(r.scene_hash);
    out.text(r.method);
    out.text(r.provenance);
    out.f64(r.step);
    out.f64(r.prepare_ms);
    out.u64(r.prepared_bytes);
    save_body(out, r.body->description());
    if (format_of(r) < 2) return;
    out.u8(static_cast<std::uint8_t>((r.has_energies ? 0 : 1) | (r.has_velocity ? 0 : 2) | (r.has_cost ? 0 : 4)));
    out.u64(r.remarks.size());
    for (const std::string& remark : r.remarks) out.text(remark);
    if (format_of(r) > 3) {
        out.u8(static_cast<std::uint8_t>(r.unit));
        out.u8(static_cast<std::uint8_t>(r.up));
        out.u8(r.shown ? 1 : 0);
    }
    if (format_of(r) > 4) {
        out.u8(r.has_stress ? 1 : 0);
        out.u8(r.has_linearisations ? 1 : 0);
    }
    if (format_of(r) > 5) out.u64(r.obstacle_count);
    if (r.shown) save_shown(out, *r.shown);
}

namespace {
void load_gaps(ByteReader& in, Recording& r) {
    const unsigned missing = in.u8();
    r.has_energies = (missing & 1) == 0;
    r.has_velocity = (missing & 2) == 0;
    r.has_cost = (missing & 4) == 0;
    for (std::uint64_t n = in.u64(); n > 0; --n) r.remarks.push_back(in.text());
}

std::size_t load_obstacle_count(ByteReader& in) {
    constexpr std::uint64_t kMost = 10000;
    const std::uint64_t count = in.u64();
    if (count > kMost) in.fail(text(count, " obstacles"), text("at most ", kMost));
    return static_cast<std::size_t>(count);
}

/// True when a surface follows.
bool load_source(ByteReader& in, Recording& r) {
    r.unit = get_enum(in, LengthUnit::ft, "unit");
    r.up = get_enum(in, UpAxis::z, "axis up");
    return load_mark(in, "a surface");
}
}  // namespace

Recording load_head(ByteReader& in, std::uint32_t format) {
    Recording r;
    r.scene = in.text();
    r.scene_hash = in.u64();
    r.method = in.text();
    r.provenance = in.text();
    r.step = in.f64();
    r.prepare_ms = in.f64();
    r.prepared_bytes = static_cast<std::size_t>(in.u64());
    if (!std::isfinite(r.step) || !std::isfinite(r.prepare_ms)) in.fail("a step or a time that is not finite");
    BodyDescription d = load_body(in);
    if (format > 1) load_gaps(in, r);
    const bool shown = format > 3 ? load_source(in, r) : format > 2;
    if (format > 4) {
        r.has_stress = load_mark(in, "stress");
        r.has_linearisations = load_mark(in, "linearisations");
    }
    if (format > 5) r.obstacle_count = load_obstacle_count(in);
    if (shown) r.shown = std::make_shared<const PaintedSurface>(load_shown(in, format > 6));
    if (in.left() != 0) in.fail(text(in.left(), " bytes after the header"), "the header to end there");
    try {
        r.body = Body::make(std::move(d), in.place());
    } catch (const Error& e) {
        // Only a file made by other hands gets here: the checksum was right.
        throw Error(Fault::bad_data, in.place(), text("the recorded body is not valid: ", e.found()), e.expected());
    }
    return r;
}

static_assert(sizeof(SymMat3) == 6 * sizeof(double));

void save_frame(ByteWriter& out, const Frame& f, const Recording& head) {
    out.f64(f.time);
    save_vectors(out, f.displacement);
    save_vectors(out, f.velocity);
    out.f64(f.energies.kinetic);
    out.f64(f.energies.elastic);
    out.u64(f.reactions.size());
    for (const Wrench& w : f.reactions) {
        put(out, w.force);
        put(out, w.torque);
    }
    out.u32(static_cast<std::uint32_t>(f.report.trouble));
    out.i32(f.report.sub_steps);
    out.i32(f.report.iterations);
    // A diverged solve may have no residual; infinity says so and is no NaN.
    out.f64(std::isnan(f.report.residual) ? std::numeric_limits<double>::infinity() : f.report.residual);
    out.i32(f.report.where);
    out.f64(f.step_ms);
    if (head.has_linearisations) {
        out.i32(f.report.linearisations);
        out.text(f.report.solver);
    }
    for (const Obstacle& o : f.obstacles) put(out, o);
    if (!head.has_stress) return;
    std::vector<double> flat(6 * f.stress.size());
    if (!flat.empty()) std::memcpy(flat.data(), f.stress.data(), flat.size() * sizeof(double));
    out.reals(flat);
}

namespace {
// A report's solver is a literal: names that were read stay for the life of the program. There are few.
const char* kept_name(const std::string& name) {
    static std::mutex mutex;
    static std::set<std::string>& names = *new std::set<std::string>;
    const std::lock_guard lock(mutex);
    return names.size() < 256 || names.contains(name) ? names.insert(name).first->c_str() : "";
}

std::vector<SymMat3> load_tensors(ByteReader& in) {
    const std::vector<double> flat = in.reals();
    if (flat.size() % 6 != 0) in.fail(text("a list of tensors with ", flat.size(), " components"), "six each");
    std::vector<SymMat3> out(flat.size() / 6);
    if (!out.empty()) std::memcpy(static_cast<void*>(out.data()), flat.data(), flat.size() * sizeof(double));
    return out;
}
}  // namespace

Frame load_frame(ByteReader& in, const Recording& head) {
    Frame f;
    f.time = in.f64();
    f.displacement = load_vectors(in);
    f.velocity = load_vectors(in);
    f.energies.kinetic = in.f64();
    f.energies.elastic = in.f64();
    for (std::uint64_t n = in.u64(); n > 0; --n) {
        Wrench w;
        w.force = get_vector(in);
        w.torque = get_vector(in);
        f.reactions.push_back(w);
    }
    f.report.trouble = static_cast<Trouble>(in.u32());
    f.report.sub_steps = in.i32();
    f.report.iterations = in.i32();
    f.report.residual = in.f64();
    f.report.where = in.i32();
    f.step_ms = in.f64();
    if (head.has_linearisations) {
        f.report.linearisations = in.i32();
        const std::string solver = in.text();
        if (solver.size() > 40) in.fail(text("a solver's name of ", solver.size(), " characters"), "at most 40");
        f.report.solver = kept_name(solver);
    }
    for (std::size_t i = 0; i < head.obstacle_count; ++i) f.obstacles.push_back(get_obstacle(in));
    if (head.has_stress) f.stress = load_tensors(in);
    if (in.left() != 0) in.fail(text(in.left(), " bytes after the frame"), "the frame to end there");
    return f;
}

void check_frame(const Frame& f, const Recording& head, const std::string& path) {
    const Body& body = *head.body;
    const auto fail = [&](const std::string& found, const std::string& expected) {
        throw Error(Fault::bad_usage, {path, 0, {}}, text("the frame at ", f.time, " s ", found), expected);
    };
    for (const auto* v : {&f.displacement, &f.velocity}) {
        if (!v->empty() && v->size() != body.vertex_count()) {
            fail(text("has ", v->size(), v == &f.velocity ? " velocities" : " displacements"),
                 text(body.vertex_count(), ", one per vertex"));
        }
        for (std::size_t i = 0; i < v->size(); ++i)
            if (!is_finite((*v)[i])) fail(text("is not finite at vertex ", i), "finite motion");
    }
    if (head.has_stress && f.stress.size() != body.mesh().cell_count())
        fail(text("has ", f.stress.size(), " stresses"), text(body.mesh().cell_count(), ", one per cell"));
    for (std::size_t c = 0; c < f.stress.size(); ++c) {
        if (const SymMat3& s = f.stress[c]; !is_finite({s.xx, s.yy, s.zz}) || !is_finite({s.xy, s.yz, s.zx}))
            fail(text("is not finite in cell ", c), "finite stress");
    }
    if (f.obstacles.size() != head.obstacle_count)
        fail(text("has ", counted(f.obstacles.size(), "obstacle")), text(head.obstacle_count, ", as the recording"));
    for (std::size_t i = 0; i < f.obstacles.size(); ++i) {
        const Obstacle& o = f.obstacles[i];
        const double turn = o.rotation.w * o.rotation.w + o.rotation.x * o.rotation.x + o.rotation.y * o.rotation.y +
                            o.rotation.z * o.rotation.z;
        if (!is_finite(numbers_of(o.shape).size) || !is_finite(o.position) || !is_finite(o.velocity) ||
            !is_finite(o.angular_velocity) || !(std::abs(turn - 1.0) < 1e-6)) {
            fail(text("has obstacle ", i, " without a finite place"), "finite values and a rotation of unit length");
        }
    }
    bool finite = std::isfinite(f.time) && std::isfinite(f.energies.kinetic) && std::isfinite(f.energies.elastic) &&
                  std::isfinite(f.step_ms);
    for (const Wrench& w : f.reactions) finite = finite && is_finite(w.force) && is_finite(w.torque);
    if (!finite) fail("has a time, an energy or a reaction that is not finite", "finite values");
}

}  // namespace limber
