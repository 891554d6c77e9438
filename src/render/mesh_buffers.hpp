// What a DrawMesh is on the GPU: kept from picture to picture for as long as its topology comes back.
#pragma once

#include "render/draw_list.hpp"
#include "render/gl_objects.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace limber {

/// One vertex as it is uploaded for every picture.
struct GpuVertex {
    std::array<float, 3> position, normal;
    std::array<float, 2> value;          ///< place in the colour map; 1 when there is a value
    std::array<std::uint8_t, 4> colour;  ///< sRGB
};

class MeshBuffers {
public:
    /// `by_triangle`: every triangle has corners of its own, which showing edges needs.
    MeshBuffers(const DrawTopology& topology, bool by_triangle);

    /// Takes over everything that may have moved. `origin` is taken off the positions.
    void update(const DrawMesh& mesh, const Vec3& origin);
    /// Triangles, with whatever program is in use. `hidden`: GL_FRONT or GL_BACK to leave those out, GL_NONE for all.
    void draw(GLenum hidden) const;
    void draw_corners() const;  ///< each corner once, as points
    std::size_t corner_count() const { return corner_.size(); }
    bool outward() const { return outward_; }  ///< closed, and its outside out: only what faces the eye can be seen
    bool reversed() const {
        return reversed_;
    }  ///< of a single-sided mesh: most faces are the other way round than their normals
    bool moving() const { return skinned_ || active_modes_ > 0; }
    /// Textures and uniforms of modes and bones; units 0 and 1.
    void bind_motion(GlProgram& program) const;

private:
    void upload_static(const DrawTopology& topology, bool by_triangle);
    void upload_modes(const DrawTopology& topology);
    void upload_bones(const std::vector<DrawBone>& bones, const Vec3& origin);

    std::vector<std::int32_t> corner_;  ///< the topology's corner behind each one drawn
    GLsizei index_count_ = 0;           ///< 0: drawn without indices
    GlVertexArray array_;
    GlBuffer moving_, fixed_, indices_;
    GlTexture modes_, bones_;
    int mode_count_ = 0, active_modes_ = 0;
    bool skinned_ = false, outward_ = false, reversed_ = false;
    std::array<float, kMostModes> mode_weights_{};
    std::vector<GpuVertex> vertices_;  ///< memory used again
};

/// Buffers by topology, textures by picture. What has not been used for a while is given back.
class GpuCache {
public:
    /// To be called once per picture, before its meshes are asked for.
    void start_picture();
    MeshBuffers& buffers(const DrawMesh& mesh);
    /// Null pictures get one white texel. `numbers`: what is in it is no colour.
    const GlTexture& texture(const std::shared_ptr<const Image>& image, const DrawSampling& sampling, bool numbers);
    const GlTexture& colour_map(ColourMap map);

private:
    template <class Thing, class Owner>
    struct Kept {
        Thing thing;
        std::shared_ptr<const Owner> owner;  ///< keeps the address from being given to another
        long last_used;
    };
    using Key = std::tuple<const DrawTopology*, bool, int>;  ///< the same mesh may be shown several times
    std::map<Key, Kept<MeshBuffers, DrawTopology>> meshes_;
    using TextureKey = std::tuple<const Image*, DrawSampling::Wrap, DrawSampling::Wrap, bool, bool>;
    std::map<TextureKey, Kept<GlTexture, Image>> textures_;
    std::map<ColourMap, GlTexture> maps_;
    std::map<std::pair<const DrawTopology*, bool>, int> shown_;  ///< in this picture
    long picture_ = 0;
};

}  // namespace limber
