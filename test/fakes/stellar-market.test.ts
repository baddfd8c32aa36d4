// Orders of the house at the market of Stellar itself: quoted by Horizon, signed by a person, seen by
// the watcher, and in the books with what really left and really came.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Keypair, Networks, Operation, TransactionBuilder } from '@stellar/stellar-base';
import { Refusal } from '#base/refusal.ts';
import { explainDeparture, listDepartures } from '#custody/explain-departure.ts';
import { settleDepartures } from '#custody/settle-departures.ts';
import { sql } from '#db/db.ts';
import { accountsOf, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { draftConversion } from '#market/draft-conversion.ts';
import { freeDrafts } from '#market/free-drafts.ts';
import { parseDecimal } from '#money/decimal.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { approveAct, listWaiting } from '#spending/approval.ts';
import { setLimit } from '#spending/spending-limit.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { houseUnits } from '#test/support/ledger-entries.ts';
import { cancelOrder, noteFill, orderHedge } from '#treasury/act-on-order.ts';
import { findOrder, listFills, STELLAR_DEX } from '#treasury/hedge-order.ts';
import { readUnreserved } from '#treasury/open-position.ts';
import { assetOf } from './stellar-ledger.ts';
import { openStellarWorld, type StellarWorld, USDC, XLM } from './stellar-world.ts';

/** 100 lumens, for which 10 dollars were promised. */
const UNITS = 1_000_000_000n;
const PROMISED = 100_000_000n;
/** At 0.1 dollars each, less half a percent. */
const LEAST = 99_500_000n;
const GIVEN = 99_870_001n;
const SAID = { actor: 'anna', reason: 'evening' };

let world: StellarWorld;
let ours: Keypair;
let gives: bigint | undefined;

beforeEach(async () => {
  world = await openStellarWorld({ withSecond: true });
  ours = world.stellar.accounts.get(world.account)?.key as Keypair;
  gives = GIVEN;
  world.stellar.market = (give, units, get) =>
    give === XLM && get === USDC && gives !== undefined
      ? { units: (gives * units) / UNITS, path: [`EURC:${world.customer.publicKey()}`] }
      : undefined;
  assert.deepEqual(await world.observe(), []);
  await convert();
  price('0.1');
});
afterEach(() => world?.close());

function price(lumens: string | undefined): void {
  const observedAt = world.clock.now();
  const prices = [['USDC', '1'], ...(lumens === undefined ? [] : [['XLM', lumens]])];
  world.app.rates.remember(
    prices.map(([code = '', usd = '']) => ({
      ...{ environment: 'live' as const, id: 1n, code, observedAt, usdPrice: parseDecimal(usd) },
    })),
  );
}

/** Lumens were taken, and dollars promised for them. */
async function convert(): Promise<void> {
  const { merchantId } = world.caller;
  const exchange = { code: 'exchange' } as const;
  const entry: Entry = {
    ...{ causeKey: 'funds:market', kind: 'test-funds', environment: 'live', merchantId },
    occurredAt: world.clock.now(),
    postings: [
      { account: { code: 'custody:STELLAR' }, assetId: XLM, units: UNITS },
      { account: exchange, assetId: XLM, units: -UNITS },
      { account: exchange, assetId: USDC, units: PROMISED },
      { account: { merchantId, code: 'merchant:available' }, assetId: USDC, units: -PROMISED },
    ],
  };
  await ensureAccounts(world.app.db, accountsOf([entry]));
  await world.app.db.transact(async (tx) => postEntries(tx, [entry]));
}

const order = (giveUnits = UNITS, provider = STELLAR_DEX) =>
  orderHedge(world.app, {
    ...{ ...SAID, environment: 'live', provider, giveAssetId: XLM, giveUnits },
    ...{ getAssetId: USDC, closesUnits: undefined, isByHand: true },
  });

const draft = (orderId: string) =>
  draftConversion(world.app, { orderId, actor: 'anna', slippagePartsPerMillion: 5_000 });

/** As a wallet does with what it is shown. */
function sign(text: string): string {
  const transaction = TransactionBuilder.fromXDR(text, Networks.PUBLIC);
  transaction.sign(ours);
  return transaction.toEnvelope().toXDR('base64');
}

function submit(text: string): void {
  assert('hash' in world.stellar.submit(sign(text)));
  world.stellar.close();
}

async function see(): Promise<void> {
  assert.deepEqual(await world.observe(), []);
  await settleDepartures({ ...world.app, ...transferGrounds(world.app) });
  await freeDrafts(world.app);
}

const house = (code: Parameters<typeof houseUnits>[1], assetId: string) =>
  houseUnits(world.app.db, code, assetId, 'live');
const open = async () => (await readUnreserved(world.app.db, 'live')).taken.get(XLM) ?? 0n;
const draftEnds = () =>
  world.app.db.query<{ end: string | null }>(
    sql`select end_state as end from market_draft order by id`,
  );

async function assertBooks(): Promise<void> {
  const { db } = world.app;
  assert.deepEqual((await verifyLedger(db)).faults, []);
  const faults = await verifyReasons(db);
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('(funds:')),
    [],
  );
}

const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return `${error.code} ${error.details.join()}`;
      throw error;
    },
  );

test('an order is drafted, signed, seen, and filled with what really came', async () => {
  const { id } = await order();
  const { drafted, leastUnits, order: told } = await draft(id);
  assert.deepEqual([leastUnits, told.isAtExchange, drafted.from], [LEAST, true, world.account]);
  assert.match(drafted.links.join(), /^web\+stellar:tx\?xdr=/);
  assert.equal(drafted.links.length, 1);
  submit(drafted.text);
  await see();
  const [fill, ...more] = await listFills(world.app.db, id);
  assert.deepEqual(
    [fill?.soldUnits, fill?.gotUnits, fill?.closedUnits, fill?.actor, more.length],
    [UNITS, GIVEN, PROMISED, 'watcher', 0],
  );
  const done = await findOrder(world.app.db, id);
  assert.deepEqual([done?.state, done?.isAtExchange], ['COMPLETED', false]);
  assert.deepEqual(await draftEnds(), [{ end: 'LANDED' }]);
  assert.equal(await house('exchange', XLM), 0n);
  assert.equal(await house('exchange', USDC), 0n);
  assert.equal(await house('custody:STELLAR', XLM), -100n);
  assert.equal(await house('custody:STELLAR', USDC), GIVEN);
  assert.equal(await house('conversion-result', USDC), PROMISED - GIVEN);
  assert.equal(await house('network-fees', XLM), 100n);
  await see();
  assert.equal((await listFills(world.app.db, id)).length, 1);
  await assertBooks();
});

for (const [what, prepare, sentence] of [
  ['nobody trades the two', () => gets(undefined), /draft_refused nobody on the network/],
  ['the market gives too little', () => gets(LEAST - 1n), /at least 9.95 is wanted/],
  ['we have less than is sold', () => setLine(XLM, { units: UNITS - 1n }), /has less of XLM/],
  ['there is no trust line', () => dropLine(), /its trust line is missing/],
  ['it is not authorised', () => setLine(USDC, { isAuthorised: false }), /not authorised/],
  ['a price is missing', () => world.clock.advance(600_000), /rate_missing/],
] as const) {
  test(`${what}: nothing is drafted, and nothing is kept for it`, async () => {
    const { id } = await order();
    await prepare();
    assert.match(await codeOf(draft(id)), sentence);
    assert.equal((await findOrder(world.app.db, id))?.isAtExchange, false);
    assert.deepEqual(await draftEnds(), []);
  });
}

function setLine(assetId: string, line: { units?: bigint; isAuthorised?: boolean }): void {
  const found = world.stellar.accounts.get(world.account)?.lines.get(assetId);
  assert(found !== undefined);
  Object.assign(found, line);
}
function gets(units: bigint | undefined): void {
  gives = units;
}
function dropLine(): void {
  world.stellar.accounts.get(world.account)?.lines.delete(USDC);
}

test('an order that is elsewhere, has ended, or whose account has a draft is not drafted', async () => {
  const half = UNITS / 2n;
  const [first, second] = [await order(half), await order(half)];
  const ended = await cancelOrder(world.app, second.id, SAID);
  assert.match(await codeOf(draft(ended.id)), /order_ended/);
  assert.match(await codeOf(draft('nothing')), /order_missing/);
  const elsewhere = await order(half, 'kraken');
  assert.match(await codeOf(draft(elsewhere.id)), /order_elsewhere .*kraken/);
  const fill = { fillId: 'T-1', soldUnits: 1n, gotUnits: 1n, actor: 'anna' };
  const said = { ...fill, orderId: first.id, feeAssetId: undefined, feeUnits: undefined };
  assert.match(await codeOf(noteFill(world.app, said)), /fill_seen/);
  const ends = await Promise.all(Array.from({ length: 4 }, () => codeOf(draft(first.id))));
  assert.equal(ends.filter((end) => end === 'done').length, 1, ends.join());
  assert.equal(ends.filter((end) => /^draft_open/.test(end)).length, 3);
});

test('under its least it fails, costs its fee, and the order is free when it can land no more', async () => {
  const { id } = await order();
  const { drafted } = await draft(id);
  gives = LEAST - 1n;
  submit(drafted.text);
  await see();
  await cancelOrder(world.app, id, SAID);
  assert.equal(await house('network-fees', XLM), 100n);
  assert.deepEqual([(await listFills(world.app.db, id)).length, await open()], [0, 0n]);
  await world.clock.advance(2 * 3_600_000);
  assert.equal(await freeDrafts(world.app), 0, 'no ledger was read that closed after its end');
  const { horizon, second } = world;
  assert.deepEqual(await world.observe(), []);
  for (const one of [horizon, second]) if (one !== undefined) one.refuse = () => ({ status: 503 });
  assert.equal(await freeDrafts(world.app), 0, 'nobody can be asked');
  for (const one of [horizon, second]) if (one !== undefined) one.refuse = () => undefined;
  await see();
  assert.deepEqual([await draftEnds(), await open()], [[{ end: 'OVER' }], UNITS]);
  assert.equal((await findOrder(world.app.db, id))?.isAtExchange, false);
  await assertBooks();
});

test('what was drafted lands after its order was given up: it is booked all the same', async () => {
  const { id } = await order();
  const { drafted } = await draft(id);
  const given = await cancelOrder(world.app, id, SAID);
  assert.deepEqual([given.state, given.isAtExchange, await open()], ['CANCELLED', true, 0n]);
  submit(drafted.text);
  await see();
  const done = await findOrder(world.app.db, id);
  assert.deepEqual(
    [done?.state, done?.filledUnits, done?.isAtExchange],
    ['COMPLETED', UNITS, false],
  );
  await assertBooks();
});

test('what is converted and fits no order is nobody’s until a person has looked', async () => {
  await order();
  const ends = { sendAsset: assetOf(XLM), destAsset: assetOf(USDC), destination: world.account };
  const path = { ...ends, sendAmount: '5', destMin: '0.1' };
  world.stellar.send([Operation.pathPaymentStrictSend(path)], { from: ours });
  world.stellar.close();
  await see();
  const parts = await world.app.db.query(sql`
    select purpose, got_asset_id as "gotAssetId", got_units as "gotUnits" from departure_part`);
  const gotUnits = (GIVEN * 50_000_000n) / UNITS;
  assert.deepEqual(parts, [{ purpose: null, gotAssetId: USDC, gotUnits }]);
  assert.equal(await house('custody:STELLAR', USDC), 0n);
  const said = { actor: 'operator', reason: 'test', setAt: world.clock.now() };
  const limit = { kind: 'TWO_PEOPLE', environment: 'live', merchantId: undefined } as const;
  await world.app.db.transact(async (tx) =>
    setLimit(tx, { ...limit, measure: XLM, mostUnits: 49_999_999n, ...said }),
  );
  const [departure] = await listDepartures(world.app, 10);
  const part = { departureId: departure?.id ?? 0n, number: 1 };
  const say = (purpose: 'OUTSIDE' | 'OWN' | 'CONVERTED', actor = 'anna') =>
    codeOf(
      explainDeparture(
        { ...world.app, ...transferGrounds(world.app) },
        { ...SAID, ...part, purpose, actor },
      ),
    );
  for (const purpose of ['OUTSIDE', 'OWN'] as const) {
    assert.match(await say(purpose), /^departure_converted .*0.49935 USDC.*--as converted/);
  }
  assert.match(await say('CONVERTED'), /^second_person /);
  const [held, result] = [
    await house('custody:STELLAR', XLM),
    await house('conversion-result', XLM),
  ];
  const [waiting] = await listWaiting(world.app.db, { now: world.clock.now() });
  assert.match(waiting?.about ?? '', /^5 XLM for 0.49935 USDC in .* was CONVERTED$/);
  await approveAct(world.app, `departure:${part.departureId}:1`, { approver: 'bert' });
  assert.equal(await say('CONVERTED'), 'done');
  assert.match(await say('CONVERTED'), /^departure_explained .*CONVERTED/);
  assert.equal(await house('custody:STELLAR', XLM), held - 50_000_000n);
  assert.equal(await house('custody:STELLAR', USDC), gotUnits);
  assert.equal(await house('conversion-result', XLM), result + 50_000_000n);
  assert.equal(await house('conversion-result', USDC), -gotUnits);
  await assertBooks();
  assert.deepEqual(await listDepartures(world.app, 10), []);
});

test('a second Horizon that says something else came moves nothing', async () => {
  const { id } = await order();
  const { drafted } = await draft(id);
  submit(drafted.text);
  const { second } = world;
  assert(second !== undefined);
  const last = world.stellar.ledgers.at(-1)?.transactions[0]?.operations[0];
  assert(last !== undefined);
  second.hidden.add(last.id);
  const [failure] = await world.observe();
  assert.match(`${failure?.cause}`, /only one of two has/);
  second.hidden.clear();
  await see();
  assert.equal((await findOrder(world.app.db, id))?.state, 'COMPLETED');
});
