// npm run test:shims: programs of others, unmodified, against this service: the official client of the
// Model Context Protocol, clients of BTCPay Server and Coinbase Commerce, and the public client of x402,
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
 * `npm`: packages that the stories find in the folder of QUITTANCE_TEST_PACKAGES. `system`: what they
 * need of the system beside them.
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
    name: 'x402',
    purpose: 'the public client of x402, which pays for routes on Hono and Express',
    npm: ['@x402/fetch@2.27.0', '@x402/evm@2.27.0', 'express@5.3.0'],
    system: ['anvil'],
  },
];

const wanted = process.argv.slice(2);
const known = parts.map(({ name }) => name);
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) fail(`There is no ${unknown.join(', ')}: ${known.join(', ')}`);

const node = await setUp();
for (const part of parts.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  console.error(`\n== ${part.name}: ${part.purpose}`);
  const folder = install(part);
  const system = await provideSystemParts(part.system ?? []);
  const { status } = spawnSync(node, ['--test', `test/shims/${part.name}-stories.ts`], {
    cwd: root,
    env: { ...process.env, ...system, QUITTANCE_TEST_PACKAGES: folder },
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = status ?? 1;
}

/** Once for the versions that are named. No package runs anything while it is installed. */
function install({ name, npm }) {
  const folder = path.join(root, 'test-output', 'shims', name);
  const stamp = path.join(folder, 'installed');
  const versions = npm.join('\n');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === versions) return folder;
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', [...words, ...npm], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) fail(`npm install ${npm.join(' ')} failed`);
  fs.writeFileSync(stamp, versions);
  return folder;
}
