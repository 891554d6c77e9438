// The live page's picture: WebGL2, skinning in the vertex shader, base colour with plain light, a floor. Meshes are
// what goes to it.
import {multiply} from './live_pose.js';

const VERTEX = `#version 300 es
precision highp float;
in vec3 a_position, a_normal;
in float a_motion;
in vec2 a_uv;
in vec4 a_joints_0, a_joints_1, a_weights_0, a_weights_1;
uniform mat4 u_clip;
uniform vec3 u_shift;
uniform int u_first, u_sets;
uniform highp sampler2D u_bones;      // one bone in three texels: its rows
out vec3 v_position, v_normal;
out vec2 v_uv;
out float v_motion;
void add(float joint, float weight, inout vec4 x, inout vec4 y, inout vec4 z) {
  if (weight == 0.0) return;
  int row = u_first + int(joint + 0.5);
  ivec2 at = ivec2(3 * (row % 256), row / 256);
  x += weight * texelFetch(u_bones, at, 0);
  y += weight * texelFetch(u_bones, at + ivec2(1, 0), 0);
  z += weight * texelFetch(u_bones, at + ivec2(2, 0), 0);
}
void main() {
  vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0), p = vec4(a_position, 1.0);
  for (int k = 0; k < 4; ++k) add(a_joints_0[k], a_weights_0[k], x, y, z);
  if (u_sets > 1) for (int k = 0; k < 4; ++k) add(a_joints_1[k], a_weights_1[k], x, y, z);
  v_position = vec3(dot(x, p), dot(y, p), dot(z, p)) + u_shift;
  vec3 a = cross(y.xyz, z.xyz), b = cross(z.xyz, x.xyz), c = cross(x.xyz, y.xyz);     // the inverse transpose but for a factor
  v_normal = sign(dot(x.xyz, a)) * vec3(dot(a, a_normal), dot(b, a_normal), dot(c, a_normal));
  v_uv = a_uv;
  v_motion = a_motion;
  gl_Position = u_clip * vec4(v_position, 1.0);
}`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 v_position, v_normal;
in vec2 v_uv;
in float v_motion;
uniform vec3 u_eye, u_key;
uniform vec4 u_colour;
uniform sampler2D u_texture;
uniform float u_cutoff, u_paint, u_gloss;
uniform bool u_two_sided;
out vec4 o_colour;
vec3 linear_of(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 srgb_of(vec3 c) { return mix(c * 12.92, 1.055 * pow(max(c, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }
vec3 motion_colour(float t) {
  vec3 c = mix(vec3(0.79, 0.80, 0.82), vec3(0.20, 0.36, 0.72), smoothstep(0.0, 0.2, t));
  c = mix(c, vec3(0.13, 0.62, 0.55), smoothstep(0.2, 0.5, t));
  c = mix(c, vec3(0.98, 0.83, 0.25), smoothstep(0.5, 0.8, t));
  return linear_of(mix(c, vec3(0.85, 0.20, 0.12), smoothstep(0.8, 1.0, t)));
}
void main() {
  vec4 base = u_colour * texture(u_texture, v_uv);
  if (base.a < u_cutoff) discard;
  vec3 albedo = mix(base.rgb, motion_colour(v_motion), u_paint);
  vec3 normal = normalize(v_normal), view = normalize(u_eye - v_position);
  if (u_two_sided && dot(normal, view) < 0.0) normal = -normal;
  float key = max(dot(normal, u_key), 0.0), edge = 1.0 - max(dot(normal, view), 0.0);
  vec3 light = mix(vec3(0.20, 0.18, 0.17), vec3(0.42, 0.45, 0.50), 0.5 + 0.5 * normal.y) + vec3(0.78, 0.74, 0.69) * key;
  float shine = pow(max(dot(normal, normalize(u_key + view)), 0.0), 40.0) * u_gloss * key;
  vec3 c = albedo * light + shine + vec3(0.10) * edge * edge * edge;
  o_colour = vec4(srgb_of(c / (0.82 + 0.18 * c)), u_cutoff < 0.0 ? base.a : 1.0);
}`;
const FLOOR_VERTEX = `#version 300 es
precision highp float;
uniform mat4 u_clip;
uniform vec4 u_floor;       // middle, half side
out vec2 v_place;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  v_place = u_floor.xz + corner * u_floor.w;
  gl_Position = u_clip * vec4(v_place.x, u_floor.y, v_place.y, 1.0);
}`;
const FLOOR_FRAGMENT = `#version 300 es
precision highp float;
in vec2 v_place;
uniform vec4 u_floor;
uniform vec3 u_under;       // where the character stands, and how wide it is
out vec4 o_colour;
float lines(float spacing) {
  vec2 p = v_place / spacing, width = max(fwidth(p), vec2(1e-6)), near = abs(fract(p - 0.5) - 0.5) / width;
  return (1.0 - min(min(near.x, near.y), 1.0)) * clamp(1.0 - 2.0 * max(width.x, width.y), 0.0, 1.0);
}
void main() {
  float far = length(v_place - u_floor.xz) / u_floor.w, spacing = u_floor.w / 24.0;
  float shade = 0.5 * exp(-2.5 * dot(v_place - u_under.xy, v_place - u_under.xy) / (u_under.z * u_under.z));
  float line = 0.16 * lines(spacing) + 0.16 * lines(4.0 * spacing);
  o_colour = vec4(mix(vec3(0.75), vec3(0.02), step(line, shade)), max(line, shade) * smoothstep(1.0, 0.25, far));
}`;

function program(gl, vertex, fragment) {
  const out = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(out, shader);
  }
  ATTRIBUTES.forEach((name, i) => gl.bindAttribLocation(out, i, name));
  gl.linkProgram(out);
  if (!gl.getProgramParameter(out, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(`this browser's WebGL2 cannot build the picture: ${gl.getProgramInfoLog(out)} ${
      gl.getAttachedShaders(out).map((s) => gl.getShaderInfoLog(s)).join(' ')}`);
  const count = gl.getProgramParameter(out, gl.ACTIVE_UNIFORMS) || 0, at = {};
  for (let i = 0; i < count; ++i) {
    const {name} = gl.getActiveUniform(out, i);
    at[name] = gl.getUniformLocation(out, name);
  }
  return {out, at};
}
const ATTRIBUTES =
  ['a_position', 'a_normal', 'a_motion', 'a_uv', 'a_joints_0', 'a_weights_0', 'a_joints_1', 'a_weights_1'];

/// Seven numbers per vertex: place, normal, motion. Parts without normals get smooth ones.
export function restNumbers(part) {
  const n = part.positions.length / 3, out = new Float32Array(7 * n), normals = part.normals || smoothNormals(part);
  for (let v = 0; v < n; ++v)
    for (let i = 0; i < 3; ++i) {
      out[7 * v + i] = part.positions[3 * v + i];
      out[7 * v + 3 + i] = normals[3 * v + i];
    }
  return out;
}
function smoothNormals({positions: x, triangles}) {
  const out = new Float32Array(x.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]],
                 u = [0, 1, 2].map((i) => x[b + i] - x[a + i]), v = [0, 1, 2].map((i) => x[c + i] - x[a + i]);
    const area = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (const corner of [a, b, c])
      for (let i = 0; i < 3; ++i) out[corner + i] += area[i];
  }
  return out;
}

/// The matrices that skinning needs: per binding its joints, then one for each part that moves with its node alone.
export class Palette {
  constructor(model) {
    this.model = model;
    let rows = 0;
    this.first = model.bindings.map((b) => (rows += b.joints.length) - b.joints.length);
    this.row = model.parts.map((p) => (p.binding >= 0 ? this.first[p.binding] : rows++));
    this.matrices = new Float64Array(16 * rows);
    this.texels = new Float32Array(4 * 768 * Math.max(1, Math.ceil(rows / 256)));
  }
  set(pose) {
    const {model, matrices, texels} = this;
    model.bindings.forEach(
      (b, i) => b.joints.forEach(
        (j, k) => multiply(pose.world, 16 * j, b.inverse, 16 * k, matrices, 16 * (this.first[i] + k))));
    model.parts.forEach((p, i) => {
      if (p.binding >= 0) return;
      for (let k = 0; k < 16; ++k)
        matrices[16 * this.row[i] + k] = p.joint >= 0 ? pose.world[16 * p.joint + k] : Number(k % 5 === 0);
    });
    for (let row = 0; row < matrices.length / 16; ++row)
      for (let r = 0; r < 3; ++r)
        for (let c = 0; c < 4; ++c) texels[12 * row + 4 * r + c] = matrices[16 * row + 4 * c + r];
  }
  /// Whether a part is shown inside out: its first matrix mirrors.
  mirrored(part) {
    const m = this.matrices.subarray(16 * this.row[part], 16 * this.row[part] + 16);
    return m[0] * (m[5] * m[10] - m[6] * m[9]) + m[1] * (m[6] * m[8] - m[4] * m[10]) +
      m[2] * (m[4] * m[9] - m[5] * m[8]) <
      0;
  }
  /// The blended matrix of one vertex, into 12 numbers: columns.
  blend(part, v, out) {
    const {joints, weights, influences, binding} = this.model.parts[part], first = this.row[part],
                                        whole = binding < 0 || !joints;
    out.fill(0);
    for (let k = 0; k < (whole ? 1 : influences); ++k) {
      const weight = whole ? 1 : weights[influences * v + k],
            at = 16 * (first + (whole ? 0 : joints[influences * v + k]));
      if (weight !== 0)
        for (let c = 0; c < 4; ++c)
          for (let r = 0; r < 3; ++r) out[3 * c + r] += weight * this.matrices[at + 4 * c + r];
    }
  }
}

export class View {
  constructor(canvas, model, meshes) {
    this.gl = canvas.getContext('webgl2', {antialias: true, alpha: false, powerPreference: 'high-performance'});
    if (!this.gl)
      throw new Error(
        'This page draws with WebGL2, which this browser does not have or has switched off (hardware acceleration in its ' +
        'settings). The GLB beside it plays in any glTF viewer.');
    Object.assign(this, {canvas, model, meshes, paint: false, sharpness: 1});
    const {gl} = this;
    this.body = program(gl, VERTEX, FRAGMENT);
    this.floor = program(gl, FLOOR_VERTEX, FLOOR_FRAGMENT);
    this.nothing = gl.createVertexArray();
    this.drawn = model.parts.map((part, i) => this.load(part, meshes[i]));
    this.order = model.parts.map((_, i) => i)
                   .sort((a, b) => Number(this.look(a).alpha === 'BLEND') - Number(this.look(b).alpha === 'BLEND'));
    this.bones = this.texture(null, gl.NEAREST);
    this.white = this.texture(new Uint8Array([255, 255, 255, 255]), gl.NEAREST);
    this.pictures = model.pictures.map(() => this.white);
    this.loaded = Promise.all(model.pictures.map((p, i) => this.loadPicture(p, i)));
  }

  look(part) {
    return this.model.materials[this.model.parts[part].material] ||
      {colour: [0.7, 0.68, 0.66, 1], picture: -1, alpha: 'OPAQUE', cutoff: 0.5, two_sided: true, gloss: 0.05};
  }

  texture(bytes, filter) {
    const {gl} = this, out = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, out);
    if (bytes) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, filter);
    return out;
  }
  async loadPicture({mime, bytes}, index) {
    const {gl} = this, image = await createImageBitmap(new Blob([bytes], {type: mime}), {
                                 premultiplyAlpha: 'none',
                                 colorSpaceConversion: 'none'
                               }).catch(() => null);
    if (!image) return;  // a kind of picture that browsers do not read: the plain colour stays
    const out = this.texture(null, gl.LINEAR);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, gl.RGBA, gl.UNSIGNED_BYTE, image);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    this.pictures[index] = out;
  }

  load(part, mesh) {
    const {gl} = this, array = gl.createVertexArray(), buffer = (kind, data, use = gl.STATIC_DRAW) => {
      const out = gl.createBuffer();
      gl.bindBuffer(kind, out);
      gl.bufferData(kind, data, use);
      return out;
    };
    const pointer = (name, width, type, stride, at) => {
      const i = ATTRIBUTES.indexOf(name);
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, width, type, false, stride, at);
    };
    gl.bindVertexArray(array);
    const numbers = buffer(gl.ARRAY_BUFFER, mesh.now, mesh.moving ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
    pointer('a_position', 3, gl.FLOAT, 28, 0);
    pointer('a_normal', 3, gl.FLOAT, 28, 12);
    pointer('a_motion', 1, gl.FLOAT, 28, 24);
    if (part.uvs) buffer(gl.ARRAY_BUFFER, part.uvs), pointer('a_uv', 2, gl.FLOAT, 8, 0);
    const sets = part.binding >= 0 && part.joints ? part.influences / 4 : 0;
    if (sets) buffer(gl.ARRAY_BUFFER, part.joints);
    for (let k = 0; k < sets; ++k) pointer(`a_joints_${k}`, 4, gl.UNSIGNED_SHORT, 8 * sets, 8 * k);
    if (sets) buffer(gl.ARRAY_BUFFER, part.weights);
    for (let k = 0; k < sets; ++k) pointer(`a_weights_${k}`, 4, gl.FLOAT, 16 * sets, 16 * k);
    buffer(gl.ELEMENT_ARRAY_BUFFER, part.triangles);
    gl.bindVertexArray(null);
    return {array, numbers, sets: Math.max(1, sets), count: part.triangles.length};
  }

  /// Fits the canvas to its place on the page. In software a smaller picture keeps the page alive.
  resize() {
    const {canvas} = this, scale = Math.min(2, devicePixelRatio || 1) * this.sharpness;
    const width = Math.max(1, Math.round(canvas.clientWidth * scale)),
          height = Math.max(1, Math.round(canvas.clientHeight * scale));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    this.gl.viewport(0, 0, width, height);
  }

  /// `scene`: { palette, clip (16 numbers), eye, key, shift, floor: [x, y, z, half side], under: [x, z, width] }
  draw(scene) {
    const {gl, body} = this;
    if (gl.isContextLost()) return;
    this.resize();
    gl.clearColor(0.165, 0.18, 0.205, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.useProgram(body.out);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.bones);
    const {texels} = scene.palette;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 768, texels.length / 3072, 0, gl.RGBA, gl.FLOAT, texels);
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform1i(body.at.u_bones, 1);
    gl.uniform1i(body.at.u_texture, 0);
    gl.uniformMatrix4fv(body.at.u_clip, false, scene.clip);
    gl.uniform3fv(body.at.u_eye, scene.eye);
    gl.uniform3fv(body.at.u_key, scene.key);
    gl.uniform3fv(body.at.u_shift, scene.shift);
    gl.uniform1f(body.at.u_paint, this.paint ? 1 : 0);
    for (const i of this.order) this.drawPart(i, scene.palette);
    gl.bindVertexArray(null);
    this.drawFloor(scene);
  }

  drawPart(i, palette) {
    const {gl, body} = this, part = this.drawn[i], mesh = this.meshes[i], look = this.look(i),
               blended = look.alpha === 'BLEND' && !this.paint;
    gl.bindVertexArray(part.array);
    if (mesh.moving) {
      gl.bindBuffer(gl.ARRAY_BUFFER, part.numbers);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, mesh.now);
    }
    gl.vertexAttrib4f(ATTRIBUTES.indexOf('a_joints_0'), 0, 0, 0, 0);  // for parts that move as a whole
    gl.vertexAttrib4f(ATTRIBUTES.indexOf('a_weights_0'), 1, 0, 0, 0);
    gl.bindTexture(
      gl.TEXTURE_2D, look.picture >= 0 && this.model.parts[i].uvs ? this.pictures[look.picture] : this.white);
    gl.uniform1i(body.at.u_first, palette.row[i]);
    gl.uniform1i(body.at.u_sets, part.sets);
    gl.uniform4fv(body.at.u_colour, look.colour);
    gl.uniform1f(body.at.u_cutoff, look.alpha === 'MASK' ? look.cutoff : blended ? -1 : 0);
    gl.uniform1f(body.at.u_gloss, look.gloss);
    gl.uniform1i(body.at.u_two_sided, look.two_sided ? 1 : 0);
    (look.two_sided ? gl.disable : gl.enable).call(gl, gl.CULL_FACE);
    gl.frontFace(palette.mirrored(i) ? gl.CW : gl.CCW);
    (blended ? gl.enable : gl.disable).call(gl, gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.drawElements(gl.TRIANGLES, part.count, gl.UNSIGNED_INT, 0);
  }

  drawFloor(scene) {
    const {gl, floor} = this;
    gl.useProgram(floor.out);
    gl.bindVertexArray(this.nothing);
    gl.disable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.uniformMatrix4fv(floor.at.u_clip, false, scene.clip);
    gl.uniform4fv(floor.at.u_floor, scene.floor);
    gl.uniform3fv(floor.at.u_under, scene.under);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.bindVertexArray(null);
  }
}
