// node scripts/keep-release-data.mjs: takes the data of this version, a small installation in which
// everything has happened once, into test/fixtures/releases/VERSION. Later versions have to go on with
// them (test/scenarios/upgrade.test.ts). Done before a release, in a commit of its own:
// the program that made them is that of the commit before (scripts/test-upgrades.mjs).
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fail, root, setUp } from './setup.mjs';

/** What the data are made by. */
const PROGRAM = ['src', 'migrations', 'package.json', 'package-lock.json'];

const changes = git('status', '--porcelain', '--', ...PROGRAM);
if (changes !== '') fail(`there are changes that no commit has:\n${changes}`);
const node = await setUp();
const { status } = spawnSync(node, ['--test', 'test/upgrades/keep-release.ts'], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);

function git(...words) {
  const ended = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  if (ended.status !== 0) fail(`git ${words.join(' ')}: ${ended.stderr}`);
  return ended.stdout.trim();
}
