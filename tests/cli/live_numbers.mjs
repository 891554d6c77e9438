// What a live page's own program makes of its clips, without a browser: node live_numbers.mjs WEB_FOLDER PAGE.html ASKED
// ASKED: { frequency, settle, amount } as JSON. Prints per clip the amplitudes of every part at 60 frames a second: of the
// first run, or of the fifth where the clip repeats. WEB_FOLDER: the modules with a package.json that says so.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [web, file, words] = process.argv.slice(2), from = (name) => import(pathToFileURL(path.join(web, name)));
const [{ readDyrt }, { readModel, Pose }, { LiveFlesh, readTables, sumTables }] =
  await Promise.all(['limber_dyrt.js', 'live_pose.js', 'live_flesh.js'].map(from));
const page = fs.readFileSync(file, 'utf8'), inside = (id) => page.match(new RegExp(`<script type="[^"]*" id="${id}">([^<]*)</script>`))[1];
const buffer = (id) => Uint8Array.from(Buffer.from(inside(id), 'base64')).buffer;
const dyrt = buffer('dyrt'), asset = readDyrt(dyrt), model = readModel(JSON.parse(inside('head')), buffer('blob'));
const tables = readTables(dyrt, asset);
const flesh = new LiveFlesh(model, asset);
flesh.ask(JSON.parse(words));

function record(clip) {
  const { duration, repeats } = model.clips[clip], out = [], frames = Math.round(60 * duration);
  flesh.choose(clip);
  const steps = Math.round(duration / flesh.step);
  const shown = (_, i) => Array.from(flesh.state.amplitudes(i), (q) => q * flesh.amount);
  const take = () => out.push(asset.parts.map(shown));
  for (let run = 0; run < (repeats ? 5 : 1); ++run) {
    out.length = 0;
    take();
    for (let i = 1; i <= steps; ++i) {
      flesh.advance(true);
      if (Math.floor(i * frames / steps) > Math.floor((i - 1) * frames / steps)) take();
    }
  }
  return out;
}
const clips = model.clips.map((c, i) => ({ name: c.name, repeats: c.repeats, duration: c.duration, frames: record(i) }));
const farthest = tables.map((t, i) => sumTables(t, flesh.state.amplitudes(i), flesh.amount));
const pose = new Pose(model).set(0, 0.5 * model.clips[0].duration);
console.log(JSON.stringify({ clips, farthest, metres: model.metres,
  joints: model.joints.map((j, i) => [j.name, Array.from(pose.world.subarray(16 * i + 12, 16 * i + 15))]),
  oscillators: flesh.state.parts.map((p) => p.part.omega.map((w, k) => [w, p.part.decay[k]])) }));
