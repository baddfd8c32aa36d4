// npm run test:upgrades: the programs of released versions, out of the history of this repository, over
// the schema of this one, and the way there and back under load; restarts behind HAProxy and Caddy, where
// they are installed. Packages are those installed here where the version asked for the same, else they
// are installed for it. Not part of npm test.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fail, root, setUp } from './setup.mjs';

const KEPT = path.join(root, 'test', 'fixtures', 'releases');
const PLACE = path.join(root, 'test-output', 'releases');
/** What it reads when it runs, and what brings its packages. */
const PROGRAM = [
  ...['src', 'migrations', 'clients/vectors', 'clients/snippets', 'scripts'],
  ...['package.json', 'package-lock.json', '.npmrc'],
];

const node = await setUp();
const programs = {};
for (const name of fs.readdirSync(KEPT)) {
  const facts = path.join(KEPT, name, 'facts.json');
  const { version } = JSON.parse(fs.readFileSync(facts, 'utf8'));
  programs[version] = unpack(commitBefore(facts));
}
const proxies = { QUITTANCE_TEST_HAPROXY: find('haproxy'), QUITTANCE_TEST_CADDY: find('caddy') };
const stories = ['test/upgrades/previous-stories.ts', 'test/upgrades/proxy-stories.ts'];
const { status } = spawnSync(node, ['--test', '--test-concurrency=1', ...stories], {
  cwd: root,
  env: { ...process.env, ...proxies, QUITTANCE_TEST_PROGRAMS: JSON.stringify(programs) },
  stdio: 'inherit',
});
process.exit(status ?? 1);

function find(program) {
  const places = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin'];
  const found = places
    .map((place) => path.join(place, program))
    .find((file) => fs.existsSync(file));
  if (found === undefined) console.log(`${program} is missing: apt-get install ${program}`);
  return found;
}

/** The data of a release were taken from the program that was there. */
function commitBefore(file) {
  const words = ['log', '-1', '--format=%P', '--', file];
  const { stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  const commit = stdout.trim().split(' ')[0];
  if (!commit) fail(`the history says nothing of ${file}: it is not there, or not whole`);
  return commit;
}

function unpack(commit) {
  const place = path.join(PLACE, commit);
  if (fs.existsSync(place)) return place;
  const draft = `${place}.draft`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft, { recursive: true });
  const packed = spawnSync('git', ['archive', '--format=tar', commit, ...PROGRAM], {
    cwd: root,
    maxBuffer: 2 ** 30,
  });
  if (packed.status !== 0) fail(`the history has no ${commit}: ${packed.stderr}`);
  run('tar', ['-x', '-C', draft], { input: packed.stdout });
  const lock = 'package-lock.json';
  const same = fs
    .readFileSync(path.join(root, lock))
    .equals(fs.readFileSync(path.join(draft, lock)));
  // Below this directory, so the packages here are found without a link.
  if (!same) run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: draft, stdio: 'inherit' });
  fs.renameSync(draft, place);
  return place;
}

function run(command, words, options) {
  const { status: code, stderr } = spawnSync(command, words, options);
  if (code !== 0) fail(`${command} ${words.join(' ')} failed: ${stderr ?? ''}`);
}
