// Principal shapes: few displacement fields whose weighted sums come nearest to many frames.
#pragma once

#include <limber/vec3.hpp>

#include <vector>

namespace limber {

struct PrincipalShapes {
    std::vector<std::vector<Vec3>> shapes;     ///< [m], strongest first; orthogonal
    std::vector<std::vector<double>> weights;  ///< per frame, per shape: largest magnitude 1
    double largest = 0.0;                      ///< displacement of any frame [m]
    double worst = 0.0;                        ///< distance of any vertex in any frame from where the shapes put it [m]
    double rms = 0.0;                          ///< the same over all vertices and frames [m]
};

/// Shapes are added until `worst` is at most `tolerance` times the largest displacement, or there are `most`. They are
/// taken from up to 200 frames, evenly chosen; errors are those of all frames. All frames have the same size. The same
/// input gives the same bits.
PrincipalShapes principal_shapes(std::vector<std::vector<Vec3>> frames, std::size_t most, double tolerance);

}  // namespace limber
