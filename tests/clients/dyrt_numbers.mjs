// What the ES module makes of given bones: node dyrt_numbers.mjs MODULE.mjs FILE.dyrt BONES DRIVE CORIOLIS
// BONES as tests/runtime/replay.c reads them.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

const [modulePath, file, bones, drive, coriolis] = process.argv.slice(2);
const { readDyrt, DyrtState, boneOf } = await import(pathToFileURL(modulePath));
const bytes = fs.readFileSync(file), buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const asset = readDyrt(buffer);
const state = new DyrtState(asset, { drive, coriolis: coriolis === '1' });
const frames = fs.readFileSync(bones, 'utf8').trim().split('\n').map((line) => {
  const v = line.trim().split(/\s+/).map((word) => Math.fround(Number(word)));      // the C library reads floats
  const parts = asset.parts.map((_, i) => v.slice(1 + 13 * i, 14 + 13 * i));
  state.step(v[0], parts.map((p) => ({
    position: p.slice(0, 3), rotation: p.slice(3, 7), velocity: p.slice(7, 10), angularVelocity: p.slice(10, 13),
  })));
  return asset.parts.flatMap((_, i) => Array.from(state.amplitudes(i)));
});
// Every word of the file spoiled in turn: refused or read, never anything but an Error.
let refused = 0;
for (let at = 0; at < buffer.byteLength; at += 4) {
  const spoiled = buffer.slice(0);
  new DataView(spoiled).setUint32(at, 0xffffffff, true);
  try { readDyrt(spoiled); } catch (error) { refused += error.message.startsWith('not a usable .dyrt file') ? 1 : NaN; }
}
// Extreme but finite: a transfer table, settings, a bone; and a Coriolis table that pumps.
const refuses = (what) => { try { what(); return false; } catch (error) { return !(error instanceof TypeError); } };
const still = (x) => asset.parts.map(() => ({
  position: [x, 0, 0], rotation: [0, 0, 0, 1], velocity: [0, 0, 0], angularVelocity: [0, 0, 20],
}));
const huge = buffer.slice(0), at = new DataView(huge).getUint32(64 + 68, true);
new DataView(huge).setFloat32(at + 48, 3e38, true);
const pumping = readDyrt(buffer);
pumping.parts[0].coriolis = pumping.parts[0].coriolis.map((v) => 1e6 * v);
const pumped = new DyrtState(pumping, { drive: 'velocities', coriolis: true }), shaken = new DyrtState(asset);
let told = 0;
for (let i = 0; i < 60; ++i) {
  if (!pumped.step(1 / 60, still(0.1 * i * i))) ++told;
  shaken.step(i % 5 ? 1 / 60 : 1e-6, still(i % 2 ? 1e18 : -1e18));
}
const finite = (s) => s.parts.every((p) => [...p.q, ...p.s, ...p.e].every(Number.isFinite));
const extremes = {
  table: refuses(() => readDyrt(huge)), amount: refuses(() => new DyrtState(asset, { amount: 1e30 })),
  gravity: refuses(() => new DyrtState(asset, { gravity: [0, 1e30, 0] })),
  drive: refuses(() => new DyrtState(asset, { drive: 'velocity' })),
  time: refuses(() => state.step(-1, still(0))) && refuses(() => state.step(Infinity, still(0))),
  pumped: told > 0 && finite(pumped), shaken: finite(shaken) && shaken.limited > 0, pause: state.step(0, still(5)),
};
const halfTurn = boneOf([-2, 0, 0, 0, 0, 3, 0, 0, 0, 0, -4, 0, 5, 6, 7, 1], 2);
console.log(JSON.stringify({
  frames, limited: state.limited, skipped: state.skipped, names: asset.parts.map((p) => [p.name, p.bone]),
  refused, extremes, halfTurn,
}));
