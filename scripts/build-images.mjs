// Images for tests, built by buildah into a store of their own below test-output/: that of the service as
// the Dockerfile says, and, where no registry of images is reached, stand-ins for those of others, made of
// Debian's own archive. For test-image.mjs and test-compose.mjs. Needs Linux and root.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fail, root } from './setup.mjs';

const PACKAGES = ['buildah', 'podman', 'runc', 'mmdebstrap'];
const BUILD_IMAGE = 'docker.io/library/node:22-bookworm-slim';
const DEBIAN = 'localhost/debian-apt';
const PULL_SECONDS = 40;
const home = path.join(root, 'test-output', 'image');

export const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch];

/** Ends the process when a program is missing. Returns the environment that all below are run in. */
export function openStore(more = []) {
  const missing = [...PACKAGES, ...more].filter((name) => spawnSync(name, ['--version']).error);
  if (missing.length > 0) fail(`missing: apt-get install ${missing.join(' ')}`);
  if (architecture === undefined) fail(`there is no image for ${process.arch}`);
  fs.mkdirSync(home, { recursive: true });
  const storage = path.join(home, 'storage.conf');
  const [runRoot, graphRoot] = [path.join(home, 'run'), path.join(home, 'images')];
  fs.writeFileSync(
    storage,
    `[storage]\ndriver = "overlay"\nrunroot = "${runRoot}"\ngraphroot = "${graphRoot}"\n`,
  );
  return { ...process.env, CONTAINERS_STORAGE_CONF: storage };
}

export function nameOf(one) {
  return `localhost/quittance:${one}`;
}

export function run(env, program, words, options = {}) {
  const ended = spawnSync(program, words, { cwd: root, env, stdio: 'inherit', ...options });
  if (ended.status !== 0) fail(`${program} ${words[0]} failed`);
  return ended;
}

export function canPull(env, image) {
  const words = ['pull', '--quiet', '--retry=0', image];
  const known = spawnSync('buildah', words, { env, timeout: PULL_SECONDS * 1000, stdio: 'ignore' });
  return known.status === 0;
}

/** That of the service, for each of these. */
export function buildService(env, node, architectures) {
  const from = canPull(env, BUILD_IMAGE) ? BUILD_IMAGE : makeBuildImage(env, node);
  for (const one of architectures) {
    console.error(`Building for ${one} …`);
    run(env, 'buildah', [
      ...['bud', '--quiet', '--isolation=chroot', '--network=host', '--format=docker', '--layers'],
      ...['--platform', `linux/${one}`, '--build-arg', `TARGETARCH=${one}`],
      ...['--build-arg', `BUILDPLATFORM=linux/${architecture}`],
      ...['--build-arg', `BUILD_IMAGE=${from}`, '--timestamp', '0', '-t', nameOf(one), '.'],
    ]);
  }
}

/** Of `lines` after FROM, beside what is in `folder`. */
export function buildOnDebian(env, name, folder, lines) {
  makeDebian(env);
  fs.writeFileSync(path.join(folder, 'Dockerfile'), [`FROM ${DEBIAN}`, ...lines, ''].join('\n'));
  const flags = ['--quiet', '--isolation=chroot', '--network=host', '--format=docker', '--layers'];
  run(env, 'buildah', ['bud', ...flags, '-t', name, folder]);
  return name;
}

export function emptyFolder(name) {
  const folder = path.join(home, name);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  return folder;
}

function isBuilt(env, name) {
  return spawnSync('buildah', ['inspect', '--type=image', name], { env }).status === 0;
}

/** With apt, and the authorities that this machine trusts: it may have some of its own. */
function makeDebian(env) {
  if (isBuilt(env, DEBIAN)) return;
  const tar = path.join(home, 'debian.tar');
  const wanted = '--include=ca-certificates,libatomic1,libstdc++6';
  if (!fs.existsSync(tar)) {
    const flags = ['--mode=root', '--variant=apt', wanted];
    run(env, 'mmdebstrap', [...flags, 'bookworm', tar, ...sources()]);
  }
  run(env, 'podman', ['import', '--quiet', tar, DEBIAN]);
}

/** Debian with apt, and the Node and npm that run this: what the public image is too. */
function makeBuildImage(env, node) {
  const name = 'localhost/quittance-build';
  if (isBuilt(env, name)) return name;
  console.error(
    'No registry of images is reached: the first stage is made from the archive of Debian.',
  );
  const context = emptyFolder('context');
  fs.copyFileSync(node, path.join(context, 'node'));
  fs.cpSync(findNpm(), path.join(context, 'npm'), { recursive: true });
  const registry = spawnSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
  }).stdout.trim();
  fs.writeFileSync(path.join(context, 'npmrc'), `registry=${registry}\n`);
  // This machine may trust authorities of its own.
  fs.copyFileSync('/etc/ssl/certs/ca-certificates.crt', path.join(context, 'authorities.crt'));
  return buildOnDebian(env, name, context, [
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    'COPY npmrc /usr/local/etc/npmrc',
    'COPY authorities.crt /etc/ssl/certs/ca-certificates.crt',
    'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
  ]);
}

/** The one that runs this, where one does: of a Node that came alone the global folder is empty. */
function findNpm() {
  const { npm_execpath: own } = process.env;
  if (own !== undefined && path.basename(own) === 'npm-cli.js') {
    return path.join(path.dirname(fs.realpathSync(own)), '..');
  }
  const { stdout } = spawnSync('npm', ['root', '--global'], { encoding: 'utf8' });
  return path.join(stdout.trim(), 'npm');
}

/** As this machine is told where Debian's archive is. */
function sources() {
  const folder = '/etc/apt/sources.list.d';
  const named = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return named
    .filter((name) => /\.(?:sources|list)$/.test(name))
    .map((name) => path.join(folder, name));
}
