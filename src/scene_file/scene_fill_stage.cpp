#include "core/rotation.hpp"
#include "scene_file/scene_object.hpp"

#include <numbers>

namespace limber {

namespace {

constexpr double kPerDegree = std::numbers::pi / 180.0;

void angles(const SceneObject& in, const char* name, Vec3& out) {
    in.point(name, out);
    out *= kPerDegree;
}

/// The shortest rotation that takes +y to a direction; within the plane for a direction within it.
Quat y_turned_to(const Vec3& direction) {
    const Vec3 n = direction / norm(direction);
    if (n.z == 0.0) return from_rotation_vector({0.0, 0.0, std::atan2(-n.x, n.y)});
    return normalized({1.0 + n.y, n.z, 0.0, -n.x});  // n.z is not 0, so n is not -y
}

/// As the language names them.
enum class ShapeWord : std::uint8_t { plane, box, ball, capsule };

void read_plane(const SceneObject& in, const std::string& path, const FaultSink& sink, Obstacle& out) {
    Vec3 normal{0.0, 1.0, 0.0};
    in.point("point", out.position);
    in.point("normal", normal);
    if (norm2(normal) > 0.0) {
        out.rotation = y_turned_to(normal);
    } else {
        sink.add(Fault::bad_scene, path + "/normal", "[0, 0, 0], which is no direction",
                 "the direction of the free side, such as [0, 1, 0]");
    }
}

void read_box(const SceneObject& in, Obstacle& out) {
    auto& box = out.shape.emplace<BoxShape>();
    Vec3 turn;
    in.point("centre", out.position);
    in.point("size", box.half);
    box.half *= 0.5;
    angles(in, "rotation", turn);
    out.rotation = from_rotation_vector(turn);
    in.flag("inside", box.inside);
}

void read_ball(const SceneObject& in, Obstacle& out) {
    in.point("centre", out.position);
    in.real("radius", out.shape.emplace<BallShape>().radius);
}

void read_capsule(const SceneObject& in, Obstacle& out) {
    auto& capsule = out.shape.emplace<CapsuleShape>();
    in.real("radius", capsule.radius);
    const std::vector<JsonValue>& ends = in.list("ends");
    if (ends.size() != 2) return;
    Vec3 a, b;
    SceneObject::point_of(ends[0], a);
    SceneObject::point_of(ends[1], b);
    out.position = (a + b) / 2.0;
    capsule.half_length = norm(b - a) / 2.0;
    if (capsule.half_length > 0.0) out.rotation = y_turned_to(b - a);
}

}  // namespace

std::vector<PoseKey> read_pose_keys(const SceneObject& in, const std::string& path, const FaultSink& sink) {
    std::vector<PoseKey> keys;
    for (const JsonValue& item : in.list("keyframes")) {
        PoseKey key;
        const SceneObject k(item);
        k.real("t", key.t);
        k.point("translation", key.translation);
        angles(k, "rotation", key.rotation);
        keys.push_back(key);
    }
    check_ascending(keys, path, sink);
    return keys;
}

PlaceSpec read_place(const SceneObject& in) {
    PlaceSpec out;
    in.point("position", out.position);
    angles(in, "rotation", out.rotation);
    return out;
}

MotionSpec read_motion(const SceneObject& in) {
    MotionSpec out;
    in.point("velocity", out.velocity);
    angles(in, "spin", out.spin);
    return out;
}

ObstacleSpec read_obstacle(const SceneObject& in, const std::string& path, const FaultSink& sink) {
    ObstacleSpec out;
    ShapeWord shape = ShapeWord::plane;
    in.word("shape", out.name);
    in.word("name", out.name);
    in.choice("shape", {"plane", "box", "ball", "capsule"}, shape);
    switch (shape) {
        case ShapeWord::plane: read_plane(in, path, sink, out.start); break;
        case ShapeWord::box: read_box(in, out.start); break;
        case ShapeWord::ball: read_ball(in, out.start); break;
        case ShapeWord::capsule: read_capsule(in, out.start); break;
    }
    if (in.has("pivot")) in.point("pivot", out.pivot.emplace());
    out.keys = read_pose_keys(in, path, sink);
    read_interpolation(in, out.interpolation);
    return out;
}

ConditionSpec read_condition(const SceneObject& in, const std::string& path, const FaultSink& sink) {
    ConditionSpec out;
    in.word("set", out.set);
    out.name = out.set;
    in.word("name", out.name);
    const std::vector<JsonValue>& components = in.list("displacement");
    bool any = false;
    for (std::size_t i = 0; i < components.size() && i < 3; ++i) {
        if (components[i].is(JsonValue::Kind::number)) {
            out.displacement[i] = components[i].number;
            any = true;
        }
    }
    if (in.has("displacement") && !any && !in.has("traction") && !in.has("pressure")) {
        sink.add(Fault::bad_scene, path + "/displacement", "no component is held, so the condition says nothing",
                 "at least one number, or no condition");
    }
    in.point("traction", out.traction);
    in.real("pressure", out.pressure);
    return out;
}

StaticSpec read_static(const SceneObject& in) {
    StaticSpec out;
    in.choice("method", {"bem", "linear_fem"}, out.method);
    in.choice("elements", {"linear", "constant"}, out.elements);
    return out;
}

}  // namespace limber
