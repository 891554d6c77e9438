// From checked JSON to plain values: shared by the files that fill a Scene.
#pragma once

#include "core/text.hpp"
#include "io/json/json_value.hpp"
#include "scene/build.hpp"

#include <cmath>

namespace limber {

/// One object of the tree; what is missing or of the wrong kind leaves `out` alone.
class SceneObject {
public:
    explicit SceneObject(const JsonValue& value) : value_(value) {}

    bool has(const char* name) const { return value_.find(name) != nullptr; }
    const JsonValue* get(const char* name) const { return value_.find(name); }

    void real(const char* name, double& out) const {
        const JsonValue* v = value_.find(name);
        if (v && v->is(JsonValue::Kind::number)) out = v->number;
    }
    template <class Integer>
    void integer(const char* name, Integer& out) const {
        const JsonValue* v = value_.find(name);
        if (v && v->is(JsonValue::Kind::number) && std::abs(v->number) <= 2147483647.0)
            out = static_cast<Integer>(v->number);
    }
    void flag(const char* name, bool& out) const {
        const JsonValue* v = value_.find(name);
        if (v && v->is(JsonValue::Kind::flag)) out = v->flag;
    }
    void word(const char* name, std::string& out) const {
        const JsonValue* v = value_.find(name);
        if (v && v->is(JsonValue::Kind::text)) out = v->text;
    }
    void point(const char* name, Vec3& out) const {
        if (const JsonValue* v = value_.find(name)) point_of(*v, out);
    }
    void axes(const char* name, Axes& out) const {
        std::string letters = "xyz";
        word(name, letters);
        const auto named = [&](char c) { return letters.find(c) != std::string::npos; };
        out = {named('x'), named('y'), named('z')};
    }
    /// The choice's position in the list, in the order of the enumeration.
    template <class Enum>
    void choice(const char* name, std::initializer_list<const char*> words, Enum& out) const {
        const JsonValue* v = value_.find(name);
        int index = 0;
        for (const char* w : words) {
            if (v && v->is(JsonValue::Kind::text) && v->text == w) out = static_cast<Enum>(index);
            ++index;
        }
    }
    const std::vector<JsonValue>& list(const char* name) const {
        static const std::vector<JsonValue> none;
        const JsonValue* v = value_.find(name);
        return v ? v->items : none;
    }

    static void point_of(const JsonValue& v, Vec3& out) {
        for (int i = 0; i < static_cast<int>(v.items.size()) && i < 3; ++i) {
            if (v.items[static_cast<std::size_t>(i)].is(JsonValue::Kind::number))
                out[i] = v.items[static_cast<std::size_t>(i)].number;
        }
        if (v.items.size() == 2) out.z = 0.0;
    }

private:
    const JsonValue& value_;
};

template <class Key>
void check_ascending(const std::vector<Key>& keys, const std::string& path, const FaultSink& sink) {
    for (std::size_t k = 1; k < keys.size(); ++k) {
        if (!(keys[k].t > keys[k - 1].t)) {
            sink.add(Fault::bad_scene, text(path, "/keyframes/", k, "/t"),
                     text(keys[k].t, " s after ", keys[k - 1].t, " s"), "times in ascending order");
        }
    }
}

inline void read_interpolation(const SceneObject& in, Interpolation& out) {
    in.choice("interpolation", {"linear", "smooth", "step"}, out);
}

// What stands around bodies, how they start, and static problems (scene_fill_stage.cpp). `path` is where the object
// stands.
std::vector<PoseKey> read_pose_keys(const SceneObject& in, const std::string& path, const FaultSink& sink);
PlaceSpec read_place(const SceneObject& in);
MotionSpec read_motion(const SceneObject& in);
ObstacleSpec read_obstacle(const SceneObject& in, const std::string& path, const FaultSink& sink);
ConditionSpec read_condition(const SceneObject& in, const std::string& path, const FaultSink& sink);
StaticSpec read_static(const SceneObject& in);

}  // namespace limber
