import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { createDepositAddress } from '#deposit-address/create-deposit-address.ts';
import { settleDueDepositAddresses } from '#deposit-address/settle-deposit-address.ts';
import { parseDecimal } from '#money/decimal.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { addBeneficiary, payCheckout, sender } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { isByHand } from '#transfer/executor.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { countParked, listParked, retryParked } from './list-parked.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp();
});
after(() => world.close());

test('a parked checkout is shown with its reason, and retrying unparks it', async () => {
  const { app, clock } = world;
  const id = await world.create();
  await app.db.single((tx) =>
    tx.query(sql`update checkout set parked_reason = 'a bug', settle_failures = 5,
      settle_at = ${clock.now()} where id = ${id}`),
  );
  const [parked] = await listParked(app, clock.now(), 10);
  assert.deepEqual([parked?.id, parked?.reason], [`checkout:${id}`, 'a bug']);
  assert.deepEqual(await countParked(app, clock.now()), { checkout: 1 });
  await retryParked(app, `checkout:${id}`, clock.now());
  await world.settle();
  assert.deepEqual(await countParked(app, clock.now()), {});
  assert.deepEqual(await listParked(app, clock.now(), 10), []);
  await assert.rejects(retryParked(app, `checkout:${id}`, clock.now()), /nothing that is parked/);
  await assert.rejects(retryParked(app, 'payment:1', clock.now()), /cannot be retried/);
  await assert.rejects(retryParked(app, 'delivery:1', clock.now()), /nothing that is parked/);
});

test('a transfer that cannot be sent is shown with the error itself, until it can', async () => {
  const { app, clock } = world;
  await world.observe('LITECOIN');
  await payCheckout(world, await world.create());
  const beneficiaryId = await addBeneficiary(world, 'till');
  const request = {
    targetAccount: beneficiaryId,
    network: 'LITECOIN',
    asset: 'LTC:NATIVE',
    amount: parseDecimal('0.1') ?? assert.fail(),
  };
  const { id } = await quoteTransfer(app, world.caller, request);
  await commitTransfer(app, world.caller, id);
  const real = app.executors.get('test:LITECOIN');
  assert.ok(real && !isByHand(real));
  const prepare = () => Promise.reject(new Error('the wallet is locked'));
  const broken = sender(world, { ...real, prepare });
  for (let step = 0; step < 5; step += 1) {
    assert.deepEqual(await countParked(app, clock.now()), {});
    await runTransfers(broken);
    await clock.advance(31_000);
  }
  const [parked] = await listParked(app, clock.now(), 10);
  assert.deepEqual(
    [parked?.id, parked?.reason],
    [`transfer:${id}`, 'not sent yet: the wallet is locked'],
  );
  await retryParked(app, `transfer:${id}`, clock.now());
  await runTransfers(sender(world));
  assert.deepEqual(await countParked(app, clock.now()), {});
});

test('a deposit address that cannot be decided is shown with the error itself, until it can', async () => {
  const { app, clock } = world;
  const address = await createDepositAddress(app, world.caller, {
    network: 'LITECOIN',
    assetId: 'LTC:NATIVE',
    label: undefined,
    webhook: undefined,
    metaText: undefined,
  });
  const { destination } = address.instruction;
  await paySandbox(app, {
    chain: 'test:LITECOIN',
    outputs: [{ destination, assetId: 'LTC:NATIVE', units: 1_000n }],
  });
  await mineBlocks(app, 'test:LITECOIN', 4);
  await world.observe('LITECOIN');
  const keyring = { mac: () => new Uint8Array(32) };
  for (let step = 0; step < 5; step += 1) {
    assert.deepEqual(await countParked(app, clock.now()), {});
    await settleDueDepositAddresses({ ...app, keyring, onTold: () => undefined });
    await clock.advance(31_000);
  }
  const [parked] = await listParked(app, clock.now(), 10);
  assert.deepEqual(
    [parked?.id, parked?.reason],
    [
      `deposit-address:${address.id}`,
      `deposit instruction ${address.instruction.id} was changed in the database`,
    ],
  );
  await retryParked(app, `deposit-address:${address.id}`, clock.now());
  await world.settle();
  assert.deepEqual(await countParked(app, clock.now()), {});
});
