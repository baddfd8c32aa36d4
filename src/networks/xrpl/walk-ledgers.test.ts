// Each reason not to follow a server, alone: the rest of what it says is honest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import { type FakeLedger, fakeXrpl, seededXrplKey } from '#test/fakes/xrpl-ledger.ts';
import { readLedgerHeader } from './read-header.ts';
import type { ServerInfo } from './read-server-info.ts';
import { newestValidatedLedger, walkValidatedLedgers } from './walk-ledgers.ts';

const WHAT = 'live:XRP_LEDGER';
const start = Temporal.Instant.from('2026-01-01T12:00:00Z');
const { ledgers } = chainOf(1);

/** Ledgers that nothing but the account of a seed tells from those of another. */
function chainOf(seed: number) {
  let seconds = 0;
  const xrpl = fakeXrpl(() => start.add({ seconds }));
  xrpl.addAccount(seededXrplKey(seed));
  for (let count = 0; count < 5; count += 1) {
    seconds += 4;
    xrpl.close();
  }
  return xrpl;
}

function answerOf(ledger: FakeLedger) {
  const place = { ledger_hash: ledger.hash, ledger_index: ledger.index, validated: true };
  return { ...place, ledger: ledger.header };
}

const headers = ledgers.map((ledger) => readLedgerHeader(answerOf(ledger), undefined));
const [low, , , , , newest] = headers;
assert(low !== undefined && newest !== undefined);

function serverOf(known: readonly (FakeLedger | undefined)[]) {
  return {
    host: 'server.example',
    onLedger: () => undefined,
    close: () => undefined,
    async ask(_: string, { ledger_index: asked }: { readonly ledger_index?: unknown } = {}) {
      const found =
        asked === 'validated' ? known.at(-1) : known.find((ledger) => ledger?.index === asked);
      return found === undefined ? undefined : answerOf(found);
    },
  };
}

const info: ServerInfo = {
  networkId: 0n,
  version: '3.0.0',
  fault: undefined,
  isCatchingUp: false,
  complete: [[low.height, newest.height]],
};
const isOutage = (sentence: RegExp) => (error: unknown) =>
  error instanceof Outage && sentence.test(String(error));

test('the ledgers above the recorded one are read to the newest', async () => {
  const walked = await walkValidatedLedgers(serverOf(ledgers), WHAT, info, newest, low);
  assert.deepEqual(walked, { headers: headers.slice(1), isAtTip: true });
  const none = await walkValidatedLedgers(serverOf(ledgers), WHAT, info, newest, newest);
  assert.deepEqual(none, { headers: [], isAtTip: true });
});

test('a server that has less than is recorded is behind', async () => {
  const cursor = { ...newest, height: newest.height + 1n };
  const walking = walkValidatedLedgers(serverOf(ledgers), WHAT, info, newest, cursor);
  await assert.rejects(walking, isOutage(/the server is behind/));
});

test('a newest ledger of the same number and another hash is not the recorded one', async () => {
  const cursor = { ...newest, hash: 'BB'.repeat(32) };
  const walking = walkValidatedLedgers(serverOf(ledgers), WHAT, info, newest, cursor);
  await assert.rejects(walking, /is not the recorded one/);
});

test('a server without a ledger in between is not walked over', async () => {
  const complete = [
    [low.height, low.height + 1n],
    [low.height + 3n, newest.height],
  ] as const;
  const walking = walkValidatedLedgers(serverOf(ledgers), WHAT, { ...info, complete }, newest, low);
  await assert.rejects(walking, isOutage(new RegExp(`lacks ledger ${low.height + 2n}`)));
});

for (const place of [1, 3, 5]) {
  test(`ledger ${place} of another history does not follow the one before`, async () => {
    const other = chainOf(2).ledgers[place];
    const mixed = ledgers.map((ledger, index) => (index === place ? other : ledger));
    assert.notEqual(other?.hash, ledgers[place]?.hash);
    const tip = mixed.at(-1);
    assert(tip !== undefined);
    const end = readLedgerHeader(answerOf(tip), undefined);
    const walking = walkValidatedLedgers(serverOf(mixed), WHAT, info, end, low);
    await assert.rejects(walking, /does not follow .*, another history/);
  });
}

test('a server whose newest ledger is old stands still', async () => {
  const server = serverOf(ledgers);
  const at = (seconds: number) => () => newest.minedAt.add({ seconds });
  assert.deepEqual(await newestValidatedLedger(server, WHAT, at(120)), newest);
  await assert.rejects(
    newestValidatedLedger(server, WHAT, at(121)),
    isOutage(/stands still: .* 121 s old/),
  );
});

test('a server that has no ledger says so', async () => {
  await assert.rejects(
    newestValidatedLedger(serverOf([]), WHAT, () => start),
    /there is no ledger/,
  );
});
