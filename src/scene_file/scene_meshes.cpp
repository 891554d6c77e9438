#include "scene_file/scene_meshes.hpp"

#include "core/text.hpp"
#include "geometry/triangles.hpp"
#include "io/files/scanner.hpp"
#include "io/surface/painted_file.hpp"

#include <limber/bytes.hpp>
#include <limber/tools/assets.hpp>
#include <limber/tools/flesh.hpp>
#include <limber/tools/mesh_io.hpp>
#include <limber/tools/rig_io.hpp>
#include <limber/tools/solid.hpp>

#include <cmath>
#include <filesystem>
#include <mutex>

namespace limber {

namespace {

namespace fs = std::filesystem;

constexpr double kCellsPerCube = 12.0;  // of the lattice that solids are cut from
constexpr double kEmptyBox =
    4.0;  // shapes that fill less of their box than a quarter are rare: their box may hold this much more

/// The surfaces a solid is made of, and how they look.
struct Sources {
    std::vector<NamedSurface> surfaces;  ///< [m], y up
    PaintedSurface painted;
    std::vector<std::string> remarks;  ///< what was left out of them
};

/// Solids in use, by a hash of everything they are made of: the verbs read a scene more than once, studies a hundred
/// times.
class SolidsInUse {
public:
    std::shared_ptr<const Solid> find(std::uint64_t key) {
        const std::lock_guard lock(mutex_);
        std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
        for (const auto& [its_key, solid] : known_)
            if (its_key == key) return solid.lock();
        return nullptr;
    }
    void add(std::uint64_t key, const std::shared_ptr<const Solid>& solid) {
        const std::lock_guard lock(mutex_);
        known_.emplace_back(key, solid);
    }

private:
    std::mutex mutex_;
    std::vector<std::pair<std::uint64_t, std::weak_ptr<const Solid>>> known_;
};

std::uint64_t key_of(const std::vector<NamedSurface>& surfaces, const SolidSettings& settings) {
    ByteWriter out;
    out.i32(settings.cells);
    out.f64(settings.cell_size);
    for (const NamedSurface& s : surfaces) {
        out.text(s.name);
        for (const Vec3& v : s.surface.vertices)
            for (int i = 0; i < 3; ++i) out.f64(v[i]);
        out.ints(s.surface.face_starts);
        out.ints(s.surface.faces);
    }
    std::uint64_t h = 0xcbf29ce484222325ull;
    for (const std::uint8_t byte : out.bytes()) h = (h ^ byte) * 0x100000001b3ull;
    return h;
}

/// Sides by the names that generators give them: what lies in the outer twentieth along an axis, so that a first scene
/// need not know how large its object is.
void name_sides(Mesh& mesh) {
    constexpr double kShare = 0.05;
    constexpr const char* kNames[3][2] = {{"left", "right"}, {"bottom", "top"}, {"back", "front"}};
    const Box3 box = box_of(mesh.vertices);
    for (int axis = 0; axis < 3; ++axis) {
        for (const bool far : {false, true}) {
            Box3 side = box;
            if (far)
                side.low[axis] = box.high[axis] - kShare * box.size()[axis];
            else
                side.high[axis] = box.low[axis] + kShare * box.size()[axis];
            mesh.vertex_sets[kNames[axis][far ? 1 : 0]] = vertices_in_box(mesh, side.low, side.high);
        }
    }
}

class MeshLoader {
public:
    MeshLoader(const std::string& folder, const SceneReading& reading, const FaultSink& sink, const FaultSink& warnings)
        : folder_(folder), reading_(reading), sink_(sink), warnings_(warnings) {}

    void load(BodySpec& body, bool unit_stated, const std::string& field) {
        MeshSource& mesh = body.mesh;
        unit_stated_ = unit_stated || !mesh.asset.empty();
        if (!mesh.flesh.empty()) {
            attempt(field + "/mesh/flesh", [&] { cut_flesh(mesh, field + "/mesh"); });
        } else if (!mesh.path.empty() && !mesh.made()) {
            attempt(field + "/mesh/path", [&] {
                if (is_surface_file(mesh.path)) return refuse_hollow(field + "/mesh");
                mesh.loaded = std::make_shared<const Mesh>(read_mesh(file_of(mesh.path)));
                if (!unit_stated_) warn_of_model_size(box_of(mesh.loaded->vertices).size(), field + "/mesh", warnings_);
            });
        } else if (mesh.made()) {
            Sources sources;
            if (gather(mesh, field + "/mesh", sources))
                attempt(field + "/mesh", [&] { make(mesh, sources, field + "/mesh"); });
            if (!mesh.loaded || !body.shown.path.empty()) return;
            body.shown.loaded = std::make_shared<const PaintedSurface>(std::move(sources.painted));
            tell(sources.remarks, field + "/mesh");
        }
    }

    void load_shown(ShownSpec& shown, bool unit_stated, const std::string& field) {
        if (shown.path.empty()) return;
        attempt(field + "/surface/path", [&] {
            if (!is_surface_file(shown.path))
                throw Error(Fault::bad_scene, {}, in_quotes(shown.path), "a surface: .obj, .ply, .stl, .glb or .gltf");
            std::vector<std::string> remarks;
            PaintedSurface painted = read_painted_surface(file_of(shown.path), shown.unit, shown.up, remarks);
            tell(remarks, field + "/surface");
            if (!unit_stated)
                warn_of_model_size(box_of(painted.surface.vertices).size(), field + "/surface", warnings_);
            painted.limit = shown.limit;
            shown.loaded = std::make_shared<const PaintedSurface>(std::move(painted));
        });
    }

private:
    std::string file_of(const std::string& path) const {
        return (fs::path(folder_) / path).lexically_normal().string();
    }

    void tell(const std::vector<std::string>& remarks, const std::string& field) const {
        for (const std::string& remark : remarks) warnings_.add(Fault::bad_file, field, remark);
    }

    template <class Work>
    bool attempt(const std::string& field, Work&& work) {
        try {
            work();
            return true;
        } catch (const Error& error) {
            if (error.fault() == Fault::interrupted) throw;
            sink_.add(error, field);
        }
        return false;
    }

    /// Shown by its own boundary: the character's skin goes on where the flesh ends.
    void cut_flesh(MeshSource& mesh, const std::string& field) const {
        if (!mesh.made()) {
            return sink_.add(Fault::bad_scene, field + "/cells", "missing",
                             "about how many cells the flesh should have, such as 5000");
        }
        if (mesh.cells > reading_.most_cells) return refuse_size(field + "/cells", text(mesh.cells));
        if (!mesh.asset.empty() && mesh.asset != "humanoid") {
            throw Error(Fault::bad_scene, {}, text("flesh of the asset \"", mesh.asset, "\", which has no bones"),
                        "the asset \"humanoid\", or the path of a rigged character");
        }
        const Rig rig = mesh.asset.empty() ? read_rig(file_of(mesh.path), {metres_in(mesh.unit)}) : make_humanoid();
        if (!unit_stated_) warn_of_character_size(rig, field, warnings_);
        FleshSettings settings;
        settings.cells = mesh.cells;
        settings.cell_size = mesh.cells > 0 ? 0.0 : mesh.cell_size * metres_in(mesh.unit);
        const Region region = parse_region(mesh.flesh);
        Progress silent;
        std::vector<FleshPart> parts = make_flesh(rig, std::span(&region, 1), settings,
                                                  reading_.progress ? *reading_.progress : silent);
        name_sides(parts[0].mesh);
        mesh.loaded = std::make_shared<const Mesh>(std::move(parts[0].mesh));
    }

    void refuse_hollow(const std::string& field) const {
        sink_.add(Fault::bad_scene, field + "/path", "a surface, which has no inside yet",
                  "\"cells\" beside it (about how many, such as 5000), or \"cell_size\" or \"cage\"");
    }

    /// Every surface that cannot be read is a fault of its own.
    bool gather(const MeshSource& mesh, const std::string& field, Sources& out) {
        if (!mesh.asset.empty()) {
            return attempt(field + "/asset", [&] {
                const Asset asset = make_asset(mesh.asset);
                out.surfaces = named_surfaces(asset);
                out.painted = painted_rig(as_model(asset));
            });
        }
        std::vector<PaintedSurface> painted;
        bool fine = true;
        const auto read = [&](const std::string& name, const std::string& path, const std::string& at) {
            fine = attempt(at,
                           [&] {
                               if (!is_surface_file(path)) {
                                   throw Error(Fault::bad_scene, {}, in_quotes(path),
                                               "a surface to fill: .obj, .ply, .stl, .glb or .gltf");
                               }
                               painted.push_back(read_painted_surface(file_of(path), mesh.unit, mesh.up, out.remarks));
                               out.surfaces.push_back({name, painted.back().surface});
                           }) &&
                   fine;
        };
        if (!mesh.path.empty()) read("", mesh.path, field + "/path");
        for (std::size_t s = 0; s < mesh.surfaces.size(); ++s)
            read(mesh.surfaces[s].name, mesh.surfaces[s].path, text(field, "/surfaces/", s, "/path"));
        if (fine) out.painted = joined(painted);
        if (fine && !unit_stated_) warn_of_model_size(box_of(out.painted.surface.vertices).size(), field, warnings_);
        return fine;
    }

    void make(MeshSource& mesh, const Sources& sources, const std::string& field) const {
        Progress silent;
        Progress& progress = reading_.progress ? *reading_.progress : silent;
        if (mesh.cage > 0) {
            const double cubes = std::pow(mesh.cage, 3.0);
            if (cubes > kEmptyBox * reading_.most_cells)
                return refuse_size(field + "/cage", text("up to ", cubes, " cubes"));
            Mesh cage = make_cage(sources.surfaces, {mesh.cage, CellKind::hex8}, progress);
            name_sides(cage);
            mesh.loaded = std::make_shared<const Mesh>(std::move(cage));
            return;
        }
        SolidSettings settings;
        settings.cells = mesh.cells;
        settings.cell_size = mesh.cells > 0 ? 0.0 : mesh.cell_size * metres_in(mesh.unit);
        if (mesh.cells > reading_.most_cells) return refuse_size(field + "/cells", text(mesh.cells));
        if (settings.cell_size > 0.0) {
            const Vec3 size = box_of(sources.painted.surface.vertices).size();
            const double cells = kCellsPerCube * size.x * size.y * size.z / std::pow(settings.cell_size, 3.0);
            if (!(cells <= kEmptyBox * reading_.most_cells)) {
                return refuse_size(field + "/cell_size",
                                   text(mesh.cell_size, " ", to_string(mesh.unit), " for a shape of ",
                                        fmt::format("{:.3g} x {:.3g} x {:.3g} m, whose box would hold {:.3g} cells",
                                                    size.x, size.y, size.z, cells)));
            }
        }
        fill(mesh, sources, settings, progress);
    }
    void refuse_size(const std::string& field, const std::string& found) const {
        sink_.add(Fault::bad_scene, field, found, text("at most ", reading_.most_cells, " cells"));
    }

    static void fill(MeshSource& mesh, const Sources& sources, const SolidSettings& settings, Progress& progress) {
        static SolidsInUse in_use;
        const std::uint64_t key = key_of(sources.surfaces, settings);
        mesh.solid = in_use.find(key);
        if (!mesh.solid) {
            Solid solid = make_solid(sources.surfaces, settings, progress);
            name_sides(solid.mesh);
            mesh.solid = std::make_shared<const Solid>(std::move(solid));
            in_use.add(key, mesh.solid);
        }
        mesh.loaded = std::shared_ptr<const Mesh>(mesh.solid, &mesh.solid->mesh);
    }

    const std::string& folder_;
    const SceneReading& reading_;
    const FaultSink &sink_, &warnings_;
    bool unit_stated_ = false;  ///< of the body at hand
};

/// What shows the body goes where the body goes.
void move_shown(BodySpec& body) {
    if (!body.shown.loaded || body.place == PlaceSpec{}) return;
    PaintedSurface moved = *body.shown.loaded;
    for (Vec3& p : moved.surface.vertices) p = placed(body.place, p);
    for (Vec3& n : moved.normals) n = placed({{}, body.place.rotation}, n);
    body.shown.loaded = std::make_shared<const PaintedSurface>(std::move(moved));
}

bool fault_below(const std::vector<SceneFault>& faults, const std::string& top) {
    for (const SceneFault& f : faults)
        if (f.place.field == top || f.place.field.starts_with(top + "/")) return true;
    return false;
}

}  // namespace

void load_meshes(Scene& scene, const std::string& folder, const SceneReading& reading, const StatedUnits& stated,
                 const FaultSink& sink, const FaultSink& warnings) {
    MeshLoader loader(folder, reading, sink, warnings);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const std::string field = text("/bodies/", b);
        if (!fault_below(*sink.faults, field + "/mesh")) loader.load(scene.bodies[b], stated.of(b).mesh, field);
        if (!fault_below(*sink.faults, field + "/surface"))
            loader.load_shown(scene.bodies[b].shown, stated.of(b).shown, field);
        move_shown(scene.bodies[b]);
    }
}

}  // namespace limber
