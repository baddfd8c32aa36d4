// npm run test:compose: `compose.yaml` as it stands, brought up by podman-compose: the service,
// PostgreSQL and Caddy, and a checkout paid through them. Needs Linux, root, the Debian packages buildah,
// podman, runc, mmdebstrap, netavark, aardvark-dns and iptables, Python 3 with pip, and the ports 80 and
// 443. With --nodes instead: the node of a profile that Debian has (Litecoin Core), started by the
// command line of compose.yaml in a network of its own, and seen by doctor and the service. Where no registry of images is reached, those of PostgreSQL and Caddy are stand-ins with what
// Debian has: other versions, and an entry that does what theirs do with our settings. Not part of npm test.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {
  architecture,
  buildOnDebian,
  buildService,
  canPull,
  emptyFolder,
  nameOf,
  openStore,
} from './build-images.mjs';
import { fail, root, setUp } from './setup.mjs';
import { provideSystemParts } from './system-parts.mjs';

const COMPOSE = 'podman-compose==1.6.0';
const home = path.join(root, 'test-output', 'compose');

/** Of `compose.yaml` by the variable that names another one, and what stands in for it. */
const images = [
  {
    variable: 'POSTGRES_IMAGE',
    standIn: 'localhost/quittance-test-postgres',
    files: ['postgres-entry'],
    lines: [
      'RUN apt-get update -qq && apt-get install -qq --no-install-recommends postgresql',
      'ENV PATH=/usr/local/bin:/usr/lib/postgresql/15/bin:/usr/bin:/bin',
      'RUN mkdir -p /var/lib/postgresql/data /docker-entrypoint-initdb.d && ' +
        'chown postgres:postgres /var/lib/postgresql/data /var/run/postgresql && ' +
        'chmod 3777 /var/run/postgresql && chmod 1777 /var/lib/postgresql/data',
      'COPY postgres-entry /usr/local/bin/postgres-entry',
      'ENTRYPOINT ["postgres-entry"]',
      'CMD ["postgres"]',
    ],
  },
  {
    variable: 'CADDY_IMAGE',
    standIn: 'localhost/quittance-test-caddy',
    files: [],
    lines: [
      'RUN apt-get update -qq && apt-get install -qq --no-install-recommends caddy',
      'ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data',
      'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]',
    ],
  },
];

const node = await setUp();
if (process.argv.includes('--nodes')) process.exit(await walkNodes());
const env = openStore(['iptables']);
for (const name of ['netavark', 'aardvark-dns']) {
  const places = ['/usr/lib/podman', '/usr/libexec/podman'].map((folder) =>
    path.join(folder, name),
  );
  if (!places.some((place) => fs.existsSync(place))) fail(`missing: apt-get install ${name}`);
}
fs.mkdirSync(home, { recursive: true });
buildService(env, node, [architecture]);
const { status } = spawnSync(node, ['--test', 'test/compose/compose-stories.ts'], {
  cwd: root,
  env: {
    ...env,
    ...containersConf(),
    ...Object.fromEntries(images.map((one) => [one.variable, provide(one)])),
    QUITTANCE_IMAGE: nameOf(architecture),
    QUITTANCE_TEST_COMPOSE: provideCompose(),
  },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

/** Its names and its network are those of compose.yaml; nothing leads out of it. */
async function walkNodes() {
  const parts = await provideSystemParts(['litecoind']);
  fs.mkdirSync(home, { recursive: true });
  const hosts = path.join(home, 'hosts');
  fs.writeFileSync(hosts, '127.0.0.1 localhost\n10.177.78.3 litecoind\n');
  const inside =
    'ip link set lo up && ip addr add 10.177.78.3/24 dev lo && mount --bind "$0" /etc/hosts && ' +
    'exec "$1" --test test/compose/node-stories.ts';
  const words = ['--net', '--mount', 'sh', '-c', inside, hosts, node];
  const { status: ended } = spawnSync('unshare', words, {
    cwd: root,
    env: { ...process.env, ...parts },
    stdio: 'inherit',
  });
  return ended ?? 1;
}

function provide({ variable, standIn, files, lines }) {
  const given = process.env[variable];
  if (given !== undefined) return given;
  const compose = fs.readFileSync(path.join(root, 'compose.yaml'), 'utf8');
  const [, image] = new RegExp(`\\$\\{${variable}:-([^}]+)\\}`).exec(compose) ?? [];
  if (image === undefined) fail(`compose.yaml names no ${variable}`);
  if (canPull(env, image)) return image;
  console.error(`${image} cannot be had: ${standIn} of Debian stands in for it.`);
  const folder = emptyFolder(path.basename(standIn));
  for (const file of files) {
    fs.copyFileSync(path.join(root, 'test', 'compose', file), path.join(folder, file));
    fs.chmodSync(path.join(folder, file), 0o755);
  }
  return buildOnDebian(env, standIn, folder, lines);
}

/** As it runs also where no systemd is, and where limits of processes cannot be raised. */
function containersConf() {
  const file = path.join(home, 'containers.conf');
  fs.writeFileSync(
    file,
    '[containers]\ndefault_ulimits = ["nofile=8192:8192", "nproc=4096:4096"]\n' +
      '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n' +
      '[network]\nnetwork_backend = "netavark"\n',
  );
  // Where no systemd is nobody runs health checks; the test looks by itself.
  return { CONTAINERS_CONF: file, DISABLE_HC_SYSTEMD: 'true' };
}

function provideCompose() {
  const folder = path.join(home, 'python');
  const program = path.join(folder, 'bin', 'podman-compose');
  if (fs.existsSync(program)) return program;
  for (const words of [
    ['python3', '-m', 'venv', folder],
    [path.join(folder, 'bin', 'pip'), 'install', '--quiet', COMPOSE],
  ]) {
    const { status: ended } = spawnSync(words[0], words.slice(1), { stdio: 'inherit' });
    if (ended !== 0) fail(`${COMPOSE} cannot be had: ${words.join(' ')} failed`);
  }
  return program;
}
