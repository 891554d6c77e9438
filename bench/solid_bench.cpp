// From a file to a solid of 20000 cells with the surface riding on it: how time grows with the number of triangles.
#include "bench.hpp"
#include "yardstick.hpp"

#include "core/text.hpp"

#include <limber/embedding.hpp>
#include <limber/tools/assets.hpp>
#include <limber/tools/mesh_io.hpp>
#include <limber/tools/solid.hpp>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include <unistd.h>

namespace limber::bench {
namespace {

/// A file that goes when the case does.
struct TemporaryFile {
    std::string path;
    explicit TemporaryFile(const std::string& name) {
        std::string pattern = (std::filesystem::temp_directory_path() / ("limber_bench_XXXXXX" + name)).string();
        const int file = ::mkstemps(pattern.data(), static_cast<int>(name.size()));
        if (file >= 0) ::close(file);
        path = pattern;
    }
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
};

Work solid_work(int triangles, Dirt dirt) {
    auto file = std::make_shared<TemporaryFile>(".ply");
    const Asset duck = make_asset("duck", triangles);
    write_surface(file->path,
                  dirt == Dirt::clean ? duck.surfaces[0].surface : spoil(duck.surfaces[0].surface, dirt, 1).surface,
                  MeshFormat::ply);
    Work w;
    w.subject = [file] {
        Progress quiet;
        const std::vector<NamedSurface> surfaces{{{}, read_surface(file->path)}};
        SolidSettings settings;
        settings.cells = 20000;
        const Solid solid = make_solid(surfaces, settings, quiet);
        const EmbeddedSurface rides(surfaces[0].surface.vertices, solid.mesh);
        keep(rides.farthest() + solid.volume);
    };
    w.against = "file read once";
    w.bytes = std::filesystem::file_size(file->path);
    w.dear = true;
    return w;
}

}  // namespace

void add_solid_cases(Cases& cases, const Settings& settings) {
    for (const int thousands : settings.quick ? std::vector<int>{10} : std::vector<int>{10, 25, 50, 100, 200, 400}) {
        for (const auto& [name, dirt] : {std::pair{"duck_", Dirt::clean}, std::pair{"soup_", Dirt::soup}}) {
            cases.push_back({text("solid/", name, thousands, "k"),
                             [thousands, dirt = dirt] { return solid_work(1000 * thousands, dirt); }});
        }
    }
}

}  // namespace limber::bench
