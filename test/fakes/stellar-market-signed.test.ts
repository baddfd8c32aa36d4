// Orders of the house at the market of Stellar that nobody signs but the signer, which is the
// process that it is, with rules and prices of its own.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import { marketDraftLine } from '#cli/market-draft-view.ts';
import { findNewestDraft, listOpenDrafts, marketDraftFindings } from '#market/market-draft.ts';
import { signConversions } from '#market/sign-conversions.ts';
import { signerProcess } from '#sending/open-signers.ts';
import { openSignerClient } from '#signer/client.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { createSignerProcess, type SignerProcess } from '#test/support/signer-process.ts';
import { cancelOrder } from '#treasury/act-on-order.ts';
import { findOrder, listFills } from '#treasury/hedge-order.ts';
import { openPayouts, type Payouts } from './stellar-payouts.ts';
import { seededKey, USDC, XLM } from './stellar-world.ts';

const CHAIN = 'live:STELLAR' as const;
/** 100 lumens, at 0.1 dollars each, less half a percent. */
const UNITS = 1_000_000_000n;
const rules = (leastPrice: string) => `
signatures_per_minute = 1000
[[cap]]
environment = "live"
asset = "${XLM}"
per_transaction = "1000"
per_day = "1000"
fee_per_transaction = "0.1"
[[convert]]
environment = "live"
give = "${XLM}"
get = "${USDC}"
least_price = "${leastPrice}"
`;

let world: Payouts;
let signer: SignerProcess;
let asked: SignOrder[];
let isAnswerLost: boolean;

beforeEach(async () => {
  world = await openPayouts({ startsAt: systemClock.now() });
  const secret = world.ours.secret();
  signer = createSignerProcess([
    { name: 'xlm', network: 'STELLAR', chain: 'main', secret, environment: 'live' },
  ]);
  [asked, isAnswerLost] = [[], false];
});
afterEach(async () => {
  await signer?.close();
  await world?.close();
});

function step(): Promise<void> {
  const port = signerProcess(openSignerClient(signer.socket));
  return signConversions(
    {
      ...world.sendApp,
      processId: 'one',
      signer: {
        async sign(order) {
          asked.push(order);
          const outcome = await port.sign(order);
          return isAnswerLost ? { outcome: 'AWAY', reason: 'the line broke' } : outcome;
        },
      },
    },
    CHAIN,
  );
}

test('the signer carries out an order at the market, and nobody else does anything', async () => {
  await signer.start(rules('0.0995'));
  const id = await world.order(UNITS);
  await world.convert(id, true);
  isAnswerLost = true;
  await assert.rejects(step(), Outage);
  assert.equal(world.stellar.ledgers.at(-1)?.transactions.length ?? 0, 0);
  isAnswerLost = false;
  await signer.kill9();
  await signer.start(rules('0.0995'));
  await step();
  // Sent as often as it is looked at: one transaction.
  await step();
  world.stellar.close();
  await step();
  await world.see();
  await step();
  assert.equal(asked.length, 2);
  assert.deepEqual(asked[0], asked[1], 'the same bytes');
  const [fill, ...more] = await listFills(world.app.db, id);
  assert.deepEqual([fill?.soldUnits, fill?.gotUnits, more.length], [UNITS, UNITS / 10n, 0]);
  assert.equal((await findOrder(world.app.db, id))?.state, 'COMPLETED');
  const draft = await findNewestDraft(world.app.db, id);
  assert.deepEqual([draft?.endState, draft?.heldUp], ['LANDED', undefined]);
});

test('under its own price the signer signs nothing, and the order is free when it is given up', async () => {
  await signer.start(rules('0.0996'));
  const id = await world.order(UNITS);
  await world.convert(id, true);
  await step();
  const told = (await findNewestDraft(world.app.db, id))?.heldUp;
  assert.match(
    told ?? '',
    /^the signer refuses it: it gives 100 XLM for at least 9.95 USDC; .*0.0996/,
  );
  await saysWhatHoldsUp(id);
  await step();
  assert.equal(asked.length, 1, 'it is asked again after a while');
  await world.clock.advance(31_000);
  await step();
  assert.equal(asked.length, 2);
  await cancelOrder(world.app, id, { actor: 'anna', reason: 'too dear' });
  await step();
  assert.equal(asked.length, 2);
  assert.equal((await findNewestDraft(world.app.db, id))?.endState, 'OVER');
  assert.equal((await findOrder(world.app.db, id))?.isAtExchange, false);
  assert.deepEqual(marketDraftFindings(await listOpenDrafts(world.app.db)), []);
  // The account is free at once: another order is drafted, and one that the rules allow is signed.
  await signer.stop();
  await signer.start(rules('0.09'));
  const other = await world.order(UNITS);
  await world.convert(other, true);
  await step();
  world.stellar.close();
  await world.see();
  assert.equal((await findOrder(world.app.db, other))?.state, 'COMPLETED');
});

/** A transfer, another order and whoever looks hear which order it is, and what frees the account. */
async function saysWhatHoldsUp(id: string): Promise<void> {
  const frees = new RegExp(`npx quittance treasury cancel ${id} --reason TEXT frees`);
  const receiver = seededKey(40);
  world.stellar.addAccount(receiver);
  world.stellar.addLine(receiver.publicKey(), USDC);
  const transfer = await world.payOut(10_000_000n, { account: receiver.publicKey() });
  for (const pattern of [frees, new RegExp(`order ${id} at the market .* does not sign it`)]) {
    await assert.rejects(world.draft(transfer.id), pattern);
  }
  const other = await world.order(UNITS);
  for (const pattern of [frees, new RegExp(`drafted for ${id} .*the signer refuses it`)]) {
    await assert.rejects(world.convert(other, true), pattern);
  }
  const { db } = world.app;
  const findings = marketDraftFindings(await listOpenDrafts(db));
  assert.deepEqual(
    findings.map(({ ok, what }) => [ok, what]),
    [[false, 'market STELLAR']],
  );
  assert.match(findings[0]?.detail ?? '', frees);
  const [order, draft] = [await findOrder(db, id), await findNewestDraft(db, id)];
  assert(order !== undefined && draft !== undefined);
  assert.match(marketDraftLine(order, draft), frees);
}

test('what a person was given is put before no signer', async () => {
  await signer.start(rules('0.09'));
  await world.convert(await world.order(UNITS));
  await step();
  assert.deepEqual(asked, []);
});

test('what was signed and can land no more is sent no more, and may be drafted anew', async () => {
  await signer.start(rules('0.09'));
  const id = await world.order(UNITS);
  await world.convert(id, true);
  world.horizon.refuse = ({ path }) => (path === '/transactions' ? { status: 503 } : undefined);
  await assert.rejects(step(), Outage);
  await world.clock.advance(31 * 60_000);
  await step();
  assert.equal(asked.length, 1);
  world.stellar.close();
  await world.see();
  assert.equal((await findNewestDraft(world.app.db, id))?.endState, 'OVER');
  assert.equal((await findOrder(world.app.db, id))?.isAtExchange, false);
});
