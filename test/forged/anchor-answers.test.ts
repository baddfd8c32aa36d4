// Whatever an anchor answers, to whatever question: it stops no network, no commit fails in a way that
// is no answer, and what it pays us on Stellar is credited as it arrived, neither more nor less.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { Outage, Refusal } from '#base/refusal.ts';
import { customersOf } from '#test/fakes/anchor-customers.ts';
import { type AnchorWorld, openAnchorWorld } from '#test/fakes/anchor-world.ts';
import type { FakeRecord } from '#test/fakes/stellar-ledger.ts';
import { byLength } from '#test/support/run-length.ts';

const UNITS = 250_0000n;
/** An address of nobody: the first test vector of BIP-173. */
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const RUNS = byLength({ short: 4, long: 25 });

const text = fc.oneof(
  fc.constantFrom('', '0', '-1', '1e9', '0.25', 'NaN', ADDRESS, 'ab'.repeat(32), '__proto__'),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const anything: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, true, 0, -1, 10 ** 300, 0.1, [], {}),
);
const status = fc.oneof(
  fc.constantFrom('incomplete', 'pending_anchor', 'pending_customer_info_update', 'completed'),
  fc.constantFrom('pending_user_transfer_start', 'error', 'expired', 'no such state'),
  anything,
);
const NAMES = [
  ...['id', 'how', 'instructions', 'amount_in', 'amount_out', 'amount_fee', 'fee_details'],
  ...['fee_fixed', 'fee_percent', 'min_amount', 'max_amount', 'external_transaction_id'],
  ...['stellar_transaction_id', 'type', 'fields', 'error', 'message', 'token', 'transaction'],
  ...['deposit', 'fee', 'network_passphrase', 'enabled'],
];
/** Some fields of an answer are something else, others are not there. */
const change = fc.record({
  fields: fc.dictionary(fc.constantFrom(...NAMES), anything, { maxKeys: 3 }),
  status: fc.option(status),
  httpStatus: fc.constantFrom(200, 200, 200, 202, 400, 401, 403, 404, 500),
  isInside: fc.boolean(),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;
const PATHS = ['/sep6/info', '/sep6/deposit', '/sep6/transaction', '/kyc/customer', '/auth'];
const changes = fc.dictionary(fc.constantFrom(...PATHS), change, { minKeys: 1, maxKeys: 3 });

let world: AnchorWorld;

before(async () => {
  world = await openAnchorWorld({
    network: 'BITCOIN',
    code: 'BTC',
    address: ADDRESS,
    settings: { anchorCustomer: { 'organization.name': 'A shop' } },
  });
  await world.look();
});
after(() => world?.close());

function changed(json: FakeRecord, { fields, status: state, httpStatus, isInside }: Change) {
  const told = { ...fields, ...(state === null ? {} : { status: state }) };
  const inner = ['transaction', 'deposit'].find((name) => typeof json[name] === 'object');
  const made =
    isInside && inner !== undefined
      ? { ...json, [inner]: { ...(json[inner] as object), ...told } }
      : { ...json, ...told };
  return { ...made, httpStatus };
}

/** Time goes on while somebody waits. */
async function settled<Result>(acting: Promise<Result>): Promise<Result | Error> {
  let isOver = false;
  const watched = acting
    .catch((error: unknown) => {
      assert(error instanceof Outage || error instanceof Refusal, error as Error);
      return error;
    })
    .finally(() => {
      isOver = true;
    });
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (world.time.sleepers() > 0) await world.time.advance(1000);
  }
  return watched;
}

test('nothing an anchor answers stops the network, or changes what is credited', async () => {
  await fc.assert(
    fc.asyncProperty(changes, fc.boolean(), async (lies, asks) => {
      const { anchor } = world;
      anchor.change = (_, json) => json;
      anchor.customers = undefined;
      await world.look();
      const commitment = await world.commit(UNITS);
      const transfer = anchor.transfers.at(-1);
      assert(transfer !== undefined);
      const credited = await world.credited();

      const wanted = { 'organization.name': { type: 'string', description: 'who' } };
      anchor.customers = asks ? customersOf(wanted) : undefined;
      anchor.change = (path, json) => {
        const lie = lies[path];
        return lie === undefined ? json : changed(json, lie);
      };
      // Sessions are over: it is logged in to and asked about everything.
      await world.look();
      const created = await settled(world.checkoutOf(UNITS));
      if (!(created instanceof Error)) await settled(world.commitAgain(created.id));
      anchor.receive(transfer, '0.25', 'cd'.repeat(32));
      anchor.release(transfer, UNITS);
      await world.look();
      await world.settle();
      assert.equal((await world.credited()) - credited, UNITS);
      const view = await world.viewOf(commitment.checkoutId);
      assert.equal(view.state, 'COMPLETED');
    }),
    { numRuns: RUNS },
  );
  assert.deepEqual(await world.brokenInvariants(), []);
});
