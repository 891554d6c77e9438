// Prints what the Khronos validator says about each file: node gltf_validate.mjs FILE...
import fs from 'node:fs';
import validator from 'gltf-validator';

const out = {};
for (const path of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(path)), { maxIssues: 50 });
  out[path] = report.issues;
}
console.log(JSON.stringify(out));
