// What the tests need and the main package does not bring: three nodes, a browser and fonts.
// Installed where we may; otherwise one line says what to install. Only fonts may be missing, and a
// test that looks with fewer says so.
import { spawnSync } from 'node:child_process';
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
  chromium: {
    purpose: 'Chromium',
    package: 'chromium',
    programs: ['chromium', 'chromium-browser', 'google-chrome'],
    variable: 'QUITTANCE_TEST_CHROMIUM',
  },
  noto: {
    purpose: 'Noto Sans, the letters of most Linux desktops',
    package: 'fonts-noto-core',
    folders: ['/usr/share/fonts/truetype/noto'],
    variable: 'QUITTANCE_TEST_NOTO',
    /** Tests look at what is there of these. */
    isOptional: true,
  },
  liberation: {
    purpose: 'Liberation Sans, letters as wide as those of Arial',
    package: 'fonts-liberation',
    folders: ['/usr/share/fonts/truetype/liberation', '/usr/share/fonts/truetype/liberation2'],
    variable: 'QUITTANCE_TEST_LIBERATION',
    isOptional: true,
  },
  anvil: {
    purpose: 'anvil, an EVM node',
    /** A folder with a package of its own: who runs the service does not need it. */
    folder: 'test/nodes/anvil',
    programs: ['anvil'],
    variable: 'QUITTANCE_TEST_ANVIL',
  },
};

/** Environment variables with the paths of the programs. Ends the process when one cannot be had. */
export function provideSystemParts(names) {
  const missing = names.filter((name) => findPart(name) === undefined);
  const folders = missing.flatMap((name) => parts[name].folder ?? []);
  for (const folder of folders) installFolder(folder);
  const packages = missing.filter((name) => parts[name].package !== undefined);
  const needed = packages.filter((name) => parts[name].isOptional !== true);
  if (needed.length > 0) installParts(needed);
  const optional = packages.filter((name) => parts[name].isOptional === true);
  if (optional.length > 0) installOptional(optional);
  const stillMissing = names.filter((name) => findPart(name) === undefined);
  const lacking = stillMissing.filter((name) => parts[name].isOptional !== true);
  if (lacking.length > 0) fail(explain(lacking));
  const found = names.filter((name) => findPart(name) !== undefined);
  return Object.fromEntries(found.map((name) => [parts[name].variable, findPart(name)]));
}

function findPart(name) {
  const { programs, variable, folder, folders } = parts[name];
  const given = process.env[variable];
  if (given !== undefined && fs.existsSync(given)) return given;
  if (folders !== undefined) return folders.find((path) => fs.existsSync(path));
  const directories = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((entry) => entry !== '');
  const usual = ['/usr/bin', '/usr/local/bin'];
  if (folder !== undefined) directories.unshift(path.join(root, folder, 'node_modules', '.bin'));
  return programs
    .flatMap((program) => [...directories, ...usual].map((entry) => path.join(entry, program)))
    .find((file) => fs.existsSync(file));
}

function explain(missing) {
  const names = missing.map((name) => parts[name].purpose).join(' and ');
  const packages = missing.flatMap((name) => parts[name].package ?? []).join(' ');
  const folders = missing.flatMap((name) => parts[name].folder ?? []);
  const variables = missing.map((name) => parts[name].variable).join(', ');
  const ways = [
    ...(packages === '' ? [] : [`install the Debian packages "${packages}"`]),
    ...folders.map((folder) => `run npm ci --ignore-scripts in ${folder} (Linux on x64)`),
  ];
  return `The tests need ${names}: ${ways.join(', ')} (or set ${variables}).`;
}

/** What cannot be had is told, and nothing ends by it: each of these is a look more. */
function installOptional(names) {
  const packages = names.map((name) => parts[name].package);
  const prefix = findAptPrefix();
  const failure =
    prefix === undefined
      ? 'Debian packages cannot be installed here without a password.'
      : installPackages(prefix, packages);
  if (failure === undefined) return;
  console.error(failure);
  console.error(`More fonts are looked at with the Debian packages "${packages.join(' ')}".`);
}

/** With the lock beside it, and without scripts. A failure is told by what is missing afterwards. */
function installFolder(folder) {
  console.error(`Installing what ${folder} needs ...`);
  const own = process.env.npm_execpath;
  const isOwnNpm = own !== undefined && path.basename(own) === 'npm-cli.js' && fs.existsSync(own);
  const [program, first] = isOwnNpm ? [process.execPath, [own]] : ['npm', []];
  const parameters = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stdout, stderr } = spawnSync(program, [...first, ...parameters], {
    cwd: path.join(root, folder),
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    shell: !isOwnNpm && process.platform === 'win32',
  });
  if (status !== 0) console.error(`${stdout ?? ''}${stderr ?? ''}`.trimEnd());
}

function installParts(missing) {
  const prefix = findAptPrefix();
  if (prefix === undefined) fail(explain(missing));
  const packages = missing.map((name) => parts[name].package);
  const failure = installPackages(prefix, packages);
  if (failure !== undefined) fail(`${failure}\n${explain(missing)}`);
}

/** What apt-get said when it failed. */
function installPackages(prefix, packages) {
  console.error(`Installing ${packages.join(', ')} with apt-get ...`);
  const failure =
    apt(prefix, ['update']) ??
    apt(prefix, ['install', '-y', '--no-install-recommends', ...packages]);
  if (failure === undefined) console.error(`Installed: ${packages.join(', ')}`);
  return failure;
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
  const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? undefined : `${stdout ?? ''}${stderr ?? ''}`.trimEnd();
}
