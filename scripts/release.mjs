// npm run release: what a release consists of, out of one commit: the program as an archive, what it is
// made of (SBOM), the archives of the client libraries, checksums, and with --key a signature over them and
// an attestation of each archive. The same commit gives the same bytes, wherever and whenever it is run
// with the same tools. Nothing is published: that is for whoever runs it.
//
//   npm run release -- --key ~/.ssh/id_ed25519       --ref v0.1.0 another commit, --out another directory
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { attest } from './attest.mjs';
import { fail, root } from './setup.mjs';
import { withKey } from './ssh-key.mjs';

/** What the signature is for: one over something else is not taken for one over a release. */
const NAMESPACE = 'quittance-release';
const LOCK_FILE = 'package-lock.json';

// Rights are part of some archives.
process.umask(0o022);
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
const built = [
  {
    ...{ file: `${name}.tar.gz`, bytes: archive() },
    command: 'git archive --format=tar | gzip -9',
    tools: { git: git('--version').toString().trim().split(' ').at(2) },
  },
  ...(await libraries()),
];
const bill = { file: `${name}.cdx.json`, bytes: billOfMaterials() };
const files = [...built, bill].sort(byReference('file'));
for (const { file, bytes } of files) fs.writeFileSync(path.join(out, file), bytes);
const sums = path.join(out, 'SHA256SUMS');
const lines = files.map(({ file, bytes }) => `${digest(bytes)}  ${file}\n`);
fs.writeFileSync(sums, lines.join(''));
fs.rmSync(`${sums}.sig`, { force: true });
for (const { file } of built) fs.rmSync(attestation(file), { force: true });
if (values.key !== undefined) {
  sign(values.key);
  await attestAll(path.resolve(values.key));
}
console.log(`${name} of ${commit.slice(0, 12)} is in ${out}:\n${lines.join('')}`);
if (values.key === undefined) {
  console.log('It is neither signed nor attested: --key FILE names a key of ssh-keygen.');
}

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

/**
 * The archives of the client libraries, each built by `clients/<name>/build-archives.mjs` of the commit, in a
 * place where only the commit is, and with the packages that the commit names.
 */
async function libraries() {
  const found = git('ls-tree', '-r', '--name-only', commit, 'clients/').toString().split('\n');
  const builders = found.filter((file) => /^clients\/[^/]+\/build-archives\.mjs$/.test(file));
  if (builders.length === 0) return [];
  if (fs.readFileSync(path.join(root, LOCK_FILE), 'utf8') !== ofCommit(LOCK_FILE)) {
    fail(`other packages are here than ${values.ref} names: check it out and run npm install`);
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quittance-libraries-'));
  try {
    const source = path.join(folder, 'source');
    fs.mkdirSync(source);
    const tar = git('-c', 'tar.umask=0022', 'archive', '--format=tar', commit);
    execFileSync('tar', ['-x', '-C', source], { input: tar });
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(source, 'node_modules'));
    const all = [];
    for (const builder of builders) {
      const output = path.join(folder, path.basename(path.dirname(builder)));
      fs.mkdirSync(output);
      const { buildArchives } = await import(pathToFileURL(path.join(source, builder)).href);
      const { files: made, ...how } = buildArchives({
        node: process.execPath,
        root: source,
        output,
      });
      for (const file of made) {
        all.push({ file: path.basename(file), bytes: fs.readFileSync(file), ...how });
      }
    }
    return all;
  } catch (error) {
    return fail(`a client library cannot be built: ${error.message}`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Every package with version, licence and digest, as the lock file has them (CycloneDX 1.5). */
function billOfMaterials() {
  const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'quittance-sbom-')), 'quittance');
  fs.mkdirSync(folder);
  try {
    for (const file of ['package.json', LOCK_FILE, '.npmrc']) {
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

function attestation(file) {
  return path.join(out, `${file}.intoto.jsonl`);
}

async function attestAll(key) {
  const lockSha256 = digest(ofCommit(LOCK_FILE));
  const isDone = await withKey(key, async (signer) => {
    for (const { file, bytes, command, tools: own } of built) {
      const tools = { node: process.versions.node, ...own };
      const facts = { file, sha256: digest(bytes), commit, lockSha256, command, tools };
      fs.writeFileSync(attestation(file), await attest(facts, signer));
    }
    return true;
  });
  if (isDone !== true) console.log('Nothing is attested: that takes a key of ed25519.');
}
