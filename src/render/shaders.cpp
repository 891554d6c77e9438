#include "render/shaders.hpp"

#include <initializer_list>
#include <iterator>

namespace limber {

namespace {

constexpr const char* kHead = R"(#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DShadow;
)";

// Shared by everything that ends in the picture. `u_tile` maps the whole picture onto the part of it that is being
// drawn.
constexpr const char* kTileFunctions = R"(
uniform vec4 u_tile;
vec4 in_tile(vec4 clip) { return vec4(clip.xy * u_tile.xy + clip.w * u_tile.zw, clip.zw); }
)";

// Light is summed in linear numbers and written as sRGB by the shaders themselves: targets that do it cost a third of
// the time in software, as they do it for every sample. Noise of half a step hides the steps of 8 bits in slow
// gradients; it depends on the pixel alone, so pictures stay the same.
constexpr const char* kColour = R"(
uniform vec2 u_first_pixel;
vec3 to_linear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 to_srgb(vec3 c) { return mix(c * 12.92, 1.055 * pow(max(c, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }
float grain() {
    vec2 p = gl_FragCoord.xy + u_first_pixel;
    return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))) - 0.5;
}
)";

constexpr const char* kDeform = R"(
in vec3 a_position;
in vec3 a_normal;
#ifdef MOVING
in vec4 a_joints_0, a_joints_1, a_weights_0, a_weights_1;
uniform int u_mode_count;
uniform float u_mode_weights[8];
uniform sampler2D u_modes;      // per vertex and mode: position, normal
uniform int u_skinned;
uniform sampler2D u_bones;      // one bone per row: its three rows

vec4 mode_part(int index) {
    int width = textureSize(u_modes, 0).x;
    return texelFetch(u_modes, ivec2(index % width, index / width), 0);
}
void add_bone(float joint, float weight, inout vec4 x, inout vec4 y, inout vec4 z) {
    if (weight == 0.0) return;
    int row = int(joint + 0.5);
    x += weight * texelFetch(u_bones, ivec2(0, row), 0);
    y += weight * texelFetch(u_bones, ivec2(1, row), 0);
    z += weight * texelFetch(u_bones, ivec2(2, row), 0);
}
#endif
void deform(out vec3 position, out vec3 normal) {
    position = a_position;
    normal = a_normal;
#ifdef MOVING
    int stride = 2 * u_mode_count;
    for (int m = 0; m < u_mode_count; ++m) {
        int index = gl_VertexID * stride + 2 * m;
        position += u_mode_weights[m] * mode_part(index).xyz;
        normal += u_mode_weights[m] * mode_part(index + 1).xyz;
    }
    if (u_skinned != 0) {
        vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
        for (int k = 0; k < 4; ++k) {
            add_bone(a_joints_0[k], a_weights_0[k], x, y, z);
            add_bone(a_joints_1[k], a_weights_1[k], x, y, z);
        }
        vec4 p = vec4(position, 1.0);
        position = vec3(dot(x, p), dot(y, p), dot(z, p));
        // The inverse transpose but for a factor, which also stands where the blended matrix is flat. Its sign matters: mirrors.
        vec3 a = cross(y.xyz, z.xyz), b = cross(z.xyz, x.xyz), c = cross(x.xyz, y.xyz);
        normal = sign(dot(x.xyz, a)) * vec3(dot(a, normal), dot(b, normal), dot(c, normal));
    }
    float size = length(normal);
    normal = size > 0.0 ? normal / size : vec3(0.0, 0.0, 1.0);
#endif
}
)";

// What a mesh does not need is left out by the preprocessor: in software every value between corners has its price.
constexpr const char* kMeshVertex = R"(
uniform mat4 u_clip;
#ifdef LIT
out vec3 v_position;
out vec3 v_normal;
#endif
#ifdef FIELD
in vec2 a_value;        // place in the colour map; 1 where there is a value
out vec2 v_value;
#endif
#ifdef COLOURED
in vec4 a_colour;       // sRGB
out vec4 v_colour;      // linear
vec3 to_linear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
#endif
#ifdef TEXTURED
in vec2 a_uv;
out vec2 v_uv;
#endif
#ifdef MAPS
in vec2 a_second_uv;
out vec2 v_second_uv;
#endif
#ifdef WIRE
in float a_mark;        // which sides of the triangle are edges
out vec3 v_side;
// Zero on a side that is to be shown, one at the corner opposite. Triangles are drawn corner by corner when edges are shown.
vec3 sides() {
    int k = gl_VertexID % 3;
    int mark = int(a_mark + 0.5);
    vec3 hidden = vec3((mark & 2) == 0, (mark & 4) == 0, (mark & 1) == 0);
    return vec3(k == 0, k == 1, k == 2) + hidden;
}
#endif
void main() {
    vec3 position, normal;
    deform(position, normal);
#ifdef LIT
    v_position = position;
    v_normal = normal;
#endif
#ifdef FIELD
    v_value = a_value;
#endif
#ifdef COLOURED
    v_colour = vec4(to_linear(a_colour.rgb), a_colour.a);
#endif
#ifdef TEXTURED
    v_uv = a_uv;
#endif
#ifdef MAPS
    v_second_uv = a_second_uv;
#endif
#ifdef WIRE
    v_side = sides();
#endif
    gl_Position = in_tile(u_clip * vec4(position, 1.0));
}
)";

constexpr const char* kLight = R"(
uniform vec3 u_eye;             // where the eye is; its direction when u_far_eye is 1
uniform float u_far_eye;
uniform vec3 u_key, u_fill, u_rim, u_sky;   // directions towards the lights, and up
uniform float u_metallic, u_roughness;
uniform vec2 u_gloss;            // sharpness and strength of the highlight
struct Finish { float metallic, roughness, open; vec2 gloss; };     // open: how much of the surroundings' light arrives
uniform int u_shadowed;
uniform sampler2DShadow u_shadow;
uniform mat4 u_shadow_texture;
uniform float u_shadow_texel, u_shadow_offset;

const vec3 kKey = vec3(1.00, 0.955, 0.89) * 0.86;
const vec3 kFill = vec3(0.80, 0.88, 1.00) * 0.16;
const vec3 kRim = vec3(1.00, 0.97, 0.93) * 0.42;
const vec3 kAbove = vec3(0.40, 0.43, 0.47);
const vec3 kBelow = vec3(0.25, 0.225, 0.20);

float lit_part(vec3 position, vec3 normal) {
    if (u_shadowed == 0 || dot(normal, u_key) <= 0.0) return 1.0;       // what faces away is dark already
    vec3 p = (u_shadow_texture * vec4(position + u_shadow_offset * normal, 1.0)).xyz;
    if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
    vec2 a = vec2(1.5, 0.5) * u_shadow_texel, b = vec2(-0.5, 1.5) * u_shadow_texel;
    return 0.25 * (texture(u_shadow, p + vec3(a, 0.0)) + texture(u_shadow, p - vec3(a, 0.0)) + texture(u_shadow, p + vec3(b, 0.0)) +
                   texture(u_shadow, p - vec3(b, 0.0)));
}
// A room with light from above. Smooth surfaces see its horizon and its lamps, rough ones the mean of them.
vec3 surroundings(vec3 direction, float roughness) {
    float h = dot(direction, u_sky);
    vec3 room = mix(kBelow, kAbove, smoothstep(-0.6, 0.7, h)) * (1.0 + 0.8 * smoothstep(0.35, 0.95, h));
    float smooth_part = clamp((0.5 - roughness) / 0.4, 0.0, 1.0);
    if (smooth_part <= 0.0) return room;
    float soft = 0.04 + 0.5 * roughness;
    vec3 walls = mix(kBelow * 0.55, kAbove * 0.8, smoothstep(-soft, soft, h)) + kAbove * 0.9 * smoothstep(0.45 - soft, 0.45 + soft, h);
    float lamp = smoothstep(0.80 - 0.5 * soft, 0.80 + soft, dot(direction, normalize(u_fill + 0.6 * u_sky)));
    return mix(room, walls + vec3(0.9, 0.95, 1.0) * lamp, smooth_part);
}
vec3 shade(vec3 albedo, vec3 position, vec3 normal, Finish finish) {
    vec3 view = normalize(mix(u_eye - position, u_eye, u_far_eye));
    float open = lit_part(position, normal);
    float key = max(dot(normal, u_key), 0.0) * open, fill = max(dot(normal, u_fill), 0.0);
    float facing = max(dot(normal, view), 0.0);
    vec3 ambient = mix(kBelow, kAbove, 0.5 + 0.5 * dot(normal, u_sky));
    vec3 diffuse = ambient * finish.open + kKey * key + kFill * fill;
#ifdef FIELD
    // A field's colours must stay readable against the legend: less contrast, and little of the gloss that changes hue.
    diffuse = vec3(0.68) + 0.34 * max(dot(normal, u_key), 0.0) * (0.45 + 0.55 * open) + 0.08 * fill - 0.10 * (1.0 - facing);
    const float even = 1.0;
#else
    const float even = 0.0;
#endif

    float edge = 1.0 - facing, edge3 = edge * edge * edge;
    vec3 mirror = mix(vec3(0.04), albedo, finish.metallic);
    vec3 reflected = mirror + max(vec3(1.0 - finish.roughness) - mirror, 0.0) * (edge3 * edge * edge);
    float gloss = finish.gloss.y * exp2(finish.gloss.x * (dot(normal, normalize(u_key + view)) - 1.0)) * key;
    vec3 shine = reflected * (kKey * gloss + surroundings(reflect(-view, normal), finish.roughness) *
                                                 (finish.open * mix(0.55, 1.6, finish.metallic)));
    float rim = edge3 * max(dot(normal, u_rim), 0.0) * finish.open;
    return albedo * (1.0 - finish.metallic) * diffuse + (1.0 - 0.8 * even) * shine +
           (1.0 - 0.6 * even) * kRim * rim * (0.25 + 0.75 * albedo);
}
// Bright light bends towards white instead of being cut off.
vec3 shoulder(vec3 c) {
    vec3 over = max(c - 0.72, 0.0) / 0.28;
    return min(c, 0.72) + 0.28 * over / (1.0 + over);
}
)";

constexpr const char* kMeshFragment = R"(
uniform vec4 u_base;            // linear
#ifdef LIT
in vec3 v_position;
in vec3 v_normal;
uniform vec3 u_emissive;
#endif
#ifdef COLOURED
in vec4 v_colour;
#endif
#ifdef TEXTURED
in vec2 v_uv;
uniform sampler2D u_texture;
#endif
#ifdef CUT_OUT
uniform float u_cutoff;
#endif
uniform int u_solid;
#ifdef MAPS
in vec2 v_second_uv;
uniform sampler2D u_normal_map, u_metal_rough_map, u_occlusion_map, u_emissive_map;
uniform vec3 u_uv_row_u[5], u_uv_row_v[5];        // of the base, normal, metal-rough, occlusion and emissive maps
uniform int u_second[5];
uniform float u_normal_strength, u_occlusion_strength;
vec2 uv_of(int map) {
    vec3 uv = vec3(u_second[map] != 0 ? v_second_uv : v_uv, 1.0);
    return vec2(dot(u_uv_row_u[map], uv), dot(u_uv_row_v[map], uv));
}
#ifdef LIT
// The texture's axes on the surface, from how both change across the screen; y goes against v, which grows downwards.
vec3 bumped(vec3 normal) {
    vec2 uv = uv_of(1);
    vec3 px = dFdx(v_position), py = dFdy(v_position);
    vec2 ux = dFdx(uv), uy = dFdy(uv);
    float turn = sign(ux.x * uy.y - uy.x * ux.y);
    vec3 along = (px * uy.y - py * ux.y) * turn, down = (py * ux.x - px * uy.x) * turn;
    along -= normal * dot(normal, along);
    if (turn == 0.0 || dot(along, along) <= 0.0) return normal;
    along = normalize(along);
    vec3 up = cross(normal, along);
    if (dot(up, down) > 0.0) up = -up;
    vec3 bump = texture(u_normal_map, uv).xyz * 2.0 - 1.0;
    bump.xy *= u_normal_strength;
    vec3 out_ = along * bump.x + up * bump.y + normal * bump.z;
    float size = length(out_);
    return size > 1e-4 ? out_ / size : normal;
}
#endif
#endif
#ifdef FIELD
in vec2 v_value;
uniform sampler2D u_map;
uniform int u_categories;
vec3 field_colour() {
    if (v_value.y < 0.999) return to_linear(vec3(0.55));
    if (u_categories != 0) return to_linear(texelFetch(u_map, ivec2(int(v_value.x * 255.0 + 0.5), 0), 0).rgb);
    float entry = clamp(v_value.x, 0.0, 1.0) * 255.0;
    int low = min(int(entry), 254);
    vec3 a = texelFetch(u_map, ivec2(low, 0), 0).rgb, b = texelFetch(u_map, ivec2(low + 1, 0), 0).rgb;
    return to_linear(mix(a, b, entry - float(low)));
}
#endif
#ifdef WIRE
in vec3 v_side;
uniform vec4 u_wire;            // sRGB
uniform float u_wire_width;
// How much of the pixel an edge covers: half its width on each of the two triangles that share it. Where triangles are as small as the
// lines are wide, the lines would hide the surface, so they fade.
float wire() {
    vec3 change = max(fwidth(v_side), 1e-6);
    vec3 away = v_side / change;
    float nearest = min(away.x, min(away.y, away.z));
    float size = 1.0 / max(change.x, max(change.y, change.z));
    return (1.0 - smoothstep(0.5 * u_wire_width - 0.5, 0.5 * u_wire_width + 0.5, nearest)) * smoothstep(1.5, 7.0, size);
}
#endif
out vec4 o_colour;

void main() {
    vec4 colour = u_base;
#ifdef COLOURED
    colour *= v_colour;
#endif
#ifdef TEXTURED
#ifdef MAPS
    colour *= texture(u_texture, uv_of(0));
#else
    colour *= texture(u_texture, v_uv);
#endif
#endif
#ifdef CUT_OUT
    if (colour.a < u_cutoff) discard;
#endif
    if (u_solid != 0) colour.a = 1.0;
#ifdef FIELD
    colour.rgb = field_colour();
#endif
#ifdef LIT
    vec3 normal = normalize(v_normal);
    float side = 1.0;
#ifndef ONE_SIDED
    // Both sides are lit: the normal is turned to the side of the triangle that is seen.
    vec3 seen = cross(dFdx(v_position), dFdy(v_position));
    vec3 out_of_screen = mix(u_eye - v_position, u_eye, u_far_eye);
    if (dot(seen, out_of_screen) * dot(seen, normal) < 0.0) side = -1.0;
#endif
    Finish finish = Finish(u_metallic, u_roughness, 1.0, u_gloss);
    vec3 glow = u_emissive;
#ifdef MAPS
    if (u_normal_strength != 0.0) normal = bumped(normal);      // on its front: what is a hill there is a hollow from behind
    vec2 metal_rough = texture(u_metal_rough_map, uv_of(2)).bg;
    finish.metallic *= metal_rough.x;
    finish.roughness = clamp(finish.roughness * metal_rough.y, 0.05, 1.0);
    float sharp = exp2(10.0 * (1.0 - finish.roughness) + 1.5);
    finish.gloss = vec2(1.4427 * sharp, 0.125 * (sharp + 2.0));
    finish.open = 1.0 + u_occlusion_strength * (texture(u_occlusion_map, uv_of(3)).r - 1.0);
    glow *= texture(u_emissive_map, uv_of(4)).rgb;
#endif
    colour.rgb = shoulder(shade(colour.rgb, v_position, side * normal, finish)) + glow;
#endif
    vec3 shown = to_srgb(clamp(colour.rgb, 0.0, 1.0));
#ifdef WIRE
    float line = wire() * u_wire.a;
    shown = mix(shown, u_wire.rgb, line);
    colour.a = max(colour.a, line);
#endif
    o_colour = vec4(shown * colour.a, colour.a);
}
)";

constexpr const char* kDepthVertex = R"(
uniform mat4 u_clip;
void main() {
    vec3 position, normal;
    deform(position, normal);
    gl_Position = u_clip * vec4(position, 1.0);
}
)";

constexpr const char* kCaptureVertex = R"(
out vec3 v_position;
out vec3 v_normal;
void main() {
    deform(v_position, v_normal);
    gl_Position = vec4(0.0);
}
)";

constexpr const char* kNothingFragment = R"(
out vec4 o_colour;
void main() { o_colour = vec4(1.0); }
)";

std::string joined(std::initializer_list<const char*> pieces) {
    std::string out;
    for (const char* piece : pieces) out += piece;
    return out;
}

/// "#define LIT" and so on.
std::string defined(unsigned features) {
    constexpr const char* kNames[] = {"LIT",  "FIELD",  "COLOURED",  "TEXTURED", "CUT_OUT",
                                      "WIRE", "MOVING", "ONE_SIDED", "MAPS"};
    std::string out;
    for (unsigned k = 0; k < std::size(kNames); ++k)
        if ((features & (1U << k)) != 0) out += std::string("#define ") + kNames[k] + "\n";
    return out;
}

}  // namespace

std::string mesh_vertex_source(unsigned features) {
    return joined({kHead, defined(features).c_str(), kTileFunctions, kDeform, kMeshVertex});
}
std::string mesh_fragment_source(unsigned features) {
    const std::string defines = defined(features);
    const char* light = (features & kLitFeature) != 0 ? kLight : "";
    return joined({kHead, defines.c_str(), kColour, light, kMeshFragment});
}
std::string depth_vertex_source(unsigned features) {
    return joined({kHead, defined(features).c_str(), kDeform, kDepthVertex});
}
std::string depth_fragment_source() { return joined({kHead, kNothingFragment}); }
std::string capture_vertex_source() {
    return joined({kHead, defined(kMovingFeature).c_str(), kDeform, kCaptureVertex});
}

namespace {

constexpr const char* kScreenVertex = R"(
out vec2 v_square;
void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    v_square = 0.5 * corner + 0.5;
    gl_Position = vec4(corner, 1.0, 1.0);
}
)";

constexpr const char* kBackground = R"(
in vec2 v_square;
uniform vec4 u_tile;
uniform vec3 u_top, u_bottom;   // sRGB: even steps for the eye
out vec4 o_colour;
void main() {
    vec2 spot = ((2.0 * v_square - 1.0) - u_tile.zw) / u_tile.xy;      // in the whole picture, -1 to 1
    float up = 0.5 + 0.5 * spot.y;
    vec3 c = mix(u_bottom, u_top, smoothstep(0.0, 1.0, up));
    c *= 1.0 - 0.035 * smoothstep(0.5, 2.0, dot(spot, spot));
    o_colour = vec4(c + grain() / 255.0, 1.0);
}
)";

constexpr const char* kCover = R"(
uniform sampler2D u_depth;
uniform vec3 u_plane;           // the ground's depth in the map: x + y u + z v
uniform float u_height_scale;   // from a difference of depth to 1 at the greatest height
uniform int u_step;
out vec4 o_colour;
void main() {
    ivec2 first = ivec2(gl_FragCoord.xy) * u_step;
    vec2 size = vec2(textureSize(u_depth, 0));
    float covered = 0.0, height = 0.0;
    for (int i = 0; i < u_step; i += 2)         // every other one: reading depths is what this pass costs
        for (int j = 0; j < u_step; j += 2) {
            ivec2 at = first + ivec2(i, j);
            float depth = texelFetch(u_depth, at, 0).r;
            float ground = u_plane.x + dot(u_plane.yz, (vec2(at) + 0.5) / size);
            if (depth < 1.0 && depth < ground) {
                covered += 1.0;
                height += clamp((ground - depth) * u_height_scale, 0.0, 1.0);
            }
        }
    float count = 0.25 * float(u_step * u_step);
    o_colour = vec4(covered / count, height / count, 0.0, 1.0);
}
)";

constexpr const char* kBlur = R"(
in vec2 v_square;
uniform sampler2D u_image;
uniform vec2 u_along;           // one step, as a part of the image
uniform float u_weights[6];     // of the middle and of each pair beside it
out vec4 o_colour;
void main() {
    vec2 sum = u_weights[0] * texture(u_image, v_square).rg;
    for (int k = 1; k < 6; ++k) {
        vec2 off = float(k) * u_along;
        sum += u_weights[k] * (texture(u_image, v_square + off).rg + texture(u_image, v_square - off).rg);
    }
    o_colour = vec4(sum, 0.0, 1.0);
}
)";

constexpr const char* kGroundVertex = R"(
uniform mat4 u_clip;
uniform vec3 u_centre, u_axis_x, u_axis_y;      // of the ground; axes as long as half its side
uniform mat4 u_shadow_texture;
out vec2 v_square;                               // -1 to 1
out vec2 v_shadow;                              // in the shadow map, 0 to 1
void main() {
    v_square = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
    vec4 position = vec4(u_centre + v_square.x * u_axis_x + v_square.y * u_axis_y, 1.0);
    v_shadow = (u_shadow_texture * position).xy;
    gl_Position = in_tile(u_clip * position);
}
)";

constexpr const char* kGround = R"(
in vec2 v_square;
in vec2 v_shadow;
uniform vec2 u_grid_first, u_grid_step;         // the grid's coordinate at the middle, and per unit of v_square
uniform vec4 u_line;                            // sRGB
uniform vec3 u_shade;                           // colour of the shadow, sRGB
uniform float u_strength;                       // of the shadow; 0: none
uniform sampler2D u_sharp, u_middle, u_wide;
out vec4 o_colour;

// Covered part of the pixel by lines at whole numbers, `width` pixels wide; evened out where lines lie closer than pixels.
float lines(vec2 spot, float width) {
    vec2 pixel = max(fwidth(spot), 1e-6);
    vec2 away = abs(fract(spot + 0.5) - 0.5) / pixel;
    vec2 on = clamp(0.5 * width + 0.5 - away, 0.0, 1.0) * min(width, 1.0);
    on *= 1.0 - smoothstep(0.12, 0.35, pixel);
    return max(on.x, on.y);
}
float shadow() {
    vec2 at = v_shadow;
    if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) return 0.0;
    vec2 wide = textureLod(u_wide, at, 0.0).rg;
    if (wide.r < 0.004) return 0.0;
    vec2 sharp = textureLod(u_sharp, at, 0.0).rg, middle = textureLod(u_middle, at, 0.0).rg;
    // The higher what covers, the softer its edge.
    float height = wide.g / wide.r;
    float soft = clamp(height * 3.2, 0.0, 2.0);
    float covered = soft < 1.0 ? mix(sharp.r, middle.r, soft) : mix(middle.r, wide.r, soft - 1.0);
    vec2 rim = smoothstep(vec2(0.0), vec2(0.06), min(at, 1.0 - at));
    return 0.82 * covered * rim.x * rim.y + 0.18 * wide.r * rim.x * rim.y;
}
void main() {
    vec2 spot = u_grid_first + u_grid_step * v_square;
    float fade = 1.0 - smoothstep(0.12, 0.85, length(v_square));
    float thin = lines(spot, 1.0) * 0.45, thick = lines(spot * 0.2, 1.3);
    float line = u_line.a * max(thin, thick) * fade;
    float dark = u_strength > 0.0 ? u_strength * shadow() : 0.0;
    dark = clamp(dark + grain() / 255.0 * step(0.002, dark), 0.0, 1.0);
    // The shadow lies over the lines.
    vec4 over = vec4(u_shade * dark, dark);
    o_colour = over + (1.0 - dark) * vec4(u_line.rgb * line, line);
}
)";

constexpr const char* kLineVertex = R"(
in vec3 a_end_a, a_end_b;
in vec4 a_colour_a, a_colour_b;
uniform mat4 u_clip;
uniform vec2 u_half_size;       // of the whole picture [px]
uniform float u_width;
uniform float u_nearer;
out vec2 v_at;                  // along and across, from the first end [px]
out float v_length;
out vec4 v_colour;              // sRGB

void main() {
    vec4 a = u_clip * vec4(a_end_a, 1.0), b = u_clip * vec4(a_end_b, 1.0);
    // The part behind the eye is cut off: it would come back mirrored.
    float da = a.z + a.w, db = b.z + b.w;
    if (da < 0.0 && db > 0.0) a = mix(a, b, da / (da - db) * 1.0001);
    if (db < 0.0 && da > 0.0) b = mix(b, a, db / (db - da) * 1.0001);
    vec3 from = a.xyz / a.w, to = b.xyz / b.w;
    vec2 along = (to.xy - from.xy) * u_half_size;
    v_length = length(along);
    along = v_length > 1e-6 ? along / v_length : vec2(1.0, 0.0);
    float reach = 0.5 * u_width + 1.0;
    bool second = (gl_VertexID & 1) != 0;
    float side = (gl_VertexID & 2) != 0 ? 1.0 : -1.0;
    v_at = vec2(second ? v_length + reach : -reach, side * reach);
    v_colour = second ? a_colour_b : a_colour_a;
    vec2 at = from.xy + (along * v_at.x + vec2(-along.y, along.x) * v_at.y) / u_half_size;
    bool hidden = da < 0.0 && db < 0.0;
    gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0) : in_tile(vec4(at, (second ? to.z : from.z) - u_nearer, 1.0));
}
)";

constexpr const char* kLine = R"(
in vec2 v_at;
in float v_length;
in vec4 v_colour;
uniform float u_width;
out vec4 o_colour;
void main() {
    float away = length(vec2(v_at.x - clamp(v_at.x, 0.0, v_length), v_at.y));
    float alpha = v_colour.a * clamp(0.5 * u_width + 0.5 - away, 0.0, 1.0);
    o_colour = vec4(v_colour.rgb * alpha, alpha);
}
)";

}  // namespace

std::string screen_vertex_source() { return joined({kHead, kScreenVertex}); }
std::string background_fragment_source() { return joined({kHead, kColour, kBackground}); }
std::string cover_fragment_source() { return joined({kHead, kCover}); }
std::string blur_fragment_source() { return joined({kHead, kBlur}); }
std::string ground_vertex_source() { return joined({kHead, kTileFunctions, kGroundVertex}); }
std::string ground_fragment_source() { return joined({kHead, kColour, kGround}); }
std::string line_vertex_source() { return joined({kHead, kTileFunctions, kLineVertex}); }
std::string line_fragment_source() { return joined({kHead, kLine}); }

}  // namespace limber
