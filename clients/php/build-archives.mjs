// The archive of the package as Composer makes it.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** What was made, by which command, and with which versions of what. */
export function buildArchives({ root, output }) {
  const here = path.join(root, 'clients', 'php');
  const { version } = JSON.parse(fs.readFileSync(path.join(here, 'composer.json'), 'utf8'));
  const name = `quittance-client-${version}`;
  composer(['archive', '--format=zip', `--dir=${output}`, `--file=${name}`], here);
  const [, seen = ''] = /version (\S+)/.exec(composer(['--version', '--no-ansi'], here)) ?? [];
  return {
    files: [path.join(output, `${name}.zip`)],
    command: `composer archive --format=zip --file=${name}`,
    tools: { composer: seen },
  };
}

/** A zip holds local times: the same everywhere only in one zone. */
function composer(words, cwd) {
  const env = { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1', TZ: 'UTC' };
  const { status, stdout, stderr } = spawnSync('composer', [...words, '--no-interaction'], {
    ...{ cwd, env, encoding: 'utf8' },
  });
  if (status !== 0) throw new Error(`composer ${words[0]}: ${stderr}`);
  return stdout;
}
