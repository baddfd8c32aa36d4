// The Helm chart, as far as no program of others is needed to read it: `npm run test:helm` does the rest.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROLES, SETTINGS } from '#server/settings.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CHART = join(ROOT, 'packaging', 'helm', 'quittance');
const read = (path: string) => readFileSync(join(CHART, path), 'utf8');

test('the chart has the version of the program', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  for (const name of ['version', 'appVersion']) {
    assert.match(
      read('Chart.yaml'),
      new RegExp(`^${name}: ${version.replaceAll('.', '\\.')}$`, 'm'),
    );
  }
});

test('it names settings and roles that there are, and all roles', () => {
  const known = new Set(SETTINGS.map(({ name }) => name));
  const templates = readdirSync(join(CHART, 'templates'), { encoding: 'utf8' });
  const text = templates.map((name) => read(join('templates', name))).join('\n');
  const named = [
    ...text.matchAll(/^\s*-? ?(?:\{ )?name: ([A-Z][A-Z_]+)\b/gm),
    ...text.matchAll(/^ {2}([A-Z][A-Z_]+): /gm),
  ].map(([, name = '']) => name);
  assert.ok(named.length >= 6, named.join(' '));
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
  const values = JSON.parse(read('values.schema.json')) as {
    properties: { roles: { required: string[] } };
  };
  assert.deepEqual([...values.properties.roles.required].sort(), [...ROLES].sort());
});
