// Packages of others that npm run test:shims has installed apart from the dependencies.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

export function packageFolder(): string {
  const folder = process.env.QUITTANCE_TEST_PACKAGES;
  assert.ok(folder !== undefined, 'to be run by npm run test:shims');
  return folder;
}

/** What a module of them exports, as the story says that it is. */
export function loadPackage<T>(name: string): T {
  return createRequire(join(packageFolder(), 'package.json'))(name) as T;
}
