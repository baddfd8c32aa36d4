// npm run test:medusa, npm run test:vendure: a real installation of a shop program with our plugin
// as it is published, bought from over a fresh service. Not part of npm test: hundreds of packages
// come from the registry. What is installed stays in test-output for the next run.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { withLiveService } from './live-service.mjs';
import { fail, root, setUp } from './setup.mjs';

const name = process.argv[2] ?? '';
const program = path.join(root, 'shops', name, 'test', 'main.mjs');
if (name === '' || !fs.existsSync(program)) fail(`There is no shop program ${name}.`);

const node = await setUp();
process.exitCode = await withLiveService(node, (env) => {
  const child = spawn(node, [program], { cwd: root, env, stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
