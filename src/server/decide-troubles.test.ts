import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import { parseDecimal } from '#money/decimal.ts';
import { decideTroubles, type MoreFacts } from './decide-troubles.ts';
import type { Facts } from './facts.ts';

const AT = Temporal.Instant.from('2030-01-01T12:00:00Z');
const ago = (minutes: number) => AT.subtract({ minutes });

type Chain = Facts['chains'][number];

const STATUS = {
  chain: chainOf('live', 'LITECOIN'),
  height: 10n,
  hash: 'h',
  tipHeight: 10n,
  heardAt: AT,
  identity: 'i',
  brake: undefined,
  brakeCauses: undefined,
  fault: undefined,
  lag: 0n,
};

const CHAIN: Chain = {
  chain: chainOf('live', 'LITECOIN'),
  description: 'node',
  nodeVersion: undefined,
  error: undefined,
  status: STATUS,
  isBehind: false,
  newestBlockSeconds: 60,
  heardSecondsAgo: 1,
  leader: undefined,
  gap: undefined,
  holdings: [],
  heldPayments: 0n,
  advice: [],
};

const HOLDING = {
  chain: CHAIN.chain,
  assetId: 'LTC:NATIVE',
  heldUnits: 100_000_000n,
  custodyUnits: 100_000_000n,
  underWayUnits: 0n,
  checkedAt: AT,
};

const WELL: Facts = {
  at: AT,
  chains: [CHAIN],
  deliveries: { waiting: 0, oldestAt: null, untriedSince: null, receiversAway: 0 },
  mails: { waiting: 0, oldestAt: null },
  parked: {},
  rates: { usable: 9, oldestAt: AT },
  openUsd: '0',
  signers: [{ chain: CHAIN.chain, fault: undefined }],
  disk: { freeBytes: 500e9, totalBytes: 1000e9 },
  backups: [],
  heldLogBytes: undefined,
};

type Case = readonly [what: string, more: Partial<MoreFacts>, troubles: readonly string[]];

const facts = (more: Partial<Facts>): Partial<MoreFacts> => ({ facts: { ...WELL, ...more } });
const chain = (more: Partial<Chain>) => facts({ chains: [{ ...CHAIN, ...more }] });
const deliveries = (more: Partial<Facts['deliveries']>) =>
  facts({ deliveries: { ...WELL.deliveries, ...more } });
const least = (amount: string) => [
  { chain: CHAIN.chain, assetId: 'LTC:NATIVE', least: parseDecimal(amount) },
];

const CASES: readonly Case[] = [
  ['all is well', {}, []],
  [
    'the brake is on, and holds two payments',
    chain({ status: { ...STATUS, brake: 'slow blocks' }, heldPayments: 2n }),
    ['brake live:LITECOIN: slow blocks; 2 large payments held'],
  ],
  ['a node is away', chain({ isBehind: true, error: 'refused' }), ['node live:LITECOIN: refused']],
  [
    'a chain is behind, and nobody says why',
    chain({ isBehind: true, status: { ...STATUS, lag: 3n }, heardSecondsAgo: 90 }),
    ['node live:LITECOIN: 3 blocks behind, heard 90 s ago'],
  ],
  [
    'a chain was never heard',
    chain({ isBehind: true, status: undefined }),
    ['node live:LITECOIN: it was never heard'],
  ],
  [
    'of the sandbox nobody expects anything',
    chain({ chain: chainOf('test', 'LITECOIN'), isBehind: true }),
    [],
  ],
  [
    'less is held than the ledger says',
    chain({ holdings: [{ ...HOLDING, custodyUnits: 100_000_001n }] }),
    ['custody live:LITECOIN LTC:NATIVE: 0.00000001 LTC less: moved by you, or missing'],
  ],
  ['webhooks that wait for nine minutes', deliveries({ untriedSince: ago(9) }), []],
  [
    'webhooks that nobody sends',
    deliveries({ untriedSince: ago(12) }),
    [
      'outbox : the oldest waits for its first attempt since 12 min: does a process run with role deliver?',
    ],
  ],
  ['webhooks that are tried again for days', deliveries({ oldestAt: ago(5_000) }), []],
  [
    'receivers that fail',
    deliveries({ receiversAway: 1 }),
    ['receivers : 1 receiver failed again and again'],
  ],
  [
    'mails that wait',
    facts({ mails: { waiting: 3, oldestAt: ago(61) } }),
    ['mail : the oldest of 3 waits since 61 min: npx quittance mail list'],
  ],
  [
    'what is parked',
    facts({ parked: { transfer: 1, refund: 2, send: 1, checkout: 1, delivery: 9, payment: 1 } }),
    [
      'transfers : 3 wait: npx quittance parked list',
      'sending : 1 wait: npx quittance parked list',
      'undecided : 1 wait: npx quittance parked list',
    ],
  ],
  [
    'no price may be used',
    facts({ rates: { usable: 0, oldestAt: undefined } }),
    ['rates : no price source agrees on any live price'],
  ],
  ['nobody is asked for prices', facts({ rates: undefined }), []],
  [
    'whoever signs is away',
    facts({ signers: [{ chain: CHAIN.chain, fault: 'no socket' }] }),
    ['signer live:LITECOIN: no socket'],
  ],
  ['a balance is enough', { ...chain({ holdings: [HOLDING] }), balances: least('1') }, []],
  [
    'a balance is low',
    { ...chain({ holdings: [HOLDING] }), balances: least('1.5') },
    ['balance live:LITECOIN LTC:NATIVE: 1 LTC of at least 1.5'],
  ],
  ['a balance was never looked at', { balances: least('1.5') }, []],
  ['a large disk with 5 % free', facts({ disk: { freeBytes: 50e9, totalBytes: 1000e9 } }), []],
  [
    'a disk with 5 % free',
    facts({ disk: { freeBytes: 5e9, totalBytes: 100e9 } }),
    ['disk : 5000 MB are free where the data is'],
  ],
  ['a backup of an hour ago', { backup: { madeAt: ago(60), hours: 26 } }, []],
  [
    'a backup that is too old',
    { backup: { madeAt: ago(27 * 60), hours: 26 } },
    ['backup : made 2029-12-31T09:00:00Z, may be 26 h old'],
  ],
  [
    'a backup of the service that is young',
    { lastBackup: { ok: true, detail: 'q is 1 h old' } },
    [],
  ],
  [
    'one that is too old, or a place that is away',
    { lastBackup: { ok: false, detail: 'there is none in /backups' } },
    ['backup : there is none in /backups'],
  ],
  [
    'increments that go on beside a backup that is young',
    { lastBackup: { ok: true, detail: 'q' }, increments: { ok: true, detail: '3 minutes old' } },
    [],
  ],
  [
    'increments that do not go on',
    { increments: { ok: false, detail: 'number 4 is 70 minutes old' } },
    ['increments : number 4 is 70 minutes old'],
  ],
  [
    'no backup at all',
    { backup: { madeAt: undefined, hours: 26 } },
    ['backup : ALERT_BACKUP_FILE is not there'],
  ],
];

for (const [what, more, troubles] of CASES) {
  test(what, () => {
    const known: MoreFacts = { facts: WELL, balances: [], backup: undefined, ...more };
    assert.deepEqual(
      decideTroubles(known).map(({ kind, subject, detail }) => `${kind} ${subject}: ${detail}`),
      troubles,
    );
  });
}
