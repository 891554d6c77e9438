// limber render: scenes, recordings, characters and surfaces as pictures, filmstrips and movies, without a window.
#include "cli/cli.hpp"
#include "cli/pictures.hpp"
#include "cli/render_inputs.hpp"

#include "core/text.hpp"
#include "report/files.hpp"
#include "report/table.hpp"
#include "show/produce.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace limber::cli {
namespace {

using nlohmann::json;

struct RenderArguments {
    RenderInputs inputs;
    CommonArguments common;
    std::string out, size, camera, field, range, caption;
    std::vector<double> times;
    std::optional<double> time, from, to, fps, speed;
    int filmstrip = 0;
    bool follow = false, wireframe = false, no_ground = false, no_caption = false, no_glyphs = false, skeleton = false;
};

/// What will be made, worked out before anything is run.
struct Order {
    enum class Kind { picture, filmstrip, movie } kind = Kind::picture;
    MovieFormat format = MovieFormat::mp4;
    std::string path;  ///< of the file, or of the folder of PNGs
};

std::vector<double> numbers(const std::string& words, const char* option, std::size_t least, std::size_t most,
                            const std::string& expected) {
    std::vector<double> out;
    const char* at = words.c_str();
    while (*at != '\0') {
        char* end = nullptr;
        out.push_back(std::strtod(at, &end));
        if (end == at || (*end != ',' && *end != '\0') || !std::isfinite(out.back()))
            throw Error(Fault::bad_usage, {option, 0, {}}, text("'", words, "'"), expected);
        at = *end == ',' ? end + 1 : end;
    }
    if (out.size() < least || out.size() > most)
        throw Error(Fault::bad_usage, {option, 0, {}}, text("'", words, "'"), expected);
    return out;
}

void set_size(const std::string& words, StudioSettings& settings) {
    const std::string expected = text("WIDTHxHEIGHT in pixels, 16 to ", kMostPixels, " each");
    char* end = nullptr;
    const long width = std::strtol(words.c_str(), &end, 10);
    const bool cross = *end == 'x' || *end == 'X';
    const long height = cross ? std::strtol(end + 1, &end, 10) : 0;
    if (!cross || *end != '\0' || width < 16 || height < 16 || width > kMostPixels || height > kMostPixels)
        throw Error(Fault::bad_usage, {"--size", 0, {}}, text("'", words, "'"), expected);
    settings.width = static_cast<int>(width);
    settings.height = static_cast<int>(height);
}

/// A name or "turn,rise[,distance]" in degrees and in parts of the distance at which everything fits.
void set_camera(const std::string& words, StudioSettings& settings) {
    const auto commas = std::count(words.begin(), words.end(), ',');
    if (commas < 2) {
        settings.view = parse_view(words);
        return;
    }
    const std::vector<double> n = numbers(
        words, "--camera", 3, 3,
        "a name, or turn,rise[,distance]: degrees, and 1 for the distance at which everything fits");
    if (!(n[2] >= 0.05 && n[2] <= 100.0)) {
        throw Error(Fault::bad_usage, {"--camera", 0, {}}, text("a distance of ", n[2]),
                    "0.05 to 100 times the one at which everything fits");
    }
    settings.view = parse_view(text(n[0], ",", n[1]));
    settings.distance = n[2];
}

Order order_of(const RenderArguments& a) {
    Order out;
    out.path = a.out;
    const std::string ending = ending_of(a.out);
    if (a.filmstrip > 0 || !a.times.empty()) out.kind = Order::Kind::filmstrip;
    if (out.kind == Order::Kind::filmstrip && ending != ".png")
        throw Error(Fault::bad_usage, {a.out, 0, {}}, "a filmstrip in this format", "a file ending in .png");
    if (ending == ".png") return out;
    out.kind = Order::Kind::movie;
    if (!a.out.empty() && a.out.back() == '/') {
        out.format = MovieFormat::png_frames;
    } else if (!movie_format_of(ending, out.format)) {
        throw Error(Fault::bad_usage, {a.out, 0, {}},
                    ending.empty() ? "a name without an ending" : text("the ending ", ending),
                    ".png, .mp4, .gif, .webp, or a folder (ending in /) for numbered PNG files");
    } else {
        need_ffmpeg(a.out);
    }
    return out;
}

/// Sizes that show each panel well; asked-for ones stay, made even where the encoder needs it.
void choose_size(const RenderArguments& a, const Order& order, std::size_t subjects, int strip,
                 StudioSettings& settings) {
    if (!a.size.empty()) {
        set_size(a.size, settings);
    } else if (strip > 0) {
        settings.width = std::clamp(300 * strip, 640, 2400);
        settings.height = 380;
    } else if (subjects == 2) {
        settings.width = 1280;
        settings.height = 560;
    } else if (subjects == 3) {
        settings.width = 1536;
        settings.height = 500;
    } else if (subjects > 3) {
        settings.width = 1280;
        settings.height = 960;
    }
    if (order.kind != Order::Kind::movie || order.format != MovieFormat::mp4) return;
    settings.width += settings.width % 2;
    settings.height += settings.height % 2;
}

StudioSettings settings_of(const RenderArguments& a) {
    StudioSettings settings;
    settings.follow = a.follow;
    settings.wireframe = a.wireframe;
    settings.ground = !a.no_ground;
    settings.caption = !a.no_caption;
    settings.skeleton = a.skeleton;
    settings.glyphs = !a.no_glyphs;
    settings.heading = a.caption;
    if (!a.camera.empty()) set_camera(a.camera, settings);
    if (!a.size.empty()) set_size(a.size, settings);
    if (!a.range.empty()) {
        const std::vector<double> n = numbers(a.range, "--range", 2, 2, "two numbers, LOW,HIGH, in SI units");
        if (!(n[0] < n[1]))
            throw Error(Fault::bad_usage, {"--range", 0, {}}, text("'", a.range, "'"), "the lower number first");
        settings.range = ValueRange{n[0], n[1], ColourMap::sequential};
    }
    return settings;
}

/// When: one time, several, or a span.
struct Schedule {
    std::vector<double> times;
    double fps = 30.0, speed = 1.0;
    bool asked = false;  ///< the one time was given
    std::string why;     ///< of the one time that was chosen
};

void refuse_no_times(const RenderArguments& a) {
    std::vector<std::pair<const char*, double>> all;
    for (const double t : a.times) all.emplace_back("--times", t);
    for (const auto& [name, t] : {std::pair{"--time", a.time}, {"--from", a.from}, {"--to", a.to}})
        if (t) all.emplace_back(name, *t);
    for (const auto& [name, t] : all)
        if (!std::isfinite(t)) throw Error(Fault::bad_usage, {name, 0, {}}, text(t, " s"), "a finite time");
}

Schedule schedule_of(const RenderArguments& a, const Order& order,
                     const std::vector<std::unique_ptr<Subject>>& subjects) {
    double begin = 1e300, end = -1e300;
    for (const auto& s : subjects) {
        begin = std::min(begin, s->begin());
        end = std::max(end, s->end());
    }
    const double from = a.from.value_or(begin), to = a.to.value_or(end);
    refuse_no_times(a);
    if (!(to >= from)) {
        throw Error(Fault::bad_usage, {"--from", 0, {}}, text(from, " s, which is after ", to, " s"),
                    "a time before the end");
    }
    Schedule out;
    if (order.kind == Order::Kind::picture) {
        out.asked = a.time || a.to;
        out.times = {a.time ? *a.time : a.to ? *a.to : subjects.front()->preferred_time(out.why)};
    } else if (order.kind == Order::Kind::filmstrip) {
        out.times = a.times.empty() ? even_times(from, to, a.filmstrip) : a.times;
    } else {
        out.fps = a.fps.value_or(order.format == MovieFormat::gif ? 25.0 : 30.0);
        out.speed = a.speed.value_or(subjects.front()->frame_rate() == 0.0 && a.to ? 1.0 : watchable_speed(to - from));
        out.times = movie_times(from, to, out.fps, out.speed);
    }
    const double slack = 1e-9 * std::max(1.0, end - begin);
    const bool all_end = std::all_of(subjects.begin(), subjects.end(), [](const auto& s) { return s->last_time(); });
    for (const double t : out.times) {
        if (t < begin - slack)
            throw Error(Fault::bad_usage, {"--time", 0, {}}, text(t, " s"), text("a time from ", begin, " s on"));
        if (all_end && t > end + slack && order.kind != Order::Kind::movie)
            throw Error(Fault::bad_usage, {"--time", 0, {}}, text(t, " s"), text("a time up to ", end, " s, the end"));
    }
    if (all_end && from > end + slack)
        throw Error(Fault::bad_usage, {"--from", 0, {}}, text(from, " s"), text("a time before the end, ", end, " s"));
    return out;
}

FileWords file_words(const LoadedInputs& loaded, const StudioSettings& settings) {
    FileWords out;
    out.title = !settings.heading.empty() ? settings.heading : loaded.subjects.front()->title();
    out.comment = text("made by ", provenance_line(), "; of");
    for (std::size_t i = 0; i < loaded.about.size(); ++i) out.comment += (i == 0 ? " " : ", ") + loaded.about[i];
    return out;
}

json told(const Order& order, const Schedule& schedule, const Studio& studio, Field field,
          const std::vector<std::string>& remarks) {
    json out{{"file", order.path},
             {"width", studio.width()},
             {"height", studio.height()},
             {"frames", schedule.times.size()},
             {"times", {schedule.times.front(), schedule.times.back()}},
             {"field", to_string(field)},
             {"renderer", studio.renderer()},
             {"encoder", nullptr},
             {"range", nullptr},
             {"remarks", remarks}};
    if (order.kind == Order::Kind::movie) {
        out["encoder"] = order.format == MovieFormat::png_frames ? "png" : "ffmpeg";
        out["fps"] = schedule.fps;
        out["speed"] = schedule.speed;
    }
    if (studio.range() && *words_of(field).title != '\0') out["range"] = {studio.range()->low, studio.range()->high};
    return out;
}

std::string summary_words(const Order& order, const Schedule& schedule, const Studio& studio) {
    std::string out = text(order.path, ": ", studio.width(), " x ", studio.height());
    if (order.kind == Order::Kind::picture) {
        if (schedule.why.empty() && !schedule.asked) return out + "\n";
        out += text(", t = ", short_number(schedule.times.front()), " s");
        return text(out, schedule.asked ? "" : text(", ", schedule.why, " (--time chooses another)"), "\n");
    }
    out += text(", ", counted(schedule.times.size(), "frame"), " from ", short_number(schedule.times.front()), " s to ",
                short_number(schedule.times.back()), " s");
    if (order.kind == Order::Kind::movie) {
        out += text(", ", short_number(schedule.fps), " per second");
        if (schedule.speed != 1.0) out += text(", ", speed_words(schedule.speed));
        out += order.format == MovieFormat::png_frames ? ", numbered PNG files" : ", encoded by ffmpeg";
    }
    return out + "\n";
}

void make(const Order& order, const Schedule& schedule, Studio& studio, const FileWords& words, Progress& progress) {
    if (order.kind == Order::Kind::picture) return write_png(order.path, studio.picture(schedule.times.front()), words);
    if (order.kind == Order::Kind::filmstrip) return write_png(order.path, studio.filmstrip(schedule.times), words);
    MovieSettings movie;
    movie.format = order.format;
    movie.fps = schedule.fps;
    write_movie(order.path, studio, schedule.times, movie, words, progress);
}

int run_render(RenderArguments a) {
    const Order order = order_of(a);
    StudioSettings settings = settings_of(a);
    a.inputs.field_given = !a.field.empty();
    if (a.inputs.field_given) a.inputs.field = parse_field(a.field);
    a.inputs.moving = order.kind != Order::Kind::picture || a.time.has_value();
    std::unique_ptr<Progress> progress = start_work(a.common);
    LoadedInputs loaded = load_inputs(a.inputs, !a.common.quiet, *progress);
    refuse_overwriting(loaded.paths, {order.path});
    if (order.kind == Order::Kind::filmstrip && loaded.subjects.size() > 1) {
        throw Error(Fault::bad_usage, {"--filmstrip", 0, {}}, text("with ", loaded.subjects.size(), " inputs"),
                    "one input, or a movie of all of them");
    }
    const Schedule schedule = schedule_of(a, order, loaded.subjects);
    const int strip = order.kind == Order::Kind::filmstrip ? static_cast<int>(schedule.times.size()) : 0;
    choose_size(a, order, loaded.subjects.size(), strip, settings);
    settings.field = loaded.field;
    settings.from = *std::min_element(schedule.times.begin(), schedule.times.end());
    settings.to = *std::max_element(schedule.times.begin(), schedule.times.end());
    settings.remark = speed_words(schedule.speed);
    const FileWords words = file_words(loaded, settings);
    Studio studio(std::move(loaded.subjects), settings, strip);
    make(order, schedule, studio, words, *progress);
    progress.reset();
    if (const std::string lacks = studio.lacks(); !lacks.empty()) loaded.remarks.push_back(lacks);
    for (const std::string& remark : loaded.remarks)
        if (!a.common.quiet) complain(text("note: ", remark));
    if (a.common.json)
        print_json(told(order, schedule, studio, settings.field, loaded.remarks));
    else
        print(summary_words(order, schedule, studio));
    return loaded.trouble ? kTrouble : kDone;
}

void add_looks(CLI::App& verb, RenderArguments& a) {
    verb.add_option("--size", a.size, "of the picture in pixels; default: 960x640, wider for several panels")
        ->type_name("WxH");
    verb.add_option("--camera", a.camera,
                    "front, back, left, right, side, top, bottom, three-quarter; or turn,rise[,distance] in degrees "
                    "and parts of the distance at which all fits")
        ->type_name("VIEW");
    verb.add_flag("--follow", a.follow, "the camera goes with the body");
    verb.add_option("--field", a.field,
                    "what colours mean: displacement, velocity, von_mises, principal_max, principal_min, error, "
                    "von_mises_error, material or none; default: displacement, error with --reference")
        ->type_name("NAME");
    verb.add_option("--range", a.range,
                    "values of the first and last colour, in SI units; default: from 0 to the largest shown")
        ->type_name("LOW,HIGH");
    verb.add_option("--reference", a.inputs.reference, "a recording or scene that errors are measured against")
        ->type_name("FILE");
    verb.add_option("--caption", a.caption, "instead of scene and method")->type_name("TEXT");
    verb.add_flag("--no-caption", a.no_caption, "nothing below the picture but the colours' meaning");
    verb.add_flag("--no-ground", a.no_ground, "no ground, no grid");
    verb.add_flag("--no-glyphs", a.no_glyphs, "no anchors, handles and forces");
    verb.add_flag("--wireframe", a.wireframe, "with the edges of the faces");
    verb.add_flag("--skeleton", a.skeleton, "with the bones of a character");
}

void add_times(CLI::App& verb, RenderArguments& a) {
    verb.add_option("--time", a.time,
                    "of a picture [s]; default: where a body has moved most; of a character the rest pose, with --clip "
                    "its beginning")
        ->type_name("S");
    verb.add_option("--filmstrip", a.filmstrip, "so many times side by side in one PNG")
        ->type_name("N")
        ->check(CLI::Range(1, 24));
    verb.add_option("--times", a.times, "the times of a filmstrip [s]")->type_name("S,S,...")->delimiter(',');
    verb.add_option("--from", a.from, "where a movie or filmstrip begins [s]")->type_name("S");
    verb.add_option("--to", a.to, "where it ends [s]; characters repeat their clip")->type_name("S");
    verb.add_option("--fps", a.fps, "frames per second of a movie; default: 30, GIF 25")
        ->type_name("N")
        ->check(NumberRange(0.1, 240.0));
    verb.add_option("--speed", a.speed,
                    "seconds shown per second of movie: 0.25 is slow motion; default: 1, slower for what is over in "
                    "less than two seconds")
        ->type_name("X")
        ->check(NumberRange(1e-6, 1e6));
    verb.add_option("--clip", a.inputs.clip, "which clip of a character; default: the first")->type_name("NAME");
}

}  // namespace

void add_render(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("render", "pictures and movies of scenes, recordings, characters and surfaces");
    auto a = std::make_shared<RenderArguments>();
    verb->add_option("inputs", a->inputs.files,
                     "a scene (.json: run first), recording (.limber), character (.glb .gltf .bvh), surface (.obj .ply "
                     ".stl) or mesh; several stand side by side, TITLE=FILE gives them titles")
        ->required()
        ->type_name("FILE");
    verb->add_option("-o,--out", a->out, ".png, .mp4, .gif, .webp; a folder (ending in /) for numbered PNG files")
        ->required()
        ->type_name("FILE");
    verb->add_option("--set", a->inputs.sets, "change a value of a scene first, e.g. step=1/60; may be repeated")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all()
        ->trigger_on_parse(false);
    add_times(*verb, *a);
    add_looks(*verb, *a);
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->footer(
        "Examples: limber render scenes/cantilever.json -o bend.png\n          limber render a.limber b.limber -o "
        "both.mp4 --speed 0.25\n          limber render character.glb --clip walk --to 10 --skeleton -o walk.mp4");
    verb->callback([a, &action] { action = [a] { return run_render(*a); }; });
}

}  // namespace limber::cli
