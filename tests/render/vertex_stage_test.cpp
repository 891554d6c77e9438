// The vertex stage: modes, then bones, on the GPU as on the CPU. Read back by transform feedback.
#include "render/picture_tools.hpp"

#include <array>
#include <random>

namespace limber {

using namespace pictures;

namespace {

Vec3 random_vector(std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const double x = uniform(random), y = uniform(random), z = uniform(random);
    return {x, y, z};
}

/// A sphere with `modes` random modes and eight random influences per vertex on `bones` bones.
DrawMesh moving_mesh(int modes, int bones, std::uint32_t seed) {
    std::mt19937 random(seed);
    DrawMesh mesh = sphere({0.2, 0.1, -0.3}, 1.0, 20);
    auto topology = std::make_shared<DrawTopology>(*mesh.topology);
    for (int m = 0; m < modes; ++m) {
        DrawMode mode;
        for (std::size_t v = 0; v < topology->vertex_count; ++v) {
            mode.positions.push_back(random_vector(random));
            mode.normals.push_back(random_vector(random));
        }
        topology->modes.push_back(mode);
        mesh.mode_weights.push_back(0.15 * random_vector(random).x);
    }
    if (bones > 0) {
        for (std::size_t v = 0; v < topology->vertex_count; ++v) {
            DrawInfluences in;
            float sum = 0.0F;
            for (std::size_t k = 0; k < 8; ++k) {
                in.joint[k] = static_cast<std::int32_t>(random() % static_cast<unsigned>(bones));
                in.weight[k] = static_cast<float>(1 + random() % 100);
                sum += in.weight[k];
            }
            for (float& w : in.weight) w /= sum;
            topology->influences.push_back(in);
        }
    }
    for (int b = 0; b < bones; ++b) {
        DrawBone bone;
        bone.linear = to_matrix(from_rotation_vector(random_vector(random)));
        for (int i = 0; i < 3; ++i) bone.linear(i, 0) *= 1.3;  // a stretch: normals do not follow the matrix itself
        bone.translation = random_vector(random);
        mesh.bones.push_back(bone);
    }
    mesh.topology = topology;
    return mesh;
}

/// Normals by the inverse transpose of the blended matrix, written out apart from the renderer.
Vec3 expected_normal(const DrawMesh& mesh, std::size_t v) {
    Vec3 n = mesh.normals[v];
    for (std::size_t m = 0; m < mesh.mode_weights.size(); ++m)
        n += mesh.mode_weights[m] * mesh.topology->modes[m].normals[v];
    if (!mesh.bones.empty()) {
        Mat3 blended;
        for (std::size_t k = 0; k < 8; ++k) {
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) {
                    blended(i, j) += static_cast<double>(mesh.topology->influences[v].weight[k]) *
                                     mesh.bones[static_cast<std::size_t>(mesh.topology->influences[v].joint[k])].linear(
                                         i, j);
                }
            }
        }
        n = transpose(inverse(blended)) * n;
    }
    return n / norm(n);
}

Vec3 expected_position(const DrawMesh& mesh, std::size_t v) {
    Vec3 x = mesh.positions[v];
    for (std::size_t m = 0; m < mesh.mode_weights.size(); ++m)
        x += mesh.mode_weights[m] * mesh.topology->modes[m].positions[v];
    if (mesh.bones.empty()) return x;
    Vec3 out;
    for (std::size_t k = 0; k < 8; ++k) {
        const DrawBone& bone = mesh.bones[static_cast<std::size_t>(mesh.topology->influences[v].joint[k])];
        out += static_cast<double>(mesh.topology->influences[v].weight[k]) * (bone.linear * x + bone.translation);
    }
    return out;
}

}  // namespace

TEST(VertexStage, ModesThenBonesGiveWhatTheCpuGives) {
    // Bones alone, modes alone, both (in the other order the stretch would act on different points), and the most modes
    // there may be.
    LIMBER_NEEDS_RENDERER();
    for (const std::array<int, 2> kind : {std::array<int, 2>{0, 0}, {3, 0}, {0, 5}, {2, 7}, {8, 40}}) {
        const DrawMesh mesh = moving_mesh(kind[0], kind[1], 5);
        std::vector<Vec3> positions, normals;
        renderer()->vertex_stage(mesh, positions, normals);
        ASSERT_EQ(positions.size(), mesh.topology->vertex.size());
        double worst_position = 0.0, worst_normal = 0.0;
        for (std::size_t c = 0; c < positions.size(); ++c) {
            const auto v = static_cast<std::size_t>(mesh.topology->vertex[c]);
            worst_position = std::max(worst_position, norm(positions[c] - expected_position(mesh, v)));
            worst_normal = std::max(worst_normal, norm(normals[c] - expected_normal(mesh, v)));
            EXPECT_NEAR(norm(shown_position(mesh, v) - expected_position(mesh, v)), 0.0, 1e-12);
        }
        EXPECT_LT(worst_position, 3e-6) << kind[0] << " modes, " << kind[1] << " bones";
        EXPECT_LT(worst_normal, 2e-4) << kind[0] << " modes, " << kind[1] << " bones";
    }
}

TEST(VertexStage, AMovedMeshLooksLikeOneMovedBeforehand) {
    // Through the whole renderer, shadow included, with edges shown (corners are numbered anew there) and without.
    LIMBER_NEEDS_RENDERER();
    DrawMesh moving = moving_mesh(3, 4, 9);
    for (DrawBone& bone : moving.bones) bone.translation *= 0.2;
    DrawMesh moved_before = moving;
    moved_before.topology = sphere({0.2, 0.1, -0.3}, 1.0, 20).topology;
    moved_before.mode_weights.clear();
    moved_before.bones.clear();
    for (std::size_t v = 0; v < moving.positions.size(); ++v) {
        moved_before.positions[v] = expected_position(moving, v);
        moved_before.normals[v] = expected_normal(moving, v);
    }
    for (const bool edges : {false, true}) {
        DrawList a, b;
        moving.look.wireframe = moved_before.look.wireframe = edges;
        a.meshes = {moving};
        b.meshes = {moved_before};
        Framing framing;
        framing.width = framing.height = 240;
        const Camera camera = fit_camera(box_of(a), framing);
        const Image on_gpu = renderer()->draw(a, camera, {240, 240}), on_cpu = renderer()->draw(b, camera, {240, 240});
        // The very first picture of a Renderer makes textures between binding and drawing.
        Renderer fresh;
        EXPECT_EQ(fresh.draw(a, camera, {240, 240}).rgba, on_gpu.rgba);
        std::size_t different = 0;
        for (std::size_t k = 0; k < on_gpu.rgba.size(); ++k)
            different += std::abs(on_gpu.rgba[k] - on_cpu.rgba[k]) > 6 ? 1 : 0;
        EXPECT_LT(different, on_gpu.rgba.size() / 500) << (edges ? "with" : "without") << " edges";
    }
}

}  // namespace limber
