// limber export --to inp: a scene, or the body of a recording, as a deck that CalculiX solves.
#include "cli/export.hpp"
#include "cli/mesh_files.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "io/inp/inp_deck.hpp"

#include <limber/tools/sim.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber::cli {
namespace {

struct Deck {
    std::shared_ptr<const Body> body;
    std::vector<Vec3> force, displacement;
    Vec3 gravity;
    std::string about;
    double time = 0.0;
    FileAxes axes{LengthUnit::m, UpAxis::y};  ///< of the file the body came from
    std::vector<std::string> remarks;
};

double time_within(const ExportArguments& a, double first, double last) {
    const double time = a.surface.time.value_or(last);
    if (!(time >= first && time <= last))
        throw Error(Fault::bad_usage, {"--time", 0, {}}, text(time, " s"), text(first, " to ", last, " s"));
    return time;
}

Deck deck_of_scene(const ExportArguments& a) {
    const Scene scene = read_scene_visibly(a.input, a.sets, a.common);
    Deck deck;
    deck.body = make_body(scene);
    Timeline timeline(scene, deck.body);
    deck.time = time_within(a, 0.0, scene.duration);
    const Loads& loads = timeline.at(deck.time);
    deck.gravity = loads.gravity;
    deck.force.assign(loads.force.begin(), loads.force.end());
    deck.displacement.resize(deck.body->vertex_count());
    for (std::size_t h = 0; h < loads.handles.size(); ++h) {
        const Handle& handle = deck.body->handles()[h];
        const Mat3 turn = to_matrix(loads.handles[h].rotation);
        for (const std::int32_t v : handle.vertices) {
            const Vec3 arm = deck.body->mesh().vertices[static_cast<std::size_t>(v)] - handle.pivot;
            deck.displacement[static_cast<std::size_t>(v)] = loads.handles[h].translation + turn * arm - arm;
        }
    }
    if (!scene.bodies.empty()) deck.axes = scene.bodies[0].mesh.axes();
    deck.about = about_scene(scene);
    return deck;
}

Deck deck_of_recording(const ExportArguments& a) {
    if (!a.sets.empty())
        throw Error(Fault::bad_usage, {"--set", 0, {}}, "a change to a scene, but a recording is exported", "a scene");
    const Recording r = read_recording(a.input);
    if (!r.body || r.frames.empty())
        throw Error(Fault::bad_data, {a.input, 0, {}}, "a recording without frames", "one or more");
    Deck deck;
    deck.body = r.body;
    deck.axes = FileAxes(r.unit, r.up);
    const double wanted = time_within(a, r.frames.front().time, r.frames.back().time);
    const auto frame = std::min_element(r.frames.begin(), r.frames.end(), [&](const Frame& p, const Frame& q) {
        return std::abs(p.time - wanted) < std::abs(q.time - wanted);
    });
    deck.time = frame->time;
    deck.displacement = frame->displacement;
    deck.about = text("scene ", r.scene, " ", hex(r.scene_hash));
    if (a.modes == 0) {
        deck.remarks.push_back(
            "a recording does not hold gravity and forces: the deck has supports only (export the scene itself for all "
            "loads)");
    }
    return deck;
}

/// What was asked for, else the source's; plane cells lie in x and y, so that planar bodies keep y up unless that is
/// asked against.
FileAxes axes_for(Deck& deck, const ExportArguments& a) {
    UpAxis up = a.up.value_or(deck.axes.up());
    if (!a.up && up == UpAxis::z && deck.body->mesh().dimension() == 2) {
        up = UpAxis::y;
        deck.remarks.push_back("the source has z up, the deck y: plane cells lie in x and y");
    }
    return {a.unit.value_or(deck.axes.unit()), up};
}

}  // namespace

int export_inp(const ExportArguments& a) {
    refuse_overwriting({a.input}, {a.out});
    if (a.frame_rate != 0 || !a.surface.match.empty()) {
        throw Error(Fault::bad_usage, {a.out, 0, {}}, "--rate or --match for inp",
                    "neither: it is a body at one --time");
    }
    const bool recorded = read_file(a.input).starts_with("limber recording");
    if (!recorded && !a.common.quiet) warn_of_scene_models(a.input, a.sets);
    Deck deck = recorded ? deck_of_recording(a) : deck_of_scene(a);
    refuse_overwriting({}, {a.out});
    const FileAxes axes = axes_for(deck, a);
    write_file(a.out,
               format_inp_deck(*deck.body, {deck.gravity, deck.force, deck.displacement, a.modes}, axes,
                               a.modes > 0 ? deck.about : text(deck.about, ", loads at t = ", deck.time, " s"), a.out));
    if (!a.common.quiet)
        for (const std::string& remark : deck.remarks) complain(text("note: ", remark));
    const Mesh& mesh = deck.body->mesh();
    if (a.common.json) {
        print_json({{"written", a.out},
                    {"format", "inp"},
                    {"vertices", mesh.vertices.size()},
                    {"cells", mesh.cell_count()},
                    {"time", deck.time},
                    {"unit", to_string(axes.unit())},
                    {"up", to_string(axes.up())},
                    {"remarks", deck.remarks}});
    } else {
        print(text(a.out, ": ", mesh.vertices.size(), " vertices, ", mesh.cell_count(), " cells, ",
                   a.modes > 0 ? text("a step for ", a.modes, " frequencies") : text("loads at ", deck.time, " s"),
                   other_axes(axes), "\n"));
    }
    return kDone;
}

}  // namespace limber::cli
