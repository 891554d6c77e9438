// The shaders' sources: GLSL ES 3.00, the same text natively and in a browser.
#pragma once

#include <string>

namespace limber {

/// What a mesh's shaders are made to do.
inline constexpr unsigned kLitFeature = 1, kFieldFeature = 2, kColouredFeature = 4, kTexturedFeature = 8,
                          kCutOutFeature = 16, kWireFeature = 32, kMovingFeature = 64, kOneSidedFeature = 128,
                          kMapsFeature = 256;

/// The vertex stage moves a vertex by modes, then by bones.
std::string mesh_vertex_source(unsigned features);
std::string mesh_fragment_source(unsigned features);
std::string depth_vertex_source(unsigned features);  ///< positions only, for the shadow map
std::string depth_fragment_source();
std::string capture_vertex_source();  ///< v_position and v_normal as the mesh shader has them, for transform feedback

std::string screen_vertex_source();  ///< one triangle over the whole target; v_square from 0 to 1
std::string background_fragment_source();
std::string cover_fragment_source();  ///< the shadow map as seen by the ground: what is covered, and from how high
std::string blur_fragment_source();

std::string ground_vertex_source();
std::string ground_fragment_source();

std::string line_vertex_source();
std::string line_fragment_source();

}  // namespace limber
