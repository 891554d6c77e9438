#version 300 es
// DyRT in a vertex shader: modal displacement and normal correction, then matrix-palette skinning, in that order
// [James & Pai 2002, appendix B]. OpenGL ES 3.0, WebGL 2. For MODES modes the jiggling costs two multiply-adds each per
// vertex, and what it takes to make the normal unit length.
// Tables come from the .dyrt asset (limber_dyrt_displacements, limber_dyrt_normal_corrections) as static vertex
// attributes; only u_amplitudes (limber_dyrt_amplitudes) and u_bones change from frame to frame.
// Set MODES (1 to 6: attributes end at 16) and BONES by a #define after the first line. Give captured or rasterised
// outputs your own use.
#ifndef MODES
#define MODES 5
#endif
#ifndef BONES
#define BONES 64
#endif
precision highp float;

layout(location = 0) in vec3 a_position;        // at rest
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_joints;          // into u_bones
layout(location = 3) in vec4 a_weights;         // sum to 1
layout(location = 4) in vec3 a_displacement_0;  // per amplitude 1
layout(location = 5) in vec3 a_correction_0;
#if MODES > 1
layout(location = 6) in vec3 a_displacement_1;
layout(location = 7) in vec3 a_correction_1;
#endif
#if MODES > 2
layout(location = 8) in vec3 a_displacement_2;
layout(location = 9) in vec3 a_correction_2;
#endif
#if MODES > 3
layout(location = 10) in vec3 a_displacement_3;
layout(location = 11) in vec3 a_correction_3;
#endif
#if MODES > 4
layout(location = 12) in vec3 a_displacement_4;
layout(location = 13) in vec3 a_correction_4;
#endif
#if MODES > 5
layout(location = 14) in vec3 a_displacement_5;
layout(location = 15) in vec3 a_correction_5;
#endif

uniform float u_amplitudes[MODES];
uniform vec4 u_bones[3 * BONES];                // three rows each: world * inverse bind
uniform mat4 u_clip;

out vec3 v_position;                            // world
out vec3 v_normal;

// As limber_dyrt_displace does: no normal stays none (normalize() would make it no number), and squares of a large one do not overflow.
vec3 unit(vec3 v) {
    vec3 scaled = v / max(max(abs(v.x), abs(v.y)), max(abs(v.z), 1e-30));
    return scaled * inversesqrt(max(dot(scaled, scaled), 1e-30));
}

void jiggle(inout vec3 position, inout vec3 normal) {
    position += u_amplitudes[0] * a_displacement_0;
    normal += u_amplitudes[0] * a_correction_0;
#if MODES > 1
    position += u_amplitudes[1] * a_displacement_1;
    normal += u_amplitudes[1] * a_correction_1;
#endif
#if MODES > 2
    position += u_amplitudes[2] * a_displacement_2;
    normal += u_amplitudes[2] * a_correction_2;
#endif
#if MODES > 3
    position += u_amplitudes[3] * a_displacement_3;
    normal += u_amplitudes[3] * a_correction_3;
#endif
#if MODES > 4
    position += u_amplitudes[4] * a_displacement_4;
    normal += u_amplitudes[4] * a_correction_4;
#endif
#if MODES > 5
    position += u_amplitudes[5] * a_displacement_5;
    normal += u_amplitudes[5] * a_correction_5;
#endif
    normal = unit(normal);
}

void skin(inout vec3 position, inout vec3 normal) {
    vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
    for (int k = 0; k < 4; ++k) {
        int row = 3 * int(a_joints[k] + 0.5);
        x += a_weights[k] * u_bones[row];
        y += a_weights[k] * u_bones[row + 1];
        z += a_weights[k] * u_bones[row + 2];
    }
    vec4 p = vec4(position, 1.0);
    position = vec3(dot(x, p), dot(y, p), dot(z, p));
    // Normals go by the inverse transpose, here but for a factor whose sign matters where bones mirror.
    vec3 a = cross(y.xyz, z.xyz), b = cross(z.xyz, x.xyz), c = cross(x.xyz, y.xyz);
    normal = unit(sign(dot(x.xyz, a)) * vec3(dot(a, normal), dot(b, normal), dot(c, normal)));
}

void main() {
    v_position = a_position;
    v_normal = a_normal;
    jiggle(v_position, v_normal);
    skin(v_position, v_normal);
    gl_Position = u_clip * vec4(v_position, 1.0);
}
