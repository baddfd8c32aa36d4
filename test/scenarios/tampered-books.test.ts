// What somebody who owns the database may do behind the back of the ledger, balances and all: each of
// it is found and named. The triggers and foreign keys are off while it is done.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import { type Statement, sql } from '#db/db.ts';
import { dbWithin } from '#db/db-within.ts';
import { createDepositAddress } from '#deposit-address/create-deposit-address.ts';
import { digestEvents, verifyEvents } from '#event/prove-events.ts';
import { sealEntries } from '#ledger/seal-entries.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { createRefund } from '#refund/create-refund.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap } from '#swap/create-swap.ts';
import type { Swap } from '#swap/swap.ts';
import { payCheckout, sendTransfers } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { noteFill, orderHedge, undoFill } from '#treasury/act-on-order.ts';
import { noteArrival, noteMove, noteTrade } from '#treasury/note-move.ts';

const CHAIN = chainOf('test', 'LITECOIN');

let world: TestApp;

before(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  const { app, caller } = world;
  const paid = await world.create();
  await payCheckout(world, paid);
  await payCheckout(world, await world.create());
  const converted = await world.create({ settlementAsset: 'EUR:FIAT' });
  await payCheckout(world, converted, 60n);
  await payCheckout(world, converted, 40n);
  const half = await world.create();
  await payCheckout(world, half, 50n);
  for (const checkoutId of [paid, half]) {
    const request = { kind: 'full', address: undefined, amount: undefined } as const;
    await createRefund(app, caller, {
      ...request,
      checkoutId,
      network: undefined,
      asset: undefined,
    });
  }
  await world.clock.advance(90 * 24 * 3_600_000);
  await sendTransfers(world);
  const swap = await createSwap(
    app,
    { ...caller, feePartsPerMillion: 5000 },
    { sourceAssetId: 'LTC:NATIVE', targetAssetId: 'EUR:FIAT', fixed: { sourceUnits: 100_000n } },
  );
  await commitSwap(app, { swapId: swap.id, owner: caller });
  await hedge(swap);
  const address = await createDepositAddress(app, caller, {
    ...{ network: 'LITECOIN', assetId: undefined, label: undefined },
    ...{ webhook: undefined, metaText: undefined },
  });
  const payment = { depositAddressId: address.id, amount: '0.5', asset: undefined, parts: 1 };
  await app.sandbox?.payAddress(caller, payment);
  await mineBlocks(app, CHAIN, 8);
  await world.observe('LITECOIN');
  await world.settle();
  const lost = await world.create();
  await payCheckout(world, lost);
  await reorgChain(app, { chain: CHAIN, depth: 4, transactions: 'double-spend', newBlocks: 24 });
  await world.observe('LITECOIN');
  await world.settle();
  await digestEvents(app, { limit: 1_000 });
  await sealEntries(app, { limit: 1_000 });
});
after(() => world.close());

/** An order that closes the swap, in two parts, one of them entered twice; and money moved to it. */
async function hedge({ sourceUnits: giveUnits, targetUnits }: Swap): Promise<void> {
  const { app } = world;
  const said = { actor: 'anna', reason: 'the evening’s hedge' };
  const where = { environment: 'test', provider: 'kraken' } as const;
  const assets = { giveAssetId: 'LTC:NATIVE', getAssetId: 'EUR:FIAT' };
  const order = await orderHedge(app, {
    ...{ ...said, ...where, ...assets, giveUnits, closesUnits: targetUnits, isByHand: true },
  });
  const part = { orderId: order.id, actor: 'anna', soldUnits: giveUnits / 2n, gotUnits: 40n };
  const fee = { feeAssetId: 'LTC:NATIVE', feeUnits: 3n };
  await noteFill(app, { ...part, ...fee, fillId: 'T-0' });
  await undoFill(app, { orderId: order.id, fillId: 'T-0' }, said);
  for (const fillId of ['T-1', 'T-2']) await noteFill(app, { ...part, ...fee, fillId });
  const money = { network: 'LITECOIN', assetId: 'LTC:NATIVE', units: 100_000n, reference: 'tx' };
  const move = await noteMove(app, { ...said, ...where, ...money, direction: 'TO' });
  await noteArrival(app, move.id, { amount: '0.0009', actor: 'anna' });
  const named = { symbol: 'LTC/EUR', tradeId: 'T-9', tradedAt: app.clock.now() };
  const sides = {
    soldAssetId: 'LTC:NATIVE',
    soldUnits: 500n,
    gotAssetId: 'EUR:FIAT',
    gotUnits: 7n,
  };
  await noteTrade(app, { ...said, ...where, ...named, ...sides, ...fee }, async () => undefined);
}

class Undo extends Error {}

/** What the proofs say after `acts`, which never happened afterwards. */
async function faultsAfter(...acts: Statement[]): Promise<string[]> {
  let faults: string[] = [];
  await world.app.db
    .transact(async (tx) => {
      await tx.query(sql`set local session_replication_role = replica`);
      for (const act of acts) await tx.query(act);
      const db = dbWithin(tx);
      faults = [
        ...(await verifyLedger(db)).faults,
        ...(await verifyEvents({ db, clock: world.clock })).faults,
        ...(await verifyReasons(db)),
      ];
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  return faults;
}

test('payments, refunds, swaps, deposits and what a chain took back all have their reasons', async () => {
  const kinds = await world.app.db.query<{ kind: string }>(sql`
    select distinct kind from ledger_entry order by kind`);
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    [
      'checkout-receipt-available',
      'checkout-receipt-pending',
      'checkout-release',
      'checkout-reversal',
      'deposit-available',
      'hedge-fill',
      'hedge-fill-undone',
      'provider-move-arrived',
      'provider-move-sent',
      'provider-trade',
      'refund-reserve',
      'refund-return',
      'swap',
    ],
  );
  assert.deepEqual(await faultsAfter(), []);
});

const received = sql`(select id from ledger_entry where kind = 'checkout-receipt-available'
  order by id limit 1)`;

/** An entry that balances, with its balances, as the trigger would have written them. */
function fakeEntry(cause: string, kind: string): Statement[] {
  return [
    sql`insert into ledger_entry (cause_key, kind, environment, merchant_id, subject_id, occurred_at)
      select ${cause}, ${kind}, environment, merchant_id, subject_id, occurred_at
      from ledger_entry where id = ${received}`,
    sql`insert into ledger_posting
        (entry_id, position, account_id, asset_id, environment, owner, units)
      select (select id from ledger_entry where cause_key = ${cause}), line.position, a.id,
        a.asset_id, a.environment, a.owner, line.units
      from (values (1, 'custody:LITECOIN', 7), (2, 'merchant:available', -7))
        as line (position, code, units)
      join ledger_account a on a.code = line.code and a.asset_id = 'LTC:NATIVE'`,
    sql`insert into ledger_balance_part as known (account_id, part, units)
      select account_id, 0, units from ledger_posting
      where entry_id = (select id from ledger_entry where cause_key = ${cause})
      on conflict (account_id, part) do update set units = known.units + excluded.units`,
  ];
}

const completion = sql`id = (select id from event where type = 'CHECKOUT_COMPLETED'
  order by id limit 1)`;

/** Like the one of a sale, and never sealed. `about`: type, subject, its id, sequence. */
function fakeEvent(about: Statement): Statement {
  return sql`
    insert into event (id, merchant_id, environment, type, subject, subject_id, sequence, cause_key,
      body, created_at)
    select 'fakefakefake', merchant_id, environment, ${about}, 'fake', body, created_at
    from event where ${completion}`;
}

const line = sql`from ledger_posting where entry_id = ${received} and position = 2`;
const tamperings: readonly [name: string, acts: readonly Statement[], says: RegExp][] = [
  [
    'a balance without postings',
    [
      sql`insert into ledger_balance_part (account_id, part, units)
      select min(id), 31, -5 from ledger_account where merchant_id is not null
      on conflict (account_id, part) do update set units = ledger_balance_part.units - 5`,
    ],
    /^L4: account \d+ .* has a balance of -?\d+ units, its postings sum to/,
  ],
  [
    'money out of nowhere for a merchant',
    fakeEntry('gift', 'checkout-receipt-available'),
    /^L7: entry \d+ \(gift\) has no reason$/,
  ],
  [
    'the same with the cause key of a receipt that was never credited',
    fakeEntry('receipt:999999:1', 'checkout-receipt-available'),
    /^L7: entry \d+ \(receipt:999999:1\) has no reason$/,
  ],
  [
    'an entry in the name of another merchant',
    [sql`update ledger_entry set merchant_id = 'somebodyelse' where id = ${received}`],
    /^L2: entry \d+, line 2, moves money of merchant \w+ in an entry of somebodyelse$/,
  ],
  [
    'a test entry on a live account',
    [sql`update ledger_account set environment = 'live' where id = (select account_id ${line})`],
    /^L2: entry \d+, line 2, posts a test entry to a live account$/,
  ],
  [
    'another amount in a receipt',
    [sql`update receipt set units = units + 1 where id = (select min(id) from receipt)`],
    /^R6: receipt \d+ is of \d+ LTC:NATIVE, credited was \d+ LTC:NATIVE$/,
  ],
  [
    'more for the merchant in a credit',
    [
      sql`update receipt_credit set net_units = net_units + 1, settlement_units = settlement_units + 1
      where account = 'available'`,
    ],
    /^L7: entry \d+ moved -\d+ LTC:NATIVE on merchant:available, its reason makes -\d+$/,
  ],
  [
    'a credit that is gone',
    [sql`delete from receipt_credit where account = 'available'`],
    /^R6: receipt \d+ was credited and its credit is missing$/,
  ],
  [
    'a credit of a deposit that is gone',
    [sql`delete from deposit_credit`],
    /^R6: receipt \d+ was credited and its credit is missing$/,
  ],
  [
    'an entry that is gone, with its lines and balances',
    [
      sql`insert into ledger_balance_part as known (account_id, part, units)
        select account_id, 0, -units from ledger_posting where entry_id = ${received}
        on conflict (account_id, part) do update set units = known.units + excluded.units`,
      sql`delete from ledger_posting where entry_id = ${received}`,
      sql`delete from ledger_entry where id = ${received}`,
    ],
    /^L7: receipt \d+ has no entry receipt:\d+:1$/,
  ],
  [
    'a checkout completed by nothing',
    [
      sql`update checkout set state = 'COMPLETED', completed_at = created_at
      where state <> 'COMPLETED'`,
    ],
    /^S4: checkout \w+ is COMPLETED and nothing was credited for it$/,
  ],
  [
    'a swap to more than was quoted',
    [sql`update swap set target_units = target_units + 1`],
    /^L7: entry \d+ moved -\d+ EUR:FIAT on merchant:available, its reason makes -\d+$/,
  ],
  [
    'a part of an order that brought more',
    [sql`update hedge_fill set got_units = got_units + 1 where fill_id = 'T-1'`],
    /^L7: entry \d+ moved \d+ EUR:FIAT on custody:kraken, its reason makes \d+$/,
  ],
  [
    'a part of an order that closed less, and hides it as gain',
    [sql`update hedge_fill set closed_units = closed_units - 1 where fill_id = 'T-2'`],
    /^L7: entry \d+ moved -?\d+ EUR:FIAT on conversion-result, its reason makes -?\d+$/,
  ],
  [
    'a part of an order that is gone',
    [sql`delete from hedge_fill where fill_id = 'T-2'`],
    /^L7: entry \d+ \(hedge:\w+:T-2\) has no reason$/,
  ],
  [
    'a part that is said to be taken back',
    [
      sql`update hedge_fill set undone_at = booked_at, undone_by = 'x', undone_reason = 'x'
      where fill_id = 'T-1'`,
    ],
    /^L7: order \w+ of the house and its parts, or what it closes, do not agree$/,
  ],
  [
    'an order that says it sold more',
    [
      sql`update hedge_order set filled_units = filled_units - 1, state = 'ORDERED', ended_at = null`,
    ],
    /^L7: order \w+ of the house and its parts, or what it closes, do not agree$/,
  ],
  [
    'an order in the name of a conversion that it does not close',
    [
      sql`update hedge_order set cause_key = (
      select cause_key from ledger_entry where kind = 'deposit-available' limit 1)`,
    ],
    /^L7: order \w+ of the house and its parts, or what it closes, do not agree$/,
  ],
  [
    'money that arrived in full at a provider',
    [sql`update provider_move set arrived_units = units`],
    /^L7: entry \d+ moved 90000 LTC:NATIVE on custody:kraken, its reason makes 100000$/,
  ],
  [
    'a trade at a provider with other amounts',
    [sql`update provider_trade set got_units = 70`],
    /^L7: entry \d+ moved 7 EUR:FIAT on custody:kraken, its reason makes 70$/,
  ],
  [
    'a trade at a provider that is gone',
    [sql`delete from provider_trade`],
    /^L7: entry \d+ \(trade:\w+\) has no reason$/,
  ],
  [
    'a trade at a provider that nobody booked',
    [sql`update provider_trade set id = 'another'`],
    /^L7: trade another at a provider has no entry$/,
  ],
  [
    'money on its way that is gone',
    [sql`delete from provider_move`],
    /^L7: entry \d+ \(move:\w+:sent\) has no reason$/,
  ],
  [
    'a refund that is said to have landed',
    [sql`update transfer set state = 'COMPLETED'`],
    /^L7: transfer \w+ is COMPLETED and has no entry of it$/,
  ],
  [
    'what a webhook says',
    [sql`update event set body = replace(body, 'COMPLETED', 'CANCELLED') where ${completion}`],
    /^W5: event \w{12} is not what was sealed of it$/,
  ],
  [
    'an event that is gone before its time',
    [sql`delete from event where id = (select id from event order by created_at desc, id limit 1)`],
    /^W5: event \w{12}, told at \S+, went before its time$/,
  ],
  [
    'an event that no act wrote',
    [fakeEvent(sql`type, subject, subject_id, sequence + 7`)],
    /^W3: event fakefakefake \(CHECKOUT_COMPLETED\) is number \d+ of checkout \w+, which told \d+$/,
  ],
  [
    'an event of another merchant',
    [fakeEvent(sql`type, subject, 'nobodysorder', 1`)],
    /^W3: event fakefakefake \(CHECKOUT_COMPLETED\) is number 1 of checkout nobodysorder, which told 0$/,
  ],
  [
    'a sale that is told and never was, counters and all',
    [
      fakeEvent(sql`type, subject, (select id from checkout where state <> 'COMPLETED'
        order by id limit 1), 99`),
      sql`update checkout set event_sequence = 99`,
    ],
    /^S3: event fakefakefake says CHECKOUT_COMPLETED, and checkout \w+ says CHECKOUT_\w+$/,
  ],
  [
    'a transfer that is told and never landed',
    [
      fakeEvent(sql`'TRANSFER_COMPLETED', 'transfer', (select id from transfer order by id limit 1),
        9`),
      sql`update transfer set event_sequence = 9`,
    ],
    /^S3: event fakefakefake says TRANSFER_COMPLETED, and transfer \w+ says TRANSFER_FAILED$/,
  ],
];

for (const [name, acts, says] of tamperings) {
  test(`found: ${name}`, async () => {
    const faults = await faultsAfter(...acts);
    assert.ok(
      faults.some((fault) => says.test(fault)),
      faults.join('\n') || 'nothing was found',
    );
  });
}

const changes: readonly [name: string, constraint: string, Statement][] = [
  ['the amount of a receipt', 'receipt', sql`update receipt set units = units + 1`],
  ['a receipt', 'receipt', sql`delete from receipt`],
  ['the worth of a credit', 'receipt_credit', sql`update receipt_credit set net_units = 0`],
  ['a credit', 'receipt_credit', sql`delete from receipt_credit`],
  ['a credit of a deposit', 'deposit_credit', sql`delete from deposit_credit`],
  ['a part of an order', 'hedge_fill', sql`update hedge_fill set got_units = 9`],
  ['that a part was booked', 'hedge_fill', sql`delete from hedge_fill`],
  ['money on its way', 'provider_move', sql`update provider_move set units = 9`],
  ['a trade', 'provider_trade', sql`update provider_trade set got_units = 9`],
  ['that a trade was booked', 'provider_trade', sql`delete from provider_trade`],
  ['what an event said', 'event', sql`update event set body = body || ' '`],
  ['whose an event is', 'event', sql`update event set merchant_id = 'x'`],
  ['the digest of an event', 'event_digest', sql`update event_digest set event_id = 'x'`],
  ['what was told once', 'event_digest', sql`delete from event_digest`],
];
for (const [name, table, act] of changes) {
  test(`the database itself refuses to change or remove ${name}`, async () => {
    const refused = world.app.db.single((tx) => tx.query(act));
    await assert.rejects(refused, { constraint: `${table}_append_only` });
  });
}
