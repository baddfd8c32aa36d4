// Answers as Core Lightning publishes them in its manual (doc/schemas of lightning-getinfo,
// lightning-invoice, lightning-listinvoices, lightning-waitinvoice), read by the backend. No binary of
// it can be had where the tests run; the stories are told with test/fakes/lightning-node.ts, whose
// answers have the shapes of these.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInvoice } from '#networks/read-invoice.ts';
import { fakeHttp } from '#test/support/fake-http.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { coreLightningBackend } from './core-lightning-backend.ts';

const BOLT11_LISTED =
  'lnbcrt110u1pjmr5lzsp5sfjyj3xn7ux592k36hmmt4ax98n6lgct22wvj54yck0upcmep63qpp5qu436g855lr40ftdt7csatk5' +
  'pdvtdzzfmfqluwtvm0fds95jsadqdpq0pzk7s6j8y69xjt6xe25j5j4g44hsatdxqyjw5qcqp99qxpqysgquwma3zrw4cd8e8j4u9' +
  'uh4gxukaacckse64kx2l9dqv8rvrysdq5r5dt38t9snqj9u5ar07h2exr4fg56wpudkhkk7gtxlyt72ku5fpqqd4fnlk';
const HASH_LISTED = '072b1d20f4a7c757a56d5fb10eaed40b58b68849da41fe396cdbd2d81692875a';
const HASH_PAID = '057a4150248456f249edddb77f617d1d985156350f455e146d74e554d62bbdfa';

const getinfo = {
  id: '02bf811f7571754f0b51e6d41a8885f5561041a7b14fac093e4cffb95749de1a8d',
  alias: 'SLICKERGOPHER',
  color: '02bf81',
  num_peers: 0,
  num_pending_channels: 0,
  num_active_channels: 0,
  num_inactive_channels: 0,
  version: 'v0.10.2',
  blockheight: 724302,
  network: 'bitcoin',
  fees_collected_msat: '0msat',
};
const listed = {
  label: 'xEoCR94SIz6UIRUEkxum',
  bolt11: BOLT11_LISTED,
  payment_hash: HASH_LISTED,
  amount_msat: 11000000,
  status: 'unpaid',
  description: ['XEoCR94SIz6UIRUEkxum.'],
  expires_at: 1706757730,
  created_index: 1,
};
const paid = {
  label: 'inv2',
  payment_hash: HASH_PAID,
  amount_msat: 1000,
  status: 'paid',
  pay_index: 1,
  amount_received_msat: 1000,
  paid_at: 1706241494,
  payment_preimage: '34ccd37cc85e067cb376f9ea8c70d70469f58bf296f2566ed9ad4dfb70971a26',
  description: ['Inv2.'],
  expires_at: 1706846290,
  created_index: 2,
  updated_index: 1,
};
const made = {
  payment_hash: HASH_LISTED,
  expires_at: 1706757730,
  bolt11: BOLT11_LISTED,
  payment_secret: '82644944d3f70d42aad1d5f7b5d7a629e7afa30b529cc952a4c59fc0e3790ea2',
  created_index: 1,
  warning_deadends: 'Insufficient incoming capacity, once dead-end peers were excluded',
};

type Answers = Readonly<Record<string, { readonly status?: number; readonly body: unknown }>>;

function backendOver(answers: Answers) {
  const calls: { method: string; parameters: unknown }[] = [];
  const backend = coreLightningBackend({
    clock: manualClock('2026-01-01T12:00:00Z'),
    http: fakeHttp(({ path = '', body = '{}' }) => {
      const method = path.replace('/v1/', '');
      calls.push({ method, parameters: JSON.parse(body) });
      return { status: 201, ...(answers[method] ?? { status: 404, body: {} }) };
    }),
  });
  return { backend, calls };
}

const request = {
  instructionId: 'abcdefghijkl',
  millisatoshis: 11_000_000n,
  expirySeconds: 3600n,
  description: 'Payment abcdefghijkl',
} as const;

test('the node tells its chain, its key and its version', async () => {
  const { backend } = backendOver({ getinfo: { body: getinfo } });
  assert.deepEqual(await backend.describe(), {
    chainName: 'main',
    nodeId: getinfo.id,
    version: 'v0.10.2',
    ...{ notReady: undefined, isCatchingUp: false },
  });
});

test('a node that loads blocks is not ready', async () => {
  const warning = 'Still loading latest blocks from bitcoind.';
  const body = { ...getinfo, warning_lightningd_sync: warning };
  const { backend } = backendOver({ getinfo: { body } });
  const { notReady, isCatchingUp } = await backend.describe();
  assert.deepEqual(
    [notReady, isCatchingUp],
    [`${warning} (at block ${getinfo.blockheight})`, true],
  );
});

test('for a hashed description the whole text is given, and only its hash asked for', async () => {
  const { backend, calls } = backendOver({ invoice: { body: made } });
  const hashedDescription = '[["text/plain","Payment to a shop"]]';
  const isHashed = true;
  await backend.makeInvoice({ ...request, hashedDescription });
  assert.deepEqual(calls, [
    {
      method: 'invoice',
      parameters: {
        amount_msat: 11_000_000,
        label: 'quittance/abcdefghijkl',
        description: hashedDescription,
        expiry: 3600,
        deschashonly: isHashed,
      },
    },
  ]);
});

test('an invoice is asked for with its label, and is what the manual shows', async () => {
  const { backend, calls } = backendOver({ invoice: { body: made } });
  const invoice = readInvoice(await backend.makeInvoice(request));
  assert.equal(invoice?.paymentHash, HASH_LISTED);
  assert.equal(invoice?.millisatoshis, 11_000_000n);
  assert.deepEqual([invoice?.prefix, invoice?.hasFallback], ['bcrt', false]);
  assert.equal(invoice?.expiresAt.epochMilliseconds, 1706757730_000);
  assert.deepEqual(calls, [
    {
      method: 'invoice',
      parameters: {
        amount_msat: 11_000_000,
        label: 'quittance/abcdefghijkl',
        description: 'Payment abcdefghijkl',
        expiry: 3600,
      },
    },
  ]);
});

test('a label that is taken gives the invoice that has it', async () => {
  const taken = { status: 500, body: { code: 900, message: 'Duplicate label' } };
  const known = { ...listed, label: 'quittance/abcdefghijkl' };
  const { backend } = backendOver({
    invoice: taken,
    listinvoices: { body: { invoices: [known] } },
  });
  assert.equal(await backend.makeInvoice(request), BOLT11_LISTED);
});

test('unpaid and paid invoices are read as the manual shows them', async () => {
  const { backend, calls } = backendOver({ listinvoices: { body: { invoices: [listed, paid] } } });
  const page = await backend.listInvoices(0n, new Set([HASH_LISTED, HASH_PAID]));
  assert.deepEqual(page, {
    facts: [
      { paymentHash: HASH_LISTED, index: 1n, state: { kind: 'open' } },
      {
        paymentHash: HASH_PAID,
        index: 2n,
        state: {
          kind: 'settled',
          receivedMillisatoshis: 1000n,
          settledAt: Temporal.Instant.fromEpochMilliseconds(1706241494_000),
        },
      },
    ],
    next: 3n,
    isLast: true,
  });
  assert.deepEqual(calls[0]?.parameters, { index: 'created', start: 1, limit: 1000 });
});

test('amounts of older versions carry their unit', async () => {
  const older = { ...paid, amount_msat: '1000msat', amount_received_msat: '1001msat' };
  const { backend } = backendOver({ listinvoices: { body: { invoices: [older] } } });
  const fact = await backend.findInvoice(HASH_PAID);
  assert(fact?.state.kind === 'settled');
  assert.equal(fact.state.receivedMillisatoshis, 1001n);
});

test('only channels in normal state with a peer online can receive', async () => {
  const channel = { peer_connected: true, state: 'CHANNELD_NORMAL', receivable_msat: 5_000_999 };
  const channels = [
    channel,
    { ...channel, peer_connected: false },
    { ...channel, state: 'CHANNELD_AWAITING_LOCKIN' },
  ];
  const { backend } = backendOver({ listpeerchannels: { body: { channels } } });
  assert.deepEqual(await backend.listReceivableUnits(), [5000n]);
});

test('a rune that does not allow a method is told by the name of the method', async () => {
  const { backend } = backendOver({ getinfo: { status: 401, body: { code: 1501 } } });
  await assert.rejects(backend.describe(), /the rune does not allow getinfo/);
});
