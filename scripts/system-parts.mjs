// What the tests need from the system and npm does not bring: two nodes and a browser. Installed
// where we may; otherwise one line says what to install. Never skipped.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fail } from './setup.mjs';

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
};

/** Environment variables with the paths of the programs. Ends the process when one cannot be had. */
export function provideSystemParts(names) {
  const missing = names.filter((name) => findPart(name) === undefined);
  if (missing.length > 0) installParts(missing);
  const stillMissing = names.filter((name) => findPart(name) === undefined);
  if (stillMissing.length > 0) fail(explain(stillMissing));
  return Object.fromEntries(names.map((name) => [parts[name].variable, findPart(name)]));
}

function findPart(name) {
  const { programs, variable } = parts[name];
  const given = process.env[variable];
  if (given !== undefined && fs.existsSync(given)) return given;
  const directories = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((entry) => entry !== '');
  const usual = ['/usr/bin', '/usr/local/bin'];
  return programs
    .flatMap((program) => [...directories, ...usual].map((entry) => path.join(entry, program)))
    .find((file) => fs.existsSync(file));
}

function explain(missing) {
  const names = missing.map((name) => parts[name].purpose).join(' and ');
  const packages = missing.map((name) => parts[name].package).join(' ');
  const variables = missing.map((name) => parts[name].variable).join(', ');
  return `The tests need ${names}: install the Debian packages "${packages}" (or set ${variables}).`;
}

function installParts(missing) {
  const prefix = findAptPrefix();
  if (prefix === undefined) fail(explain(missing));
  const packages = missing.map((name) => parts[name].package);
  console.error(`Installing ${packages.join(', ')} with apt-get ...`);
  const failure =
    apt(prefix, ['update']) ??
    apt(prefix, ['install', '-y', '--no-install-recommends', ...packages]);
  if (failure !== undefined) fail(`${failure}\n${explain(missing)}`);
  console.error(`Installed: ${packages.join(', ')}`);
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
