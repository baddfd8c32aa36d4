// What we take from others (D2): few, exact, by their digest, and none of them runs at installation.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

type Manifest = {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
type Locked = {
  readonly version: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
};

const ROOT = dirname(import.meta.dirname);
const readJson = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as unknown;
const manifest = readJson('package.json') as Manifest;
const locked = Object.entries(
  (readJson('package-lock.json') as { packages: Record<string, Locked> }).packages,
).filter(([path]) => path !== '');

const PREFIX = 'node_modules/';
/**
 * Four of them, of OpenTelemetry, are loaded where there is a collector (decision 72); one reads the
 * manual (decision 76); one is only sent to browsers, and was installed for another before (decision 99).
 */
const MOST = 30;

test('every version is an exact one, and the lock file has that one', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const named = { ...dependencies, ...devDependencies, ...optionalDependencies };
  const versions = new Map(locked.map(([path, { version }]) => [path, version]));
  assert.ok(Object.keys(named).length > 20);
  for (const [name, version] of Object.entries(named)) {
    assert.match(version, /^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/, name);
    assert.equal(versions.get(PREFIX + name), version, name);
  }
});

test('what is installed is what was looked at: every package has its digest', () => {
  const without = locked.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''));
  assert.deepEqual(
    without.map(([path]) => path),
    [],
  );
});

test('no package of others runs anything when it is installed', () => {
  const { allowScripts } = manifest;
  assert.deepEqual(
    Object.entries(allowScripts).filter(([, isAllowed]) => isAllowed),
    [],
  );
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const unnamed = scripted
    .map(([path]) => path.slice(path.lastIndexOf(PREFIX) + PREFIX.length))
    .filter((name) => allowScripts[name] !== false);
  assert.deepEqual(unnamed, []);
});

test(`the service itself needs at most ${MOST} packages by name`, () => {
  assert.ok(Object.keys(manifest.dependencies).length <= MOST);
});
