// Installs what an example in PHP needs into the copy of its folder that is tested: the library, from this
// repository, by Composer, which asks nobody else.
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { run } from './prepare.mjs';

const root = path.dirname(path.dirname(import.meta.dirname));

export function installPhpShop({ folder }) {
  const file = path.join(folder, 'composer.json');
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
  const url = path.join(root, 'clients', 'php');
  manifest.repositories = [
    { type: 'path', url, options: { symlink: false } },
    { 'packagist.org': false },
  ];
  fs.writeFileSync(file, JSON.stringify(manifest));
  const env = { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1' };
  run('composer', ['install', '--quiet', '--no-interaction'], folder, env);
}
