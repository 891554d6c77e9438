// Loads a GLB in three.js in headless Chromium, plays it and prints where three.js puts the vertices:
//   node three_play.mjs MODEL.glb CHROMIUM [CLIP:]TIME...        the first clip unless told
// With LIMBER_SHOTS=FOLDER every picture is kept there, to be looked at.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const [model, browserPath, ...times] = process.argv.slice(2);
const here = path.dirname(fileURLToPath(import.meta.url));
const page = `<!doctype html><canvas id="c" width="320" height="240"></canvas>
<script type="importmap">{"imports": {"three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
const renderer = new THREE.WebGLRenderer({ canvas: document.getElementById('c'), preserveDrawingBuffer: true });
renderer.setSize(320, 240, false);
const gltf = await new GLTFLoader().loadAsync('/model.glb');
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x202020);
scene.add(gltf.scene, new THREE.HemisphereLight(0xffffff, 0x444444, 3));
const box = new THREE.Box3().setFromObject(gltf.scene), centre = box.getCenter(new THREE.Vector3());
const size = box.getSize(new THREE.Vector3()).length();
const camera = new THREE.PerspectiveCamera(40, 320 / 240, size / 100, size * 10);
camera.position.copy(centre).add(new THREE.Vector3(0.3, 0.4, 1.5).multiplyScalar(size));
camera.lookAt(centre);
const mixer = new THREE.AnimationMixer(gltf.scene);
window.show = (clip, time) => {
  mixer.stopAllAction();
  if (gltf.animations[clip]) {
    const action = mixer.clipAction(gltf.animations[clip]);
    action.setLoop(THREE.LoopOnce);       // the last frame is not the first one of the next round
    action.clampWhenFinished = true;
    action.reset().play();      // one that has ended stays there
  }
  mixer.setTime(time);
  gltf.scene.updateMatrixWorld(true);
  renderer.render(scene, camera);
  const gl = renderer.getContext(), pixels = new Uint8Array(320 * 240 * 4);
  gl.readPixels(0, 0, 320, 240, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const meshes = [];
  gltf.scene.traverse((mesh) => {
    if (!mesh.isMesh) return;
    if (mesh.isSkinnedMesh) mesh.skeleton.update();
    const positions = [], at = new THREE.Vector3(), numbers = mesh.geometry.attributes._vertex;
    for (let i = 0; i < mesh.geometry.attributes.position.count; ++i) {
      mesh.getVertexPosition(i, at);
      mesh.localToWorld(at);
      positions.push([at.x, at.y, at.z]);
    }
    meshes.push({
      positions, numbers: numbers ? Array.from(numbers.array) : null, material: mesh.material.name,
      skinned: mesh.isSkinnedMesh === true,
    });
  });
  return { meshes, pixels: Array.from(pixels.filter((_, i) => i % 4 === 0)) };
};
window.ready = { clips: gltf.animations.length };
</script>`;

const server = http.createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost').pathname;
  const file = url === '/model.glb' ? model : url.startsWith('/three/') ? path.join(here, 'node_modules', path.normalize(url)) : null;
  if (url === '/') { response.writeHead(200, { 'Content-Type': 'text/html' }); response.end(page); return; }
  if (!file || !fs.existsSync(file)) { response.writeHead(404); response.end(); return; }
  response.writeHead(200, { 'Content-Type': file.endsWith('.js') ? 'text/javascript' : 'application/octet-stream' });
  response.end(fs.readFileSync(file));
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'limber-three-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: browserPath, headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  const tab = await context.newPage();
  const problems = [];
  tab.on('pageerror', (error) => problems.push(String(error)));
  tab.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.includes('favicon')) problems.push(message.text());
  });
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction(() => window.ready, null, { timeout: 60000 });
  const out = { ready: await tab.evaluate(() => window.ready), shots: [], problems };
  for (const [i, when] of times.entries()) {
    const [clip, time] = when.includes(':') ? when.split(':').map(Number) : [0, Number(when)];
    out.shots.push(await tab.evaluate(([c, t]) => window.show(c, t), [clip, time]));
    const shots = process.env.LIMBER_SHOTS;
    if (shots) await tab.locator('#c').screenshot({ path: path.join(shots, `${path.basename(model, '.glb')}_${i}.png`) });
  }
  console.log(JSON.stringify(out));
} finally {
  await context.close();
  server.close();
  fs.rmSync(profile, { recursive: true, force: true });
}
