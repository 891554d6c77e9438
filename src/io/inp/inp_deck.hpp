// A whole CalculiX or Abaqus deck: the mesh with materials, supports, loads and one step, static or for natural
// frequencies.
#pragma once

#include <limber/body.hpp>
#include <limber/tools/file_axes.hpp>

#include <span>
#include <string>

namespace limber {

/// What acts on the body in the step. Spans have one entry per vertex, or none.
struct InpLoads {
    Vec3 gravity;                        ///< [m/s^2]
    std::span<const Vec3> force;         ///< [N]
    std::span<const Vec3> displacement;  ///< of handle vertices; others are not looked at [m]
    int modes = 0;  ///< above 0: a step that finds so many natural frequencies instead, supports held, no loads
};

/// In `frame`'s length L, newtons and seconds, which is SI for metres: moduli in N/L^2 (MPa for mm), densities in N
/// s^2/L^4 (t/mm^3). Materials, anchors and handles get sets of their own named LIMBER_...; nodal displacements are
/// printed to the .dat file. `about` goes into the heading. Throws Error{unsupported} for plane stress, for planar
/// bodies with z up, and for set names that the format cannot hold.
std::string format_inp_deck(const Body& body, const InpLoads& loads, const FileAxes& axes, const std::string& about,
                            const std::string& path);

}  // namespace limber
