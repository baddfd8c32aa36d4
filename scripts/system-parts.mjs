// What the tests need and the main package does not bring: nodes, a browser, a proxy and fonts.
// Installed where we may; otherwise one line says what to install.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fail, root } from './setup.mjs';

const parts = {
  litecoind: {
    purpose: 'Litecoin Core',
    package: 'litecoind',
    programs: ['litecoind'],
    variable: 'QUITTANCE_TEST_LITECOIND',
  },
  electrum: {
    purpose: 'Electrum',
    package: 'electrum',
    programs: ['electrum'],
    variable: 'QUITTANCE_TEST_ELECTRUM',
  },
  caddy: {
    purpose: 'Caddy, the proxy that the book of operation sets up',
    package: 'caddy',
    programs: ['caddy'],
    variable: 'QUITTANCE_TEST_CADDY',
  },
  chromium: {
    purpose: 'Chromium',
    /** The same engine without windows, which a quarter of the processor time of a page goes into. */
    package: 'chromium-headless-shell',
    /** Where the system does not have that one, or where it cannot be had beside this. */
    otherPackage: 'chromium',
    programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    variable: 'QUITTANCE_TEST_CHROMIUM',
  },
  noto: {
    purpose: 'Noto Sans, the letters of most Linux desktops',
    folder: 'test/browser/fonts',
    files: 'test/browser/fonts/node_modules/@expo-google-fonts/noto-sans',
    variable: 'QUITTANCE_TEST_NOTO',
  },
  arimo: {
    purpose: 'Arimo, letters as wide as those of Arial',
    folder: 'test/browser/fonts',
    files: 'test/browser/fonts/node_modules/@expo-google-fonts/arimo',
    variable: 'QUITTANCE_TEST_ARIMO',
  },
  anvil: {
    purpose: 'anvil, an EVM node',
    /** A folder with a package of its own: who runs the service does not need it. */
    folder: 'test/nodes/anvil',
    programs: ['anvil'],
    variable: 'QUITTANCE_TEST_ANVIL',
  },
  safe: {
    purpose: 'the contracts of Safe',
    folder: 'test/nodes/safe',
    files: 'test/nodes/safe/node_modules/@safe-global',
    variable: 'QUITTANCE_TEST_SAFE',
  },
  walletconnect: {
    purpose: 'the client of WalletConnect',
    folder: 'test/walletconnect/client',
    files: 'test/walletconnect/client/node_modules/@walletconnect',
    variable: 'QUITTANCE_TEST_WALLETCONNECT',
  },
};

/**
 * Environment variables with the paths of the programs. Ends the process when one cannot be had.
 * What is missing is fetched at once: most of that time is spent waiting for somebody's answer.
 */
export async function provideSystemParts(names) {
  const missing = names.filter((name) => findPart(name) === undefined);
  const packages = missing.filter((name) => parts[name].package !== undefined);
  await Promise.all([
    ...foldersOf(missing).map(installFolder),
    ...(packages.length > 0 ? [installParts(packages)] : []),
  ]);
  const lacking = names.filter((name) => findPart(name) === undefined);
  if (lacking.length > 0) fail(explain(lacking));
  await installCheaper(names.filter((name) => isDearer(name)));
  return Object.fromEntries(names.map((name) => [parts[name].variable, findPart(name)]));
}

function findPart(name) {
  const { programs, variable, folder, files } = parts[name];
  const given = process.env[variable];
  if (given !== undefined && fs.existsSync(given)) return given;
  if (files !== undefined) return [path.join(root, files)].find((entry) => fs.existsSync(entry));
  const directories = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((entry) => entry !== '');
  const usual = ['/usr/bin', '/usr/local/bin'];
  if (folder !== undefined) directories.unshift(path.join(root, folder, 'node_modules', '.bin'));
  return programs
    .flatMap((program) => [...directories, ...usual].map((entry) => path.join(entry, program)))
    .find((file) => fs.existsSync(file));
}

function foldersOf(names) {
  return [...new Set(names.flatMap((name) => parts[name].folder ?? []))];
}

function explain(missing) {
  const names = missing.map((name) => parts[name].purpose).join(' and ');
  const packages = missing.flatMap((name) => parts[name].package ?? []).join(' ');
  const folders = foldersOf(missing);
  const variables = missing.map((name) => parts[name].variable).join(', ');
  const ways = [
    ...(packages === '' ? [] : [`install the Debian packages "${packages}"`]),
    ...folders.map((folder) => `run npm ci --ignore-scripts in ${folder}`),
  ];
  return `The tests need ${names}: ${ways.join(', ')} (or set ${variables}).`;
}

/** With the lock beside it, and without scripts. A failure is told by what is missing afterwards. */
async function installFolder(folder) {
  console.error(`Installing what ${folder} needs ...`);
  const own = process.env.npm_execpath;
  const isOwnNpm = own !== undefined && path.basename(own) === 'npm-cli.js' && fs.existsSync(own);
  const [program, first] = isOwnNpm ? [process.execPath, [own]] : ['npm', []];
  const parameters = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const failure = await runQuietly(program, [...first, ...parameters], {
    cwd: path.join(root, folder),
    shell: !isOwnNpm && process.platform === 'win32',
  });
  if (failure !== undefined) console.error(failure);
}

async function installParts(missing) {
  const prefix = findAptPrefix();
  if (prefix === undefined) fail(explain(missing));
  const packages = missing.map((name) => parts[name].package);
  const failure = await installPackages(prefix, packages);
  if (failure !== undefined) fail(`${failure}\n${explain(missing)}`);
}

/** What apt-get said when it failed. */
async function installPackages(prefix, packages) {
  console.error(`Installing ${packages.join(', ')} with apt-get ...`);
  const install = (names) => apt(prefix, ['install', '-y', '--no-install-recommends', ...names]);
  const failure = (await apt(prefix, ['update'])) ?? (await install(packages.map(nameKnownToApt)));
  if (failure === undefined) console.error(`Installed: ${packages.map(nameKnownToApt).join(', ')}`);
  return failure;
}

/** The other package of it is there, and nobody said that this one is to be taken. */
function isDearer(name) {
  const { package: cheaper, otherPackage, variable } = parts[name];
  const found = findPart(name);
  return (
    otherPackage !== undefined &&
    path.basename(found) !== cheaper &&
    found !== process.env[variable]
  );
}

/** What is there serves: where apt-get does not bring the other one at once, that is left. */
async function installCheaper(names) {
  const packages = names.map((name) => parts[name].package).filter(isKnownToApt);
  const prefix = packages.length === 0 ? undefined : findAptPrefix();
  if (prefix === undefined) return;
  console.error(`Installing ${packages.join(', ')} with apt-get, which costs the tests less ...`);
  const patience = ['DPkg::Lock::Timeout', 'Acquire::http::Timeout', 'Acquire::https::Timeout'];
  const atOnce = patience.flatMap((name) => ['-o', `${name}=10`]);
  const words = ['install', '-y', '--no-install-recommends', '-o', 'Acquire::Retries=0'];
  const failure = await apt(prefix, [...words, ...atOnce, ...packages]);
  console.error(
    failure === undefined ? `Installed: ${packages.join(', ')}` : 'It could not be had.',
  );
}

function nameKnownToApt(name) {
  const other = Object.values(parts).find((part) => part.package === name)?.otherPackage;
  return other === undefined || isKnownToApt(name) ? name : other;
}

function isKnownToApt(name) {
  return spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0;
}

/** As root, or with a sudo that asks nothing. */
function findAptPrefix() {
  if (!fs.existsSync('/usr/bin/apt-get')) return undefined;
  if (process.getuid?.() === 0) return [];
  const hasSudo = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  return hasSudo ? ['sudo', '-n'] : undefined;
}

function apt(prefix, parameters) {
  const command = [
    ...prefix,
    ...['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=300'],
    ...parameters,
  ];
  return runQuietly(command[0], command.slice(1));
}

/** What it said, where it failed. */
function runQuietly(program, parameters, options = {}) {
  const child = spawn(program, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? undefined : said.trimEnd()));
  });
}
