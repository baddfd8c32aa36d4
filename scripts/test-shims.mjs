// npm run test:shims: programs of others, unmodified, against this service: the official client of the
// Model Context Protocol, clients of BTCPay Server and Coinbase Commerce in three languages, and the public client of x402,
// which pays for routes of a shop with our middleware. Each is installed from its registry at the version that is named here, under
// test-output/, and never becomes a dependency. Named parts alone: npm run test:shims -- mcp.
// Not part of npm test.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fail, root, setUp } from './setup.mjs';
import { provideSystemParts } from './system-parts.mjs';

/**
 * `npm`, `pip`, `composer`: packages that the stories find in the folder of QUITTANCE_TEST_PACKAGES.
 * `library`: of ours, as it stands now. `system`: what they need of the system beside them.
 */
const parts = [
  {
    name: 'mcp',
    purpose: 'the client of the Model Context Protocol over quittance mcp',
    npm: ['@modelcontextprotocol/sdk@1.32.2'],
  },
  {
    name: 'greenfield',
    purpose: 'a client that is generated from the document of BTCPay Server',
    npm: ['btcpay-greenfield-node-client@1.7.0'],
  },
  {
    name: 'commerce',
    purpose: 'the official client of Coinbase Commerce',
    npm: ['coinbase-commerce-node@1.0.4'],
  },
  {
    name: 'greenfield-php',
    purpose: 'the PHP client of BTCPay Server (--greenfield-php PATH: an unpacked one)',
    composer: 'btcpayserver/btcpayserver-greenfield-php:2.9.0',
  },
  {
    name: 'commerce-python',
    purpose: 'a client of Coinbase Commerce of PyPI',
    pip: ['coinbase-commerce==1.0.1'],
  },
  {
    name: 'x402',
    purpose: 'the public client of x402, which pays for routes on Hono and Express',
    npm: ['@x402/fetch@2.27.0', '@x402/evm@2.27.0', 'express@5.3.0'],
    system: ['anvil'],
  },
  {
    name: 'x402-python',
    purpose: 'x402 of PyPI, which pays for a route behind the middleware of our library for Python',
    pip: ['x402[httpx,evm]==2.25.0', 'uvicorn==0.54.0'],
    library: 'clients/python',
    system: ['anvil'],
  },
];

const words = process.argv.slice(2);
const at = words.indexOf('--greenfield-php');
const unpacked = at === -1 ? undefined : path.resolve(words[at + 1] ?? '');
const wanted = at === -1 ? words : words.toSpliced(at, 2);
const known = parts.map(({ name }) => name);
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) fail(`There is no ${unknown.join(', ')}: ${known.join(', ')}`);

const left = [];
const node = await setUp();
for (const part of parts.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.error(`\n== ${part.name}: ${part.purpose}`);
  const folder = install(part);
  if (folder === undefined) {
    left.push(part.name);
    continue;
  }
  const system = await provideSystemParts(part.system ?? []);
  const { status } = spawnSync(node, ['--test', `test/shims/${part.name}-stories.ts`], {
    cwd: root,
    env: { ...process.env, ...system, QUITTANCE_TEST_PACKAGES: folder },
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = status ?? 1;
}
// Not shown is not passed.
if (left.length > 0) fail(`left out, since it could not be installed: ${left.join(', ')}`);

/**
 * Once for the versions that are named. No package runs anything while it is installed. Undefined: its
 * registry cannot be reached.
 */
function install(part) {
  if (part.npm !== undefined) return installNpm(part);
  return part.pip === undefined ? installComposer(part) : installPip(part);
}

/** Where its classes are, below `src`. */
function installComposer({ name, composer }) {
  if (unpacked !== undefined) return unpacked;
  const folder = path.join(root, 'test-output', 'shims', name);
  const [vendor = ''] = composer.split(':');
  const found = path.join(folder, 'vendor', vendor);
  if (fs.existsSync(path.join(found, 'src'))) return found;
  fs.mkdirSync(folder, { recursive: true });
  const words = [
    'require',
    '--no-scripts',
    '--no-plugins',
    '--no-interaction',
    '--quiet',
    composer,
  ];
  const env = { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1' };
  const { status } = spawnSync('composer', words, { cwd: folder, env, stdio: 'inherit' });
  return status === 0 ? found : undefined;
}

/** A virtual environment of Python. */
function installPip({ name, pip, library }) {
  const folder = path.join(root, 'test-output', 'shims', name);
  const stamp = path.join(folder, 'installed');
  const program = path.join(folder, 'bin', 'pip');
  if (!fs.existsSync(stamp) || fs.readFileSync(stamp, 'utf8') !== pip.join('\n')) {
    run('python3', ['-m', 'venv', '--clear', folder]);
    run(program, ['install', '--quiet', ...pip]);
    fs.writeFileSync(stamp, pip.join('\n'));
  }
  if (library !== undefined) {
    const ours = path.join(root, library);
    run(program, ['install', '--quiet', '--force-reinstall', '--no-deps', ours]);
    run(program, ['install', '--quiet', ours]);
  }
  return folder;
}

function run(command, given, options = {}) {
  const { status } = spawnSync(command, given, { stdio: 'inherit', ...options });
  if (status !== 0) fail(`${command} ${given.join(' ')} failed`);
}

function installNpm({ name, npm }) {
  const folder = path.join(root, 'test-output', 'shims', name);
  const stamp = path.join(folder, 'installed');
  const versions = npm.join('\n');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === versions) return folder;
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const quiet = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', [...quiet, ...npm], { cwd: folder });
  fs.writeFileSync(stamp, versions);
  return folder;
}
