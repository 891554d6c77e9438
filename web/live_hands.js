// The live page's camera and hands: turn, move, zoom; pull the character as a whole, or tug at its flesh.

export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a, b, t = 1) => [a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]];
export const inner = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const outer = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const direction = (a) => plus([0, 0, 0], a, 1 / (Math.hypot(...a) || 1));

/// y is up. `box`: [low, high] of what is to be seen.
export class Camera {
  constructor(canvas, box) {
    this.canvas = canvas;
    this.hidden = 0;  // share of the canvas, on its left, that lies under something else
    this.frame(box);
  }
  frame([low, high]) {
    this.box = [low, high];
    this.middle = plus(low, minus(high, low), 0.5);
    this.size = Math.hypot(...minus(high, low)) || 1;
    Object.assign(this, {yaw: 0.55, pitch: 0.14, zoom: 1, pan: [0, 0, 0]});
  }
  /// Follows the character over the floor.
  at(follow) {
    const {clientWidth: w, clientHeight: h} = this.canvas, aspect = Math.max(0.05, w / Math.max(1, h)),
                                         seen = aspect * (1 - this.hidden), fov = 0.5;
    const side = minus(this.box[1], this.box[0]), wide = Math.hypot(side[0], side[2]), tall = side[1] + 0.3 * wide;
    const fit = 0.5 * Math.max(tall, Math.min(wide, side[0] + side[2]) / seen) / Math.tan(fov / 2) + 0.4 * wide;
    const distance = 1.04 * fit * this.zoom, back = [
      Math.sin(this.yaw) * Math.cos(this.pitch), Math.sin(this.pitch), Math.cos(this.yaw) * Math.cos(this.pitch)
    ];
    const target = plus(plus(this.middle, this.pan), follow), eye = plus(target, back, distance),
          right = [Math.cos(this.yaw), 0, -Math.sin(this.yaw)], up = outer(back, right);
    const near = 0.02 * distance, far = distance + 30 * this.size, f = 1 / Math.tan(fov / 2);
    const look = [right, up, back].map((axis) => [...axis, -inner(axis, eye)]);
    const rows = [
      look[0].map((v, i) => v * f / aspect - this.hidden * look[2][i]), look[1].map((v) => v * f),
      look[2].map((v, i) => v * (far + near) / (near - far) + (i === 3 ? 2 * far * near / (near - far) : 0)),
      look[2].map((v) => -v)
    ];
    const clip = new Float32Array(16);
    rows.forEach((row, r) => row.forEach((v, c) => { clip[4 * c + r] = v; }));
    Object.assign(this, {eye, right, up, back, distance, reach: distance * Math.tan(fov / 2), aspect, clip, target});
    return this;
  }
  /// From the eye through a place of the page.
  ray(x, y) {
    const {left, top, width, height} = this.canvas.getBoundingClientRect(), slope = this.reach / this.distance;
    const u = (2 * (x - left) / width - 1 - this.hidden) * slope * this.aspect,
          v = (1 - 2 * (y - top) / height) * slope;
    return direction(plus(plus(plus([0, 0, 0], this.back, -1), this.right, u), this.up, v));
  }
  /// Where that ray meets the plane through `place` that faces the eye.
  meets(x, y, place) {
    const way = this.ray(x, y);
    return plus(this.eye, way, inner(minus(place, this.eye), this.back) / inner(way, this.back));
  }
}

/// Where skinning takes the vertex v of a part that is at x, y, z before it.
export function skinned(palette, part, v, [x, y, z], shift, matrix = new Float64Array(12)) {
  palette.blend(part, v, matrix);
  return [0, 1, 2].map((r) => matrix[r] * x + matrix[3 + r] * y + matrix[6 + r] * z + matrix[9 + r] + shift[r]);
}

/// The first triangle on a ray: { part, vertex, place }, or null.
export function pick(model, meshes, palette, shift, eye, way) {
  let best = null, nearest = Infinity;
  model.parts.forEach((part, p) => {
    const n = part.positions.length / 3, x = new Float64Array(3 * n), matrix = new Float64Array(12);
    for (let v = 0; v < n; ++v)
      x.set(skinned(palette, p, v, meshes[p].now.subarray(7 * v, 7 * v + 3), shift, matrix), 3 * v);
    for (let t = 0; t < part.triangles.length; t += 3) {
      const corner = part.triangles.subarray(t, t + 3),
            [a, b, c] = [0, 1, 2].map((k) => x.subarray(3 * corner[k], 3 * corner[k] + 3));
      const e = minus(b, a), f = minus(c, a), h = outer(way, f), det = inner(e, h);
      if (Math.abs(det) < 1e-30) continue;
      const s = minus(eye, a), u = inner(s, h) / det, q = outer(s, e), v = inner(way, q) / det,
            distance = inner(f, q) / det;
      if (u < 0 || v < 0 || u + v > 1 || distance <= 0 || distance >= nearest) continue;
      nearest = distance;
      const share = [1 - u - v, u, v], k = share.indexOf(Math.max(...share));
      best = {part: p, vertex: corner[k], place: plus(eye, way, distance)};
    }
  });
  return best;
}

/// Solves a 3 x 3 system given by its columns, by Cramer's rule.
function solve([a, b, c], right) {
  const volume = (u, v, w) => inner(u, outer(v, w)), whole = volume(a, b, c);
  return [volume(right, b, c) / whole, volume(a, right, c) / whole, volume(a, b, right) / whole];
}

/// A hand on one vertex of flesh: the push on each oscillator that would hold the vertex where the hand is. How heavy
/// an oscillator is, is guessed from how much skin it moves: the file has no masses.
export class Tug {
  /// null where the vertex hardly gives way.
  static at(tables, asset, part, vertex) {
    let best = null;
    tables.forEach((table, i) => {
      for (let v = 0; v < table.n; ++v)
        if (table.where[2 * v] === part && table.where[2 * v + 1] === vertex) {
          const tug = new Tug(table, asset.parts[i], i, v);
          if (tug.ease > 0.15 && (!best || tug.ease > best.ease)) best = tug;
        }
    });
    return best;
  }
  constructor(table, part, index, v) {
    Object.assign(this, {table, part, index, mesh: table.where[2 * v], vertex: table.where[2 * v + 1], at: 3 * v});
    this.shapes = table.displacements.map((d) => Array.from(d.subarray(this.at, this.at + 3)));
    this.mass = table.displacements.map((d) => d.reduce((sum, x) => sum + x * x, 0) / table.n || 1);
    this.ease = Math.max(...this.shapes.slice(0, 3).map((s) => Math.hypot(...s))) * table.toWorld;
  }
  /// Pushes for a displacement in the mesh's own space, less where any vertex would go farther than `most`.
  pushes(wanted, most) {
    const give = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
    this.shapes.forEach((s, k) => {
      for (let i = 0; i < 3; ++i)
        for (let j = 0; j < 3; ++j) give[i][j] += s[i] * s[j] / (this.mass[k] * this.part.omega[k] ** 2);
    });
    const more = 0.02 * (give[0][0] + give[1][1] + give[2][2]);
    for (let i = 0; i < 3; ++i) give[i][i] += more;
    const force = solve(give, wanted), pushes = this.shapes.map((s, k) => inner(s, force) / this.mass[k]);
    const far =
      Math.hypot(...pushes.map((e, k) => e / this.part.omega[k] ** 2));  // as an amplitude, all oscillators together
    return pushes.map((e) => e * Math.min(1, most / (far || 1)));
  }
}

/// What moves the character as a whole: a spring to the hand, and shaking. Called once a step of the flesh.
export class Mover {
  constructor(size) {
    Object.assign(
      this, {size, wanted: [0, 0, 0], place: [0, 0, 0], speed: [0, 0, 0], shake: [0, 0], strength: [0, 0], time: 0});
  }
  step(dt, held) {
    const own = held ? 30 : 14, damping = held ? 0.9 : 0.35;
    for (let i = 0; i < 3; ++i) {
      this.speed[i] += dt * (own * own * (this.wanted[i] - this.place[i]) - 2 * damping * own * this.speed[i]);
      this.place[i] += dt * this.speed[i];
    }
    this.time += dt;
    for (let i = 0; i < 2; ++i) this.strength[i] += (this.shake[i] - this.strength[i]) * Math.min(1, 6 * dt);
    const side = 0.02 * this.size * this.strength[0] * Math.sin(18 * this.time),
          rise = 0.02 * this.size * this.strength[1] * Math.sin(18 * this.time + 0.8);
    return plus(this.place, [side, rise, 0]);
  }
  rest() { Object.assign(this, {wanted: [0, 0, 0], place: [0, 0, 0], speed: [0, 0, 0], strength: [0, 0]}); }
}
