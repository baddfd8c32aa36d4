// Each reason not to believe an answer of a node, alone and by its sentence: the rest of it is honest.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import { NodeLie } from '#networks/answer-fields.ts';
import { fakeHttp } from '#test/support/fake-http.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { coreLightningBackend } from './core-lightning-backend.ts';
import { electrumBackend } from './electrum-backend.ts';
import { lndBackend } from './lnd-backend.ts';

const clock = manualClock('2026-01-01T12:00:00Z');
const seconds = clock.now().epochMilliseconds / 1000;
const preimage = Buffer.alloc(32, 1);
const hashBytes = createHash('sha256').update(preimage).digest();
const hash = hashBytes.toString('hex');
const wanted = new Set([hash]);
const request = {
  instructionId: 'abcdefghijkl',
  millisatoshis: 21_000_000n,
  expirySeconds: 3600n,
  description: 'Payment abcdefghijkl',
};

type Answer = { readonly status?: number; readonly body?: unknown };
type Answers = Readonly<Record<string, Answer>>;

/** Answers by path, or by the method of Electrum, whose result is told. */
function answering(answers: Answers, isRpc = false) {
  const asked: string[] = [];
  const http = fakeHttp(({ path, body = '{}' }) => {
    const { method } = JSON.parse(body) as { method?: string };
    const name = String(isRpc ? method : path);
    asked.push(name);
    return { body: undefined, ...(answers[name] ?? { status: 404, body: {} }) };
  });
  return { http, clock, asked };
}

/** Of a lie, or of the cause of an outage. */
function saying(kind: typeof NodeLie | typeof Outage, sentence: RegExp) {
  return (error: unknown) =>
    error instanceof kind && sentence.test(`${error.message} ${String(error.cause)}`);
}

describe('LND', () => {
  const settled = {
    state: 'SETTLED',
    add_index: '2',
    r_hash: hashBytes.toString('base64'),
    r_preimage: preimage.toString('base64'),
    value_msat: '21000000',
    amt_paid_msat: '21000000',
    settle_date: String(seconds),
    htlcs: [{ state: 'SETTLED', amt_msat: '21000000' }],
  };
  const over = (answers: Answers) => {
    const { asked, ...parts } = answering(answers);
    return { asked, backend: lndBackend({ ...parts, macaroon: new Uint8Array(1) }) };
  };
  const find = (body: unknown, status = 200) =>
    over({ [`/v1/invoice/${hash}`]: { status, body } }).backend.findInvoice(hash);
  const list = (invoices: unknown) =>
    over({ '/v1/invoices': { body: { invoices } } }).backend.listInvoices(0n, wanted);

  test('an honest one is believed', async () => {
    assert.equal((await find(settled))?.state.kind, 'settled');
    assert.equal((await list([{ ...settled, add_index: 1 }, settled])).facts.length, 2);
  });

  for (const [name, change, sentence] of [
    ['more than its HTLCs hold', { amt_paid_msat: '21000001' }, /settled HTLCs hold 21000000/],
    ['less than its HTLCs hold', { amt_paid_msat: '20999999' }, /settled HTLCs hold 21000000/],
    ['less than was asked for', { value_msat: '21000001' }, /is less than was asked for/],
    ['nothing', { amt_paid_msat: '0', htlcs: [] }, /is 0 msat/],
    ['more than there is', { amt_paid_msat: '2100000000000000001' }, /is 2100000000000000001 msat/],
    ['an amount with a zero before it', { amt_paid_msat: '021000000' }, /is no whole number/],
    ['an amount that is no number', { amt_paid_msat: true }, /is no whole number/],
    ['an amount that is a list', { amt_paid_msat: ['21000000'] }, /is no whole number/],
    ['an amount with a fraction', { amt_paid_msat: 21_000_000.5 }, /is no whole number/],
    ['an amount below zero', { amt_paid_msat: -1 }, /is no whole number/],
    ['a preimage of 31 bytes', { r_preimage: 'AQEB' }, /a preimage is no base64 of 32 bytes/],
    [
      'a preimage that is a list',
      { r_preimage: [preimage.toString('base64')] },
      /a preimage is no base64 of 32 bytes/,
    ],
    [
      'the preimage of another',
      { r_preimage: Buffer.alloc(32, 2).toString('base64') },
      /is not the one of the invoice/,
    ],
    ['no time', { settle_date: '0' }, /the time of payment of \w+ is no time/],
    ['a time far away', { settle_date: '100000000001' }, /the time of payment of \w+ is no time/],
    ['the hash of another', { r_hash: settled.r_preimage }, /the node found another invoice/],
    ['no hash', { r_hash: null }, /a payment hash is no base64/],
    ['no HTLCs', { htlcs: {} }, /the HTLCs of \w+ is no list/],
    ['no state', { state: 'PAID' }, /the state of \w+ is none/],
  ] as const) {
    test(`a settled invoice with ${name} is a lie`, async () => {
      await assert.rejects(find({ ...settled, ...change }), saying(NodeLie, sentence));
    });
  }

  for (const index of ['1', '2']) {
    test(`a list in which ${index} comes after 2 is a lie`, async () => {
      const listed = list([settled, { ...settled, add_index: index }]);
      await assert.rejects(listed, saying(NodeLie, /out of order/));
    });
  }

  test('an invoice is unknown only when the node says so', async () => {
    assert.equal(await find({ message: 'unable to locate invoice' }, 404), undefined);
    for (const body of [{ message: 'not now' }, {}, null]) {
      await assert.rejects(find(body, 500), saying(Outage, /refuses \(HTTP status 500\)/));
    }
    const found = await find({ ...settled, message: 'unable to locate invoice' });
    assert.equal(found?.state.kind, 'settled');
  });

  for (const status of [401, 403]) {
    test(`HTTP ${status} is a macaroon that is refused`, async () => {
      await assert.rejects(find({}, status), saying(Outage, /refuses the macaroon/));
    });
  }

  test('an invoice that was made before is given again, and only then', async () => {
    const makeOver = (body: Answer) => {
      const { backend, asked } = over({ '/v1/invoices': body });
      return { made: backend.makeInvoice(request), asked };
    };
    const message = 'payment hash already exists';
    const again = makeOver({ status: 500, body: { message } });
    await assert.rejects(again.made, Outage);
    assert.match(String(again.asked[1]), /^\/v1\/invoice\/[0-9a-f]{64}$/);
    for (const body of [{ message: 'no' }, null]) {
      const refused = makeOver({ status: 500, body });
      await assert.rejects(refused.made, saying(Outage, /HTTP status 500/));
      assert.equal(refused.asked.length, 1);
    }
    const made = makeOver({ body: { message, payment_request: 'lnbcrt1' } });
    assert.equal(await made.made, 'lnbcrt1');
  });
});

describe('Core Lightning', () => {
  const paid = {
    label: 'quittance/abcdefghijkl',
    bolt11: 'lnbcrt1',
    status: 'paid',
    created_index: 2,
    payment_hash: hash,
    payment_preimage: preimage.toString('hex'),
    amount_msat: 21_000_000,
    amount_received_msat: 21_000_000,
    paid_at: seconds,
  };
  const over = (answers: Answers) => coreLightningBackend(answering(answers));
  const shown = (...invoices: unknown[]) => over({ '/v1/listinvoices': { body: { invoices } } });

  test('an honest one is believed', async () => {
    assert.equal((await shown(paid).findInvoice(hash))?.state.kind, 'settled');
    assert.equal(await shown().findInvoice(hash), undefined);
  });

  for (const [name, change, sentence] of [
    ['less than was asked for', { amount_received_msat: 20_999_999 }, /where 21000000 msat were/],
    ['more than twice', { amount_received_msat: 42_000_001 }, /where 21000000 msat were asked/],
    ['the preimage of another', { payment_preimage: hash }, /is not the one of the invoice/],
    ['a preimage in capitals', { payment_preimage: 'AB'.repeat(32) }, /a preimage is no hash/],
    ['no preimage', { payment_preimage: null }, /a preimage is no hash/],
    ['a list of it', { payment_preimage: [preimage.toString('hex')] }, /a preimage is no hash/],
    ['the hash of another', { payment_hash: 'ab'.repeat(32) }, /the node found another invoice/],
    ['no status', { status: 'complete' }, /the status of \w+ is none/],
  ] as const) {
    test(`a paid invoice with ${name} is a lie`, async () => {
      const found = shown({ ...paid, ...change }).findInvoice(hash);
      await assert.rejects(found, saying(NodeLie, sentence));
    });
  }

  test('two invoices with one payment hash are a lie', async () => {
    const found = shown(paid, { ...paid, created_index: 3 }).findInvoice(hash);
    await assert.rejects(found, saying(NodeLie, /the node found another invoice/));
  });

  for (const index of [1, 2]) {
    test(`a list in which ${index} comes after 2 is a lie`, async () => {
      const listed = shown(paid, { ...paid, created_index: index }).listInvoices(0n, wanted);
      await assert.rejects(listed, saying(NodeLie, /out of order/));
    });
  }

  for (const [name, invoices] of [
    ['no invoice', []],
    ['two invoices', [paid, paid]],
    ['the invoice of another label', [{ ...paid, label: 'another' }]],
  ] as const) {
    test(`a label that is taken and has ${name} is a lie`, async () => {
      const made = over({
        '/v1/invoice': { status: 500, body: { code: 900 } },
        '/v1/listinvoices': { body: { invoices } },
      }).makeInvoice(request);
      await assert.rejects(made, saying(NodeLie, /a label is taken and has not one invoice/));
    });
  }

  for (const status of [200, 201]) {
    test(`with HTTP ${status} no label is taken`, async () => {
      const body = { code: 900, bolt11: 'lnbcrt1' };
      assert.equal(await over({ '/v1/invoice': { status, body } }).makeInvoice(request), 'lnbcrt1');
    });
  }

  for (const [status, sentence] of [
    [401, /the rune does not allow listinvoices/],
    [403, /the rune does not allow listinvoices/],
    [500, /the node refuses listinvoices \(HTTP status 500\): not now/],
  ] as const) {
    test(`an answer with HTTP ${status} is none`, async () => {
      const body = { message: 'not now', invoices: [paid] };
      const found = over({ '/v1/listinvoices': { status, body } }).findInvoice(hash);
      await assert.rejects(found, saying(Outage, sentence));
    });
  }
});

describe('Electrum', () => {
  const asked = { is_lightning: true, rhash: hash, amount_msat: 21_000_000, status: 0 };
  const payment = {
    type: 'payment',
    direction: 1,
    payment_hash: hash,
    preimage: preimage.toString('hex'),
    amount_msat: 21_000_000,
    timestamp: seconds,
  };
  const over = (results: Readonly<Record<string, unknown>>) => {
    const told = Object.entries(results).map(([id, result]) => [id, { body: { id, result } }]);
    return electrumBackend(answering(Object.fromEntries(told), true));
  };
  const find = async (requests: unknown, history: unknown) =>
    over({ list_requests: requests, lightning_history: history }).findInvoice(hash);

  test('an honest one is believed, whatever else is in its lists', async () => {
    const onChain = { is_lightning: false, rhash: null };
    const foreign = { ...asked, rhash: 'ab'.repeat(32), amount_msat: null };
    const swap = { ...payment, type: 'swap', amount_msat: null };
    const fact = await find([onChain, foreign, asked], [swap, payment]);
    assert.equal(fact?.state.kind, 'settled');
    assert.equal((await find([asked], [swap]))?.state.kind, 'open');
  });

  test('a request is over a day after it expired, and only then', async () => {
    const expiredFor = (hours: number, status = 1) => {
      const expiration = seconds - hours * 3600;
      return find([{ ...asked, status, expiration }], []);
    };
    assert.equal((await expiredFor(23))?.state.kind, 'open');
    assert.equal((await expiredFor(25))?.state.kind, 'closed');
    assert.equal((await expiredFor(25, 3))?.state.kind, 'open');
  });

  test('a payment that is there twice is a lie', async () => {
    const found = find([asked], [payment, payment]);
    await assert.rejects(found, saying(NodeLie, /a payment is there twice/));
  });

  test('a payment that we sent is a lie', async () => {
    const found = find([asked], [{ ...payment, direction: 0 }]);
    await assert.rejects(found, saying(NodeLie, /was not received/));
  });

  test('only open channels with a peer online can receive', async () => {
    const channel = { state: 'OPEN', peer_state: 'GOOD', remote_balance: 9, remote_reserve: 2 };
    const list_channels = [
      channel,
      { ...channel, state: 'CLOSING' },
      { ...channel, peer_state: 'DISCONNECTED' },
      { ...channel, remote_reserve: 10 },
    ];
    assert.deepEqual(await over({ list_channels }).listReceivableUnits(), [7n, 0n]);
  });

  test('a request that is there already is given again', async () => {
    const known = { message: request.description, amount_msat: 21_000_000, timestamp: seconds };
    const list_requests = [
      { ...known, timestamp: seconds + 1, lightning_invoice: 'lnbcrt2' },
      { ...known, lightning_invoice: 'lnbcrt1' },
    ];
    assert.equal(await over({ list_requests }).makeInvoice(request), 'lnbcrt1');
  });

  const id = 'list_channels';
  for (const [name, answer, sentence] of [
    ['HTTP 401', { status: 401, body: { id, result: [] } }, /refuses the user and password/],
    ['HTTP 403', { status: 403, body: { id, result: [] } }, /refuses the user and password/],
    ['HTTP 500', { status: 500, body: { id, result: [] } }, /left list_channels unanswered/],
    ['an error', { body: { id, result: [], error: { message: 'no' } } }, /refuses list_channels/],
    ['another question', { body: { id: 'nodeid', result: [] } }, /left list_channels unanswered/],
    ['no result', { body: { id } }, /left list_channels unanswered/],
  ] as const) {
    test(`an answer with ${name} is none`, async () => {
      const listed = electrumBackend(answering({ [id]: answer }, true)).listReceivableUnits();
      await assert.rejects(listed, saying(Outage, sentence));
    });
  }

  test('an error that is null is none', async () => {
    const body = { id, result: [], error: null };
    const backend = electrumBackend(answering({ [id]: { body } }, true));
    assert.deepEqual(await backend.listReceivableUnits(), []);
  });
});
