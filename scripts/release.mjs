// npm run release: what a release consists of, out of one commit: the program as an archive, what it is
// made of (SBOM), checksums, and with --key a signature over them. The same commit gives the same bytes,
// wherever and whenever it is run. Nothing is published: that is for whoever runs it.
//
//   npm run release -- --key ~/.ssh/id_ed25519       --ref v0.1.0 another commit, --out another directory
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { fail, root } from './setup.mjs';

/** What the signature is for: one over something else is not taken for one over a release. */
const NAMESPACE = 'quittance-release';

const { values } = parseArgs({
  options: {
    ref: { type: 'string', default: 'HEAD' },
    out: { type: 'string', default: path.join(root, 'artifacts', 'release') },
    key: { type: 'string' },
  },
});
const commit = git('rev-parse', '--verify', `${values.ref}^{commit}`).toString().trim();
const { version } = JSON.parse(ofCommit('package.json'));
checkWritten();
const name = `quittance-${version}`;
const out = path.resolve(values.out);
fs.mkdirSync(out, { recursive: true });
const files = {
  [`${name}.tar.gz`]: archive(),
  [`${name}.cdx.json`]: billOfMaterials(),
};
for (const [file, bytes] of Object.entries(files)) fs.writeFileSync(path.join(out, file), bytes);
const sums = path.join(out, 'SHA256SUMS');
const lines = Object.entries(files).map(([file, bytes]) => `${digest(bytes)}  ${file}\n`);
fs.writeFileSync(sums, lines.join(''));
fs.rmSync(`${sums}.sig`, { force: true });
if (values.key !== undefined) sign(values.key);
console.log(`${name} of ${commit.slice(0, 12)} is in ${out}:\n${lines.join('')}`);
if (values.key === undefined)
  console.log('It is not signed: --key FILE names a key of ssh-keygen.');

function git(...words) {
  const ended = spawnSync('git', words, { cwd: root, maxBuffer: 2 ** 30 });
  if (ended.status !== 0) fail(`git ${words.join(' ')}: ${ended.stderr}`);
  return ended.stdout;
}

function ofCommit(file) {
  return git('show', `${commit}:${file}`).toString();
}

/**
 * Whoever upgrades reads it first; later versions are tried with its data. What is in no commit is in no
 * release.
 */
function checkWritten() {
  if (!new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b`, 'm').test(ofCommit('CHANGELOG.md'))) {
    fail(`CHANGELOG.md says nothing of ${version}`);
  }
  const kept = `test/fixtures/releases/${version}/facts.json`;
  const last = git('ls-tree', '--name-only', commit, 'migrations/')
    .toString()
    .trim()
    .split('\n')
    .at(-1);
  const data = spawnSync('git', ['show', `${commit}:${kept}`], { cwd: root, encoding: 'utf8' });
  const { migration } = data.status === 0 ? JSON.parse(data.stdout) : {};
  if (`migrations/${migration}.sql` !== last) {
    fail(`${kept} has no data of ${last}: node scripts/keep-release-data.mjs takes them`);
  }
  if (values.ref === 'HEAD' && git('status', '--porcelain').length > 0) {
    fail('there are changes that no commit has');
  }
}

/** Times are those of the commit; the compression writes neither time nor name. */
function archive() {
  const tar = git('-c', 'tar.umask=0022', 'archive', '--format=tar', `--prefix=${name}/`, commit);
  const bytes = gzipSync(tar, { level: 9 });
  // The byte of the system that packed it (RFC 1952): unknown.
  bytes[9] = 255;
  return bytes;
}

/** Every package with version, licence and digest, as the lock file has them (CycloneDX 1.5). */
function billOfMaterials() {
  const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'quittance-sbom-')), 'quittance');
  fs.mkdirSync(folder);
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
      fs.writeFileSync(path.join(folder, file), ofCommit(file));
    }
    const words = ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'];
    const bom = JSON.parse(
      execFileSync('npm', words, {
        cwd: folder,
        maxBuffer: 2 ** 28,
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
    bom.metadata.timestamp = git('show', '-s', '--format=%cI', commit).toString().trim();
    bom.metadata.tools = bom.metadata.tools.map(({ vendor, name: tool }) => ({
      vendor,
      name: tool,
    }));
    bom.metadata.component.type = 'application';
    bom.components.sort(byReference('bom-ref'));
    bom.dependencies.sort(byReference('ref'));
    // One bill of one commit has one number, not a new one each time.
    const hash = digest(Buffer.from(JSON.stringify({ ...bom, serialNumber: commit })));
    const parts = [
      hash.slice(0, 8),
      hash.slice(8, 12),
      `8${hash.slice(13, 16)}`,
      `8${hash.slice(17, 20)}`,
    ];
    bom.serialNumber = `urn:uuid:${parts.join('-')}-${hash.slice(20, 32)}`;
    return Buffer.from(`${JSON.stringify(bom, null, 2)}\n`);
  } finally {
    fs.rmSync(path.dirname(folder), { recursive: true, force: true });
  }
}

function byReference(field) {
  return (one, other) => (one[field] < other[field] ? -1 : one[field] > other[field] ? 1 : 0);
}

function digest(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** By what every system with ssh has; also by a key of an agent or a security key. */
function sign(key) {
  const words = ['-Y', 'sign', '-q', '-f', path.resolve(key), '-n', NAMESPACE, sums];
  const { status } = spawnSync('ssh-keygen', words, { stdio: 'inherit' });
  if (status !== 0) fail('the checksums could not be signed');
}
