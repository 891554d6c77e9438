// Renderer: draw lists in, pixels out. OpenGL ES 3.0 without a window, on a GPU or in software; found at run time.
#pragma once

#include "render/camera.hpp"
#include "render/draw_list.hpp"
#include "render/image.hpp"

#include <memory>
#include <string>
#include <vector>

namespace limber {

struct PictureSize {
    int width = 800, height = 600;  ///< [px], at most kMostPixels each and what the driver allows
    int samples = 4;                ///< per pixel: 1 = no smoothing of edges; taken down to what the driver has
};
inline constexpr int kMostPixels = 16384;

/// Owns an OpenGL context and what was uploaded to it. One thread at a time; several may exist.
class Renderer {
public:
    /// Throws Error{unsupported}, one line, where EGL or OpenGL ES 3.0 cannot be started.
    Renderer();
    ~Renderer();
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;

    /// The same list, camera and size give the same bytes, whatever was drawn before. Throws Error{bad_usage} on a size
    /// that cannot be drawn, Error{bad_mesh} on arrays of wrong lengths.
    Image draw(const DrawList& list, const Camera& camera, const PictureSize& size = {});
    /// The same into memory that is used again.
    void draw(const DrawList& list, const Camera& camera, const PictureSize& size, Image& out);

    /// What the vertex stage makes of each corner of the topology: modes, then bones. For checks against a computation
    /// on the CPU; native only, as browsers have no mapped buffers.
    void vertex_stage(const DrawMesh& mesh, std::vector<Vec3>& positions, std::vector<Vec3>& normals);

    /// True once a picture was drawn without shadows because its faces lie on each other by the thousand: each one's
    /// shadow would take seconds.
    bool left_out_shadows() const;

    /// The driver's own words: renderer and version.
    std::string about() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace limber
