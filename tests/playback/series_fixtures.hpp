// A moving block, and files of its motion as other programs might write them.
#pragma once

#include "io/npz/npz.hpp"
#include "io/temporary_folder.hpp"

#include <limber/tools/series.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace limber::testing_io {

inline std::shared_ptr<const Body> block(int cells = 2, CellKind kind = CellKind::tet4) {
    BodyDescription d;
    d.mesh = make_box(kind, 2 * cells, cells, cells, {0.1, -0.2, 0.3}, {0.9, 0.2, 0.7});
    d.materials = {{"", {"rubber", 1e5, 0.45, 1100.0, 0.0, 0.01}}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    return Body::make(d);
}

inline Vec3 motion(const Vec3& p, double t) {
    return {0.05 * t * p.y, 0.1 * t * p.x * p.x, -0.02 * std::sin(3 * t) * p.z};
}

inline Recording moving(std::shared_ptr<const Body> body, std::size_t frames = 4, double step = 1.0 / 60.0) {
    Recording r;
    r.scene = "moving.json";
    r.scene_hash = 0xabcdef;
    r.method = "by hand";
    r.provenance = "{\"version\": \"0\"}";
    r.step = step;
    r.body = std::move(body);
    for (std::size_t f = 0; f < frames; ++f) {
        Frame frame;
        frame.time = static_cast<double>(f) * step;
        for (const Vec3& p : r.body->mesh().vertices) {
            frame.displacement.push_back(motion(p, frame.time));
            frame.velocity.push_back(motion(p, 1.0));
        }
        frame.energies = {1.0 / static_cast<double>(f + 3), 0.1};
        frame.reactions = {{{1, 2, 3}, {4, 5, static_cast<double>(f)}}};
        frame.step_ms = 0.25 + static_cast<double>(f);
        r.frames.push_back(frame);
    }
    return r;
}

/// Arrays of an npz file put together by hand.
struct Arrays {
    std::vector<std::vector<Vec3>> positions;
    std::vector<Vec3> rest;
    std::vector<double> times;

    void write(const std::string& path) const {
        NpzWriter file(path);
        std::vector<double> flat;
        for (const auto& frame : positions)
            for (const Vec3& p : frame) flat.insert(flat.end(), {p.x, p.y, p.z});
        file.add("positions", std::vector<std::size_t>{positions.size(), positions[0].size(), 3}, flat);
        flat.clear();
        for (const Vec3& p : rest) flat.insert(flat.end(), {p.x, p.y, p.z});
        if (!rest.empty()) file.add("rest", std::vector<std::size_t>{rest.size(), 3}, flat);
        if (!times.empty()) file.add("times", std::vector<std::size_t>{times.size()}, times);
        file.finish();
    }
};

/// Deformed positions of a recording; point i is vertex order[i].
inline Arrays arrays_of(const Recording& r, const std::vector<std::size_t>& order) {
    Arrays out;
    for (const std::size_t v : order) out.rest.push_back(r.body->mesh().vertices[v]);
    for (const Frame& f : r.frames) {
        out.times.push_back(f.time);
        out.positions.emplace_back();
        for (const std::size_t v : order)
            out.positions.back().push_back(r.body->mesh().vertices[v] + f.displacement[v]);
    }
    return out;
}

inline std::vector<std::size_t> in_order(std::size_t n) {
    std::vector<std::size_t> out(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = i;
    return out;
}

inline std::string failure_of(const SeriesSource& source, const std::shared_ptr<const Body>& body) {
    try {
        read_series(source, body);
    } catch (const Error& e) {
        return e.what();
    }
    return "no error";
}

inline bool says(const std::vector<std::string>& remarks, const std::string& words) {
    for (const std::string& r : remarks)
        if (r.find(words) != std::string::npos) return true;
    return false;
}

}  // namespace limber::testing_io
