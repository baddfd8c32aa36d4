// npm run test:clients -- typescript: the archive of the package, installed where nothing else is, as a
// module and as CommonJS, typed and at work, on every runtime that npm has.
import { spawn, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort, withLiveService } from '../../scripts/live-service.mjs';
import { compile } from './build.mjs';
import { buildArchives } from './build-archives.mjs';

/** Runtimes beside our own, as packages of npm; what is missing for this system is said. */
const runtimes = [
  {
    name: 'Node 18',
    package: `node-${process.platform}-${process.arch}@18.20.8`,
    file: 'bin/node',
  },
  { name: 'Bun', package: bunPackage(), file: 'bin/bun' },
  { name: 'Deno', package: denoPackage(), file: 'deno', words: ['run', '--allow-all'] },
];
const edge = 'miniflare@4.20260730.0';

function bunPackage() {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  return `@oven/bun-${process.platform}-${arch}@1.4.5`;
}

function denoPackage() {
  const system = process.platform === 'linux' ? `linux-${process.arch}-glibc` : '';
  return `@deno/${system || `${process.platform}-${process.arch}`}@2.9.6`;
}

export async function testClient({ node, root, output }) {
  const here = path.join(root, 'clients', 'typescript');
  const shop = prepareShop({ node, root, output }, here);
  const failed = [];
  const step = (name, isPassed) => {
    console.log(`${isPassed ? 'ok' : 'FAILED'}  ${name}`);
    if (!isPassed) failed.push(name);
  };
  const vectors = { ...process.env, QUITTANCE_VECTORS: path.join(root, 'clients', 'vectors') };
  const cases = path.join(shop, 'tests', 'test', 'run-cases.js');
  const commonJs = { ...vectors, QUITTANCE_MODULE: 'cjs' };
  step('types, as a module and as CommonJS', checkTypes(node, here, shop));
  step('vectors as a module', run(node, [cases], vectors));
  step('vectors as CommonJS', run(node, [cases], commonJs));
  const found = installRuntimes(output);
  for (const { name, program, words = [] } of found) {
    step(`vectors on ${name}`, run(program, [...words, cases], vectors));
    if (name === 'Node 18') step(`vectors on ${name} as CommonJS`, run(program, [cases], commonJs));
  }
  const worker = runWorker(node, { here, shop, output, vectors });
  if (worker !== undefined) step('vectors on workerd (edge)', worker);
  for (const { name, program, words = [] } of [{ name: 'Node', program: node }, ...found]) {
    const isPassed = await withLiveService(node, (env) =>
      run(program, [...words, cases], { ...vectors, ...env }),
    );
    step(`every endpoint over a fresh service on ${name}`, isPassed);
  }
  step('examples', await withLiveService(node, (env) => runExamples(node, here, shop, env)));
  step('the example of a receiver of webhooks', await tryReceiver(node, shop));
  return failed.length === 0;
}

/** A folder with the installed archive and the compiled tests, and nothing else. */
function prepareShop({ node, root, output }, here) {
  const [archive] = buildArchives({ node, root, output }).files;
  console.log(`${path.basename(archive)}: ${fs.statSync(archive).size} bytes`);
  const shop = path.join(output, 'shop');
  fs.rmSync(shop, { recursive: true, force: true });
  fs.mkdirSync(shop, { recursive: true });
  const manifest = { name: 'shop', private: true, type: 'module' };
  fs.writeFileSync(path.join(shop, 'package.json'), JSON.stringify(manifest));
  npm(['install', '--no-audit', '--no-fund', archive], shop);
  const installed = fs.readdirSync(path.join(shop, 'node_modules')).sort();
  if (installed.join() !== '.package-lock.json,@quittance') throw new Error(installed.join());
  const tests = path.join(here, 'tsconfig.tests.json');
  compile(node, ['--project', tests, '--outDir', path.join(shop, 'tests')]);
  return shop;
}

function npm(words, cwd) {
  const ended = spawnSync('npm', words, { cwd, encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(`npm ${words.join(' ')}: ${ended.stderr}`);
  return ended;
}

function run(program, words, env, cwd) {
  return spawnSync(program, words, { env, cwd, stdio: 'inherit' }).status === 0;
}

/** One program, as `.mts` and as `.cts`, against the types of the installed package alone. */
function checkTypes(node, here, shop) {
  const text = fs.readFileSync(path.join(here, 'test', 'consumer.ts'), 'utf8');
  for (const kind of ['mts', 'cts']) fs.writeFileSync(path.join(shop, `consumer.${kind}`), text);
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
  const files = ['mts', 'cts'].map((kind) => path.join(shop, `consumer.${kind}`));
  compile(node, ['--ignoreConfig', '--noEmit', '--strict', '--types', '', ...options, ...files]);
  return true;
}

/** Those of them that npm has for this system, without running anything of theirs. */
function installRuntimes(output) {
  return runtimes.flatMap((runtime) => {
    const folder = path.join(output, 'runtimes', runtime.package.replaceAll('/', '-'));
    const program = path.join(folder, 'node_modules', packageName(runtime.package), runtime.file);
    if (!fs.existsSync(program)) install(folder, runtime.package);
    if (fs.existsSync(program)) return [{ ...runtime, program }];
    console.log(`not here: ${runtime.name}, npm has no ${runtime.package} for this system`);
    return [];
  });
}

function packageName(specifier) {
  return specifier.slice(0, specifier.lastIndexOf('@'));
}

function install(folder, specifier) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', '--no-save'];
  fs.mkdirSync(folder, { recursive: true });
  const manifest = path.join(folder, 'package.json');
  if (!fs.existsSync(manifest)) fs.writeFileSync(manifest, '{ "private": true }');
  spawnSync('npm', ['install', ...quiet, '--prefix', folder, specifier], { stdio: 'inherit' });
}

/** workerd is what edge runtimes of this kind are; miniflare starts it. Undefined where it is missing. */
function runWorker(node, { here, shop, output, vectors }) {
  const folder = path.join(output, 'edge');
  if (!fs.existsSync(path.join(folder, 'node_modules', 'miniflare'))) install(folder, edge);
  if (!fs.existsSync(path.join(folder, 'node_modules', 'miniflare'))) {
    console.log(`not here: workerd, npm has no ${edge} for this system`);
    return undefined;
  }
  const program = path.join(folder, 'run-worker.mjs');
  fs.copyFileSync(path.join(here, 'test', 'run-worker.mjs'), program);
  return run(node, [program, shop], vectors);
}

function runExamples(node, here, shop, env) {
  const folder = path.join(shop, 'examples');
  fs.cpSync(path.join(here, 'examples'), folder, { recursive: true });
  return ['hosted-checkout', 'own-page'].every((name) =>
    run(node, [path.join(folder, `${name}.ts`)], env),
  );
}

/** It takes what is signed, and refuses the same with another letter. */
async function tryReceiver(node, shop) {
  const port = await findFreePort();
  const key = randomBytes(32);
  const secret = `whsec_${key.toString('base64')}`;
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const program = path.join(shop, 'examples', 'receive-webhooks.ts');
  const receiver = spawn(node, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  receiver.stdout.on('data', (text) => {
    said += text;
  });
  const data = { checkout: { id: 'abcdefghijkl', meta: { order: '1001' } } };
  const body = JSON.stringify({ id: '0a1b2c3d4e5f', eventType: 'CHECKOUT_COMPLETED', data });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = createHmac('sha256', key).update(`0a1b2c3d4e5f.${timestamp}.${body}`);
  const headers = {
    'webhook-id': '0a1b2c3d4e5f',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signed.digest('base64')}`,
  };
  const send = (text) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text });
  try {
    const first = await whenItListens(() => send(body));
    const again = await send(body);
    const forged = await send(body.replace('1001', '1002'));
    const statuses = [first, again, forged].map(({ status }) => status).join();
    const shipped = said.match(/ship order 1001/g)?.length;
    return statuses === '200,200,400' && shipped === 1;
  } finally {
    receiver.kill();
  }
}

async function whenItListens(ask) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries > 100) throw error;
      await wait(100);
    }
  }
}
