// npm run test:lnd: the stories over two real LND nodes on btcd. LND and btcd are built by the ordinary
// Go tool from the Go module proxy, once, into test-output/; where Go is missing one line says so.
// Programs of your own: QUITTANCE_TEST_LND and QUITTANCE_TEST_BTCD.
// npm run test:lnd -- --payments 100: so many payments that leave, each with a death (12 unless said).
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { fail, root, setUp } from './setup.mjs';

const home = path.join(root, 'test-output', 'lnd');

/** LND's go.mod replaces modules, which `go install module@version` refuses: it is built in its folder. */
const programs = [
  {
    name: 'lnd',
    variable: 'QUITTANCE_TEST_LND',
    module: 'github.com/lightningnetwork/lnd',
    version: 'v0.20.0-beta',
    package: './cmd/lnd',
    tags: 'invoicesrpc routerrpc walletrpc signrpc chainrpc',
  },
  {
    name: 'btcd',
    variable: 'QUITTANCE_TEST_BTCD',
    module: 'github.com/btcsuite/btcd',
    version: 'v0.24.2',
    package: '.',
    tags: '',
  },
];

function provide({ name, variable, module, version, package: target, tags }) {
  const given = process.env[variable];
  if (given !== undefined) {
    if (!fs.existsSync(given)) fail(`${variable}: there is no file ${given}`);
    return given;
  }
  const built = path.join(home, `${name}-${version}`);
  if (fs.existsSync(built)) return built;
  requireGo();
  console.error(`Building ${module}@${version} (some minutes) ...`);
  fs.mkdirSync(home, { recursive: true });
  const { Dir: source } = JSON.parse(
    go(['mod', 'download', '-json', `${module}@${version}`], home),
  );
  // Modules in Go's cache are read-only, and a build may have to write go.sum.
  const work = fs.mkdtempSync(path.join(home, `${name}-`));
  fs.cpSync(source, work, { recursive: true });
  spawnSync('chmod', ['-R', 'u+w', work]);
  try {
    go(['build', '-tags', tags, '-o', `${built}.new`, target], work);
    fs.renameSync(`${built}.new`, built);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
  return built;
}

function requireGo() {
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0) return;
  fail(
    'Go is missing: npm run test:lnd builds LND and btcd with it. Install Go 1.24 or later (https://go.dev), ' +
      'or set QUITTANCE_TEST_LND and QUITTANCE_TEST_BTCD to programs of your own.',
  );
}

function go(words, directory) {
  const { status, stdout, stderr } = spawnSync('go', words, {
    cwd: directory,
    env: { ...process.env, GOFLAGS: '-modcacherw' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) fail(`go ${words.join(' ')} failed:\n${stdout}${stderr}`.trimEnd());
  return stdout;
}

const { values } = parseArgs({ options: { payments: { type: 'string', default: '12' } } });
const node = await setUp();
const environment = Object.fromEntries(programs.map((one) => [one.variable, provide(one)]));
const { status } = spawnSync(node, ['--test', 'test/lnd/lnd-stories.ts'], {
  cwd: root,
  env: {
    ...process.env,
    ...environment,
    QUITTANCE_TEST_PAYMENTS: values.payments,
    // The service starts for each of them: compiled once, it starts in half the time.
    NODE_COMPILE_CACHE: path.join(home, 'compiled'),
  },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
