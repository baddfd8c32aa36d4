// A shop program of the registry with our plugin and library beside it, each as it is published.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { buildPackage, compile } from '../../clients/typescript/build.mjs';

const shops = path.dirname(import.meta.dirname);
const output = path.join(path.dirname(shops), 'test-output', 'shops');
const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];

/**
 * Returns the folder of the shop: `test/shop` of the plugin with what its package.json names.
 * Packages are installed anew only where that changed.
 */
export function installShop(name) {
  const folder = path.join(output, name);
  const source = path.join(shops, name, 'test', 'shop');
  const manifest = fs.readFileSync(path.join(source, 'package.json'), 'utf8');
  const stamp = path.join(folder, 'installed.json');
  const isInstalled = fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === manifest;
  if (!isInstalled) fs.rmSync(folder, { recursive: true, force: true });
  fs.cpSync(source, folder, { recursive: true });
  if (!isInstalled) {
    console.log(`installing ${name}`);
    npm(['install', ...quiet], folder);
    fs.writeFileSync(stamp, manifest);
  }
  installPlugin(name, folder);
  return folder;
}

/**
 * Compiled against the types of the shop program itself, packed, and installed from the archives.
 */
function installPlugin(name, folder) {
  const build = path.join(folder, 'build');
  fs.rmSync(build, { recursive: true, force: true });
  for (const part of ['tsconfig.json', 'common', name]) {
    fs.cpSync(path.join(shops, part), path.join(build, part), { recursive: true });
  }
  const client = buildPackage(process.execPath, path.join(build, 'client'));
  npm(['install', ...quiet, '--no-save', pack(client, build)], folder);
  compile(process.execPath, ['--project', path.join(build, name, 'tsconfig.json')]);
  // Both at once: what is not saved goes with the next installation.
  npm(
    ['install', ...quiet, '--no-save', pack(client, build), pack(path.join(build, name), build)],
    folder,
  );
}

function pack(folder, to) {
  const { stdout } = npm(['pack', '--json', '--pack-destination', to], folder);
  return path.join(to, JSON.parse(stdout)[0].filename);
}

function npm(words, cwd) {
  const ended = spawnSync('npm', words, { cwd, encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(`npm ${words.join(' ')}: ${ended.stdout}${ended.stderr}`);
  return ended;
}
