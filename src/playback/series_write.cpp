// Recordings for other programs: npz arrays, point caches, VTU series.
#include "io/files/atomic_file.hpp"
#include "io/files/indexed_folder.hpp"
#include "io/npz/npz.hpp"
#include "io/points/point_cache.hpp"
#include "io/vtk/vtu_series.hpp"
#include "playback/series_data.hpp"
#include "playback/series_resample.hpp"
#include "playback/stress_fields.hpp"
#include "sim/provenance_text.hpp"

#include "core/text.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/series.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace limber {

namespace {

class SeriesWriter {
public:
    SeriesWriter(const Recording& recording, const SeriesTarget& target)
        : r_(recording),
          target_(target),
          axes_(target.unit.value_or(recording.unit), target.up.value_or(recording.up)) {}

    SeriesWritten write() {
        if (!r_.body || r_.frames.empty())
            throw Error(Fault::bad_usage, place(), "not written: a recording without frames", "one or more");
        for (const Frame& f : r_.frames) {
            if (f.displacement.size() != vertices().size()) {
                throw Error(
                    Fault::bad_usage, place(),
                    text("not written: the frame at ", f.time, " s has ", f.displacement.size(), " displacements"),
                    text(vertices().size()));
            }
        }
        if (target_.frame_rate != 0 && target_.format != SeriesFormat::pc2 && target_.format != SeriesFormat::mdd) {
            throw Error(Fault::bad_usage, place(), text("a frame rate for ", to_string(target_.format)),
                        "pc2 or mdd: the others keep the times of the frames");
        }
        out_.path = target_.path;
        out_.axes = axes_;
        out_.frames = r_.frames.size();
        out_.vertices = vertices().size();
        switch (target_.format) {
            case SeriesFormat::npz: write_npz(); break;
            case SeriesFormat::pc2:
            case SeriesFormat::mdd: write_cache(); break;
            case SeriesFormat::vtu: write_vtu_files(); break;
        }
        return std::move(out_);
    }

private:
    std::string scene_hash() const { return fmt::format("{:#018x}", r_.scene_hash); }
    InputLocation place() const { return {target_.path, 0, {}}; }
    const std::vector<Vec3>& vertices() const { return r_.body->mesh().vertices; }

    std::vector<Vec3> given(std::span<const Vec3> field) const {
        std::vector<Vec3> out;
        out.reserve(field.size());
        for (const Vec3& v : field) out.push_back(axes_.to_file(v));
        return out;
    }
    std::vector<Vec3> positions(std::span<const Vec3> displacement) const {
        std::vector<Vec3> out;
        out.reserve(displacement.size());
        for (std::size_t v = 0; v < displacement.size(); ++v)
            out.push_back(axes_.to_file(vertices()[v] + displacement[v]));
        return out;
    }

    void report_progress(double fraction) const {
        if (target_.progress == nullptr) return;
        if (target_.progress->stop_requested())
            throw Error(Fault::interrupted, place(), "interrupted; nothing was written");
        target_.progress->update(fraction, "writing");
    }

    void write_cache() {
        const bool pc2 = target_.format == SeriesFormat::pc2;
        Resampled samples = resample(r_, target_.frame_rate, pc2, place());
        PointCache cache;
        cache.points = vertices().size();
        for (const std::vector<Vec3>& u : samples.displacements) {
            report_progress(0.5);
            cache.frames.push_back(positions(u));
        }
        cache.times = std::move(samples.times);
        out_.frames = cache.frames.size();
        out_.frame_rate = samples.frame_rate;
        if (samples.blended > 0) {
            out_.remarks.push_back(text(samples.blended, " of ", counted(out_.frames, "frame"),
                                        " are blended linearly from the recorded ones"));
        }
        if (pc2 && out_.frame_rate > 0)
            out_.remarks.push_back(text("PC2 has no seconds: play it at ", out_.frame_rate, " frames per second"));
        out_.remarks.push_back("coordinates have 32 bits, about seven digits");
        write_file(target_.path, pc2 ? format_pc2(cache, target_.path) : format_mdd(cache, target_.path));
    }

    // One array at a time: a recording is large, and need not be there in every form at once.
    template <class Field>
    void add_fields(NpzWriter& file, const std::string& name, Field&& field) const {
        std::vector<double> flat;
        flat.reserve(r_.frames.size() * vertices().size() * 3);
        for (const Frame& f : r_.frames) {
            report_progress(0.5);
            for (const Vec3& v : field(f)) flat.insert(flat.end(), {v.x, v.y, v.z});
        }
        file.add(name, std::vector<std::size_t>{r_.frames.size(), vertices().size(), 3}, flat);
    }

    void write_npz() {
        const std::size_t n = r_.frames.size();
        NpzWriter file(target_.path);
        std::vector<double> times;
        for (const Frame& f : r_.frames) times.push_back(f.time);
        file.add("times", std::vector<std::size_t>{n}, times);
        std::vector<double> rest;
        for (const Vec3& v : given(vertices())) rest.insert(rest.end(), {v.x, v.y, v.z});
        file.add("rest", std::vector<std::size_t>{vertices().size(), 3}, rest);
        const Mesh& mesh = r_.body->mesh();
        file.add("cells", std::vector<std::size_t>{mesh.cell_count(), static_cast<std::size_t>(corners_of(mesh.kind))},
                 mesh.cells);
        add_fields(file, "positions", [&](const Frame& f) { return positions(f.displacement); });
        add_fields(file, "displacements", [&](const Frame& f) { return given(f.displacement); });
        const bool moving = std::all_of(r_.frames.begin(), r_.frames.end(),
                                        [&](const Frame& f) { return f.velocity.size() == vertices().size(); });
        if (r_.has_velocity && moving)
            add_fields(file, "velocities", [&](const Frame& f) { return given(f.velocity); });
        else
            out_.remarks.push_back("velocities are not known and left out");
        if (r_.has_stress) add_stress(file);
        add_scalars(file);
        file.add("provenance", provenance_words());
        file.finish();
    }

    void add_stress(NpzWriter& file) const {
        std::vector<double> all;
        for (const Frame& f : r_.frames) {
            for (const SymMat3& here : f.stress) {
                const SymMat3 s = turned_to_file(axes_, here);
                all.insert(all.end(), {s.xx, s.yy, s.zz, s.xy, s.yz, s.zx});
            }
        }
        file.add("stress", std::vector<std::size_t>{r_.frames.size(), r_.body->mesh().cell_count(), 6}, all);
    }

    void add_scalars(NpzWriter& file) {
        const std::size_t n = r_.frames.size(), supports = r_.frames.front().reactions.size();
        std::vector<double> energies, reactions, cost;
        bool even = supports > 0;
        for (const Frame& f : r_.frames) {
            energies.insert(energies.end(), {f.energies.kinetic, f.energies.elastic});
            cost.push_back(f.step_ms);
            even = even && f.reactions.size() == supports;
            for (const Wrench& w : f.reactions) {
                for (const Vec3& v : {axes_.turned_to_file(w.force), axes_.turned_to_file(w.torque)})
                    reactions.insert(reactions.end(), {v.x, v.y, v.z});
            }
        }
        if (r_.has_energies)
            file.add("energies", std::vector<std::size_t>{n, 2}, energies);
        else
            out_.remarks.push_back("energies are not known and left out");
        if (even) file.add("reactions", std::vector<std::size_t>{n, supports, 6}, reactions);
        if (r_.has_cost) {
            file.add("step_ms", std::vector<std::size_t>{n}, cost);
            file.add("prepare_ms", {}, std::vector<double>{r_.prepare_ms});
            file.add("prepared_bytes", {}, std::vector<double>{static_cast<double>(r_.prepared_bytes)});
        } else
            out_.remarks.push_back("the cost of a step is not known and left out");
    }

    std::string provenance_words() const {
        const auto parsed = [](const std::string& words) {
            nlohmann::json value = nlohmann::json::parse(words, nullptr, false);
            return value.is_discarded() ? nlohmann::json(words) : value;
        };
        nlohmann::json supports = nlohmann::json::array();
        for (const Anchor& a : r_.body->anchors()) supports.push_back(a.name);
        for (const Handle& h : r_.body->handles()) supports.push_back(h.name);
        for (std::size_t i = 0; i < r_.obstacle_count; ++i) supports.push_back(text("obstacle ", i));
        const nlohmann::json all{{"scene", r_.scene},
                                 {"scene_hash", scene_hash()},
                                 {"method", r_.method},
                                 {"step", r_.step},
                                 {"prepare_ms", r_.prepare_ms},
                                 {"cut_short", r_.cut_short},
                                 {"cell_kind", to_string(r_.body->mesh().kind)},
                                 {"unit", to_string(axes_.unit())},
                                 {"up", to_string(axes_.up())},
                                 {"supports", supports},
                                 {"recorded_by", parsed(r_.provenance)},
                                 {"written_by", parsed(provenance_text())}};
        return all.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    }

    void write_vtu_files() {
        const std::filesystem::path path(target_.path);
        const bool named = ending_of(target_.path) == ".pvd";
        const std::string stem = named ? path.stem().string() : "frame",
                          index = named ? path.filename().string() : "series.pvd";
        const std::string beside = path.has_parent_path() ? path.parent_path().string() : ".";
        IndexedFolder folder(named ? beside : target_.path, vtu_series_claim(index, stem));
        Mesh mesh = r_.body->mesh();
        mesh.vertices = given(vertices());
        const std::string about = text("scene ", r_.scene, " ", scene_hash(), "; ", to_string(axes_));
        std::vector<PvdEntry> entries;
        for (const Frame& f : r_.frames) {
            report_progress(static_cast<double>(entries.size()) / static_cast<double>(r_.frames.size()));
            std::vector<VtuField> fields{{"displacement", false, 3, flat(given(f.displacement))}};
            if (r_.has_velocity && f.velocity.size() == vertices().size())
                fields.push_back({"velocity", false, 3, flat(given(f.velocity))});
            if (r_.has_stress)
                for (VtuField& field : stress_fields(f.stress, axes_)) fields.push_back(std::move(field));
            entries.push_back({f.time, fmt::format("{}_{:06}.vtu", stem, entries.size())});
            write_vtu(folder.file(entries.back().file), mesh, fields, about);
        }
        write_pvd(folder.file(index), entries, about);
        folder.commit();
        out_.path = named ? target_.path : (path / index).string();
    }
    static std::vector<double> flat(const std::vector<Vec3>& field) {
        std::vector<double> out;
        for (const Vec3& v : field) out.insert(out.end(), {v.x, v.y, v.z});
        return out;
    }

    const Recording& r_;
    const SeriesTarget& target_;
    FileAxes axes_;  ///< of what is written
    SeriesWritten out_;
};
}  // namespace

SeriesWritten write_series(const Recording& recording, const SeriesTarget& target) {
    return SeriesWriter(recording, target).write();
}

}  // namespace limber
