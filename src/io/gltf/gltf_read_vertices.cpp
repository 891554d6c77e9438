// Triangles, joints and weights of a primitive.
#include "io/gltf/gltf_read.hpp"

#include "core/text.hpp"

#include <cmath>

namespace limber {
namespace {

constexpr std::size_t kTriangles = 4, kStrip = 5, kFan = 6;

std::vector<std::int32_t> corners_of_primitive(GltfRead& in, const GltfField& primitive, std::size_t vertices) {
    std::vector<std::int32_t> out;
    if (!primitive["indices"].there()) {
        for (std::size_t v = 0; v < vertices; ++v) out.push_back(static_cast<std::int32_t>(v));
        return out;
    }
    const GltfDocument::Numbers n = in.document.numbers(primitive["indices"], "SCALAR");
    if (!n.whole) primitive["indices"].fail("indices that are real or normalized", "whole numbers", Fault::bad_mesh);
    for (std::size_t i = 0; i < n.count; ++i) {
        if (!(n.values[i] >= 0.0 && n.values[i] < static_cast<double>(vertices))) {
            primitive["indices"].fail(text("corner ", i, " names vertex ", n.values[i]),
                                      text("0 to ", vertices, " (not included)"), Fault::bad_mesh);
        }
        out.push_back(static_cast<std::int32_t>(n.values[i]));
    }
    return out;
}

struct WeightFaults {
    std::size_t negative = 0, none = 0, off = 0;
    double worst = 0.0;
};

/// Brings the weights of a vertex to sum 1.
void repair(Influences& v, WeightFaults& faults) {
    double sum = 0.0;
    for (double& w : v.weight) {
        if (w < 0.0) {
            ++faults.negative;
            w = 0.0;
        }
        sum += w;
    }
    if (!(sum > 0.0)) {
        ++faults.none;
        v.weight[0] = 1.0;
        return;
    }
    // What rounding of four floats or bytes explains stays as the file has it.
    if (std::abs(sum - 1.0) <= 5e-7) return;
    ++faults.off;
    faults.worst = std::max(faults.worst, std::abs(sum - 1.0));
    for (double& w : v.weight) w /= sum;
}

/// Set 0 or 1 (four joints each) into the places for it.
void read_set(GltfRead& in, const GltfField& attributes, int set, std::size_t joints, std::vector<Influences>& out) {
    const GltfField joint_field = attributes[text("JOINTS_", set).c_str()],
                    weight_field = attributes[text("WEIGHTS_", set).c_str()];
    const GltfDocument::Numbers j = in.document.numbers(joint_field, "VEC4"),
                                w = in.document.numbers(weight_field.needed(), "VEC4");
    if (!j.whole) joint_field.fail("joints that are real or normalized", "whole numbers", Fault::bad_mesh);
    if (w.whole) weight_field.fail("weights that are whole numbers", "real or normalized ones", Fault::bad_mesh);
    if (j.count != out.size() || w.count != out.size()) {
        joint_field.fail(text(j.count, " joints and ", w.count, " weights"),
                         text("one each for ", out.size(), " vertices"), Fault::bad_mesh);
    }
    for (std::size_t v = 0; v < out.size(); ++v) {
        for (std::size_t k = 0; k < 4; ++k) {
            const double joint = j.values[4 * v + k], weight = w.values[4 * v + k];
            const std::size_t slot = static_cast<std::size_t>(set) * 4 + k;
            const bool known = joint >= 0.0 && joint < static_cast<double>(joints);
            if (!known && weight != 0.0) {
                joint_field.fail(text("vertex ", v, " names joint ", joint, " of its skin"),
                                 text("0 to ", joints, " (not included)"), Fault::bad_mesh);
            }
            out[v].joint[slot] = known ? static_cast<std::int32_t>(joint) : 0;
            out[v].weight[slot] = weight;
        }
    }
}

}  // namespace

std::vector<std::array<std::int32_t, 3>> gltf_triangles(GltfRead& in, const GltfField& primitive,
                                                        std::size_t vertices) {
    const std::size_t mode = primitive["mode"].count(kTriangles);
    if (mode > kFan) primitive["mode"].fail(text("the mode ", mode), "0 to 6");
    if (mode < kTriangles) {
        in.note("a primitive of points or lines is left out");
        return {};
    }
    const std::vector<std::int32_t> c = corners_of_primitive(in, primitive, vertices);
    std::vector<std::array<std::int32_t, 3>> out;
    if (mode == kTriangles) {
        for (std::size_t i = 0; i + 3 <= c.size(); i += 3) out.push_back({c[i], c[i + 1], c[i + 2]});
        if (c.size() % 3 != 0)
            in.note("the corners of a primitive are no multiple of three: the last ones are left out");
        return out;
    }
    for (std::size_t i = 2; i < c.size(); ++i) {
        // In a strip every second triangle is turned round.
        std::array<std::int32_t, 3> t{c[i - 2], c[i - 1], c[i]};
        if (mode == kStrip && i % 2 == 1) std::swap(t[0], t[1]);
        if (mode == kFan) t = {c[0], c[i - 1], c[i]};
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) out.push_back(t);
    }
    return out;
}

std::vector<Influences> gltf_influences(GltfRead& in, const GltfField& primitive, std::size_t vertices,
                                        std::size_t joints) {
    const GltfField attributes = primitive["attributes"];
    if (!attributes["JOINTS_0"].there()) return {};
    in.document.spend(primitive, 12 * vertices);
    std::vector<Influences> out(vertices);
    read_set(in, attributes, 0, joints, out);
    if (attributes["JOINTS_1"].there()) read_set(in, attributes, 1, joints, out);
    if (attributes["JOINTS_2"].there())
        in.note("more than eight joints per vertex: the ninth and following are left out");
    WeightFaults faults;
    for (Influences& v : out) repair(v, faults);
    if (faults.negative > 0) in.note("negative weights were set to 0", faults.negative);
    if (faults.none > 0)
        in.note("vertices without any weight were given to the skin's joint they name first", faults.none);
    if (faults.off > 0) {
        in.note(text("the weights of ", faults.off, " vertices did not sum to 1 (by up to ",
                     fmt::format("{:.2g}", faults.worst), ") and were scaled"));
    }
    return out;
}

}  // namespace limber
