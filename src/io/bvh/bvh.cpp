// BVH: a skeleton in words and its motion in rows of numbers. There is no unit, no axis and no standard for names or
// channel order in it: channels are taken exactly as listed.
#include "io/files/scanner.hpp"

#include "core/text.hpp"
#include "rig/rig_size.hpp"

#include <limber/tools/rig_io.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

/// What one column of the motion does.
struct Column {
    enum class Kind { position, rotation, ignored };
    Kind kind;
    int axis;
};

std::string lowered(std::string_view word) {
    std::string out(word);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

std::string_view trimmed_line(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
    return s;
}

class BvhReader {
public:
    BvhReader(std::string_view bytes, const std::string& path) : in_(bytes, path) { rig_.source = path; }

    Rig read() {
        if (lowered(in_.token()) != "hierarchy") in_.fail("this is no BVH file", "'HIERARCHY' at its beginning");
        read_hierarchy();
        read_motion();
        if (scaled_) rig_.notes.emplace_back("scale channels are left out");
        return std::move(rig_);
    }

private:
    /// ROOT and JOINT blocks until MOTION. A stack of our own: a hostile file may nest a million deep.
    void read_hierarchy() {
        std::vector<std::int32_t> open;
        for (;;) {
            const std::string word = lowered(in_.token());
            if (word == "motion" && open.empty()) break;
            if (word == "root" || word == "joint" || word == "end") {
                begin_joint(word, open);
            } else if (word == "offset" && !open.empty()) {
                Vec3 offset;
                for (int i = 0; i < 3; ++i) offset[i] = in_.coordinate();
                rig_.joints[static_cast<std::size_t>(open.back())].rest.translation = offset;
            } else if (word == "channels" && !open.empty() && !is_end_.at(static_cast<std::size_t>(open.back()))) {
                read_channels(static_cast<std::size_t>(open.back()));
            } else if (word == "}" && !open.empty()) {
                open.pop_back();
            } else {
                in_.fail(word.empty() ? "the file ends within its hierarchy" : text("the word ", in_quotes(word)),
                         open.empty() ? "ROOT or MOTION" : "OFFSET, CHANNELS, JOINT, End Site or '}'");
            }
        }
        if (rig_.joints.empty()) in_.fail("a hierarchy without a ROOT", "one or more");
    }

    void begin_joint(const std::string& word, std::vector<std::int32_t>& open) {
        if ((word == "root") != open.empty()) {
            in_.fail(text(word, open.empty() ? " outside of any joint" : " within a joint"),
                     open.empty() ? "ROOT" : "JOINT");
        }
        if (!open.empty() && is_end_[static_cast<std::size_t>(open.back())])
            in_.fail(text(word, " within an End Site"), "'}'");
        std::string_view name = trimmed_line(in_.line());
        bool opened = false;
        if (!name.empty() && name.back() == '{') {
            name = trimmed_line(name.substr(0, name.size() - 1));
            opened = true;
        }
        if (!opened) in_.expect("{");
        Joint joint;
        joint.parent = open.empty() ? -1 : open.back();
        const bool end = word == "end";
        joint.name = end ? rig_.joints[static_cast<std::size_t>(joint.parent)].name + "_end" : std::string(name);
        in_.spend(2 * sizeof(Joint) + joint.name.size(),
                  "the joints");  // End Sites take their parent's name, however long
        if (!is_name(joint.name)) joint.name = text("node_", rig_.joints.size());
        open.push_back(static_cast<std::int32_t>(rig_.joints.size()));
        rig_.joints.push_back(std::move(joint));
        is_end_.push_back(end);
        columns_.emplace_back();
    }

    void read_channels(std::size_t joint) {
        const std::int64_t n = in_.integer_in("the number of channels", 0, 9);
        for (std::int64_t i = 0; i < n; ++i) {
            const std::string word = lowered(in_.token());
            const int axis = word.empty() ? -1 : word[0] - 'x';
            const std::string kind = word.empty() ? "" : word.substr(1);
            const bool known = axis >= 0 && axis < 3 && (kind == "position" || kind == "rotation" || kind == "scale");
            if (!known) in_.fail(text("the channel ", in_quotes(word)), "Xposition, Yrotation and the like");
            scaled_ = scaled_ || kind == "scale";
            columns_[joint].push_back({kind == "position"   ? Column::Kind::position
                                       : kind == "rotation" ? Column::Kind::rotation
                                                            : Column::Kind::ignored,
                                       axis});
        }
        column_count_ += static_cast<std::size_t>(n);
    }

    void read_motion() {
        if (lowered(in_.token()) != "frames:") in_.fail("no number of frames", "'Frames: N'");
        const std::size_t frames = in_.count("the number of frames", std::max<std::size_t>(1, 2 * column_count_));
        if (lowered(in_.token()) != "frame" || lowered(in_.token()) != "time:")
            in_.fail("no frame time", "'Frame Time: seconds'");
        const double frame_time = in_.real("the frame time");
        if (!(frame_time > 0.0 && frame_time < 3600.0))
            in_.fail(text("a frame time of ", frame_time), "seconds between 0 and 3600");
        if (frames == 0 || column_count_ == 0) return;
        Clip clip;
        prepare_channels(frames, clip);
        std::size_t done = 0;
        for (; done < frames && in_.more(); ++done) read_frame(done, static_cast<double>(done) * frame_time, clip);
        if (done == 0) in_.fail("a motion without numbers", text(frames, " frames"));
        if (done < frames) rig_.notes.push_back(text("the file says ", frames, " frames but has ", done));
        clip.duration = static_cast<double>(done - 1) * frame_time;
        rig_.clips.push_back(std::move(clip));
    }

    /// Per joint at most a translation and a rotation curve, in the order of the joints.
    void prepare_channels(std::size_t frames, Clip& clip) {
        for (std::size_t j = 0; j < rig_.joints.size(); ++j) {
            for (const Column::Kind kind : {Column::Kind::position, Column::Kind::rotation}) {
                const bool any = std::any_of(columns_[j].begin(), columns_[j].end(),
                                             [&](const Column& c) { return c.kind == kind; });
                if (!any) continue;
                Channel channel;
                channel.joint = static_cast<std::int32_t>(j);
                channel.target = kind == Column::Kind::position ? Channel::Target::translation
                                                                : Channel::Target::rotation;
                channel.times.reserve(frames);
                channel.values.reserve(frames * channel.width());
                clip.channels.push_back(std::move(channel));
            }
        }
    }

    void read_frame(std::size_t frame, double time, Clip& clip) {
        std::size_t next = 0;
        for (std::size_t j = 0; j < rig_.joints.size(); ++j) {
            Vec3 position = rig_.joints[j].rest.translation;  // axes without a channel keep the offset
            Quat turn;
            bool moves = false, turns = false;
            for (const Column& column : columns_[j]) {
                if (!in_.more()) {
                    in_.fail_at(in_.bytes().size(), Fault::bad_file, text("the file ends within frame ", frame + 1),
                                text(column_count_, " numbers per frame"));
                }
                const double value = in_.coordinate();
                if (column.kind == Column::Kind::position) {
                    position[column.axis] = value;
                    moves = true;
                } else if (column.kind == Column::Kind::rotation) {
                    Vec3 axis;
                    axis[column.axis] = std::remainder(value, 360.0) * std::numbers::pi / 180.0;
                    turn = turn * from_rotation_vector(axis);  // first listed, outermost
                    turns = true;
                }
            }
            if (moves) add_key(clip.channels[next++], time, {position.x, position.y, position.z});
            if (turns) add_key(clip.channels[next++], time, {turn.x, turn.y, turn.z, turn.w});
        }
    }

    static void add_key(Channel& channel, double time, std::initializer_list<double> values) {
        channel.times.push_back(time);
        channel.values.insert(channel.values.end(), values);
    }

    Scanner in_;
    Rig rig_;
    std::vector<bool> is_end_;                  ///< per joint
    std::vector<std::vector<Column>> columns_;  ///< per joint, as listed
    std::size_t column_count_ = 0;
    bool scaled_ = false;
};

void choose_unit(Rig& rig, const RigReading& reading) {
    if (reading.unit > 0.0) {
        rig.unit = reading.unit;
    } else {
        const Vec3 size = rest_box(rig).size();
        const double extent = std::max({size.x, size.y, size.z});
        const UnitGuess guess = guess_unit_of_person(extent);
        rig.unit = guess.unit;
        rig.notes.push_back(
            text("BVH files name no unit; ", guess.name, guess.sure ? " make" : " would make", " this skeleton ",
                 fmt::format("{:.3g}", extent * guess.unit), " m long",
                 guess.sure ? " and are assumed" : ", the nearest to a person: give the unit to be sure"));
    }
    scale_rig(rig, rig.unit);
}

}  // namespace

Rig parse_bvh(std::string_view bytes, const std::string& path, const RigReading& reading) {
    Rig rig = BvhReader(bytes, path).read();
    choose_unit(rig, reading);
    check_rig(rig);
    return rig;
}

}  // namespace limber
