// Refunds in the report of taxes: what reached the payer, in the period in which it did.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { settleDepartures } from '#custody/settle-departures.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { add, decimalToText, parseDecimal, parseWideDecimal, ZERO } from '#money/decimal.ts';
import { createRefund, type RefundRequest } from '#refund/create-refund.ts';
import { PAYER_ADDRESS, payCheckout } from '#test/support/outgoing-money.ts';
import {
  LITECOIN,
  openSentByHand,
  type SentByHand,
  toPayee,
  undoTwoBlocks,
} from '#test/support/sent-by-hand.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { requireTransfer, showSending } from '#transfer/send-by-hand.ts';
import type { ReportRow } from './report.ts';
import { taxesReport } from './taxes-report.ts';

let hand: SentByHand;
beforeEach(async () => {
  hand = await openSentByHand();
});
afterEach(() => hand.world.close());

const CHARGE = {
  billingCurrency: 'EUR',
  lineItems: [{ description: 'A good book', netAmount: '10' }],
  taxItems: [
    { name: 'VAT', percent: '0.19' },
    { name: 'City', percent: '0.005' },
  ],
};

async function sell(percent = 100n): Promise<{ checkoutId: string; paid: bigint }> {
  const checkoutId = await hand.world.create({ charge: CHARGE });
  const paid = await payCheckout(hand.world, checkoutId, percent);
  await hand.world.clock.advance(3_600_000);
  return { checkoutId, paid };
}

type Wish = Pick<RefundRequest, 'checkoutId' | 'kind'> & { readonly amount?: string };

/** It has reached the payer; answers what did. */
async function refund(transaction: string, { amount, ...wish }: Wish): Promise<bigint> {
  const { world, app } = hand;
  const { transferId } = await createRefund(
    { ...app, ...world.app, executors: app.executors },
    world.caller,
    {
      ...{ ...wish, network: undefined, asset: undefined, address: PAYER_ADDRESS },
      amount: amount === undefined ? undefined : parseDecimal(amount),
    },
  );
  await runTransfers(app);
  await showSending(app, transferId);
  const { targetUnits } = await requireTransfer(app.db, transferId);
  await hand.show(transaction, [toPayee(targetUnits)], { depth: 2, fee: 100n });
  await settleDepartures(app);
  await world.clock.advance(3_600_000);
  return targetUnits;
}

type Period = { readonly from?: Temporal.Instant; readonly to?: Temporal.Instant };

async function pagesOf(checkoutId: string, { from, to }: Period, limit: number) {
  const { merchantId, environment } = hand.world.caller;
  const rows: ReportRow[] = [];
  for (let cursor: PagePlace | undefined; ; ) {
    const request = { merchantId, environment, from, to, limit, cursor };
    const page = await taxesReport.read(hand.world.app.db, request);
    rows.push(...page.rows);
    if (page.nextCursor === null) return rows.filter((row) => row.checkoutId === checkoutId);
    cursor = decodeCursor(page.nextCursor);
  }
}

/** Net, tax and total of each row, whose pages are the same however long they are. */
async function taxesOf(checkoutId: string, period: Period = {}): Promise<string[]> {
  const rows = await pagesOf(checkoutId, period, 100);
  assert.deepEqual(await pagesOf(checkoutId, period, 1), rows);
  return rows.map(({ netTotal, taxName, taxAmount, total }) => {
    const sum = add(parseWideDecimal(netTotal ?? ''), parseWideDecimal(taxAmount ?? ''));
    assert.equal(decimalToText(sum), total);
    return `${netTotal} ${taxName} ${taxAmount}`;
  });
}

const SOLD = ['10 VAT 1.9', '0 City 0.05'];

test('a refund of all takes back net, tax and total, in its period, and rewrites no other', async () => {
  const { checkoutId } = await sell();
  const before = hand.world.clock.now();
  assert.deepEqual(await taxesOf(checkoutId), SOLD);
  await refund('t1', { checkoutId, kind: 'full' });
  assert.deepEqual(await taxesOf(checkoutId, { to: before }), SOLD);
  assert.deepEqual(await taxesOf(checkoutId, { from: before }), ['-10 VAT -1.9', '0 City -0.05']);
  assert.deepEqual(await taxesOf(checkoutId, { from: hand.world.clock.now() }), []);
});

test('refunds of parts are together what was charged, to the last unit', async () => {
  const { checkoutId, paid } = await sell();
  const third = `0.${String(paid / 3n).padStart(8, '0')}`;
  await refund('t1', { checkoutId, kind: 'amount', amount: third });
  await refund('t2', { checkoutId, kind: 'amount', amount: third });
  const rest = await refund('t3', { checkoutId, kind: 'full' });
  assert.equal(rest, paid - 2n * (paid / 3n));
  const rows = await pagesOf(checkoutId, {}, 100);
  assert.deepEqual(await taxesOf(checkoutId), [
    ...SOLD,
    ...['-3.33 VAT -0.64', '0 City -0.01', '-3.34 VAT -0.62', '0 City -0.03'],
    ...['-3.33 VAT -0.64', '0 City -0.01'],
  ]);
  const total = rows.map((row) => parseWideDecimal(row.total ?? '')).reduce(add, ZERO);
  assert.equal(decimalToText(total), '0');
});

test('what was paid beyond the price takes nothing of the sale with it', async () => {
  const { checkoutId } = await sell(125n);
  await refund('t1', { checkoutId, kind: 'excess' });
  assert.deepEqual(await taxesOf(checkoutId), SOLD);
  await refund('t2', { checkoutId, kind: 'full' });
  assert.deepEqual((await taxesOf(checkoutId)).slice(2), ['-10 VAT -1.9', '0 City -0.05']);
});

test('a refund that a reorganisation undid gives the sale back, and is told again', async () => {
  const { world, app } = hand;
  const { checkoutId } = await sell();
  await refund('t1', { checkoutId, kind: 'full' });
  await undoTwoBlocks(world, LITECOIN);
  await settleDepartures(app);
  await world.clock.advance(60_000);
  await hand.show('t1', [], { depth: 2, fee: 100n });
  await settleDepartures(app);
  const back = ['-10 VAT -1.9', '0 City -0.05'];
  assert.deepEqual(await taxesOf(checkoutId), [...SOLD, ...back, ...SOLD, ...back]);
});

test('what is given back of a checkout that was never paid in full is none of its sales', async () => {
  const { checkoutId } = await sell(40n);
  await refund('t1', { checkoutId, kind: 'full' });
  assert.deepEqual(await taxesOf(checkoutId), []);
});
