// compose.yaml and what it mounts: that it names settings, files and metrics that there are, asks
// for two values alone, and gives no container more than it needs. It is brought up by
// `npm run test:compose`.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '#server/config.ts';
import { SETTINGS } from '#server/settings.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const compose = read('compose.yaml');

/** Lines of one service, without comments. */
function serviceOf(name: string): string {
  const [, all = ''] = /^services:\n([\s\S]*?)^networks:/m.exec(compose) ?? [];
  const parts = all.split(/^ {2}(?=\w+:$)/m);
  const found = parts.find((part) => part.startsWith(`${name}:`));
  assert.ok(found, name);
  return found.replace(/^\s*#.*$/gm, '');
}

test('two values are asked for, and nothing else', () => {
  const asked = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(asked)].sort(), ['QUITTANCE_DOMAIN', 'QUITTANCE_MAIL']);
  const without = [...compose.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
  assert.deepEqual(without, [], 'every other one has a value of its own');
});

test('the service is given settings that it takes', () => {
  const [, lines = ''] = /environment:\n((?: {6}.*\n|\n)+)/.exec(serviceOf('quittance')) ?? [];
  const pairs = [...lines.matchAll(/^ {6}(\w+): '?(.*?)'?$/gm)].map(
    ([, name = '', value = '']): [string, string] => [
      name,
      value.replace(/\$\{QUITTANCE_DOMAIN.*?\}/, 'pay.shop.example'),
    ],
  );
  assert.ok(pairs.length >= 5, lines);
  const known = new Set(SETTINGS.map(({ name }) => name));
  for (const [name] of pairs) assert.ok(known.has(name), name);
  const environment = Object.fromEntries(pairs);
  const config = readConfig({ environment, file: undefined, directory: '/data' });
  assert.equal(config.publicUrl, 'https://pay.shop.example');
});

/** Settings as the table of containers.md tells them for a profile; "the same with" written out. */
function toldFor(profile: string): Map<string, string> {
  const book = read('docs/operate/containers.md');
  const start = `| \`--profile ${profile}\``;
  const row = book.split('\n').find((line) => line.startsWith(start)) ?? '';
  assert.notEqual(row, '', profile);
  const [, prefix, address] = /the same with `(\w+_)` and `([\w:]+)`/.exec(row) ?? [];
  if (prefix === undefined || address === undefined) {
    return new Map([...row.matchAll(/`([A-Z_]+)=([^`]+)`/g)].map(([, name, to]) => [name!, to!]));
  }
  const [host] = address.split(':');
  const other = ([name, to]: [string, string]): [string, string] => [
    name.replace('BITCOIN_', prefix),
    to.replace('bitcoind:8332', address).replace('bitcoind', host!).replace('bitcoin', profile),
  ];
  return new Map([...toldFor('bitcoin')].map(other));
}

const DESCRIPTOR =
  'wpkh([d34db33f/84h/0h/0h]xpub6CUGRUonZSQ4TWtTMmzXdrXDtypWKiKrhko4egpiMZbpiaQL2jkwSB1icqYh2cfDfVxdx4df189oLKnC5fSwqPfgyP3hooxujYzAu3fDVmz/0/*)';
const DEFAULT_PORTS: Readonly<Record<string, string>> = { bitcoind: '8332', litecoind: '9332' };

test('what is told for a node of a profile is taken, and is where that node answers', () => {
  const profiles = { bitcoin: 'bitcoind', litecoin: 'litecoind', lightning: 'lnd' };
  for (const [profile, service] of Object.entries(profiles)) {
    const node = serviceOf(service);
    assert.match(node, new RegExp(`profiles: \\[.*\\b${profile}\\b`));
    const told = toldFor(profile);
    const given = {
      PUBLIC_URL: 'https://pay.shop.example',
      ...(profile === 'lightning'
        ? { LIGHTNING_MACAROON_FILE: '/data/quittance.macaroon' }
        : { [`${profile.toUpperCase()}_DESCRIPTOR`]: DESCRIPTOR }),
      ...Object.fromEntries(told),
    };
    const { networks } = readConfig({ environment: given, file: undefined, directory: '/data' });
    assert.equal(networks.utxo.length + networks.lightning.length, 1, profile);
    const urls = [...told].filter(([, to]) => to.includes('://'));
    assert.ok(urls.length > 0, profile);
    for (const [name, to] of urls) {
      const { hostname, port } = new URL(to);
      assert.equal(hostname, service, name);
      const isOpen = node.includes(`0.0.0.0:${port}`) || DEFAULT_PORTS[service] === port;
      assert.ok(isOpen, `${service} does not listen on ${port}: ${name}`);
    }
    for (const [name, path] of told) {
      if (!name.endsWith('_FILE')) continue;
      // What the node writes into its volume is read where the service has that volume.
      const [, volume] = /^\/nodes\/(\w+)\//.exec(path) ?? [];
      assert.ok(serviceOf('quittance').includes(`- ${volume}:/nodes/${volume}:ro`), path);
      assert.match(node, new RegExp(`\\b${volume}:/(?:home/${volume}/|root/)\\.\\w+`));
    }
  }
});

test('every container runs on a root that is not written to, with no right and no way to more', () => {
  const names = [...compose.matchAll(/^ {2}(\w+):\n {4}<<: \*least$/gm)].map(([, name]) => name!);
  const [, services = ''] = /^services:\n([\s\S]*?)^networks:/m.exec(compose) ?? [];
  const all = [...services.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name);
  assert.deepEqual(names, all);
  const least = /^x-least:[\s\S]*?^services:/m.exec(compose)?.[0] ?? '';
  for (const line of [/read_only:\strue/, /cap_drop: \[ALL\]/, /no-new-privileges:true/]) {
    assert.match(least, line);
  }
  assert.deepEqual(compose.match(/cap_add: .*/g), ['cap_add: [NET_BIND_SERVICE]']);
  assert.match(serviceOf('database'), /network_mode: none/);
});

test('what is mounted is there, and every volume and network is declared', () => {
  for (const [, path = ''] of compose.matchAll(/^\s+- (\.\/[^:]+):/gm)) {
    assert.ok(existsSync(join(ROOT, path)), path);
  }
  const [, declared = ''] = /^volumes:\n([\s\S]*)$/m.exec(compose) ?? [];
  const volumes = new Set([...declared.matchAll(/^ {2}([\w-]+):/gm)].map(([, name]) => name));
  const mounted = [...compose.matchAll(/(?:- |\[')([a-z][\w-]*):\/[a-z]/g)].map(([, name]) => name);
  assert.ok(mounted.length > 8);
  assert.deepEqual(
    [...new Set(mounted)].filter((name) => !volumes.has(name!)),
    [],
  );
});

test('alerts and charts ask for metrics that the service has', () => {
  const folder = join(ROOT, 'packaging/compose/grafana/dashboards');
  const boards = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  for (const board of boards) assert.ok((JSON.parse(board) as { panels: [] }).panels.length > 5);
  const asked = [read('packaging/compose/alerts.yml'), ...boards].flatMap(
    (text) => text.match(/\bquittance_[a-z_]+/g) ?? [],
  );
  const source = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /metrics?|meters/.test(name) && name.endsWith('.ts'))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
    .join('\n');
  const missing = [...new Set(asked)]
    .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
    .filter((name) => !source.includes(`'${name}'`));
  assert.deepEqual(missing, []);
});
