// Brings a fresh clone to where it runs: dependencies, the pinned Node runtime, repaired links. Used by
// every other script. Plain JavaScript for Node 18 or later, no dependencies: it runs before there are any.
// A call that finds everything in place reads three files and returns.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.quittance-setup');
const stillInstallingSeconds = 10;

/** Ends the process with one line; for what the person at the keyboard has to change. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Returns the path of the pinned Node. Progress goes to stderr, so that stdout stays the program's. */
export async function setUp() {
  if (Number(process.versions.node.split('.')[0]) < 18) {
    fail(`Node ${process.versions.node} is too old to begin with: install Node 18 or later`);
  }
  if (!isSetUp()) await withSetupLock(install);
  return findRuntime();
}

function isSetUp() {
  if (findRuntime() === undefined || !fs.existsSync(stampFile)) return false;
  return fs.readFileSync(stampFile, 'utf8') === fingerprint();
}

/** Of what decides about the installed packages only: a new script is no reason to install again. */
function fingerprint() {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const wanted = { dependencies, devDependencies, optionalDependencies };
  return createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .update(JSON.stringify(wanted))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
}

function findRuntime() {
  const isWindows = process.platform === 'win32';
  const system = `${isWindows ? 'win' : process.platform}-${process.arch}`;
  const program = isWindows ? 'node.exe' : 'node';
  return [`node-${system}`, `node-bin-${system}`]
    .map((name) => path.join(modules, name, 'bin', program))
    .find((file) => fs.existsSync(file));
}

async function install() {
  if (isSetUp()) return; // another process did it while we waited
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  console.error('Installing dependencies and the pinned Node runtime ...');
  const ticker = setInterval(
    () => console.error(`  still installing (${seconds()} s)`),
    stillInstallingSeconds * 1000,
  );
  const { code, output } = await runNpm([
    ...['ci', '--ignore-scripts', '--include=dev', '--include=optional'],
    ...['--no-audit', '--no-fund', '--loglevel=error'],
  ]);
  clearInterval(ticker);
  if (code !== 0) fail(`${output.trimEnd()}\nThe dependencies could not be installed (npm ci).`);
  await import('./postinstall.mjs');
  checkRuntime();
  fs.writeFileSync(stampFile, fingerprint());
  console.error(`Dependencies are installed (${seconds()} s)`);
}

/** The npm that runs us, when one does; otherwise the one in PATH. */
function runNpm(parameters) {
  const own = process.env.npm_execpath;
  const isOwnNpm = own !== undefined && path.basename(own) === 'npm-cli.js' && fs.existsSync(own);
  const [program, first] = isOwnNpm ? [process.execPath, [own]] : ['npm', []];
  const child = spawn(program, [...first, ...parameters], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: !isOwnNpm && process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      output += bytes;
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: String(error) }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

function checkRuntime() {
  const runtime = findRuntime();
  if (runtime === undefined) {
    fail(`There is no pinned Node for ${process.platform}-${process.arch}.`);
  }
  const { status, stderr, error } = spawnSync(runtime, ['--version'], { encoding: 'utf8' });
  if (status === 0) return;
  const reason = (error?.message ?? stderr ?? '').trim().split('\n')[0];
  fail(`The pinned Node does not run on this system (${reason}); it needs glibc 2.28 or later.`);
}

/** Two commands started at once: the second waits. The lock of a dead process counts for nothing. */
async function withSetupLock(act) {
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const user = process.getuid?.() ?? 0;
  const lock = path.join(os.tmpdir(), `quittance-setup-${digest}-${user}`);
  for (;;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    removeDeadLock(lock);
    await wait(200);
  }
  const remove = () => fs.rmSync(lock, { force: true });
  process.once('exit', remove);
  await act();
  remove();
  process.removeListener('exit', remove);
}

function removeDeadLock(lock) {
  try {
    const holder = Number(fs.readFileSync(lock, 'utf8'));
    const isYoung = Date.now() - fs.statSync(lock).mtimeMs < 2_000;
    if (holder > 0) process.kill(holder, 0);
    else if (!isYoung) fs.rmSync(lock, { force: true });
  } catch (error) {
    if (error.code === 'ESRCH') fs.rmSync(lock, { force: true });
  }
}
