// The run-time's file, from any bytes: refused, or fit for everything that may be done with it.
#include "dyrt/limber_dyrt.h"
#include "fuzz/fuzz.hpp"

#include <cstring>
#include <vector>

namespace {

/// All vertices of all meshes, a few frames: reads every table that was let in.
void use(const limber_dyrt_asset* asset) {
    using limber::fuzz::demand;
    const int parts = limber_dyrt_parts(asset);
    demand(parts > 0 && std::strlen(limber_dyrt_provenance(asset)) < 1u << 30);
    limber_dyrt_settings settings;
    limber_dyrt_default_settings(asset, &settings);
    limber_dyrt_crowd* crowd = nullptr;
    demand(limber_dyrt_crowd_create(asset, 2, &settings, &crowd) == LIMBER_DYRT_OK);
    std::vector<limber_dyrt_bone> bones(2 * static_cast<std::size_t>(parts), limber_dyrt_bone{{0, 0, 0}, {0, 0, 0, 1}});
    for (int frame = 0; frame < 4; ++frame) {
        for (limber_dyrt_bone& b : bones) {
            b.position[frame % 3] += 0.125f;
            b.rotation[0] += 0.1f;
        }
        demand(limber_dyrt_step(crowd, frame == 2 ? 0.5f : 0.016f, bones.data(), nullptr) == LIMBER_DYRT_OK);
    }
    std::vector<float> q(64), positions, normals;
    for (int part = 0; part < parts; ++part) {
        demand(limber_dyrt_amplitudes(crowd, 1, part, q.data()) == LIMBER_DYRT_OK);
        demand(std::strlen(limber_dyrt_part_name(asset, part)) + std::strlen(limber_dyrt_bone_name(asset, part)) <
               1u << 30);
        positions.resize(3 * static_cast<std::size_t>(limber_dyrt_vertices(asset, part)) + 1);
        normals.resize(positions.size());
        demand(limber_dyrt_displace(asset, part, q.data(), 0, positions.data(), normals.data()) == LIMBER_DYRT_OK);
        limber_dyrt_displace(asset, part, q.data(), 1, positions.data(), normals.data());
        const std::uint32_t* indices = limber_dyrt_vertex_indices(asset, part);
        for (int v = 0; v < limber_dyrt_vertices(asset, part); ++v) demand(indices[2 * v] < 1u << 29);
    }
    limber_dyrt_crowd_free(crowd);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    limber_dyrt_asset* asset = nullptr;
    const limber_dyrt_result result = limber_dyrt_load(data, size, &asset);
    limber::fuzz::demand((result == LIMBER_DYRT_OK) == (asset != nullptr) && result != LIMBER_DYRT_BAD_ARGUMENT);
    if (asset != nullptr) use(asset);
    limber_dyrt_free(asset);
    return 0;
}
