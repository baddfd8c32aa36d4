// Money on its way out, two and twenty at once: the ledger, not the code path, says how much there is.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { parseDecimal } from '#money/decimal.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { claimRefund } from '#refund/claim-refund.ts';
import { createRefund } from '#refund/create-refund.ts';
import { claimToken } from '#refund/refund.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import {
  addBeneficiary,
  availableUnits,
  PAYER_ADDRESS,
  payCheckout,
  sender,
  sendTransfers,
} from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { runTransfers } from '#transfer/run-transfers.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp({ connections: 10 });
  await world.observe('LITECOIN');
  await addBeneficiary(world, 'savings');
});
after(() => world.close());

async function assertSound(): Promise<void> {
  const { app, clock } = world;
  assert.deepEqual(
    await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app }),
    [],
  );
}

function refusalCode(result: PromiseSettledResult<unknown>): string {
  if (result.status === 'fulfilled') return 'done';
  assert.ok(result.reason instanceof Refusal, String(result.reason));
  return result.reason.code;
}

test('of twenty commits against a balance for three, three are sent', async () => {
  const id = await world.create();
  await payCheckout(world, id);
  const available = await availableUnits(world, 'LTC:NATIVE');
  const each = available / 3n;
  const amount = parseDecimal(`0.${String(each).padStart(8, '0')}`);
  const request = { network: 'LITECOIN', asset: undefined, amount, targetAccount: 'savings' };
  const quotes = await Promise.all(
    Array.from({ length: 20 }, () => quoteTransfer(world.app, world.caller, request)),
  );
  const results = await Promise.allSettled(
    quotes.map((quote) => commitTransfer(world.app, world.caller, quote.id)),
  );
  const codes = results.map(refusalCode).sort();
  assert.deepEqual(codes, [...Array(17).fill('balance_too_low'), ...Array(3).fill('done')]);
  assert.equal(await availableUnits(world, 'LTC:NATIVE'), available - 3n * each);
  await sendTransfers(world);
  await assertSound();
});

test('twenty commits of one transfer reserve it once', async () => {
  const id = await world.create();
  await payCheckout(world, id);
  const before = await availableUnits(world, 'LTC:NATIVE');
  const amount = parseDecimal('0.01');
  const request = { network: 'LITECOIN', asset: undefined, amount, targetAccount: 'savings' };
  const quote = await quoteTransfer(world.app, world.caller, request);
  await Promise.all(
    Array.from({ length: 20 }, () => commitTransfer(world.app, world.caller, quote.id)),
  );
  assert.equal(await availableUnits(world, 'LTC:NATIVE'), before - 1_000_000n);
  await Promise.all(Array.from({ length: 4 }, () => sendTransfers(world)));
  await assertSound();
});

test('ten refunds at once never come to more than was received', async () => {
  // Others fill the balance: only what was paid for this one may go back.
  for (let other = 0; other < 3; other += 1) await payCheckout(world, await world.create());
  const id = await world.create();
  const paid = await payCheckout(world, id);
  const amount = parseDecimal(`0.${String(paid / 4n).padStart(8, '0')}`);
  const wish = { checkoutId: id, kind: 'amount' as const, amount, address: PAYER_ADDRESS };
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () =>
      createRefund(world.app, world.caller, { ...wish, network: undefined, asset: undefined }),
    ),
  );
  const codes = results.map(refusalCode).sort();
  assert.deepEqual(codes, [...Array(4).fill('done'), ...Array(6).fill('refund_exceeds_payment')]);
  await sendTransfers(world);
  const { refunds } = await world.read(id);
  assert.deepEqual(
    refunds.map(({ state, units }) => [state, units]),
    Array(4).fill(['COMPLETED', paid / 4n]),
  );
  await assertSound();
});

test('a full refund by ten at once is one refund', async () => {
  await payCheckout(world, await world.create());
  const id = await world.create();
  const paid = await payCheckout(world, id);
  const wish = { checkoutId: id, kind: 'full' as const, amount: undefined, address: undefined };
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () =>
      createRefund(world.app, world.caller, { ...wish, network: undefined, asset: undefined }),
    ),
  );
  assert.deepEqual(results.map(refusalCode).sort(), [
    'done',
    ...Array(9).fill('nothing_to_refund'),
  ]);
  const { refunds } = await world.read(id);
  assert.deepEqual(
    refunds.map(({ units }) => units),
    [paid],
  );
  await assertSound();
});

test('a claim, two senders and the end of the payment at once: nothing is sent, nothing is lost', async () => {
  const LITECOIN = chainOf('test', 'LITECOIN');
  for (let round = 0; round < 5; round += 1) {
    await payCheckout(world, await world.create());
    await mineBlocks(world.app, LITECOIN, 1);
    await world.observe('LITECOIN');
    const available = await availableUnits(world, 'LTC:NATIVE');
    const id = await world.create();
    await payCheckout(world, id);
    const wish = { checkoutId: id, kind: 'full' as const, amount: undefined, address: undefined };
    const made = await createRefund(world.app, world.caller, {
      ...wish,
      network: undefined,
      asset: undefined,
    });
    await reorgChain(world.app, { chain: LITECOIN, depth: 4, transactions: 'double-spend' });
    await mineBlocks(world.app, LITECOIN, 4);
    await world.observe('LITECOIN');
    const token = claimToken(world.app.keyring, made.id);
    const results = await Promise.allSettled([
      world.settle(),
      claimRefund(world.app, token, PAYER_ADDRESS),
      runTransfers(sender(world)),
      runTransfers(sender(world)),
      claimRefund(world.app, token, PAYER_ADDRESS),
    ]);
    for (const result of results) {
      if (result.status === 'rejected') assert.ok(result.reason instanceof Refusal);
    }
    await world.settle();
    await world.clock.advance(31_000);
    await Promise.all([sendTransfers(world), sendTransfers(world)]);
    const [refund] = (await world.read(id)).refunds;
    assert.deepEqual(
      [refund?.state, refund?.payment, refund?.transaction],
      ['FAILED', 'TAKEN_BACK', undefined],
    );
    assert.equal(await availableUnits(world, 'LTC:NATIVE'), available);
  }
  await assertSound();
});
