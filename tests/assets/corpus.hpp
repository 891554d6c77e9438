// The corpus: dirty variants of the assets, and what has to come of them on their way from a file to half a second
// under gravity.
#pragma once

#include <limber/tools/assets.hpp>
#include <limber/tools/mesh_io.hpp>

#include <map>
#include <string>
#include <vector>

namespace limber::testing {

struct Variant {
    std::string asset;
    Dirt dirt = Dirt::clean;
    std::uint32_t seed = 0;
    MeshFormat format = MeshFormat::obj;
};
/// Every asset with every kind of dirt, again and again with new seeds; formats take turns.
std::vector<Variant> corpus(std::size_t count);

struct Outcome {
    std::string about;
    std::string fault;            ///< empty: none
    double volume_error = 0.0;    ///< of the clean solid's volume
    double smallest_angle = 0.0;  ///< [degrees]
    std::size_t cells = 0, parts = 0;
    double sag = 0.0;      ///< largest displacement of the run over the diagonal
    double seconds = 0.0;  ///< of make_solid
};

/// Runs variants with one set of settings and remembers what variants share.
class CorpusRun {
public:
    CorpusRun(int cells, int triangles, std::string folder)
        : cells_(cells), triangles_(triangles), folder_(std::move(folder)) {}
    Outcome run(const Variant& variant);
    /// A surface of somebody else: its truth is its own winding number, sampled finely.
    Outcome run_file(const std::string& path);

private:
    const Asset& asset(const std::string& name);
    double clean_volume(const std::string& name);
    double volume_of(const std::vector<NamedSurface>& surfaces) const;
    Outcome judge(const std::vector<NamedSurface>& surfaces, double truth) const;

    int cells_, triangles_;
    std::string folder_;
    std::map<std::string, Asset> assets_;
    std::map<std::string, double> volumes_;
};

}  // namespace limber::testing
