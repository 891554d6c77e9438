// The demo page in headless Chromium, frame by frame: node dyrt_live.mjs WEB_FOLDER MODEL_FOLDER CHROMIUM FRAMES [SHOT.png]
// Prints per frame the bone as the module saw it, the morph target weights, and one vertex as three.js has it before skinning.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const [web, models, browserPath, frames, shot] = process.argv.slice(2);
const three = path.join(path.dirname(fileURLToPath(import.meta.url)), 'node_modules', 'three');
const kinds = { '.html': 'text/html', '.js': 'text/javascript' };
const serve = (file) => {
  if (!fs.existsSync(file)) return { status: 404, body: '' };
  return { status: 200, contentType: kinds[path.extname(file)] || 'application/octet-stream', body: fs.readFileSync(file) };
};
const server = http.createServer((request, response) => {
  const name = path.basename(new URL(request.url, 'http://localhost').pathname);
  const { status, contentType, body } = serve(path.join(name.startsWith('jumper') ? models : web, name));
  response.writeHead(status, { 'Content-Type': contentType || 'text/plain' });
  response.end(body);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'limber-dyrt-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: browserPath, headless: true, viewport: { width: 900, height: 640 },
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  const tab = await context.newPage(), problems = [];
  tab.on('pageerror', (error) => problems.push(String(error)));
  tab.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.includes('favicon')) problems.push(message.text());
  });
  // The page asks a CDN for three.js; here it is on disk.
  await tab.route('https://cdn.jsdelivr.net/npm/three@*/**', (route) => {
    const inside = new URL(route.request().url()).pathname.replace(/^\/npm\/three@[^/]*/, '');
    return route.fulfill(serve(path.join(three, inside)));
  });
  await tab.goto(`http://127.0.0.1:${server.address().port}/dyrt_demo.html?model=jumper.glb&still`);
  await tab.waitForFunction(() => window.demo, null, { timeout: 60000 });
  const words = await tab.textContent('#words');
  const out = await tab.evaluate(async (count) => {
    const { boneOf } = await import('./limber_dyrt.js'), all = [];
    let body;
    window.demo.flesh.root.traverse((o) => { if (o.isSkinnedMesh) body = o; });
    const heights = Array.from({ length: body.geometry.attributes.position.count }, (_, i) => body.geometry.attributes.position.getZ(i));
    const front = heights.indexOf(Math.max(...heights)), at = body.position.clone();
    for (let i = 0; i < count; ++i) {
      window.demo.advance(1 / 60);
      const { position, rotation } = boneOf(window.demo.flesh.parts[0].bone.matrixWorld.elements);
      body.skeleton.update();
      body.getVertexPosition(front, at);
      all.push({ bone: [...position, ...rotation], weights: [...body.morphTargetInfluences], at: [at.x, at.y, at.z] });
    }
    window.demo.draw();
    return { frames: all, front };
  }, Number(frames));
  if (shot) await tab.screenshot({ path: shot });
  console.log(JSON.stringify({ ...out, problems, words }));
} finally {
  await context.close();
  server.close();
  fs.rmSync(profile, { recursive: true, force: true });
}
