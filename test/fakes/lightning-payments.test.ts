// Money that leaves over Lightning, on each kind of node: a node that hangs, answers nobody, dies
// and lies, and a service that dies between any two steps. What really left is counted by the node.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { Outage, Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import type { InvoicePayer } from '#deposit/money-out.ts';
import { type PayInvoicesApp, payInvoices } from '#invoice/pay-invoices.ts';
import { confirmSent, showToSend } from '#invoice/sent-by-person.ts';
import { parseDecimal } from '#money/decimal.ts';
import { openLightningNetworks } from '#networks/lightning/open-lightning-networks.ts';
import { readInvoice } from '#networks/read-invoice.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { addBeneficiary, balanceUnits } from '#test/support/outgoing-money.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { cancelSending } from '#transfer/send-by-hand.ts';
import { findTransfer, type Transfer } from '#transfer/transfer.ts';
import { type FakeLightningNode, NODE_KINDS, openFakeLightningNode } from './lightning-node.ts';

const BTC = 'BTC:NATIVE';
const LIGHTNING = chainOf('live', 'LIGHTNING');
const EARNED = 900_000n;
const UNITS = 20_000n;
/** Ten satoshi and a percent. */
const RESERVED = 210n;
const SAID = { actor: 'ana', reason: 'from my phone' };

let clock: ManualClock;
let node: FakeLightningNode;
let world: ForgedWorld;
let app: PayInvoicesApp & Parameters<typeof runTransfers>[0];
let payer: InvoicePayer;

const LIMITS = { paymentUnits: 30_000n, dayUnits: 1_000_000n };

async function open(kind: FakeLightningNode['kind']): Promise<void> {
  clock = manualClock('2026-01-01T12:00:00Z');
  node = await openFakeLightningNode(kind, clock);
  const { macaroonFile, runeFile } = node.settings;
  const settings = { ...node.settings, pays: { limits: LIMITS, macaroonFile, runeFile } };
  world = await openForgedWorld({
    networks: openLightningNetworks.bind(undefined, [settings]),
    clock,
  });
  await world.observe();
  const { instruction } = await world.createAndCommit('LIGHTNING', BTC, EARNED);
  node.pay(instruction.destination);
  await look();
  app = restarted();
  payer = app.networks.get(LIGHTNING)?.payer ?? assert.fail();
}

async function look(): Promise<void> {
  assert.deepEqual(await world.observe(), []);
  await world.settle();
}

/** A process that remembers nothing but the database. */
function restarted(): typeof app {
  return { ...world.app, ...transferGrounds(world.app), pauses: new Map() };
}

/** The same with another node, or one that is not asked all. */
const withPayer = (other: Partial<InvoicePayer>): typeof app => ({
  ...app,
  networks: new Map([[LIGHTNING, { payer: { ...payer, ...other } }]]),
});

async function order(account: Record<string, string>): Promise<string> {
  const label = `receiver ${clock.monotonicMs()}`;
  await addBeneficiary(world, label, { network: 'LIGHTNING', account });
  const amount = parseDecimal('0.00020210');
  const request = { network: 'LIGHTNING', asset: undefined, targetAccount: label, amount };
  const { id } = await quoteTransfer(world.app, world.caller, request);
  await commitTransfer(world.app, world.caller, id);
  await runTransfers(app);
  await clock.advance(1_000);
  return id;
}

async function read(id: string): Promise<Transfer> {
  return (await findTransfer(world.app, world.caller, id)) ?? assert.fail();
}

/** Time enough for every pause, and the turn of a process that is gone. */
async function later(minutes = 2): Promise<void> {
  await clock.advance(minutes * 60_000);
}

const step = (by = app) => payInvoices(by, LIGHTNING);
const hashOf = (invoice: string) => readInvoice(invoice)?.paymentHash ?? '';
const available = () => balanceUnits(world, 'merchant:available', BTC);
const refuses = (code: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code;

/** What left the node is what is booked, each once; and the next test begins as the first. */
async function check(): Promise<void> {
  const { outgoing } = node;
  assert.equal(new Set(outgoing.left).size, outgoing.left.length, 'nothing was paid twice');
  assert.deepEqual(await world.brokenInvariants(), []);
  Object.assign(outgoing, { conduct: 'pays', feeMillisatoshis: 1_500n });
  app = restarted();
  await later();
}

async function close(): Promise<void> {
  await world?.close();
  await node?.close();
}

for (const kind of NODE_KINDS) {
  describe(`paying over ${kind}`, () => {
    before(() => open(kind));
    afterEach(check);
    after(close);

    test('an invoice is paid within the fee that was reserved, and what it took is booked', async () => {
      const before = await available();
      const custody = await world.custody('LIGHTNING', BTC);
      const invoice = node.outgoing.invoice(UNITS);
      const id = await order({ invoice });
      assert.equal((await read(id)).state, 'TO_SEND');
      assert.equal(await available(), before - UNITS - RESERVED);
      assert.equal(await step(), 1);
      const { state, transaction, feeTakenUnits } = await read(id);
      assert.deepEqual([state, transaction, feeTakenUnits], ['COMPLETED', hashOf(invoice), 2n]);
      // 1.5 satoshi, rounded up.
      assert.equal(await available(), before - UNITS - 2n);
      assert.equal(await world.custody('LIGHTNING', BTC), custody - UNITS - 2n);
      if (kind !== 'electrum') assert.equal(node.outgoing.feeMost, RESERVED * 1000n);
      assert.equal(await step(), 0);
      assert.deepEqual(node.outgoing.left, [hashOf(invoice)]);
    });

    test('an answer that nobody heard is asked for by payment hash: it was paid, and is not again', async () => {
      node.outgoing.conduct = 'deaf';
      const id = await order({ invoice: node.outgoing.invoice(UNITS) });
      await assert.rejects(step(), Outage);
      assert.equal((await read(id)).state, 'TO_SEND');
      assert.equal(await step(restarted()), 1);
      assert.equal((await read(id)).state, 'COMPLETED');
    });

    test('an order that never arrived is given again, for the same invoice', async () => {
      node.outgoing.conduct = 'lost';
      const invoice = node.outgoing.invoice(UNITS);
      const id = await order({ invoice });
      await assert.rejects(step(), Outage);
      node.outgoing.conduct = 'pays';
      await later();
      assert.equal(await step(), 1);
      assert.equal((await read(id)).transaction, hashOf(invoice));
    });

    test('while anything is in flight nothing is given back, whatever the time; then it is', async () => {
      const before = await available();
      node.outgoing.conduct = 'holds';
      const invoice = node.outgoing.invoice(UNITS);
      const id = await order({ invoice });
      await step().catch((error: unknown) => assert.ok(error instanceof Outage));
      await later(120);
      assert.equal(await step(), 0);
      assert.equal((await read(id)).state, 'TO_SEND');
      assert.equal((await read(id)).heldUp, 'the node is paying it');
      const cancel = cancelSending(app, id, { ...SAID, isNotSent: true });
      await assert.rejects(cancel, refuses('transfer_signed'));
      await assert.rejects(showToSend(app, id), refuses('transfer_signed'));
      node.outgoing.settle(hashOf(invoice), 'failed');
      await later();
      assert.equal(await step(), 1);
      const { state, failure } = await read(id);
      assert.equal(state, 'FAILED');
      assert.match(failure ?? '', /ended at .* and was not paid/);
      assert.equal(await available(), before);
    });

    test('what is held and settles late, after the end of the invoice, is booked as paid', async () => {
      node.outgoing.conduct = 'holds';
      const invoice = node.outgoing.invoice(UNITS);
      const id = await order({ invoice });
      await step().catch((error: unknown) => assert.ok(error instanceof Outage));
      await later(600);
      node.outgoing.left.push(hashOf(invoice));
      node.outgoing.settle(hashOf(invoice), 'paid');
      assert.equal(await step(), 1);
      assert.equal((await read(id)).state, 'COMPLETED');
    });

    test('without a way it is tried again with the same invoice, until that ends', async () => {
      node.outgoing.conduct = 'fails';
      const id = await order({ invoice: node.outgoing.invoice(UNITS) });
      await step();
      await later(10);
      await step();
      assert.equal((await read(id)).state, 'TO_SEND');
      node.outgoing.conduct = 'pays';
      await later(15);
      assert.equal(await step(), 1);
      assert.equal((await read(id)).state, 'COMPLETED');
    });

    test('a node that is down, or says what cannot be, moves nothing', async () => {
      const id = await order({ invoice: node.outgoing.invoice(UNITS) });
      node.isDown = true;
      await assert.rejects(step(), Outage);
      assert.equal((await read(id)).transaction, undefined);
      node.isDown = false;
      await later();
      const { preimageOf } = node.outgoing;
      node.outgoing.preimageOf = () => 'ab'.repeat(32);
      await assert.rejects(step(), Outage);
      await later();
      await assert.rejects(step(), Outage);
      assert.equal((await read(id)).state, 'TO_SEND');
      node.outgoing.preimageOf = preimageOf;
      await later();
      assert.equal(await step(), 1);
    });
  });
}

describe('paying over Lightning, whatever the node', () => {
  before(() => open('lnd'));
  afterEach(check);
  after(close);

  test('a death before the order, or after it, pays once', async () => {
    for (const isAfter of [false, true]) {
      const id = await order({ invoice: node.outgoing.invoice(UNITS) });
      const dies = withPayer({
        async pay(one) {
          if (isAfter) await payer.pay(one);
          throw new Error('killed');
        },
      });
      await assert.rejects(step(dies), /killed/);
      app = restarted();
      await later();
      assert.equal(await step(), 1);
      assert.equal((await read(id)).state, 'COMPLETED');
    }
  });

  test('two processes at once tell the node once', async () => {
    node.asked.length = 0;
    await order({ invoice: node.outgoing.invoice(UNITS) });
    await Promise.allSettled([step(restarted()), step(restarted())]);
    assert.equal(node.asked.filter((one) => one === 'POST /v2/router/send').length, 1);
  });

  test('one invoice is for one order: the second fails, and its money is back', async () => {
    const invoice = node.outgoing.invoice(UNITS);
    const [one, other] = [await order({ invoice }), await order({ invoice })];
    await step();
    assert.deepEqual([(await read(one)).state, (await read(other)).state], ['COMPLETED', 'FAILED']);
    assert.match((await read(other)).failure ?? '', /another order/);
  });

  test('of a Lightning address another invoice is asked for only when the former is proven dead', async () => {
    const given: string[] = [];
    const address = withPayer({
      openInvoice(_, units) {
        const invoice = node.outgoing.invoice(units, { minutes: 10 });
        given.push(hashOf(invoice));
        return payer.openInvoice({ invoice }, units);
      },
    });
    node.outgoing.conduct = 'holds';
    const id = await order({ lightningAddress: 'ana@example.com' });
    await step(address);
    await later(60);
    await step(address);
    assert.equal(given.length, 1);
    node.outgoing.settle(given[0] ?? '', 'failed');
    await later();
    await step(address);
    node.outgoing.conduct = 'pays';
    assert.equal((await read(id)).transaction, undefined);
    await later();
    assert.equal(await step(address), 1);
    assert.equal(given.length, 2);
    assert.equal((await read(id)).transaction, given[1]);
  });

  test('an invoice that differs from the order, or was changed in the database, is not paid', async () => {
    const address = withPayer({
      openInvoice: (_, units) =>
        payer.openInvoice({ invoice: node.outgoing.invoice(units + 1n) }, units),
    });
    const id = await order({ lightningAddress: 'ana@example.com' });
    await step(address);
    assert.match(
      (await read(id)).heldUp ?? '',
      /asks for 19998000 msat; ordered are 19997000 msat/,
    );
    const dies = withPayer({
      openInvoice: (_, units) =>
        payer.openInvoice({ invoice: node.outgoing.invoice(units) }, units),
      pay: () => assert.fail('killed'),
    });
    await later();
    await assert.rejects(step(dies), /killed/);
    const theirs = node.outgoing.invoice(UNITS);
    await world.app.db.single((tx) =>
      tx.query(sql`update invoice_payment set invoice = ${theirs} where transfer_id = ${id}`),
    );
    await later();
    await step(restarted());
    assert.match((await read(id)).heldUp ?? '', /changed in the database/);
    assert.equal(
      node.outgoing.payments.some(({ hash }) => hash === hashOf(theirs)),
      false,
    );
    await world.app.db.single((tx) =>
      tx.query(sql`delete from invoice_payment where invoice = ${theirs}`),
    );
    await world.app.db.single((tx) =>
      tx.query(sql`update transfer set transaction = null where id = ${id}`),
    );
    await cancelSending(app, id, { ...SAID, isNotSent: true });
  });

  test('above a limit it waits with the reason, for a person', async () => {
    await later(24 * 60);
    const ids = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push(await order({ invoice: node.outgoing.invoice(UNITS, { minutes: 3_000 }) }));
    }
    const day = withPayer({ limits: { paymentUnits: 30_000n, dayUnits: 50_000n } });
    assert.equal(await step(day), 2);
    const [, , third = ''] = ids;
    assert.match((await read(third)).heldUp ?? '', /LIGHTNING_PAY_DAY_MOST of 50000/);
    await later(24 * 60);
    assert.equal(await step(day), 1);
    const small = withPayer({ limits: { paymentUnits: 20_209n, dayUnits: 100_000n } });
    const above = await order({ invoice: node.outgoing.invoice(UNITS) });
    await step(small);
    assert.match((await read(above)).heldUp ?? '', /LIGHTNING_PAY_MOST of 20209/);
    await later();
    await step(withPayer({ limits: undefined }));
    assert.match((await read(above)).heldUp ?? '', /paying by itself is off/);
    await later();
    assert.equal(await step(), 1);
  });

  test('a person pays it, and proves it by the preimage', async () => {
    const invoice = node.outgoing.invoice(UNITS);
    const id = await order({ invoice });
    const custody = await world.custody('LIGHTNING', BTC);
    assert.equal((await showToSend(app, id)).link, `lightning:${invoice}`);
    assert.equal((await showToSend(app, id)).link, `lightning:${invoice}`);
    // The node is not told any more.
    assert.equal(await step(), 0);
    const says = (transaction: string) => confirmSent(app, id, { ...SAID, transaction });
    for (const wrong of ['paid', 'ab'.repeat(32), hashOf(invoice)]) {
      await assert.rejects(says(wrong), refuses('payment_not_proven'));
    }
    const { state, paidOutside } = await says(node.outgoing.preimageOf(hashOf(invoice)));
    assert.deepEqual([state, paidOutside], ['COMPLETED', true]);
    assert.equal(await world.custody('LIGHTNING', BTC), custody);
  });

  test('paid by a person from our own node it is seen, and booked with its fee', async () => {
    const invoice = node.outgoing.invoice(UNITS);
    const id = await order({ invoice });
    await showToSend(app, id);
    await payer.pay({
      invoice,
      paymentHash: hashOf(invoice),
      units: UNITS,
      feeUnitsMost: 500n,
      description: undefined,
    });
    assert.equal(await step(), 1);
    const { state, paidOutside, feeTakenUnits } = await read(id);
    assert.deepEqual([state, paidOutside, feeTakenUnits], ['COMPLETED', false, 2n]);
  });

  test('a shown invoice that has ended is not replaced: a person says what became of it', async () => {
    const id = await order({ invoice: node.outgoing.invoice(UNITS) });
    await showToSend(app, id);
    await later(61);
    await assert.rejects(showToSend(app, id), refuses('invoice_expired'));
    await cancelSending(app, id, { ...SAID, isNotSent: true });
    assert.equal((await read(id)).state, 'FAILED');
  });

  test('a fee above what was reserved is paid by the house', async () => {
    node.outgoing.feeMillisatoshis = 300_000n;
    const before = await available();
    const custody = await world.custody('LIGHTNING', BTC);
    const id = await order({ invoice: node.outgoing.invoice(UNITS) });
    assert.equal(await step(), 1);
    assert.equal((await read(id)).feeTakenUnits, RESERVED);
    assert.equal(await available(), before - UNITS - RESERVED);
    assert.equal(await world.custody('LIGHTNING', BTC), custody - UNITS - 300n);
  });

  test('an invoice that ended before anybody was told to pay it gives the money back', async () => {
    const id = await order({ invoice: node.outgoing.invoice(UNITS, { minutes: 30 }) });
    await later(31);
    assert.equal(await step(), 1);
    assert.equal((await read(id)).state, 'FAILED');
  });
});
