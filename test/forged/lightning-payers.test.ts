// Whatever somebody who pays over Lightning can choose: how much beyond what was asked, in how many
// parts, with which records and texts, by an invoice or without one, held, given up, out of order.
// The honest payment beside it is credited at once, and what is credited is what arrived.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { openLightningNetworks } from '#networks/lightning/open-lightning-networks.ts';
import {
  type FakeLightningNode,
  NODE_KINDS,
  openFakeLightningNode,
} from '#test/fakes/lightning-node.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { byLength } from '#test/support/run-length.ts';
import { type ForgedWorld, openForgedWorld } from './forged-world.ts';

const BTC = 'BTC:NATIVE';
const UNITS = 12_000n;
const RUNS = byLength({ short: 4, long: 40 });

type Row = Record<string, unknown>;

/** Texts that stand where ours do, or that no reader expects. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('', 'Payment abcdefghijkl', 'quittance/abcdefghijkl', 'SETTLED', '\u0000', '"}]'),
);
const deed = fc.oneof(
  fc.record({ kind: fc.constant('unasked' as const), text, units: fc.bigInt(1n, 10n ** 9n) }),
  fc.record({ kind: fc.constant('held' as const), isGivenUp: fc.boolean() }),
  fc.record({ kind: fc.constant('never' as const) }),
  fc.record({ kind: fc.constant('more' as const), more: fc.bigInt(0n, UNITS * 1000n) }),
);
const schedule = fc.record({
  before: fc.array(deed, { maxLength: 3 }),
  after: fc.array(deed, { maxLength: 3 }),
  more: fc.bigInt(0n, UNITS * 1000n),
  parts: fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 1, maxLength: 16 }),
  records: fc.dictionary(fc.string({ maxLength: 20 }), text, { maxKeys: 4, noNullPrototype: true }),
  failedParts: fc.nat(3),
});
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;
type Schedule = typeof schedule extends fc.Arbitrary<infer Value> ? Value : never;

/** In the parts it came in, with those that failed on the way and records of the payer. */
function inParts(total: bigint, { parts, records, failedParts }: Schedule): Row[] {
  let left = total;
  const settled = parts.map((part, at) => {
    const share = at === parts.length - 1 ? left : BigInt(Math.floor(Number(left) * part * 0.5));
    left -= share;
    return { amt_msat: String(share), state: 'SETTLED', custom_records: records };
  });
  const failed = Array.from({ length: failedParts }, () => ({
    amt_msat: String(total),
    state: 'CANCELED',
    custom_records: records,
  }));
  return [...failed, ...settled].map((htlc, at) => ({
    chan_id: '1',
    htlc_index: `${at}`,
    ...htlc,
  }));
}

for (const kind of NODE_KINDS) {
  describe(`payers of ${kind}`, () => {
    const clock = manualClock('2026-01-01T12:00:00Z');
    let node: FakeLightningNode;
    let world: ForgedWorld;
    let expected = 0n;

    before(async () => {
      node = await openFakeLightningNode(kind, clock);
      const networks = openLightningNetworks.bind(undefined, [node.settings]);
      world = await openForgedWorld({ networks, clock });
      assert.deepEqual(await world.observe(), []);
    });
    after(async () => {
      await world?.close();
      await node?.close();
    });

    const commit = () => world.createAndCommit('LIGHTNING', BTC, UNITS);

    /** As keysend has it: the payer chose the preimage and the text; a program of the node made it. */
    function payUnasked(words: string, units: bigint): void {
      const foreign = node.addForeign(units);
      const preimage = createHash('sha256').update(`of a payer ${foreign.index}`).digest('hex');
      const hash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex');
      // Electrum takes no such payments: the text of a request is the operator's.
      const memo = kind === 'electrum' ? 'of another program' : words;
      const label = `keysend-${foreign.index} ${words}`;
      const unasked = { ...foreign, preimage, paymentHash: hash, memo, label };
      node.invoices[node.invoices.indexOf(foreign)] = unasked;
      node.pay(hash);
    }

    async function act(one: Deed): Promise<void> {
      if (one.kind === 'unasked') return payUnasked(one.text, one.units);
      const { paymentHash } = node.find((await commit()).instruction.destination);
      if (one.kind === 'held') {
        node.hold(paymentHash);
        if (one.isGivenUp) node.cancel(paymentHash);
      }
      if (one.kind !== 'more') return;
      node.pay(paymentHash, UNITS * 1000n + one.more);
      expected += (UNITS * 1000n + one.more) / 1000n;
    }

    /** What only LND tells: the parts of each payment. */
    function showParts(all: Schedule): void {
      const visit = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(visit);
        if (typeof value !== 'object' || value === null) return value;
        const row = Object.fromEntries(
          Object.entries(value).map(([key, one]) => [key, visit(one)]),
        );
        if (row.state !== 'SETTLED' || !('htlcs' in row)) return row;
        return { ...row, htlcs: inParts(BigInt(String(row.amt_paid_msat)), all) };
      };
      node.change = kind === 'lnd' ? (_method, answer) => visit(answer) : undefined;
    }

    test('nothing they can choose stops, delays or fakes anything', async () => {
      await fc.assert(
        fc.asyncProperty(schedule, async (all) => {
          showParts(all);
          const honest = await commit();
          for (const one of all.before) await act(one);
          node.pay(honest.instruction.destination, UNITS * 1000n + all.more);
          expected += (UNITS * 1000n + all.more) / 1000n;
          for (const one of all.after) await act(one);
          assert.deepEqual((await world.observe()).map(String), []);
          await world.settle();
          assert.equal((await world.read(honest.checkoutId)).state, 'COMPLETED');
          assert.equal(await world.credited(), expected, 'what is credited is what arrived');
          assert.equal(await world.custody('LIGHTNING', BTC), expected);
          assert.equal(await world.suspended(), 0n);
        }),
        { numRuns: RUNS },
      );
      assert.deepEqual(await world.brokenInvariants(), []);
      // Nor after a start, when the whole list of the node is looked through.
      const again = await openForgedWorld({
        networks: openLightningNetworks.bind(undefined, [node.settings]),
        clock,
        seed: 9,
      });
      assert.deepEqual((await again.observe()).map(String), []);
      await again.settle();
      assert.equal(await again.suspended(), expected, 'of unasked payments none is taken for ours');
      await again.close();
    });
  });
}
