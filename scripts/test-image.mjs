// npm run test:image: builds the image for this architecture and the other one, runs this one's, pays a
// checkout in it and weighs it. Needs Linux, root, and the Debian packages buildah, podman, runc and
// mmdebstrap. Where no registry of images is reached, the first stage stands on a base made from Debian's
// own archive. Not part of npm test.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fail, root, setUp } from './setup.mjs';

const PACKAGES = ['buildah', 'podman', 'runc', 'mmdebstrap'];
const BUILD_IMAGE = 'docker.io/library/node:22-bookworm-slim';
const PULL_SECONDS = 40;
const home = path.join(root, 'test-output', 'image');
const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch];
const other = architecture === 'amd64' ? 'arm64' : 'amd64';

const node = await setUp();
const missing = PACKAGES.filter((name) => spawnSync(name, ['--version']).error);
if (missing.length > 0) fail(`missing: apt-get install ${missing.join(' ')}`);
if (architecture === undefined) fail(`there is no image for ${process.arch}`);

fs.mkdirSync(home, { recursive: true });
const storage = path.join(home, 'storage.conf');
const [runRoot, graphRoot] = [path.join(home, 'run'), path.join(home, 'images')];
fs.writeFileSync(
  storage,
  `[storage]\ndriver = "overlay"\nrunroot = "${runRoot}"\ngraphroot = "${graphRoot}"\n`,
);
const env = { ...process.env, CONTAINERS_STORAGE_CONF: storage };

const from = canPull() ? BUILD_IMAGE : makeBuildImage();
for (const one of [architecture, other]) build(one);
const { status } = spawnSync(node, ['--test', 'test/image/image-stories.ts'], {
  cwd: root,
  env: {
    ...env,
    QUITTANCE_TEST_IMAGE: nameOf(architecture),
    QUITTANCE_TEST_IMAGE_OTHER: nameOf(other),
  },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

function nameOf(one) {
  return `localhost/quittance:${one}`;
}

function run(program, words, options = {}) {
  const ended = spawnSync(program, words, { cwd: root, env, stdio: 'inherit', ...options });
  if (ended.status !== 0) fail(`${program} ${words[0]} failed`);
  return ended;
}

function canPull() {
  const words = ['pull', '--quiet', '--retry=0', BUILD_IMAGE];
  const known = spawnSync('buildah', words, { env, timeout: PULL_SECONDS * 1000, stdio: 'ignore' });
  return known.status === 0;
}

/** Debian with apt, and the Node and npm that run this: what the public image is too. */
function makeBuildImage() {
  const name = 'localhost/quittance-build';
  if (spawnSync('buildah', ['inspect', '--type=image', name], { env }).status === 0) return name;
  console.error(
    'No registry of images is reached: the first stage is made from the archive of Debian.',
  );
  const tar = path.join(home, 'debian.tar');
  const wanted = '--include=ca-certificates,libatomic1,libstdc++6';
  if (!fs.existsSync(tar)) {
    const flags = ['--mode=root', '--variant=apt', wanted];
    run('mmdebstrap', [...flags, 'bookworm', tar, ...sources()]);
  }
  run('podman', ['import', '--quiet', tar, 'localhost/debian-apt']);
  const context = path.join(home, 'context');
  fs.rmSync(context, { recursive: true, force: true });
  fs.mkdirSync(context, { recursive: true });
  fs.copyFileSync(node, path.join(context, 'node'));
  const npm = spawnSync('npm', ['root', '--global'], { encoding: 'utf8' }).stdout.trim();
  fs.cpSync(path.join(npm, 'npm'), path.join(context, 'npm'), { recursive: true });
  const registry = spawnSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
  }).stdout.trim();
  fs.writeFileSync(path.join(context, 'npmrc'), `registry=${registry}\n`);
  // This machine may trust authorities of its own.
  fs.copyFileSync('/etc/ssl/certs/ca-certificates.crt', path.join(context, 'authorities.crt'));
  fs.writeFileSync(
    path.join(context, 'Dockerfile'),
    [
      'FROM localhost/debian-apt',
      'COPY node /usr/local/bin/node',
      'COPY npm /usr/local/lib/node_modules/npm',
      'COPY npmrc /usr/local/etc/npmrc',
      'COPY authorities.crt /etc/ssl/certs/ca-certificates.crt',
      'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
      '',
    ].join('\n'),
  );
  run('buildah', ['bud', '--quiet', '--isolation=chroot', '-t', name, context]);
  return name;
}

/** As this machine is told where Debian's archive is. */
function sources() {
  const folder = '/etc/apt/sources.list.d';
  const named = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return named
    .filter((name) => /\.(?:sources|list)$/.test(name))
    .map((name) => path.join(folder, name));
}

function build(one) {
  console.error(`Building for ${one} …`);
  run('buildah', [
    ...['bud', '--quiet', '--isolation=chroot', '--network=host', '--format=docker', '--layers'],
    ...['--platform', `linux/${one}`, '--build-arg', `TARGETARCH=${one}`],
    ...['--build-arg', `BUILDPLATFORM=linux/${architecture}`, '--build-arg', `BUILD_IMAGE=${from}`],
    ...['--timestamp', '0', '-t', nameOf(one), '.'],
  ]);
}
