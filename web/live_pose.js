// The live page's character: joints, clips and skin out of the page's own numbers, posed at any time. Lengths are in
// the character's own unit.

/// `head` is what src/study/live_model.cpp wrote: [offset, count] stands for numbers in `blob`.
export function readModel(head, blob) {
  const f32 = ([at, n]) => new Float32Array(blob, at, n), u32 = ([at, n]) => new Uint32Array(blob, at, n),
        u16 = ([at, n]) => new Uint16Array(blob, at, n);
  const maybe = (read, where) => (where ? read(where) : null);
  return {
    ...head,
    bindings: head.bindings.map((b) => ({...b, inverse: f32(b.inverse)})),
    pictures: head.pictures.map((p) => ({mime: p.mime, bytes: new Uint8Array(blob, p.bytes[0], p.bytes[1])})),
    parts: head.parts.map(
      (p) => ({
        ...p,
        positions: f32(p.positions),
        normals: maybe(f32, p.normals),
        uvs: maybe(f32, p.uvs),
        triangles: u32(p.triangles),
        joints: maybe(u16, p.joints),
        weights: maybe(f32, p.weights),
        morphs: p.morphs.map(
          (m) => ({...m, vertices: u32(m.vertices), positions: f32(m.positions), normals: maybe(f32, m.normals)})),
      })),
    clips: head.clips.map(
      (c) => ({...c, channels: c.channels.map((k) => ({...k, times: f32(k.times), values: f32(k.values)}))})),
  };
}

/// out = a b, as columns of 4 x 4 numbers whose last row is 0 0 0 1.
export function multiply(a, ai, b, bi, out, at) {
  for (let c = 0; c < 4; ++c)
    for (let r = 0; r < 4; ++r) {
      let sum = 0;
      for (let k = 0; k < 4; ++k) sum += a[ai + 4 * k + r] * b[bi + 4 * c + k];
      out[at + 4 * c + r] = sum;
    }
}

function compose(t, q, s, j, out) {
  const x = q[4 * j], y = q[4 * j + 1], z = q[4 * j + 2], w = q[4 * j + 3], at = 16 * j;
  const turn = [
    1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 2 * (x * y - z * w), 1 - 2 * (x * x + z * z),
    2 * (y * z + x * w), 2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)
  ];
  for (let c = 0; c < 3; ++c) {
    for (let r = 0; r < 3; ++r) out[at + 4 * c + r] = turn[3 * c + r] * s[3 * j + c];
    out[at + 4 * c + 3] = 0;
    out[at + 12 + c] = t[3 * j + c];
  }
  out[at + 15] = 1;
}

function normalise(q, at) {
  const length = Math.hypot(q[at], q[at + 1], q[at + 2], q[at + 3]) || 1;
  for (let i = 0; i < 4; ++i) q[at + i] /= length;
}

/// Even speed along the shorter arc.
function slerp(values, a, b, u, out, at) {
  let along = 0;
  for (let i = 0; i < 4; ++i) along += values[a + i] * values[b + i];
  const side = along < 0 ? -1 : 1, angle = Math.acos(Math.min(1, side * along)), sine = Math.sin(angle);
  const p = sine > 1e-6 ? Math.sin((1 - u) * angle) / sine : 1 - u,
        q = side * (sine > 1e-6 ? Math.sin(u * angle) / sine : u);
  for (let i = 0; i < 4; ++i) out[at + i] = p * values[a + i] + q * values[b + i];
}

/// One curve at a time [s]; before its first and after its last key it stands still.
function sample({times, values, width, curve, target}, time, out, at) {
  const cubic = curve === 'CUBICSPLINE', per = cubic ? 3 * width : width, own = cubic ? width : 0,
        last = times.length - 1;
  let low = 0, high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  const still = time <= times[0] ? 0 : time >= times[last] ? last : curve === 'STEP' ? low : -1;
  if (still >= 0) {
    for (let i = 0; i < width; ++i) out[at + i] = values[still * per + own + i];
    return;
  }
  const span = times[low + 1] - times[low], u = (time - times[low]) / span, a = low * per, b = a + per;
  if (!cubic && target === 'rotation') {
    slerp(values, a, b, u, out, at);
    return;
  }
  const u2 = u * u, u3 = u2 * u;
  for (let i = 0; i < width; ++i)
    out[at + i] = !cubic ?
      (1 - u) * values[a + i] + u * values[b + i] :
      (2 * u3 - 3 * u2 + 1) * values[a + width + i] + span * (u3 - 2 * u2 + u) * values[a + 2 * width + i] +
        (3 * u2 - 2 * u3) * values[b + width + i] + span * (u3 - u2) * values[b + i];
}

/// Where joints are: `world` has 16 numbers per joint, `rotation` the product of rotations along the chain (scales left
/// out), `weights` those of the skin's own shapes.
export class Pose {
  constructor(model) {
    const n = model.joints.length, flat = (name) => Float64Array.from(model.joints.flatMap((j) => j[name]));
    this.model = model;
    this.rest = {translation: flat('t'), rotation: flat('r'), scale: flat('s')};
    this.local = {
      translation: new Float64Array(3 * n),
      rotation: new Float64Array(4 * n),
      scale: new Float64Array(3 * n)
    };
    this.world = new Float64Array(16 * n);
    this.rotation = new Float64Array(4 * n);
    this.weights = model.parts.map((p) => Float64Array.from(p.rest_weights));
    this.all = model.joints.map((_, j) => j);
    this.scratch = new Float64Array(16 * n);
  }

  /// These joints and those above them, in order.
  chain(joints) {
    const wanted = new Set();
    for (let j of joints)
      for (; j >= 0 && !wanted.has(j); j = this.model.joints[j].parent) wanted.add(j);
    return this.all.filter((j) => wanted.has(j));
  }

  /// clip -1 = the rest pose. Only `joints` (a chain) are posed.
  set(clip, time, joints = this.all) {
    const {local, model} = this, wanted = joints === this.all ? null : new Set(joints);
    for (const name of ['translation', 'rotation', 'scale']) local[name].set(this.rest[name]);
    if (!wanted) this.weights.forEach((w, p) => w.set(model.parts[p].rest_weights));
    for (const curve of clip >= 0 ? model.clips[clip].channels : []) {
      if (curve.target === 'weights') {
        if (!wanted)
          model.parts.forEach((p, i) => {
            if (p.joint === curve.joint && this.weights[i].length === curve.width)
              sample(curve, time, this.weights[i], 0);
          });
      } else if (!wanted || wanted.has(curve.joint))
        sample(curve, time, local[curve.target], curve.joint * curve.width);
    }
    for (const j of joints) this.place(j);
    return this;
  }

  place(j) {
    const {local, world, rotation: turn} = this, parent = this.model.joints[j].parent, q = local.rotation, a = 4 * j,
                                   b = 4 * parent;
    normalise(q, a);
    compose(local.translation, q, local.scale, j, this.scratch);
    if (parent < 0) {
      for (let i = 0; i < 16; ++i) world[16 * j + i] = this.scratch[16 * j + i];
      for (let i = 0; i < 4; ++i) turn[a + i] = q[a + i];
      return;
    }
    multiply(world, 16 * parent, this.scratch, 16 * j, world, 16 * j);
    turn[a] = turn[b + 3] * q[a] + turn[b] * q[a + 3] + turn[b + 1] * q[a + 2] - turn[b + 2] * q[a + 1];
    turn[a + 1] = turn[b + 3] * q[a + 1] + turn[b + 1] * q[a + 3] + turn[b + 2] * q[a] - turn[b] * q[a + 2];
    turn[a + 2] = turn[b + 3] * q[a + 2] + turn[b + 2] * q[a + 3] + turn[b] * q[a + 1] - turn[b + 1] * q[a];
    turn[a + 3] = turn[b + 3] * q[a + 3] - turn[b] * q[a] - turn[b + 1] * q[a + 1] - turn[b + 2] * q[a + 2];
  }

  bone(j, shift = [0, 0, 0]) {
    return {
      position: [0, 1, 2].map((i) => this.world[16 * j + 12 + i] + shift[i]),
      rotation: Array.from(this.rotation.subarray(4 * j, 4 * j + 4))
    };
  }
}
