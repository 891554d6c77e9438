// The live page's flesh: oscillators driven by the clip's bones in steps of a 480th of a second, as clips are baked,
// and what they do to the skin before skinning.
import {DyrtState} from './limber_dyrt.js';
import {Pose} from './live_pose.js';

/// What each oscillator does to each vertex: the tables of the .dyrt file that amplitudes alone do not need
/// (docs/dyrt_format.md).
export function readTables(buffer, asset) {
  const view = new DataView(buffer), u32 = (at) => view.getUint32(at, true);
  return asset.parts.map((part, i) => {
    const at = 64 + 128 * i, n = part.vertices, mask = [u32(at + 24), u32(at + 28)];
    const columns = (where, count) =>
      Array.from({length: count}, (_, k) => new Float32Array(buffer, u32(at + where) + 12 * n * k, 3 * n));
    const corrected = part.omega.map((_, k) => (mask[k >> 5] >>> (k & 31)) & 1),
          kept = columns(92, corrected.reduce((a, b) => a + b, 0));
    const displacements = columns(88, part.modes);
    let most = 0;
    for (let v = 0; v < n; ++v) most = Math.max(most, Math.hypot(...displacements[0].subarray(3 * v, 3 * v + 3)));
    return {
      n,
      where: new Uint32Array(buffer, u32(at + 76), 2 * n),
      displacements,
      corrections: corrected.map((yes) => (yes ? kept.shift() : null)),
      warp: u32(at + 20) & 2 ? columns(96, part.modes) : null,
      size: view.getFloat32(at + 60, true),
      toWorld: most > 0 ? 1 / most : 1,  // amplitudes are lengths in the world, tables are in the mesh's own space
      move: new Float32Array(3 * n),
      turn: new Float32Array(3 * n),
      spin: new Float32Array(3 * n),
    };
  });
}

/// Sums a part's tables into its `move` and `turn`. Returns how far the farthest vertex goes, in the world.
export function sumTables(table, amplitudes, amount) {
  const {n, move, turn, spin} = table;
  move.fill(0);
  turn.fill(0);
  const add = (sum, column, factor) => {
    for (let i = 0; i < 3 * n; ++i) sum[i] += factor * column[i];
  };
  for (let k = 0; k < amplitudes.length; ++k) {
    const q = amount * amplitudes[k];
    if (q === 0) continue;
    add(move, table.displacements[k], q);
    if (table.corrections[k]) add(turn, table.corrections[k], q);
  }
  if (table.warp) {
    spin.fill(0);
    amplitudes.forEach((q, k) => add(spin, table.warp[k], amount * q));
    for (let v = 0; v < n; ++v) warp(move, spin, 3 * v);
  }
  let most = 0;
  for (let i = 0; i < 3 * n; i += 3)
    most = Math.max(most, move[i] * move[i] + move[i + 1] * move[i + 1] + move[i + 2] * move[i + 2]);
  return Math.sqrt(most) * table.toWorld;
}

/// Modal warping: the rotation that the shapes mean, summed along the way.
function warp(move, spin, at) {
  const [x, y, z] = spin.subarray(at, at + 3), [a, b, c] = move.subarray(at, at + 3), t = Math.hypot(x, y, z);
  if (t < 1e-4) return;
  const p = (1 - Math.cos(t)) / (t * t), q = (t - Math.sin(t)) / t ** 3;
  const u = [y * c - z * b, z * a - x * c, x * b - y * a],
        w = [y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0]];
  for (let i = 0; i < 3; ++i) move[at + i] += p * u[i] + q * w[i];
}

const TWENTIETH = Math.log(20), STEP = 1 / 480;

/// The character's oscillators over time. `asked`: { frequency, settle, amount }, each null where nothing was asked
/// for.
export class LiveFlesh {
  constructor(model, asset) {
    this.model = model;
    this.asset = asset;
    this.made = asset.parts.map((p) => ({omega: [...p.omega], decay: [...p.decay]}));
    this.pose = new Pose(model);
    this.joints = asset.parts.map((p) => model.joints.findIndex((j) => j.name === p.bone));
    if (this.joints.includes(-1)) throw new Error('a flesh part hangs on a bone that is not here');
    this.chain = this.pose.chain(this.joints);
    this.state = new DyrtState(asset);
    this.asked = {frequency: null, settle: null, amount: null};
    this.push = asset.parts.map(() => null);
    this.shift = () => [0, 0, 0];  // where the character is moved as a whole; called once a step
    this.choose(-1);
  }

  /// From the beginning of a clip (-1: the rest pose), hanging at rest as clips are baked.
  choose(clip) {
    this.clip = clip;
    this.time = this.ended = 0;
    const duration = clip >= 0 ? this.model.clips[clip].duration : 1;
    this.step = duration / Math.max(1, Math.round(duration / STEP));  // a clip is a whole number of steps
    this.hang();
  }

  bones(shift) {
    this.pose.set(this.clip, this.time, this.chain);
    return this.joints.map((j, i) => ({...this.pose.bone(j, shift), push: this.push[i]}));
  }

  /// At rest where the bones are: gravity is felt as it differs from the bind pose.
  hang() {
    this.state.cut(true);
    const [x, y, z] = this.state.settings.gravity;
    this.bones([0, 0, 0]).forEach(({rotation}, i) => {
      const {part, q} = this.state.parts[i], seen = intoBone(rotation, part.bindRotation, [x, y, z]),
                   d = [x - seen[0], y - seen[1], z - seen[2]];
      for (let k = 0; k < part.modes; ++k)
        q[k] = d.reduce((sum, v, c) => sum + part.transfer[12 * k + c] * v, 0) / part.omega[k] ** 2;
    });
  }

  /// Exactly what `limber dyrt` would make of --frequency and --settle: moduli times a number, or Rayleigh's damping as
  /// the first mode asks for it.
  ask(asked) {
    Object.assign(this.asked, asked);
    const {frequency, settle} = this.asked, {damping} = this.model;
    this.state.parts.forEach((p, i) => {
      const {omega, decay} = this.made[i], factor = frequency === null ? 1 : 2 * Math.PI * frequency / omega[0];
      p.part.omega = omega.map((w) => w * factor);
      const first = p.part.omega[0], wish = settle === null ? damping.settle : settle;
      let rate = (w) => 0.5 * (damping.alpha + damping.beta * w * w);
      if (settle === null && damping.ratio !== null)
        rate = (w) => damping.ratio * w;
      else if (wish !== null)
        rate = (w) => 0.5 * (TWENTIETH / wish) * (1 + (w / first) ** 2);
      p.part.decay = frequency === null && settle === null ? [...decay] : p.part.omega.map(rate);
      p.dt = undefined;  // coefficients are computed again
    });
  }

  /// Times what the file was made with.
  get amount() { return this.asked.amount === null ? 1 : this.asked.amount / this.model.damping.amount; }

  /// One step of `this.step` [s]; `playing` = false holds the pose.
  advance(playing) {
    const clip = this.clip >= 0 ? this.model.clips[this.clip] : null, shift = this.shift(this.step);
    if (clip && playing) this.turn(clip, shift);
    this.state.step(this.step, this.bones(shift));
  }

  /// A clip that repeats goes on with its beginning; another one stands a second at its end and begins anew.
  turn(clip, shift) {
    const over = this.time + 0.5 * this.step > clip.duration;
    if (!over) {
      this.time += this.step;
    } else if (clip.repeats) {
      this.time = 0;
      this.state.carry(this.bones(shift));
      this.time = this.step;
    } else {
      if (this.ended === 0) this.state.cut();
      this.ended += this.step;
      if (this.ended > 1) this.choose(this.clip);
    }
  }
}

/// A vector of the world in the axes of a bone, both as in the bind pose.
function intoBone(rotation, bind, v) {
  const turned = (q, w, side) => {
    const [a, b, c] = q.map((x) => side * x),
                 t = [2 * (b * w[2] - c * w[1]), 2 * (c * w[0] - a * w[2]), 2 * (a * w[1] - b * w[0])];
    return [
      w[0] + q[3] * t[0] + b * t[2] - c * t[1], w[1] + q[3] * t[1] + c * t[0] - a * t[2],
      w[2] + q[3] * t[2] + a * t[1] - b * t[0]
    ];
  };
  return turned(bind, turned(rotation, v, -1), 1);
}
