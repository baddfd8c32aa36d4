// The vectors inside of workerd, where there is nothing of Node: node run-worker.mjs SHOP
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Miniflare } from 'miniflare';

const [shop = ''] = process.argv.slice(2);
const { QUITTANCE_VECTORS: folder = '' } = process.env;
const library = path.join(shop, 'node_modules', '@quittance', 'client', 'dist', 'esm');
const tests = path.join(shop, 'tests', 'test');
const vectors = Object.fromEntries(
  fs
    .readdirSync(folder)
    .map((name) => [
      name.replace('.json', ''),
      JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')),
    ]),
);
const worker = `
import * as library from './library/index.js';
import { conformanceCases } from './tests/conformance.js';
const vectors = ${JSON.stringify(vectors)};
export default {
  async fetch() {
    const failed = [];
    const cases = conformanceCases(library, vectors);
    for (const { name, run } of cases) {
      try { await run(); } catch (error) { failed.push(name + ': ' + error.message); }
    }
    return Response.json({ passed: cases.length - failed.length, failed });
  },
};`;

/** Every module by its path, as the worker imports it. */
function modulesIn(directory, prefix) {
  return fs
    .readdirSync(directory, { recursive: true })
    .filter((name) => name.endsWith('.js') && !/live-cases|run-cases|\.test\.js/.test(name))
    .map((name) => ({
      type: 'ESModule',
      path: `${prefix}/${name}`,
      contents: fs.readFileSync(path.join(directory, name), 'utf8'),
    }));
}

const miniflare = new Miniflare({
  modules: [
    { type: 'ESModule', path: 'worker.js', contents: worker },
    ...modulesIn(library, 'library'),
    ...modulesIn(tests, 'tests'),
  ],
  compatibilityDate: '2026-01-01',
});
const response = await miniflare.dispatchFetch('http://worker.example/');
const { passed, failed } = await response.json();
for (const line of failed) console.log(`  FAILED ${line}`);
console.log(`  ${passed} passed, ${failed.length} failed`);
await miniflare.dispose();
process.exit(failed.length === 0 ? 0 : 1);
