// What may import what: the folders from the lowest up, libraries and their homes, doors, circles.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTest, offences, type SourceFile } from '#test/support/list-code.ts';
import { readSource } from '#test/support/read-source.ts';
import { DOORS, FILES_IN_CIRCLES } from '#test/support/tidy-exceptions.ts';

/** Which folders a folder may import. docs/map.md shows the same table; edges never each other. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  runtime: ['base'],
  metrics: ['base'],
  // Fonts and colours of pages, and what can be read on what.
  look: ['base'],
  tracing: ['base'],
  money: ['base'],
  // What each dated version of the API changed, and the way back to those before it.
  versions: ['base', 'money'],
  db: ['base'],
  postgres: ['base', 'runtime', 'db'],
  catalog: ['base', 'money'],
  // What merchants ask payers before a way to pay is offered, and what they may answer.
  ask: ['base', 'money', 'db', 'catalog'],
  installation: ['base', 'runtime', 'db'],
  merchant: ['ask', 'base', 'runtime', 'look', 'db', 'catalog', 'installation'],
  access: ['ask', 'base', 'runtime', 'db', 'versions', 'catalog', 'installation', 'merchant'],
  // What programs asked of the API: written by `api`, shown by `pages`.
  'request-log': ['base', 'money', 'db', 'versions', 'catalog', 'access'],
  rates: ['base', 'money', 'db', 'catalog'],
  ledger: ['base', 'money', 'db', 'catalog'],
  // Who did what: every folder that does something with money on its way out notes it.
  audit: ['base', 'db', 'catalog'],
  // The outbox of mails: whoever tells somebody writes a row of it.
  mail: ['base', 'runtime', 'db', 'catalog', 'installation'],
  // People who sign in to the dashboard.
  staff: [
    'base',
    'runtime',
    'db',
    'catalog',
    'installation',
    'merchant',
    'access',
    'audit',
    'mail',
  ],
  treasury: ['base', 'money', 'db', 'catalog', 'rates', 'ledger'],
  // A process of its own, as the signer is (trader/apart.test.ts).
  trader: ['base', 'runtime', 'money', 'catalog'],
  trading: ['audit', 'base', 'money', 'db', 'catalog', 'rates', 'treasury', 'trader'],
  spending: ['audit', 'base', 'money', 'db', 'catalog', 'rates', 'ledger'],
  // What one process at a time does for all of them.
  lease: ['base', 'runtime', 'db'],
  deposit: ['base', 'runtime', 'db', 'catalog'],
  chain: ['base', 'runtime', 'money', 'db', 'catalog', 'ledger', 'lease', 'deposit'],
  // Letting go what the brake of a chain holds.
  brake: ['audit', 'base', 'money', 'db', 'catalog', 'merchant', 'mail', 'staff', 'chain'],
  webhook: ['base', 'catalog', 'merchant', 'access'],
  // Checkouts and events in the words of other services: texts in, texts out.
  dialect: ['base', 'money'],
  // Told to whoever looks after the installation.
  alert: ['base', 'db', 'installation', 'mail', 'webhook'],
  event: [
    'base',
    'runtime',
    'money',
    'versions',
    'db',
    'catalog',
    'installation',
    'merchant',
    'access',
    'ledger',
    'tracing',
    'webhook',
    'dialect',
  ],
  anchor: ['base', 'money', 'db', 'catalog', 'deposit', 'webhook'],
  people: ['base', 'money', 'db', 'catalog', 'installation', 'mail'],
  settle: [
    'base',
    'money',
    'db',
    'catalog',
    'ledger',
    'tracing',
    'treasury',
    'deposit',
    'chain',
    'event',
  ],
  charge: ['ask', 'base', 'money', 'catalog'],
  'deposit-address': [
    'base',
    'money',
    'db',
    'catalog',
    'merchant',
    'access',
    'ledger',
    'deposit',
    'chain',
    'event',
    'settle',
  ],
  swap: [
    'audit',
    'base',
    'runtime',
    'money',
    'db',
    'catalog',
    'access',
    'rates',
    'ledger',
    'spending',
    'treasury',
    'event',
  ],
  transfer: [
    'audit',
    'base',
    'runtime',
    'money',
    'db',
    'catalog',
    'installation',
    'ledger',
    'spending',
    'tracing',
    'event',
    'people',
  ],
  checkout: [
    'ask',
    'base',
    'runtime',
    'money',
    'db',
    'catalog',
    'charge',
    'merchant',
    'access',
    'rates',
    'treasury',
    'deposit',
    'chain',
    'anchor',
    'people',
    'settle',
    'transfer',
  ],
  'checkout-settlement': [
    'ask',
    'audit',
    'base',
    'money',
    'db',
    'catalog',
    'rates',
    'ledger',
    'treasury',
    'deposit',
    'chain',
    'event',
    'anchor',
    'settle',
    'checkout',
  ],
  refund: [
    'audit',
    'base',
    'runtime',
    'money',
    'db',
    'catalog',
    'ledger',
    'spending',
    'deposit',
    'event',
    'people',
    'checkout',
    'checkout-settlement',
    'transfer',
  ],
  // What people of a shop keep for their own work: notes on checkouts, saved views.
  desk: ['base', 'db', 'catalog'],
  // What a shop sells at its counter.
  counter: ['base', 'db', 'catalog', 'money'],
  // Addresses that are paid again and again.
  'payment-link': [
    'access',
    'ask',
    'base',
    'db',
    'catalog',
    'money',
    'charge',
    'checkout',
    'checkout-settlement',
  ],
  // What customers and people of a merchant are mailed of what happened.
  'status-mail': [
    'access',
    'audit',
    'base',
    'billing',
    'runtime',
    'money',
    'staff',
    'db',
    'catalog',
    'installation',
    'merchant',
    'mail',
    'event',
    'people',
    'checkout',
    'checkout-settlement',
    'refund',
  ],
  // Invoices that a shop sends.
  billing: [
    'access',
    'audit',
    'base',
    'money',
    'db',
    'catalog',
    'charge',
    'merchant',
    'people',
    'checkout',
    'checkout-settlement',
  ],
  suspense: [
    'audit',
    'base',
    'runtime',
    'money',
    'db',
    'catalog',
    'merchant',
    'ledger',
    'spending',
    'chain',
    'event',
    'settle',
    'checkout',
    'checkout-settlement',
    'deposit-address',
    'transfer',
    'refund',
  ],
  sending: [
    'audit',
    'base',
    'runtime',
    'money',
    'db',
    'catalog',
    'rates',
    'deposit',
    'chain',
    'transfer',
    'signer',
  ],
  invoice: ['base', 'catalog', 'db', 'deposit', 'transfer', 'sending'],
  // Orders of the house at the market of a network, as transactions.
  market: [
    'audit',
    'base',
    'money',
    'db',
    'catalog',
    'rates',
    'treasury',
    'trading',
    'deposit',
    'chain',
    'sending',
    'signer',
  ],
  // Payments by HTTP 402: what payers signed, and we send.
  x402: ['base', 'money', 'db', 'catalog', 'rates', 'deposit', 'checkout', 'sending', 'signer'],
  // What was left for a receiver to fetch, and comes back to us.
  claimable: ['base', 'catalog', 'db', 'deposit', 'transfer', 'sending'],
  custody: [
    'audit',
    'market',
    'treasury',
    'spending',
    'base',
    'money',
    'db',
    'catalog',
    'ledger',
    'deposit',
    'chain',
    'settle',
    'transfer',
    'sending',
  ],
  'settlement-rule': [
    'base',
    'runtime',
    'money',
    'db',
    'catalog',
    'merchant',
    'access',
    'staff',
    'ledger',
    'chain',
    'event',
    'people',
    'swap',
    'transfer',
  ],
  report: ['base', 'money', 'db', 'catalog', 'ledger', 'charge'],
  // All of the database out of it and into an empty one.
  backup: ['base', 'runtime', 'db', 'postgres', 'installation', 'ledger'],
  // The log of the database since the last increment, and all of them back into one.
  increment: ['base', 'postgres', 'db', 'backup'],
  // What came in, summed by day while it comes in.
  takings: [
    'billing',
    'base',
    'runtime',
    'money',
    'db',
    'catalog',
    'event',
    'checkout',
    'deposit-address',
    'report',
  ],
  // A process of its own: no database, no web (signer/apart.test.ts).
  signer: ['base', 'runtime', 'money', 'catalog', 'people'],
  networks: [
    'audit',
    'signer',
    'base',
    'runtime',
    'money',
    'db',
    'catalog',
    'merchant',
    'rates',
    'ledger',
    'lease',
    'deposit',
    'chain',
    'webhook',
    'event',
    'anchor',
    'people',
    'checkout',
    'checkout-settlement',
    'transfer',
  ],
  // What settings and the machine are looked at for.
  checkup: ['base', 'db', 'access', 'rates', 'mail'],
  api: [
    'look',
    'ask',
    'versions',
    'audit',
    'x402',
    'base',
    'runtime',
    'money',
    'db',
    'catalog',
    'installation',
    'merchant',
    'access',
    'rates',
    'request-log',
    'ledger',
    'spending',
    'deposit',
    'webhook',
    'dialect',
    'event',
    'people',
    'settle',
    'charge',
    'checkout',
    'checkout-settlement',
    'deposit-address',
    'swap',
    'transfer',
    'settlement-rule',
    'refund',
    'suspense',
    'report',
  ],
  pages: [
    'ask',
    'versions',
    'audit',
    'brake',
    'billing',
    'access',
    'spending',
    'swap',
    'settlement-rule',
    'suspense',
    'base',
    'runtime',
    'money',
    'db',
    'catalog',
    'look',
    'merchant',
    'rates',
    'request-log',
    'ledger',
    'chain',
    'webhook',
    'event',
    'deposit-address',
    'settle',
    'spending',
    'takings',
    'people',
    'charge',
    'checkout',
    'checkout-settlement',
    'counter',
    'desk',
    'payment-link',
    'refund',
    'transfer',
    'report',
    'staff',
    'mail',
    'status-mail',
  ],
};
/** May import everything: they put the parts together. */
const COMPOSITION = ['', 'server', 'cli', 'remote'];

/** Libraries that belong to some folders only. */
const LIBRARY_HOMES: readonly (readonly [library: RegExp, homes: readonly string[]])[] = [
  [/^pg$/, ['db', 'postgres']],
  [/^(?:hono|@hono\/)/, ['api', 'pages']],
  [/^@noble\//, ['networks', 'signer']],
  [/^(?:@scure\/|zeromq)/, ['networks']],
  [/^@rgrove\//, ['backup', 'networks']],
  [/^age-encryption/, ['backup']],
  [/^@stellar\//, ['networks', 'anchor']],
  [/^smol-toml/, ['anchor', 'signer', 'trader']],
  [/^ccxt/, ['trader']],
  [/^(?:@simplewebauthn\/|otpauth|@zxcvbn-ts\/)/, ['staff']],
  [/^(?:sharp|pdfkit|d3-)/, ['pages']],
  [/^nodemailer/, ['mail']],
  [/^@opentelemetry\//, ['tracing']],
  [
    /^zod/,
    [
      ...['backup', 'increment', 'money', 'charge', 'api', 'people', 'runtime', 'signer', 'trader'],
      ...['ask', 'x402'],
    ],
  ],
  [/^(?:node:)?process$/, ['', 'server', 'cli', 'remote', 'runtime', 'db', 'postgres', 'checkup']],
  // Judges in tests, which nobody who installs the service needs.
  [
    /^(?:viem|smtp-server|mailparser|ipaddr\.js|ripple-|light-bolt11|standardwebhooks|fast-check)/,
    [],
  ],
];

const DOORS_MAX = 8;

function importsOf(file: SourceFile): string[] {
  const pattern =
    /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...file.text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

test('imports inside a folder are ./file.ts, across folders #folder/file.ts, and never ../', () => {
  assert.deepEqual(
    offences((file) =>
      importsOf(file).filter(
        (path) => /^\.\.\//.test(path) || (/^\.\/.*\//.test(path) && file.folder === ''),
      ),
    ),
    [],
  );
});

test('imports between folders go down only', () => {
  assert.deepEqual(
    offences((file) => {
      if (isTest(file) || COMPOSITION.includes(file.folder)) return [];
      const allowed = MAY_IMPORT[file.folder];
      if (allowed === undefined) return [`the folder ${file.folder} is not in the table`];
      return importsOf(file)
        .filter((path) => path.startsWith('#'))
        .filter((path) => {
          const target = path.slice(1).split('/')[0] ?? '';
          return target !== file.folder && !allowed.includes(target);
        });
    }),
    [],
  );
});

test('SQL of a folder is imported only inside it', () => {
  assert.deepEqual(
    offences((file) => importsOf(file).filter((path) => /^#.*-store\.ts$/.test(path))),
    [],
  );
});

test('a library is used only in the folders it belongs to', () => {
  assert.deepEqual(
    offences((file) => {
      if (isTest(file)) return [];
      return importsOf(file).filter((path) =>
        LIBRARY_HOMES.some(
          ([library, homes]) => library.test(path) && !homes.includes(file.folder),
        ),
      );
    }),
    [],
  );
});

const PRODUCT = readSource().filter(({ isProduct }) => isProduct);
const FOLDER_OF = new Map(PRODUCT.map(({ path, folder }) => [path, folder]));

/** Files that other folders import, by folder, as paths inside it. */
function doorsByFolder(): Record<string, string[]> {
  const doors = PRODUCT.flatMap(({ folder, imports }) =>
    imports
      .map(({ from }) => [FOLDER_OF.get(from) ?? '', from] as const)
      .filter(([owner, from]) => from.startsWith('src/') && owner !== folder),
  );
  const named = [...Map.groupBy(doors, ([folder]) => folder)].map(([folder, list]) => {
    const paths = list.map(([, path]) => path.slice(`src/${folder}/`.length, -'.ts'.length));
    return [folder, [...new Set(paths)].sort()] as const;
  });
  return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)));
}

test('the doors of a folder, files that other folders import, are those that are named', () => {
  assert.deepEqual(doorsByFolder(), DOORS);
});

test('a folder has at most eight doors', () => {
  const above = Object.entries(DOORS)
    .map(([folder, doors]) => [folder, doors.length] as const)
    .filter(([, count]) => count > DOORS_MAX);
  assert.deepEqual(above, []);
});

/** How many there are, by folder. */
function countByFolder(
  found: Iterable<readonly [folder: string, what: string]>,
): Record<string, number> {
  const counts = [...Map.groupBy(found, ([folder]) => folder)].map(
    ([folder, list]) => [folder, new Set(list.map(([, what]) => what)).size] as const,
  );
  return Object.fromEntries(counts.sort());
}

test('no file imports itself by way of others', () => {
  const found = filesInCircles().map((path) => [FOLDER_OF.get(path) ?? '', path] as const);
  assert.deepEqual(countByFolder(found), FILES_IN_CIRCLES);
});

function filesInCircles(): string[] {
  const importsOf = new Map(PRODUCT.map(({ path, imports }) => [path, imports]));
  return [...importsOf.keys()].filter((start) => {
    const reached = new Set<string>();
    const open = [start];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      for (const { from } of importsOf.get(path) ?? []) {
        if (from === start) return true;
        if (!reached.has(from)) open.push(from);
        reached.add(from);
      }
    }
    return false;
  });
}
