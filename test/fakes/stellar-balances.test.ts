// What the account holds is held against what its history says, alone and with a real database.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Asset, type Keypair, Networks, Operation } from '@stellar/stellar-base';
import { type BalanceCheck, openBalanceCheck } from '#networks/stellar/check-balances.ts';
import { type Horizon, openHorizon } from '#networks/stellar/horizon.ts';
import { openFeeCharges } from '#networks/stellar/list-fee-charges.ts';
import { type AccountState, NO_ACCOUNT } from '#networks/stellar/read-account.ts';
import type { Movement } from '#networks/stellar/read-effect.ts';
import { STELLAR_CHAINS } from '#networks/stellar/stellar-chain.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { type FakeHorizon, startFakeHorizon } from './stellar-horizon.ts';
import { type FakeStellar, fakeStellar } from './stellar-ledger.ts';
import { seededKey, USDC, XLM } from './stellar-world.ts';

const CHAIN = 'live:STELLAR';
const now = () => Temporal.Instant.from('2026-01-01T12:00:00Z');
const [shop, customer] = [seededKey(1), seededKey(2)];
/** Of each test another one. */
let account: string;
let keys = 10;
let database: TestDatabase;
let stellar: FakeStellar;
let fake: FakeHorizon;
let horizon: Horizon;
let check: BalanceCheck;
/** The ledger that the next step ends with. */
let tip: bigint;

before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  stellar = fakeStellar(Networks.PUBLIC, now);
  stellar.addAccount(shop, 1_000_0000000n);
  stellar.addAccount(customer);
  fake = await startFakeHorizon(stellar, now);
  horizon = openHorizon({ what: CHAIN, url: fake.url });
});
after(async () => {
  await fake?.close();
  await database?.close();
});
beforeEach(() => {
  fake.asked.length = 0;
  tip = BigInt(stellar.close().sequence);
  keys += 1;
  account = seededKey(keys).publicKey();
  check = openCheck();
});

/** As a process that was just started. */
function openCheck(): BalanceCheck {
  return openBalanceCheck({ db: database.db, chain: CHAIN, account });
}

type Held = Readonly<Record<string, bigint>>;

function stateOf(held: Held): AccountState {
  const flags = { isReceivable: true, canBeClawedBack: false };
  const balances = new Map(Object.entries(held).map(([id, units]) => [id, { units, ...flags }]));
  return { ...NO_ACCOUNT, balances };
}

/** What moved at a ledger, by an effect of its own. */
function movement(ledger: bigint, assetId: string, units: bigint): Movement {
  const kind = units > 0n ? 'credit' : 'debit';
  return {
    operationId: (ledger << 32n) + 4097n,
    ledger,
    order: 1n,
    kind,
    changes: [{ assetId, units }],
  };
}

/** One step that ends at the tip, where the account is found to hold this, and then that. */
function step(held: Held, movements: readonly Movement[] = [], again: Held = held) {
  const state = stateOf(held);
  const askAgain = async () => stateOf(again);
  const earlier = new Map<string, bigint>();
  const networkId = STELLAR_CHAINS.main.networkId;
  const charges = openFeeCharges({ horizon, account, networkId }, tip);
  return check.check({ charges, state, stateLedger: tip, movements, earlier, tip, askAgain });
}

/** A step at which both agree, and which is recorded. */
async function agree(held: Held): Promise<void> {
  await check.startAt({ height: tip, hash: '' });
  await step(held);
  assert.equal(await check.startAt({ height: tip, hash: '' }), tip);
  tip = BigInt(stellar.close().sequence);
}

for (const [name, again] of [
  ['less of something', { [XLM]: 4n, [USDC]: 7n }],
  ['something more', { [XLM]: 5n, [USDC]: 7n, 'EURC:NOBODY': 1n }],
  ['something less', { [XLM]: 5n }],
  ['something else', { [XLM]: 5n, 'EURC:NOBODY': 7n }],
] as const) {
  test(`the first agreement is not believed when the account then holds ${name}`, async () => {
    const held = { [XLM]: 5n, [USDC]: 7n };
    await check.startAt({ height: tip, hash: '' });
    await assert.rejects(step(held, [], again), /the account holds this, then that/);
    await step(held);
  });
}

for (const [name, held, movements, sentence] of [
  ['more than came', { [XLM]: 5n, [USDC]: 9n }, [1n], /holds 9 of USDC.*history says 8/],
  ['less than came', { [XLM]: 5n, [USDC]: 7n }, [1n], /holds 7 of USDC.*history says 8/],
  ['what came out of nowhere', { [XLM]: 5n, [USDC]: 8n }, [], /holds 8 of USDC.*history says 7/],
  ['nothing of what it had', { [XLM]: 5n }, [], /holds 0 of USDC.*history says 7/],
  [
    'something that never came',
    { [XLM]: 5n, [USDC]: 7n, 'EURC:NOBODY': 1n },
    [],
    /holds 1 of EURC.*history says 0/,
  ],
  ['less lumens than its fees explain', { [XLM]: 4n, [USDC]: 7n }, [], /holds 4 of XLM.*says 5/],
] as const) {
  test(`an account that holds ${name} is not believed`, async () => {
    await agree({ [XLM]: 5n, [USDC]: 7n });
    const moved = movements.map((units) => movement(tip, USDC, units));
    await assert.rejects(step(held, moved), sentence);
  });
}

test('what was agreed on is compared with by a process that was just started', async () => {
  await agree({ [XLM]: 5n });
  check = openCheck();
  assert.equal(await check.startAt({ height: tip, hash: '' }), tip - 1n);
  await assert.rejects(step({ [XLM]: 6n }), /holds 6 of XLM:NATIVE, its history says 5/);
});

test('what moved after the account was looked at is not in what it holds', async () => {
  await agree({ [XLM]: 5n });
  await step({ [XLM]: 6n }, [movement(tip, XLM, 1n), movement(tip + 1n, XLM, 1n)]);
});

test('a database that was set back knows nothing that was agreed on after', async () => {
  await agree({ [XLM]: 5n });
  const earlier = { height: tip - 2n, hash: '' };
  assert.equal(await check.startAt(earlier), earlier.height);
  await assert.rejects(step({ [XLM]: 6n }, [], { [XLM]: 7n }), /holds this, then that/);
  await step({ [XLM]: 6n });
});

test('fees that the account paid explain fewer lumens, those of others and older ones do not', async () => {
  account = shop.publicKey();
  check = openCheck();
  const pay = (from: Keypair, bumpedBy = from) => {
    const paid = { destination: customer.publicKey(), asset: Asset.native(), amount: '0.0000001' };
    stellar.send([Operation.payment(paid)], bumpedBy === from ? { from } : { from, bumpedBy });
  };
  pay(shop);
  tip = BigInt(stellar.close().sequence);
  await agree({ [XLM]: 1000n });
  pay(shop);
  pay(shop, customer);
  tip = BigInt(stellar.close().sequence);
  for (const units of [1000n - 101n, 1000n - 99n, 1000n - 300n]) {
    await assert.rejects(step({ [XLM]: units }), /its history says 900/);
  }
  await step({ [XLM]: 900n });
});

test('nobody asks for fees while no lumens are missing', async () => {
  await agree({ [XLM]: 5n, [USDC]: 7n });
  await step({ [XLM]: 6n, [USDC]: 7n }, [movement(tip, XLM, 1n)]);
  assert.deepEqual(fake.asked, []);
});
