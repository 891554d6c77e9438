// What the ES module makes of given bones: node dyrt_numbers.mjs MODULE.mjs FILE.dyrt BONES DRIVE CORIOLIS; BONES as tests/runtime/replay.c reads them.
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
  state.step(v[0], parts.map((p) => ({ position: p.slice(0, 3), rotation: p.slice(3, 7), velocity: p.slice(7, 10), angularVelocity: p.slice(10, 13) })));
  return asset.parts.flatMap((_, i) => Array.from(state.amplitudes(i)));
});
// Every word of the file spoiled in turn: refused or read, never anything but an Error.
let refused = 0;
for (let at = 0; at < buffer.byteLength; at += 4) {
  const spoiled = buffer.slice(0);
  new DataView(spoiled).setUint32(at, 0xffffffff, true);
  try { readDyrt(spoiled); } catch (error) { refused += error.message.startsWith('not a usable .dyrt file') ? 1 : NaN; }
}
const halfTurn = boneOf([-2, 0, 0, 0, 0, 3, 0, 0, 0, 0, -4, 0, 5, 6, 7, 1], 2);
console.log(JSON.stringify({ frames, limited: state.limited, skipped: state.skipped, names: asset.parts.map((p) => [p.name, p.bone]), refused, halfTurn }));
