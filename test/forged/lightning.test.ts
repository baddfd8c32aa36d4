// Payments over Lightning that are none, through the real adapter, recording and settlement: nothing
// is ever credited for them. Each names the incident or rule it comes from. What was really paid in
// the same world is credited, before and after, so that this file can fail.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openLightningNetworks } from '#networks/lightning/open-lightning-networks.ts';
import {
  type FakeInvoice,
  type FakeLightningNode,
  NODE_KINDS,
  type NodeKind,
  openFakeLightningNode,
} from '#test/fakes/lightning-node.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { type ForgedWorld, openForgedWorld } from './forged-world.ts';

const BTC = 'BTC:NATIVE';
const UNITS = 21_000n;

type Row = Record<string, unknown>;
type Forgery = {
  readonly name: string;
  readonly source: string;
  readonly kinds: readonly NodeKind[];
  /** What happens to the invoice, and what the node says of it. */
  readonly act: (node: FakeLightningNode, invoice: FakeInvoice) => void;
};

const ALL = NODE_KINDS;
const LND: readonly NodeKind[] = ['lnd'];
const CLN: readonly NodeKind[] = ['core-lightning'];
const ELECTRUM: readonly NodeKind[] = ['electrum'];

/** Each entry for the invoice, wherever an answer holds one, with other fields. */
function say(node: FakeLightningNode, invoice: FakeInvoice, change: (row: Row) => Row | Row[]) {
  const ours = (row: Row) =>
    [row.payment_hash, row.rhash].includes(invoice.paymentHash) ||
    row.r_hash === Buffer.from(invoice.paymentHash, 'hex').toString('base64');
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.flatMap((item: Row) => (ours(item) ? change(item) : [item]));
    }
    if (typeof value !== 'object' || value === null) return value;
    if (ours(value as Row)) return [change(value as Row)].flat()[0];
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]));
  };
  node.change = (_method, answer) => visit(answer);
}

function without(row: Row, ...names: string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

const FORGERIES: readonly Forgery[] = [
  {
    name: 'HTLCs that are accepted and not settled (a hold invoice)',
    source: 'A11; BOLT 2: an HTLC may still be failed',
    kinds: ALL,
    act: (node, { paymentHash }) => node.hold(paymentHash),
  },
  {
    name: 'HTLCs accepted and then cancelled',
    source: 'A11, LND CancelInvoice',
    kinds: ALL,
    act(node, { paymentHash }) {
      node.hold(paymentHash);
      node.cancel(paymentHash);
    },
  },
  {
    name: 'an invoice that expired unpaid',
    source: 'A22, BOLT 4: an expired invoice is not paid',
    kinds: ALL,
    act: (node, { paymentHash }) => node.cancel(paymentHash),
  },
  {
    name: 'an invoice of another program on the same node is paid',
    source: 'R1: matched by payment hash only',
    kinds: ALL,
    act: (node) => node.pay(node.addForeign(UNITS).paymentHash),
  },
  {
    name: 'an invoice of the same amount and text with another hash is paid',
    source: 'money.md: nothing is matched by amount',
    kinds: ALL,
    act(node, invoice) {
      const twin = node.addForeign(UNITS);
      node.invoices[node.invoices.indexOf(twin)] = { ...twin, memo: invoice.memo };
      node.pay(twin.paymentHash);
    },
  },
  {
    name: 'settled, the amount that arrived is missing',
    source: 'BTCPay #7402: amount missing after a reconnect',
    kinds: ALL,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      say(node, invoice, (row) =>
        without(row, 'amt_paid_msat', 'amount_received_msat', 'preimage'),
      );
    },
  },
  {
    name: 'settled, nothing arrived',
    source: 'A11: received amount, never the amount asked for',
    kinds: ALL,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      const none = { amt_paid_msat: '0', amount_received_msat: 0, htlcs: [] };
      say(node, invoice, (row) => ({
        ...row,
        ...none,
        ...('direction' in row ? { amount_msat: 0 } : {}),
      }));
    },
  },
  {
    name: 'settled, less arrived than was asked for',
    source: 'BOLT 4: a node takes no less than was asked for',
    kinds: ALL,
    act: (node, { paymentHash }) => node.pay(paymentHash, 20_999_999n),
  },
  {
    name: 'settled, more than twice arrived',
    source: 'BOLT 4: a node takes at most twice the amount',
    kinds: [...CLN, ...ELECTRUM],
    act: (node, { paymentHash }) => node.pay(paymentHash, 2n * UNITS * 1000n + 1n),
  },
  {
    name: 'settled, more arrived than there are bitcoins',
    source: 'A20: amounts within what can exist',
    kinds: ALL,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      const much = '2100000000000000001';
      say(node, invoice, (row) => ({
        ...row,
        amt_paid_msat: much,
        amount_received_msat: much,
        ...('direction' in row ? { amount_msat: much } : {}),
        htlcs: [{ state: 'SETTLED', amt_msat: much }],
      }));
    },
  },
  {
    name: 'settled, with a preimage of another payment',
    source: 'BOLT 2: who was paid knows the preimage',
    kinds: ALL,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      const r_preimage = Buffer.alloc(32, 1).toString('base64');
      const preimage = '01'.repeat(32);
      say(node, invoice, (row) => ({ ...row, r_preimage, preimage, payment_preimage: preimage }));
    },
  },
  {
    name: 'settled, without a preimage',
    source: 'BOLT 2: who was paid knows the preimage',
    kinds: ALL,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      say(node, invoice, (row) => without(row, 'r_preimage', 'preimage', 'payment_preimage'));
    },
  },
  {
    name: 'settled by state while its HTLC is only accepted',
    source: 'A11: settled HTLCs are what arrived',
    kinds: LND,
    act(node, invoice) {
      node.hold(invoice.paymentHash);
      const amt_paid_msat = String(UNITS * 1000n);
      say(node, invoice, (row) => ({
        ...row,
        state: 'SETTLED',
        amt_paid_msat,
        settle_date: '1767268800',
      }));
    },
  },
  {
    name: 'settled by the flag `settled` alone',
    source: 'lightning.proto: the field settled is deprecated',
    kinds: LND,
    act: (node, invoice) => say(node, invoice, (row) => ({ ...row, settled: true })),
  },
  {
    name: 'settled, part of it in an HTLC that was cancelled',
    source: 'A11: of several parts only the settled ones count',
    kinds: LND,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      const half = { amt_msat: String((UNITS * 1000n) / 2n) };
      const htlcs = [
        { ...half, state: 'SETTLED' },
        { ...half, state: 'CANCELED' },
      ];
      say(node, invoice, (row) => ({ ...row, htlcs }));
    },
  },
  {
    name: 'settled, with more than its HTLCs hold',
    source: 'A11: settled HTLCs are what arrived; A20',
    kinds: LND,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      say(node, invoice, (row) => ({ ...row, amt_paid_msat: String(2n * UNITS * 1000n) }));
    },
  },
  {
    name: 'settled, without HTLCs',
    source: 'money.md: a balance increase that covers it',
    kinds: LND,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      say(node, invoice, (row) => without(row, 'htlcs'));
    },
  },
  {
    name: 'settled as a number of the state and not as its name',
    source: 'answers are read strictly',
    kinds: LND,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      say(node, invoice, (row) => ({ ...row, state: 1 }));
    },
  },
  {
    name: 'an amount with a fraction',
    source: 'A20: no float is ever made of an amount',
    kinds: ALL,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      const msat = 21_000_000.5;
      say(node, invoice, (row) => ({
        ...row,
        amt_paid_msat: msat,
        amount_received_msat: msat,
        ...('direction' in row ? { amount_msat: msat } : {}),
      }));
    },
  },
  {
    name: 'a negative amount',
    source: 'A20',
    kinds: ALL,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      say(node, invoice, (row) => ({
        ...row,
        amt_paid_msat: '-21000000',
        amount_received_msat: -21_000_000,
        ...('direction' in row ? { amount_msat: -21_000_000 } : {}),
      }));
    },
  },
  {
    name: 'settled, without the time',
    source: 'answers are read strictly',
    kinds: ALL,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      say(node, invoice, (row) => ({ ...row, settle_date: '0', paid_at: 0, timestamp: 0 }));
    },
  },
  {
    name: 'the same invoice twice in a list',
    source: 'A22: a payment hash is credited once',
    kinds: ALL,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      say(node, invoice, (row) => [row, row]);
    },
  },
  {
    name: 'a node of another chain',
    source: 'B: LND on testnet behind the address of a main node',
    kinds: ALL,
    act(node, { paymentHash }) {
      node.chainName = 'test';
      node.pay(paymentHash);
    },
  },
  {
    name: 'a node that does not say its chain',
    source: 'answers are read strictly',
    kinds: ALL,
    act(node, { paymentHash }) {
      node.chainName = 'other';
      node.pay(paymentHash);
    },
  },
  {
    name: 'a page of a proxy with status 200',
    source: 'I: gateways answer for a node that is away',
    kinds: ALL,
    act(node, { paymentHash }) {
      node.pay(paymentHash);
      node.changeText = () => '<html><body>SETTLED</body></html>';
    },
  },
  {
    name: 'an answer that ends early',
    source: 'answers are whole or nothing',
    kinds: ALL,
    act(node, { paymentHash }) {
      node.pay(paymentHash);
      node.changeText = (_method, text) => text.slice(0, -2);
    },
  },
  {
    name: 'paid by an unknown state',
    source: 'answers are read strictly',
    kinds: [...LND, ...CLN],
    act: (node, invoice) =>
      say(node, invoice, (row) => ({ ...row, state: 'PAID', status: 'complete' })),
  },
  {
    name: 'a request that is Paid because its on-chain address was',
    source: 'wallet.py, get_invoice_status: paid on chain is Paid as well',
    kinds: ELECTRUM,
    act: (node, invoice) =>
      say(node, invoice, (row) => ({ ...row, status: 3, status_str: 'Paid', tx_hashes: ['aa'] })),
  },
  {
    name: 'a payment that we sent with the same hash',
    source: 'lnutil.py, PaymentDirection: SENT is 0',
    kinds: ELECTRUM,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      say(node, invoice, (row) => ('direction' in row ? { ...row, direction: 0 } : row));
    },
  },
  {
    name: 'a payment whose request is not there',
    source: 'nothing confirms its amount',
    kinds: ELECTRUM,
    act(node, invoice) {
      node.pay(invoice.paymentHash);
      say(node, invoice, (row) => ('rhash' in row ? [] : row));
    },
  },
];

test('the corpus holds at least 20 forgeries, each with its source', () => {
  const counted = FORGERIES.reduce((sum, { kinds }) => sum + kinds.length, 0);
  assert.ok(FORGERIES.length >= 20 && counted >= 60, `${FORGERIES.length}, ${counted}`);
  assert.equal(new Set(FORGERIES.map(({ name }) => name)).size, FORGERIES.length);
  for (const { source } of FORGERIES) assert.ok(source.length > 0);
});

for (const kind of NODE_KINDS) {
  describe(`a forged payment on ${kind} is not credited`, () => {
    const clock = manualClock('2026-01-01T12:00:00Z');
    let node: FakeLightningNode;
    let world: ForgedWorld;

    before(async () => {
      node = await openFakeLightningNode(kind, clock);
      const networks = openLightningNetworks.bind(undefined, [node.settings]);
      world = await openForgedWorld({ networks, clock });
      await world.observe();
    });
    after(async () => {
      await world?.close();
      await node?.close();
    });

    async function open(): Promise<FakeInvoice> {
      const { instruction } = await world.createAndCommit('LIGHTNING', BTC, UNITS);
      return node.find(instruction.destination);
    }

    async function payHonestly(): Promise<void> {
      const before = await world.credited();
      const invoice = await open();
      node.pay(invoice.paymentHash);
      assert.deepEqual(await world.observe(), []);
      await world.settle();
      assert.equal((await world.credited()) - before, UNITS);
    }

    test('control: what was really paid is credited', payHonestly);

    for (const forgery of FORGERIES.filter(({ kinds }) => kinds.includes(kind))) {
      test(`${forgery.name} (${forgery.source})`, async () => {
        const credited = await world.credited();
        const invoice = await open();
        forgery.act(node, invoice);
        for (let look = 0; look < 2; look += 1) {
          await world.observe();
          await world.settle();
        }
        assert.equal(await world.credited(), credited);
        assert.equal(await world.suspended(), 0n);
        assert.deepEqual(await world.brokenInvariants(), []);
        // Out of the way of the next one: gone from the node, as if it had never been.
        node.invoices.splice(node.invoices.indexOf(invoice), 1);
        Object.assign(node, { change: undefined, changeText: undefined, chainName: 'regtest' });
      });
    }

    test('control: the node is believed again when it is honest', payHonestly);
  });
}
