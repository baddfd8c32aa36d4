// The archive of the package as it is published.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { buildPackage } from './build.mjs';

/** What was made, by which command, and with which versions of what. */
export function buildArchives({ node, root, output }) {
  const folder = buildPackage(node, path.join(output, 'package'));
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', output], folder));
  const compiler = path.join(root, 'node_modules', 'typescript', 'package.json');
  return {
    files: [path.join(output, packed.filename)],
    command: 'node clients/typescript/build.mjs && npm pack',
    tools: {
      npm: npm(['--version'], folder).trim(),
      typescript: JSON.parse(fs.readFileSync(compiler, 'utf8')).version,
    },
  };
}

function npm(words, cwd) {
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${words.join(' ')}: ${stderr}`);
  return stdout;
}
