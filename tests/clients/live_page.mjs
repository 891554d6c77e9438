// A live page in headless Chromium, opened as a file: node live_page.mjs PAGE.html CHROMIUM [SHOTS_FOLDER NAME]
// Prints what it complains about, what it asks the network for, how long frames take, and skin as it is drawn; takes
// pictures at several times and settings.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [file, browserPath, shots, name] = process.argv.slice(2);
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'limber-live-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: browserPath, headless: true, viewport: { width: 1100, height: 720 },
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const open = async (hash, before) => {
  const tab = await context.newPage(), problems = [], asked = [];
  tab.on('pageerror', (error) => problems.push(String(error)));
  tab.on('console', (message) => {
    const bad = message.type() === 'error' || message.type() === 'warning';
    if (bad && !message.text().includes('ReadPixels')) problems.push(message.text());
  });
  tab.on('request', (request) => { if (!/^(file|blob|data):/.test(request.url())) asked.push(request.url()); });
  if (before) await tab.addInitScript(before);
  const began = Date.now();
  await tab.goto(pathToFileURL(file).href + hash);
  await tab.waitForFunction(() => window.limber || document.getElementById('words').textContent, null, { timeout: 60000 });
  return { tab, problems, asked, opened: Date.now() - began };
};
const shoot = async (tab, what) => { if (shots) await tab.screenshot({ path: path.join(shots, `${name}_${what}.png`) }); };
/// So many seconds of motion, in frames of a 30th.
const play = (tab, seconds) => tab.evaluate(async (time) => {
  await window.limber.character.view.loaded;
  for (let t = 0; t < time - 1e-9; t += 1 / 30) { window.limber.character.pull(1 / 30); window.limber.character.advance(1 / 30); }
  window.limber.frame(0);
}, seconds);
const picture = (tab) => tab.evaluate(() => {
  window.limber.frame(0);
  const { gl } = window.limber.character.view, { drawingBufferWidth: w, drawingBufferHeight: h } = gl, pixels = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let sum = 0, body = 0;
  const back = pixels.slice(4 * (w - 3), 4 * (w - 2));
  for (let i = 0; i < pixels.length; i += 4) {
    sum = (Math.imul(sum, 31) + pixels[i] + 7 * pixels[i + 1] + 13 * pixels[i + 2]) | 0;
    if (Math.abs(pixels[i] - back[0]) + Math.abs(pixels[i + 1] - back[1]) + Math.abs(pixels[i + 2] - back[2]) > 60) ++body;
  }
  return { sum, body: body / (w * h) };
});
const slide = (tab, id, value) => tab.evaluate(([which, to]) => {
  const slider = document.getElementById(which);
  if (slider.type === 'checkbox') { if (slider.checked !== to) slider.click(); return; }
  slider.value = to;
  slider.dispatchEvent(new Event('input'));
}, [id, value]);
const wish = (tab, id, value) => tab.evaluate(([which, to]) => {
  window.limber.panel.wishes[which].set(to);
  window.limber.panel.ask();
}, [id, value]);
const reach = (tab) => tab.evaluate(() => [...window.limber.character.reach]);

try {
  const out = {}, { tab, problems, asked, opened } = await open('#still');
  Object.assign(out, { problems, asked, opened, words: await tab.textContent('#words') });
  out.first = await picture(tab);
  await shoot(tab, 'start');
  await play(tab, 0.4);
  out.later = await picture(tab);
  await shoot(tab, 'later');
  await play(tab, 0.5);
  out.skin = await tab.evaluate(() => {
    const { character: c } = window.limber;
    const movement = (t, v) => {
      const mesh = c.meshes[t.where[2 * v]], first = 7 * t.where[2 * v + 1];
      return [0, 1, 2].map((i) => mesh.now[first + i] - mesh.rest[first + i]);
    };
    return {
      amplitudes: c.asset.parts.map((_, i) => Array.from(c.flesh.state.amplitudes(i))), clip: c.flesh.clip, time: c.flesh.time,
      moved: c.tables.map((t) => [0, t.n >> 1, t.n - 1].map((v) => [v, ...movement(t, v)])),
    };
  });
  // A second of the clip's bones, rounded as the C library reads them, and what the page's module makes of those and of its own.
  out.follow = await tab.evaluate(() => {
    const { flesh } = window.limber.character, { clip, time } = flesh, frames = [], round = (list) => Array.from(list, Math.fround);
    flesh.choose(clip);
    flesh.state.cut(true);
    const other = new flesh.state.constructor(flesh.asset);
    for (let i = 0; i < 480 && flesh.time + flesh.step < flesh.model.clips[clip].duration; ++i) {
      flesh.advance(true);
      const bones = flesh.bones([0, 0, 0]).map((b) => ({ position: round(b.position), rotation: round(b.rotation) }));
      other.step(Math.fround(flesh.step), bones);
      const amplitudes = (state) => flesh.asset.parts.flatMap((_, k) => Array.from(state.amplitudes(k)));
      frames.push({ dt: flesh.step, bones, rounded: amplitudes(other), own: amplitudes(flesh.state) });
    }
    flesh.choose(clip);
    flesh.time = time;
    return frames;
  });
  await play(tab, 0.5);
  await slide(tab, 'paint', true);
  out.painted = await picture(tab);
  await shoot(tab, 'colour');
  await slide(tab, 'flesh', false);
  out.bare = { ...await picture(tab), reach: await reach(tab) };
  await slide(tab, 'flesh', true);
  await slide(tab, 'paint', false);
  out.before = { typed: await tab.textContent('#added') };
  await wish(tab, 'frequency', 3.2);
  await wish(tab, 'settle', 0.5);
  await wish(tab, 'amount', 1.2);
  out.typed = await tab.textContent('#added');
  out.command = await tab.textContent('#typed');
  await wish(tab, 'frequency', 2);
  await play(tab, 1.2);
  out.soft = await reach(tab);
  await shoot(tab, 'soft');
  await tab.click('#reset');
  out.reset = await tab.textContent('#added');
  await tab.selectOption('#clip', '-1');
  await play(tab, 2);
  out.resting = await reach(tab);
  await slide(tab, 'shake', 1);
  await play(tab, 1.3);
  out.shaken = await reach(tab);
  await shoot(tab, 'shaken');
  await slide(tab, 'shake', 0);
  await play(tab, 8);
  out.calm = await reach(tab);
  // A hand on each flesh part in turn, and one on what is no flesh.
  out.pulls = await tab.evaluate(async () => {
    const { character: c } = window.limber, all = [];
    c.showFlesh = true;
    for (let y = 40; y < 700; y += 12)
      for (let x = 340; x < 1090; x += 12)
        if (c.grab(x, y)) {
          const kind = c.held.soft ? c.held.soft.part.name : 'body';
          if (!all.some((p) => p.kind === kind)) all.push({ kind, x, y });
          c.letGo();
        }
    return all;
  });
  for (const pull of out.pulls) {
    await tab.mouse.move(pull.x, pull.y);
    await tab.mouse.down();
    await tab.mouse.move(pull.x + 60, pull.y - 40, { steps: 4 });
    await play(tab, 0.5);
    pull.held = await reach(tab);
    pull.holds = await tab.evaluate(() => {
      const { held } = window.limber.character;
      return held ? (held.soft ? 'soft' : 'whole') : 'nothing';
    });
    await shoot(tab, `pull_${pull.kind}`);
    await tab.mouse.up();
    await play(tab, 0.1);
    pull.after = await reach(tab);
    await play(tab, 6);
  }
  await tab.close();
  const { tab: live, problems: more } = await open('');
  await live.waitForTimeout(2500);
  out.running = await live.evaluate(() => {
    const { character: c } = window.limber;
    return { time: c.flesh.time, sharpness: c.view.sharpness, frame: c.slow, reach: [...c.reach] };
  });
  out.problems.push(...more);
  await shoot(live, 'running');
  await live.close();
  const none = await open('', () => { HTMLCanvasElement.prototype.getContext = () => null; });
  out.without = await none.tab.textContent('#words');
  console.log(JSON.stringify(out));
} finally {
  await context.close();
  fs.rmSync(profile, { recursive: true, force: true });
}
