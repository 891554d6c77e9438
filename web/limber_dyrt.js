// limber_dyrt: flesh that jiggles as bones move, live in a browser. An ES module without dependencies.
//
//   import { readDyrt, DyrtCharacter } from './limber_dyrt.js';
//   const asset = readDyrt(await (await fetch('character.dyrt')).arrayBuffer());
//   const flesh = new DyrtCharacter(asset, gltf.scene);          // a three.js scene loaded from the GLB beside it
//   each frame, once the bones are posed:  flesh.update(dt);     // drives morphTargetInfluences
//
// The same as limber_dyrt.h (docs/dyrt_runtime.md), in double precision: DyrtState steps one character from bones given as
// numbers, and knows nothing of three.js. The file: docs/dyrt_format.md. Units: the asset's own, seconds, radians;
// quaternions x y z w.

/// Throws Error when the bytes are not a .dyrt file of version 1 or lie about themselves.
export function readDyrt(buffer) {
  const view = new DataView(buffer), u32 = (at) => view.getUint32(at, true), f32 = (at) => view.getFloat32(at, true);
  const demand = (holds, what) => { if (!holds) throw new Error(`not a usable .dyrt file: ${what}`); };
  demand(buffer.byteLength >= 64 && new TextDecoder().decode(new Uint8Array(buffer, 0, 8)) === 'limbdyrt', 'it does not begin like one');
  demand(u32(8) === 1, `version ${u32(8)}, expected 1`);
  demand(u32(12) === buffer.byteLength, `${buffer.byteLength} bytes, expected ${u32(12)}`);
  const count = u32(16), strings = u32(40), stringBytes = u32(44);
  demand(count >= 1 && count <= 256 && 64 + 128 * count + 8 * u32(20) <= buffer.byteLength, 'its tables do not fit into it');
  demand(strings + stringBytes <= buffer.byteLength, 'its strings do not fit into it');
  const string = (offset) => {
    demand(offset < stringBytes, 'a name lies outside');
    const bytes = new Uint8Array(buffer, strings + offset, stringBytes - offset), end = bytes.indexOf(0);
    demand(end >= 0, 'a name has no end');
    return new TextDecoder().decode(bytes.subarray(0, end));
  };
  const floats = (at, n) => {
    const start = u32(at);
    demand(start + 4 * n <= buffer.byteLength, 'a table lies outside');
    const out = Float64Array.from({ length: n }, (_, i) => f32(start + 4 * i));
    demand(out.every((v) => Math.abs(v) <= LARGEST_NUMBER), 'a number is not finite, or too large');
    return out;
  };
  const numbers = (at, n) => Array.from({ length: n }, (_, i) => f32(at + 4 * i));
  const gravity = numbers(28, 3);
  demand(gravity.every((v) => Math.abs(v) <= LARGEST_NUMBER) && f32(24) >= 1e-18 && f32(24) <= 1e18, 'its unit or gravity');
  const parts = Array.from({ length: count }, (_, i) => {
    const at = 64 + 128 * i, m = u32(at + 8);
    demand(m >= 1 && m <= 64, `${m} oscillators`);
    const table = floats(at + 64, 4 * m), pick = (column) => Array.from({ length: m }, (_, k) => table[4 * k + column]);
    return {
      name: string(u32(at)), bone: string(u32(at + 4)), modes: m, residuals: u32(at + 12), vertices: u32(at + 16),
      bindRotation: unit(numbers(at + 44, 4)), omega: pick(0), decay: pick(1), scale: pick(2), transfer: floats(at + 68, 12 * m),
      coriolis: u32(at + 20) & 1 ? floats(at + 72, 3 * m * m) : null, limits: numbers(at + 100, 3),
    };
  });
  for (const p of parts) {
    demand(p.omega.every((w) => w >= 1e-6) && p.decay.every((d) => d >= 0) && p.scale.every((s) => s >= 1e-30),
      `${p.name}: an oscillator's numbers`);
    demand(p.limits.every((l) => l > 0 && Number.isFinite(l)) && p.bindRotation.every(Number.isFinite), `${p.name}: limits or bind pose`);
    demand(staysInRange(p, 1, 1, gravity), `${p.name}: a transfer table so large that amplitudes would overflow`);
  }
  return { metres: f32(24), gravity, provenance: string(u32(48)), parts };
}

// ---- Ranges, those of runtime/dyrt/dyrt_range.c: the floats that the amplitudes become on a GPU do not overflow ----
const LARGEST_NUMBER = 1e9, LARGEST = 1e25, FARTHEST = 1e19, SHORTEST = 1e-4, LONGEST = 1e6;
const scaledLimits = (part, limit) => part.limits.map((l, i) => Math.min(l * limit, [1e15, 1e15, 1e9][i]));

/// Whether bones within the limits keep every oscillator's amplitude in range.
function staysInRange(part, amount, limit, gravity) {
  const limits = scaledLimits(part, limit), room = 1 / (60 * SHORTEST);
  return part.omega.every((omega, k) => {
    const t = part.transfer.slice(12 * k, 12 * k + 12), slow = Math.min(1, omega);
    const centripetal = t.slice(6).reduce((sum, v) => sum + Math.abs(v), 0);
    const push = Math.hypot(t[0], t[1], t[2]) * (limits[0] * room + 2 * Math.hypot(...gravity)) +
      Math.hypot(t[3], t[4], t[5]) * limits[1] * room + centripetal * limits[2] ** 2;
    return Math.abs(amount) * push <= LARGEST * slow * slow;
  });
}

// ---- Vectors and rotations ----
const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);
const difference = (a, b, factor) => a.map((v, i) => (v - b[i]) * factor);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
function unit(q) {
  const length = Math.sqrt(dot(q, q));
  return q.map((v) => v / length);
}
function times(a, b) {
  const c = cross(a, b);
  return [a[3] * b[0] + a[0] * b[3] + c[0], a[3] * b[1] + a[1] * b[3] + c[1], a[3] * b[2] + a[2] * b[3] + c[2],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
}
const inverse = (q) => [-q[0], -q[1], -q[2], q[3]];
function turnedBack(q, v) {
  const t = cross(v, q).map((x) => 2 * x), c = cross(t, q);
  return [v[0] + q[3] * t[0] + c[0], v[1] + q[3] * t[1] + c[1], v[2] + q[3] * t[2] + c[2]];
}
function shortened(v, limit) {
  const length = Math.hypot(...v);
  return length > limit ? v.map((x) => x * limit / length) : v;
}

// ---- One oscillator over one frame ----
/// q'' + 2 decay q' + omega^2 q = f0 + slope t, exactly: see runtime/dyrt/oscillator.h. A series for a short time, then doubled.
export function oscillatorStep(omega, decay, time) {
  const doublings = Math.max(0, Math.ceil(Math.log2(Math.max(omega, decay) * time / 1.5)));
  let t = time / 2 ** doublings, before = 0, term = 1, s = 1, vv = 1, f1 = 0.5, f2 = 1 / 6;
  for (let k = 1; k < 40; ++k) {
    [before, term] = [term, -(2 * decay * t * k * term + (omega * t) ** 2 * before) / (k * (k + 1))];
    s += term;
    vv += (k + 1) * term;
    f1 += term / (k + 2);
    f2 += term / ((k + 2) * (k + 3));
  }
  let o = { qv: t * s, vv, f1: t * t * f1, f2: t ** 3 * f2 };
  o.qq = 1 - omega * omega * o.f1;
  o.vq = -omega * omega * o.qv;
  for (let i = 0; i < doublings; ++i, t *= 2)
    o = { qq: o.qq * o.qq + o.qv * o.vq, qv: o.qq * o.qv + o.qv * o.vv, vq: o.vq * o.qq + o.vv * o.vq, vv: o.vq * o.qv + o.vv * o.vv,
      f1: o.f1 + o.qq * o.f1 + o.qv * o.qv, f2: o.f2 + o.qq * o.f2 + o.qv * o.f1 + o.f1 * t };
  return o;
}

/// Coefficients of q' = qq q + qs s + qe e + q1 e1 and the same for s; runtime/dyrt/dyrt_frame.c says why they are these.
function row(omega, decay, dt, before, last, drive) {
  const o = oscillatorStep(omega, decay, dt), stiff = Math.max(omega, decay) * dt > 2;
  const trust = Math.min(1, 2 * before / dt) ** 2, longer = Math.min(1, Math.max(0, before / dt - 1));
  const r = { qq: o.qq, qs: o.qv, sq: o.vq, ss: o.vv, owed: 0, owedBefore: 0, rateQ: 0, rateS: 1 };
  if (drive === 'transforms') {
    if (!stiff) r.owed = (o.f1 + 2 * decay * (o.qv * o.f2 - o.f1 * o.f1) / dt) / o.qv;
    r.owedBefore = r.rateE = last ? last.owed : r.owed;
    const growth = stiff ? trust / Math.max(before, 0.5 * dt) : 0;
    const due = !stiff && Math.max(omega, decay) * before > 2 ? 0.5 * before * longer : 0;
    r.qe = o.qv * (r.owedBefore + due) + o.f1 + growth * o.f2;
    r.se = o.vv * (r.owedBefore + due) + o.qv - r.owed + growth * o.f1;
    r.q1 = -growth * o.f2 - due * o.qv;
    r.s1 = -growth * o.f1 - due * o.vv;
  } else {
    const slope = trust / (0.5 * (before + dt)), half = oscillatorStep(omega, decay, 0.5 * dt);
    r.q1 = -slope * (o.f2 - 0.5 * dt * o.f1);
    r.s1 = -slope * (o.f1 - 0.5 * dt * o.qv);
    r.qe = o.f1 - r.q1;
    r.se = o.qv - r.s1;
    [r.rateQ, r.rateS, r.rateE] = [half.vq, half.vv, half.qv];
  }
  return r;
}

/// One character. `settings`: drive 'transforms' (places at frame times) or 'velocities', gravity [unit/s^2], centripetal,
/// coriolis, limit, amount.
export class DyrtState {
  constructor(asset, settings = {}) {
    this.asset = asset;
    this.settings = { drive: 'transforms', gravity: asset.gravity, centripetal: true, coriolis: false, limit: 1, amount: 1, ...settings };
    const { drive, gravity, coriolis, limit, amount } = this.settings;
    const demand = (holds, what) => { if (!holds) throw new Error(`DyRT settings: ${what}`); };
    demand(drive === 'transforms' || drive === 'velocities', `drive '${drive}', expected 'transforms' or 'velocities'`);
    demand(limit > 0 && Number.isFinite(limit) && Number.isFinite(amount),
      `limit ${limit}, amount ${amount}, expected numbers, the limit above 0`);
    demand(gravity.length === 3 && gravity.every((v) => Math.abs(v) <= LARGEST_NUMBER),
      `gravity ${gravity}, expected three numbers of at most 1e9`);
    for (const part of asset.parts) {
      demand(!coriolis || part.coriolis, `coriolis, but the file has no table of it for '${part.name}'`);
      demand(staysInRange(part, amount, limit, gravity),
        `amount ${amount} and limit ${limit} are so large that '${part.name}' would overflow`);
    }
    this.limited = this.skipped = 0;
    this.before = this.waiting = 0;     // the last frame time; what passed since then
    const zeros = (part) => new Float64Array(part.modes);
    this.parts = asset.parts.map((part) =>
      ({ part, q: zeros(part), s: zeros(part), e: zeros(part), owed: [], known: 0, rows: null }));
  }

  /// bones: per part { position, rotation } and with the drive 'velocities' also { velocity, angularVelocity } in world
  /// axes; arrays. Where there is `push` (one number per oscillator [unit/s^2]), it is added to what the bone does: a hand
  /// that pulls. Times below 1e-4 s wait, bones included, for the call that makes them as much. Returns false when a part
  /// left the range of numbers (Coriolis forces only) and was put to rest.
  step(dt, bones) {
    if (!(dt >= 0 && dt <= LONGEST)) throw new Error(`a frame of ${dt} s, expected 0 to ${LONGEST}`);
    dt += this.waiting;
    this.waiting = dt < SHORTEST && this.before ? dt : 0;
    if (dt < SHORTEST && this.before) return true;
    dt = Math.max(dt, SHORTEST);
    this.lost = false;
    const before = this.before || dt;
    this.parts.forEach((p, i) => {
      if (p.dt !== dt || p.before !== before)
        p.rows = p.part.omega.map((w, k) => row(w, p.part.decay[k], dt, before, p.rows && p.rows[k], this.settings.drive));
      [p.dt, p.before] = [dt, before];
      this.stepPart(p, dt, before, bones[i]);
    });
    this.before = dt;
    return !this.lost;
  }

  stepPart(p, dt, before, bone) {
    const now = { place: bone.position, turn: times(unit(bone.rotation), inverse(p.part.bindRotation)) };
    if (this.settings.drive === 'velocities') {
      now.velocity = bone.velocity;
      now.spin = turnedBack(now.turn, bone.angularVelocity);
    }
    const vectors = [now.place, now.velocity || [0], now.spin || [0]];
    if (!now.turn.every(Number.isFinite) || !vectors.every((v) => Math.hypot(...v) < FARTHEST)) {
      ++this.skipped;
      this.forget(p);
      return;
    }
    const was = p.bone, first = p.known === 1;
    p.bone = now;
    if (p.known === 0) { p.known = 1; return; }     // only taken in
    p.known = 2;
    this.advance(p, first, this.motion(p, was, now, first, dt, before), bone.push);
  }

  /// The twelve numbers that push, and the spin for Coriolis forces.
  motion(p, was, now, first, dt, before) {
    const { gravity, limit, drive, coriolis } = this.settings, places = drive === 'transforms';
    if (places) {
      now.velocity = difference(now.place, was.place, 1 / dt);
      const turn = times(inverse(was.turn), now.turn), size = Math.hypot(turn[0], turn[1], turn[2]);
      const angle = 2 * Math.atan2(size, Math.abs(turn[3])) * Math.sign(turn[3] || 1);
      now.spin = turn.slice(0, 3).map((v) => (size > 0 ? v * angle / (size * dt) : 0));
      if (first) [was.velocity, was.spin] = [now.velocity, now.spin];      // it may have moved like this already
    }
    const perChange = places ? 2 / (dt + before) : 1 / dt, weight = places ? dt / (dt + before) : 0.5;
    // The same jump of velocity in any shorter frame.
    const limits = scaledLimits(p.part, limit).map((l, i) => l * (i < 2 ? Math.max(1, perChange / 60) : 1));
    const side = Math.sign(dot(was.turn, now.turn)) || 1, seen = places ? was.turn : unit(was.turn.map((v, i) => side * v + now.turn[i]));
    const a = difference(now.velocity, was.velocity, perChange), turn = difference(now.spin, was.spin, perChange);
    const pairs = [[0, 0], [1, 1], [2, 2], [0, 1], [1, 2], [2, 0]];
    const products = pairs.map(([i, j]) => (1 - weight) * was.spin[i] * was.spin[j] + weight * now.spin[i] * now.spin[j]);
    const square = products[0] + products[1] + products[2], factor = Math.min(1, limits[2] ** 2 / square || 1);
    const between = was.spin.map((v, i) => weight * v + (1 - weight) * now.spin[i]), most = Math.min(limits[2], 0.9 / Math.max(dt, before));
    const tooFast = Math.hypot(...a) > limits[0] || Math.hypot(...turn) > limits[1] || factor < 1;
    if (tooFast || (coriolis && Math.hypot(...between) > most)) ++this.limited;
    const line = turnedBack(seen, difference(shortened(a, limits[0]), gravity, 1)).map((v, i) => v + gravity[i]);
    const spin = shortened(between, most);
    return { d: [...line, ...shortened(turn, limits[1]), ...products.map((v) => (this.settings.centripetal ? v * factor : 0))], spin };
  }

  advance(p, first, { d, spin }, hand) {
    const m = p.part.modes, { transfer, coriolis } = p.part;
    const bone = (k) => d.reduce((sum, v, i) => sum + transfer[12 * k + i] * v, 0);
    const push = Float64Array.from({ length: m }, (_, k) => this.settings.amount * bone(k) + (hand ? hand[k] : 0));
    let total = push;
    for (let pass = 0; this.settings.coriolis && coriolis && pass < 3; ++pass) {
      const rate = p.rows.map((r, j) => r.rateQ * p.q[j] + r.rateS * p.s[j] + r.rateE * total[j]);
      const about = (sum, w, a, k) => rate.reduce((inner, v, j) => inner + coriolis[(a * m + k) * m + j] * w * v, sum);
      total = push.map((e, k) => spin.reduce((sum, w, a) => about(sum, w, a, k), e));
    }
    p.rows.forEach((r, k) => {
      const e = total[k], q = p.q[k], s = first ? p.s[k] - r.owedBefore * e : p.s[k], e1 = first ? e : p.e[k];
      p.q[k] = r.qq * q + r.qs * s + r.qe * e + r.q1 * e1;
      p.s[k] = r.sq * q + r.ss * s + r.se * e + r.s1 * e1;
      p.e[k] = e;
      p.owed[k] = r.owed;
    });
    if (!p.q.every((q) => Math.abs(q) <= LARGEST) || !p.s.every(Number.isFinite)) this.lost = this.forget(p, true);
  }

  forget(p, rest = false) {
    if (p.known === 2) p.s.forEach((s, k) => { p.s[k] = s + p.owed[k] * p.e[k]; });      // as it truly is now
    for (const values of rest ? [p.q, p.s, p.e] : [p.e]) values.fill(0);
    p.known = 0;
    return true;
  }

  /// The next step starts anew from where the bones then are; `rest` also stops what jiggles.
  cut(rest = false) {
    for (const p of this.parts) this.forget(p, rest);
  }

  /// The bones are put elsewhere by hand and go on as fast as they were: where a clip that repeats begins anew.
  carry(bones) {
    this.parts.forEach((p, i) => {
      if (!p.known) return;
      const { position: place, rotation } = bones[i];
      Object.assign(p.bone, { place, turn: times(unit(rotation), inverse(p.part.bindRotation)) });
    });
  }

  amplitudes(part) { return this.parts[part].q; }
}

// ---- three.js ----
/// Place and rotation in a matrixWorld, scale taken out: { position, rotation }.
export function boneOf(elements, scale = 1) {
  const x = Array.from(elements.slice(0, 3)), y = Array.from(elements.slice(4, 7));
  const mirrored = dot(cross(x, y), Array.from(elements.slice(8, 11))) < 0;
  const a = unit(mirrored ? x.map((v) => -v) : x), along = dot(a, y), b = unit(y.map((v, i) => v - along * a[i])), m = [a, b, cross(a, b)];
  const trace = m[0][0] + m[1][1] + m[2][2], i = [0, 1, 2].reduce((best, c) => (m[c][c] > m[best][best] ? c : best), 0);
  const j = (i + 1) % 3, k = (i + 2) % 3;
  const q = [m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0], 1 + trace];
  if (trace < 0) [q[i], q[j], q[k], q[3]] = [1 + m[i][i] - m[j][j] - m[k][k], m[i][j] + m[j][i], m[i][k] + m[k][i], m[j][k] - m[k][j]];
  return { position: Array.from(elements.slice(12, 15), (v) => v / scale), rotation: unit(q) };
}

/// A three.js character (what GLTFLoader made of the GLB beside the .dyrt file) whose morph targets follow its bones.
export class DyrtCharacter {
  constructor(asset, root, settings = {}) {
    this.state = new DyrtState(asset, settings);
    this.root = root;
    this.amount = 1;        // may be changed at any time: times everything shown
    // Names as in the file: GLTFLoader keeps them in userData where it had to change them.
    const named = (name) => {
      let found;
      root.traverse((o) => { if (!found && (o.userData.name === name || o.name === name)) found = o; });
      return found;
    };
    this.parts = asset.parts.map((part) => {
      const bone = named(part.bone), targets = [];
      if (!bone) throw new Error(`the bone '${part.bone}' of the flesh part '${part.name}' is not in the scene`);
      root.traverse((mesh) => {
        for (let k = 0; mesh.morphTargetDictionary && k < part.modes; ++k) {
          const index = mesh.morphTargetDictionary[`${part.name}:${k}`];
          if (index !== undefined) targets.push({ mesh, index, k, scale: part.scale[k] });
        }
      });
      return { bone, targets };
    });
  }

  /// Once a frame, when the bones are where they will be shown; dt [s]. Long pauses (a hidden tab) count as cuts.
  update(dt) {
    if (dt > 0.25) this.state.cut(true);
    this.root.updateWorldMatrix(true, true);
    const scale = Math.hypot(...this.root.matrixWorld.elements.slice(0, 3));
    if (dt > 0) this.state.step(dt, this.parts.map(({ bone }) => boneOf(bone.matrixWorld.elements, scale)));
    this.parts.forEach(({ targets }, i) => {
      const q = this.state.amplitudes(i);
      for (const { mesh, index, k, scale: target } of targets) mesh.morphTargetInfluences[index] = this.amount * q[k] / target;
    });
  }
}
