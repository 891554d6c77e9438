// The live page's character as a whole: from the numbers in the page to skin that moves, frame by frame.
import {readDyrt} from './limber_dyrt.js';
import {LiveFlesh, readTables, sumTables} from './live_flesh.js';
import {Camera, inner, minus, Mover, outer, pick, skinned, Tug} from './live_hands.js';
import {Pose, readModel} from './live_pose.js';
import {Palette, restNumbers, View} from './live_view.js';

/// Of a part's size: beyond it linear shapes look swollen. And what one frame may catch up [s].
export const LINEAR_REACH = 0.15;
const LONGEST_FRAME = 0.1;

export class Character {
  /// `head`, `blob`: the model (live_pose.js); `dyrt`: the bytes of the .dyrt file.
  constructor(canvas, head, blob, dyrt) {
    this.model = readModel(head, blob);
    this.asset = readDyrt(dyrt);
    this.tables = readTables(dyrt, this.asset);
    this.flesh = new LiveFlesh(this.model, this.asset);
    this.pose = new Pose(this.model);
    this.palette = new Palette(this.model);
    const fleshy = new Set(this.tables.flatMap((t) => Array.from({length: t.n}, (_, v) => t.where[2 * v])));
    this.meshes =
      this.model.parts.map((p, i) => ({rest: restNumbers(p), now: null, moving: fleshy.has(i) || p.morphs.length > 0}));
    for (const mesh of this.meshes) mesh.now = mesh.rest.slice();
    this.carriers = [...new Set(this.model.bindings.flatMap((b) => b.joints))];
    if (this.carriers.length === 0) this.carriers = this.pose.all;
    Object.assign(this, {
      playing: true,
      showFlesh: true,
      left: 0,
      shift: [0, 0, 0],
      held: null,
      peaks: this.tables.map(() => 0),
      drawing: 0
    });
    this.choose(this.model.clips.length > 0 ? this.model.liveliest : -1);
    this.camera = new Camera(canvas, this.box());
    this.mover = new Mover(this.camera.size);
    this.flesh.shift = (dt) => {
      this.shift = this.mover.step(dt, this.held !== null);
      return this.shift;
    };
  }

  /// Where the joints are in the mean, on the floor.
  middle() {
    const out = [0, 0, 0];
    for (const j of this.carriers)
      for (const i of [0, 2]) out[i] += this.pose.world[16 * j + 12 + i] / this.carriers.length;
    return out;
  }

  /// Around the character over the clip, as if it stayed where it began.
  box() {
    const clip = this.flesh.clip, looks = clip >= 0 ? 7 : 1, low = [Infinity, Infinity, Infinity],
          high = [-Infinity, -Infinity, -Infinity];
    let home = null;
    for (let k = 0; k < looks; ++k) {
      this.palette.set(this.pose.set(clip, clip >= 0 ? this.model.clips[clip].duration * k / looks : 0));
      const middle = this.middle();
      home = home || middle;
      this.model.parts.forEach((part, p) => {
        const n = part.positions.length / 3;
        for (let v = 0; v < n; v += Math.max(1, Math.floor(n / 400))) {
          const x = skinned(
            this.palette, p, v, this.meshes[p].rest.subarray(7 * v, 7 * v + 3),
            [home[0] - middle[0], 0, home[2] - middle[2]]);
          x.forEach((value, i) => {
            low[i] = Math.min(low[i], value);
            high[i] = Math.max(high[i], value);
          });
        }
      });
    }
    this.home = home;
    return [low, high];
  }

  choose(clip) {
    this.flesh.choose(clip);
    this.peaks.fill(0);
  }

  /// To a time of the clip, hanging there.
  jump(time) {
    this.flesh.time = time;
    this.flesh.ended = 0;
    this.flesh.hang();
  }

  /// `dt` of the world's time [s]; everything is slower with the slider `speed`.
  advance(dt) {
    this.left += Math.min(dt, LONGEST_FRAME);
    for (; this.left >= this.flesh.step; this.left -= this.flesh.step) this.flesh.advance(this.playing);
    this.settle();
  }

  /// Skin as it is now, before skinning.
  settle() {
    this.palette.set(this.pose.set(this.flesh.clip, this.flesh.time));
    this.meshes.forEach((mesh, i) => {
      if (mesh.moving) this.shape(mesh, i);
    });
    const amount = this.showFlesh ? this.flesh.amount : 0;
    this.reach = this.tables.map((table, i) => sumTables(table, this.flesh.state.amplitudes(i), amount));
    this.tables.forEach((table) => this.addFlesh(table));
    if (!this.held) this.reach.forEach((r, i) => { this.peaks[i] = Math.max(this.peaks[i], r / this.tables[i].size); });
  }

  shape(mesh, part) {
    mesh.now.set(mesh.rest);
    for (const morph of this.model.parts[part].morphs) {
      const weight = this.pose.weights[part][morph.index];
      if (weight === 0) continue;
      morph.vertices.forEach((v, k) => {
        for (let i = 0; i < 3; ++i) {
          mesh.now[7 * v + i] += weight * morph.positions[3 * k + i];
          if (morph.normals) mesh.now[7 * v + 3 + i] += weight * morph.normals[3 * k + i];
        }
      });
    }
  }

  addFlesh({n, where, move, turn, toWorld, size}) {
    const scale = toWorld / (LINEAR_REACH * size);
    for (let k = 0; k < n; ++k) {
      const {now} = this.meshes[where[2 * k]], at = 7 * where[2 * k + 1], m = 3 * k;
      for (let i = 0; i < 3; ++i) {
        now[at + i] += move[m + i];
        now[at + 3 + i] += turn[m + i];
      }
      now[at + 6] += scale * Math.sqrt(move[m] * move[m] + move[m + 1] * move[m + 1] + move[m + 2] * move[m + 2]);
    }
  }

  draw() {
    const middle = this.middle(), follow = [middle[0] - this.home[0], 0, middle[2] - this.home[2]],
          {size, box} = this.camera, camera = this.camera.at(follow);
    const key = [0, 1, 2].map((i) => 0.55 * camera.right[i] + 0.75 * camera.up[i] + 0.6 * camera.back[i]),
          length = Math.hypot(...key);
    const under = [
      middle[0] + this.shift[0], middle[2] + this.shift[2],
      0.5 * Math.max(0.2 * size, Math.min(box[1][0] - box[0][0], box[1][2] - box[0][2]))
    ];
    this.view.draw({
      palette: this.palette,
      clip: camera.clip,
      eye: camera.eye,
      key: key.map((v) => v / length),
      shift: this.shift,
      floor: [camera.target[0], box[0][1], camera.target[2], 4 * size],
      under
    });
  }

  /// In software frames take long: a coarser picture keeps the page alive.
  pace(took) {
    this.slow = 0.8 * (this.slow || took) + 0.2 * took;
    if (this.slow > 0.09 && this.view.sharpness > 0.5)
      [this.view.sharpness, this.slow] = [this.view.sharpness - 0.25, 0];
  }

  /// Takes hold of what lies under a place of the page; false where there is nothing.
  grab(x, y) {
    const hit = pick(this.model, this.meshes, this.palette, this.shift, this.camera.eye, this.camera.ray(x, y));
    if (!hit) return false;
    const soft = this.showFlesh && this.flesh.amount > 0 ? Tug.at(this.tables, this.asset, hit.part, hit.vertex) : null;
    this.held = {...hit, soft, at: [x, y]};
    return true;
  }

  letGo() {
    this.held = null;
    this.mover.wanted = [0, 0, 0];
    this.flesh.push.fill(null);
  }

  /// The hand's pull, once a frame: on the vertex that it holds, or on the character as a whole.
  pull(dt) {
    if (!this.held) return;
    const {soft, place, at} = this.held, hand = this.camera.meets(...at, place);
    if (!soft) {
      this.mover.wanted = atMost(minus(hand, place), 0.5 * this.camera.size);
      return;
    }
    const matrix = new Float64Array(12), now = 7 * soft.vertex,
          still = [0, 1, 2].map((i) => this.meshes[soft.mesh].now[now + i] - soft.table.move[soft.at + i]);
    const wanted = atMost(
      minus(hand, skinned(this.palette, soft.mesh, soft.vertex, still, this.shift, matrix)), 0.25 * soft.table.size);
    const [a, b, c] = [0, 3, 6].map((i) => Array.from(matrix.subarray(i, i + 3))),
                 volume = inner(a, outer(b, c)) * this.flesh.amount;
    const goal = soft.pushes(
      [[b, c], [c, a], [a, b]].map(([u, v]) => inner(wanted, outer(u, v)) / volume),
      0.16 * soft.table.size / this.flesh.amount);
    const before = this.flesh.push[soft.index] || goal.map(() => 0),
          share = Math.min(1, 10 * dt);  // a hand is no hammer
    this.flesh.push[soft.index] = goal.map((e, k) => before[k] + share * (e - before[k]));
  }
}

const atMost = (v, most) => v.map((x) => x * Math.min(1, most / (Math.hypot(...v) || 1)));
