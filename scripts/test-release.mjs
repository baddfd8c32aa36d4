// npm run test:release: the release of the last commit, made twice in other zones and with other rights,
// byte for byte the same, client libraries included; each attestation held against pypi-attestations
// (installed under test-output/), which is what PyPI reads them with, and against cosign where that is
// there. Not part of npm test.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { makePlace } from '../clients/python/build-archives.mjs';
import { root, setUp } from './setup.mjs';

const reader = ['pypi-attestations==0.0.30'];
/** Whether what is signed is a statement as PyPI takes it, about this file. */
const check = `
import base64, json, sys
from pathlib import Path
from pypi_attestations import AttestationType, Distribution
from sigstore.dsse import StatementBuilder, Subject, _Statement
for file in map(Path, sys.argv[1:]):
    envelope = json.loads(Path(f'{file}.intoto.jsonl').read_text())
    statement = _Statement.model_validate_json(base64.b64decode(envelope['payload']))
    assert AttestationType(statement.predicate_type) is AttestationType.SLSA_PROVENANCE_V1
    ours, = statement.subjects
    theirs = Distribution.from_file(file)
    assert (ours.name, ours.digest.root['sha256']) == (theirs.name, theirs.digest), file
    published = StatementBuilder(subjects=[Subject(name=theirs.name, digest={'sha256': theirs.digest})],
                                 predicate_type=AttestationType.PYPI_PUBLISH_V1).build()
    assert _Statement.model_validate_json(published._contents).subjects == statement.subjects
    print(f'{file.name}: a statement as PyPI reads it')
`;

const node = await setUp();
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'quittance-release-'));
const failed = [];
try {
  const project = cloneReleasable();
  const key = path.join(home, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const outs = [
    ['Asia/Tokyo', '022'],
    ['America/Lima', '077'],
  ].map(([zone, rights], index) => release(project, key, { zone, rights, index }));
  const names = fs.readdirSync(outs[0]).sort();
  step('both make the same files', names.join() === fs.readdirSync(outs[1]).sort().join());
  for (const name of names) {
    const [one, other] = outs.map((out) => fs.readFileSync(path.join(out, name)));
    step(`${name}: ${one.length} bytes, the same twice`, one.equals(other));
  }
  const archives = names.filter((name) => names.includes(`${name}.intoto.jsonl`));
  step('five archives are attested', archives.length === 5);
  const forPython = archives.filter((name) => name.startsWith('quittance_client'));
  const place = path.join(root, 'test-output', 'pypi-attestations');
  const words = ['-c', check, ...forPython.map((name) => path.join(outs[0], name))];
  step('read by pypi-attestations', run(makePlace('python3', place, reader), words));
  askCosign(outs[0], archives);
} finally {
  fs.rmSync(home, { recursive: true, force: true });
}
console.log(failed.length === 0 ? 'All passed.' : `Failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function step(name, isPassed) {
  console.log(`${isPassed ? 'ok' : 'FAILED'}  ${name}`);
  if (!isPassed) failed.push(name);
}

function run(program, words, options) {
  return spawnSync(program, words, { stdio: 'inherit', ...options }).status === 0;
}

/** A clone with the mark of a release, which between two releases names an earlier migration. */
function cloneReleasable() {
  const project = path.join(home, 'project');
  execFileSync('git', ['clone', '--quiet', root, project]);
  const { version } = JSON.parse(fs.readFileSync(path.join(project, 'package.json'), 'utf8'));
  const facts = path.join(project, 'test', 'fixtures', 'releases', version, 'facts.json');
  const last = fs.readdirSync(path.join(project, 'migrations')).sort().at(-1);
  const kept = JSON.parse(fs.readFileSync(facts, 'utf8'));
  fs.writeFileSync(facts, JSON.stringify({ ...kept, migration: path.basename(last, '.sql') }));
  const who = ['-c', 'user.name=Anna', '-c', 'user.email=anna@shop.test'];
  const words = [...who, '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--all'];
  spawnSync('git', [...words, '--message', 'a release'], { cwd: project });
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(project, 'node_modules'));
  fs.appendFileSync(path.join(project, '.git', 'info', 'exclude'), 'node_modules\n');
  return project;
}

function release(project, key, { zone, rights, index }) {
  const out = path.join(home, `out-${index}`);
  const script = `umask ${rights}; exec "$0" scripts/release.mjs --key "$1" --out "$2"`;
  const env = { ...process.env, TZ: zone };
  const isMade = run('sh', ['-c', script, node, key, out], { cwd: project, env });
  if (!isMade) throw new Error('there is no release');
  return out;
}

/** The key of ssh as cosign reads it: the prefix says ed25519 (RFC 8410). */
function askCosign(out, archives) {
  if (spawnSync('cosign', ['version']).status !== 0) {
    console.log('not here: cosign (go install github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3)');
    return;
  }
  const [, blob] = fs.readFileSync(path.join(home, 'key.pub'), 'utf8').split(' ');
  const spki = Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(blob, 'base64').subarray(-32),
  ]);
  const pem = path.join(home, 'release.pem');
  const text = spki.toString('base64');
  fs.writeFileSync(pem, `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----\n`);
  const verify = (archive, attestation) =>
    spawnSync('cosign', [
      ...['verify-blob-attestation', '--key', pem, '--insecure-ignore-tlog'],
      ...['--type', 'slsaprovenance1', '--signature', attestation, archive],
    ]).status === 0;
  for (const name of archives) {
    const attestation = path.join(out, `${name}.intoto.jsonl`);
    step(`${name}: verified by cosign`, verify(path.join(out, name), attestation));
    const other = path.join(home, 'changed');
    fs.writeFileSync(other, Buffer.concat([fs.readFileSync(path.join(out, name)), Buffer.of(0)]));
    step(`${name}: a byte more is refused by cosign`, !verify(other, attestation));
  }
}
