// The package as it is published: ESM and CommonJS, both typed, in a folder of its own from which
// `npm pack` and `npm publish` are run.   node clients/typescript/build.mjs [FOLDER]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(here));
const usual = path.join(root, 'test-output', 'clients', 'typescript', 'package');

/** Returns the folder. */
export function buildPackage(node = process.execPath, folder = usual) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'README.md', 'REFERENCE.md']) {
    fs.copyFileSync(path.join(here, name), path.join(folder, name));
  }
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  for (const [config, kind] of [
    ['tsconfig.build.json', 'esm'],
    ['tsconfig.cjs.json', 'cjs'],
  ]) {
    const out = path.join(folder, 'dist', kind);
    compile(node, ['--project', path.join(here, config), '--outDir', out]);
    renameInTypes(out);
  }
  fs.writeFileSync(path.join(folder, 'dist', 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
  return folder;
}

export function compile(node, words) {
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(node, [compiler, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tsc ${words.join(' ')} failed:\n${stdout}`);
}

/** The compiler writes `.js` into programs and leaves `.ts` in declarations. */
function renameInTypes(folder) {
  for (const name of fs.readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = path.join(folder, name);
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(buildPackage(process.execPath, process.argv[2]));
}
