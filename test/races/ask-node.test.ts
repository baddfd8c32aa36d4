// A node has to be asked for an invoice (Lightning): never inside a transaction, once for each
// checkout however many ask, and the same again when a crash came between the answer and its record.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Outage, Refusal } from '#base/refusal.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { sql } from '#db/db.ts';
import type { Destination, Network } from '#deposit/network.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { openLightningNetworks } from '#networks/lightning/open-lightning-networks.ts';
import { type FakeLightningNode, openFakeLightningNode } from '#test/fakes/lightning-node.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const clock = manualClock('2026-01-01T12:00:00Z');
let node: FakeLightningNode;
let world: ForgedWorld;
/** Runs when the node has answered and nobody heard it yet. */
let onAnswer: (answer: Destination) => Promise<void>;

before(async () => {
  node = await openFakeLightningNode('lnd', clock);
  world = await openForgedWorld({
    clock,
    networks: (parts) =>
      openLightningNetworks([node.settings], parts).map((opened) => ({
        ...opened,
        network: listening(opened.network),
      })),
  });
  await world.observe();
});
after(async () => {
  await world?.close();
  await node?.close();
});
beforeEach(() => {
  node.invoices.length = 0;
  node.channels = [100_000_000n];
  onAnswer = async () => undefined;
});

function listening(network: Network): Network {
  return {
    ...network,
    async openDestination(request) {
      const answer = await network.openDestination(request);
      await onAnswer(answer);
      return answer;
    },
  };
}

async function create(): Promise<string> {
  const lineItems = [{ description: 'A good book', netAmount: '0.00021' }];
  const text = JSON.stringify({ charge: { billingCurrency: 'BTC', lineItems } });
  const parsed = parseExactJson(text);
  assert(parsed.ok);
  const made = { type: 'SELF_HOSTED', origin: 'API' } as const;
  return (await createCheckout(world.app, world.caller, parseCheckoutRequest(parsed.value), made))
    .id;
}

const commit = (checkoutId: string) =>
  commitCheckout(world.app, { checkoutId, owner: world.caller, network: 'LIGHTNING' });

test('twenty commits at once give one invoice and one answer', async () => {
  const id = await create();
  const made = await Promise.all(Array.from({ length: 20 }, () => commit(id)));
  assert.equal(new Set(made.map(({ instruction }) => instruction.address)).size, 1);
  assert.equal(new Set(made.map(({ expiresAt }) => expiresAt.toString())).size, 1);
  assert.equal(node.invoices.length, 1);
  assert.equal((await world.read(id)).commitments.length, 1);
});

test('the checkout is not locked and no transaction is open while the node is asked', async () => {
  const id = await create();
  let seen = 0;
  onAnswer = async () => {
    const [row] = await world.app.db.query<{ open: bigint }>(sql`
      select count(*) as open from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and state like 'idle in transaction%'`);
    assert.equal(row?.open, 0n);
    await world.app.db.transact(async (tx) => {
      await tx.query(sql`select 1 from checkout where id = ${id} for update nowait`);
    });
    seen += 1;
  };
  await commit(id);
  assert.equal(seen, 1);
});

test('a crash between the answer and its record: asking again gives the same invoice', async () => {
  const id = await create();
  let lost: Destination | undefined;
  onAnswer = async (answer) => {
    lost = answer;
    throw new Error('the process died');
  };
  await assert.rejects(commit(id), /the process died/);
  assert.equal((await world.read(id)).commitments.length, 0);
  onAnswer = async () => undefined;
  const began = clock.now();
  await clock.advance(90_000);
  const made = await commit(id);
  assert.equal(made.instruction.address, lost?.address);
  assert.equal(node.invoices.length, 1);
  // The lock is the invoice's.
  assert.equal(made.expiresAt.since(began).total('minutes'), 60);
  node.pay(made.instruction.destination);
  await world.observe();
  await world.settle();
  assert.equal((await world.read(id)).state, 'COMPLETED');
});

test('an invoice that was never recorded is replaced once its amounts are too old', async () => {
  const id = await create();
  onAnswer = async () => {
    throw new Error('the process died');
  };
  await assert.rejects(commit(id));
  onAnswer = async () => undefined;
  await clock.advance(6 * 60_000);
  const made = await commit(id);
  assert.equal(node.invoices.length, 2);
  assert.equal(made.instruction.destination, node.invoices[1]?.paymentHash);
  assert.equal(made.expiresAt.since(clock.now()).total('minutes'), 60);
});

test('a checkout that is cancelled while the node is asked gets no lock', async () => {
  const id = await create();
  onAnswer = async () =>
    void (await cancelCheckout(world.app, { checkoutId: id, owner: world.caller }));
  const isCancelled = (error: unknown) =>
    error instanceof Refusal && error.code === 'checkout_cancelled';
  await assert.rejects(commit(id), isCancelled);
  assert.equal((await world.read(id)).commitments.length, 0);
});

test('a node that is away is an outage, and committing works when it is back', async () => {
  const id = await create();
  node.isDown = true;
  await assert.rejects(commit(id), (error) => error instanceof Outage);
  node.isDown = false;
  assert.equal((await commit(id)).arrivingUnits, 21_000n);
});

test('more than can be received is neither offered nor committed', async () => {
  const id = await create();
  node.channels = [20_999n, 3n];
  // What is remembered of the channels is told once more, and then asked again.
  await clock.advance(61_000);
  const isRefused = (error: unknown) =>
    error instanceof Refusal && error.code === 'amount_not_receivable';
  await assert.rejects(commit(id), isRefused);
  assert.equal(node.invoices.length, 0);
  const notOffered = (error: unknown) =>
    error instanceof Refusal && /LIGHTNING .*more than can be received/.test(error.message);
  await assert.rejects(create(), notOffered);
  node.channels = [21_000n];
  await clock.advance(61_000);
  assert.equal((await commit(id)).arrivingUnits, 21_000n);
});
