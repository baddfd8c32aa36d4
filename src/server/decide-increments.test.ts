// What is said of increments, and when somebody has to do something.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideIncrements, type LogFacts } from './decide-increments.ts';

const NOW = Temporal.Instant.from('2026-11-28T12:00:00Z');
const chain = 'quittance-wal-20261128T000000Z';
const at = (minutes: number, gap?: string) => ({
  ...{ chain, number: 4, gap },
  createdAt: NOW.subtract({ minutes }),
});
const slot = { heldBytes: 34_000_000n, mostBytes: 8_589_934_592n, isLost: false };
const WELL: LogFacts = {
  ...{ now: NOW, everyMinutes: 15, place: '/backups', newest: at(12), slot },
};

type Case = readonly [what: string, more: Partial<LogFacts>, ok: boolean, said: RegExp];

const BY_HAND = { everyMinutes: undefined };
const CASES: readonly Case[] = [
  [
    'one that is young',
    {},
    true,
    /^number 4 of \S+ in \/backups is 12 minutes old; the server keeps 34 MB of log for the next one, of 8590 MB$/,
  ],
  ['twice its time is not too old', { newest: at(30) }, true, /30 minutes old/],
  ['more than that is', { newest: at(31) }, false, /31 minutes old.*role settle/],
  ['none yet', { newest: undefined, slot: undefined }, false, /there is none in \/backups: .*log/],
  ['one is missing', { newest: at(1, 'increment 2 is missing') }, false, /increment 2 is missing/],
  ['the slot is gone', { slot: undefined }, false, /keeps no log for .* begins a new chain/],
  ['the log was let go', { slot: { ...slot, isLost: true } }, false, /has let go log/],
  [
    'more than half of what may be kept is kept',
    { slot: { ...slot, heldBytes: 4_300_000_000n } },
    false,
    /keeps 4300 MB .* of 8590 MB; npx quittance backup wal stores it, select pg_drop_/,
  ],
  [
    'a server that keeps any amount is told how to be bounded',
    { slot: { ...slot, mostBytes: undefined } },
    true,
    /without a bound: alter system set max_slot_wal_keep_size = '8GB'$/,
  ],
  [
    'and much of it is too much',
    { slot: { ...slot, mostBytes: undefined, heldBytes: 4_000_000_001n } },
    false,
    /keeps 4001 MB/,
  ],
  ['by hand an hour is not old', { ...BY_HAND, newest: at(60) }, true, /60 minutes old/],
  ['by hand two days are', { ...BY_HAND, newest: at(2_881) }, false, /npx quittance backup wal/],
  [
    'a slot that nobody empties',
    { ...BY_HAND, newest: undefined },
    false,
    /no chain is in \/backups; to make none any more: select pg_drop_replication_slot/,
  ],
  [
    'a place that is not known here',
    { ...BY_HAND, newest: undefined, place: undefined },
    true,
    /^warning: BACKUP_TO is not set, .* keeps 34 MB/,
  ],
  [
    'those who stopped are left alone',
    { ...BY_HAND, newest: at(90_000, 'increment 2 is missing'), slot: undefined },
    true,
    /none is made any more$/,
  ],
];

for (const [what, more, ok, said] of CASES) {
  test(what, () => {
    const found = decideIncrements({ ...WELL, ...more });
    assert.ok(found !== undefined);
    assert.match(found.detail, said);
    assert.equal(found.ok, ok, found.detail);
  });
}

test('where nobody makes any nothing is said', () => {
  const nothing = { ...BY_HAND, newest: undefined, slot: undefined };
  assert.equal(decideIncrements({ ...WELL, ...nothing }), undefined);
});
