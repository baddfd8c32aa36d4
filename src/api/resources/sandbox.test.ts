import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { NewApiKey } from '#access/api-key.ts';
import { sql } from '#db/db.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
});
after(() => api.close());

const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10.00' }] };

async function create(): Promise<string> {
  const created = await api.call('POST', '/checkout', { body: { charge } });
  assert.equal(created.status, 200, created.text);
  return String(created.json.id);
}

type Payment = { network: string; assetId: string; amount: string; transaction: string };

async function pay(body: object): Promise<Payment[]> {
  const paid = await api.call('POST', '/sandbox/pay', { body });
  assert.equal(paid.status, 200, paid.text);
  return paid.json.payments as unknown as Payment[];
}

async function sentTo(checkoutId: string): Promise<bigint[]> {
  const rows = await api.db.query<{ units: bigint }>(sql`
    select t.units from sandbox_transfer t
    join deposit_instruction i on i.destination = t.destination
    where i.purpose_id = ${checkoutId} order by t.id`);
  return rows.map(({ units }) => units);
}

test('with test keys every network of the sandbox works out of the box', async () => {
  const created = await api.call('POST', '/checkout', { body: { charge } });
  const methods = created.json.paymentMethods as unknown as { network: string }[];
  const networks = new Set(methods.map(({ network }) => network));
  for (const network of ['BITCOIN', 'LITECOIN', 'ETHEREUM', 'STELLAR', 'LIGHTNING']) {
    assert.ok(networks.has(network), network);
    const body = { checkoutId: created.json.id, network };
    const committed = await api.call('POST', '/checkout/commit', { body });
    assert.equal(committed.status, 200, committed.text);
  }
});

test('a payment commits first when nothing is committed, and pays exactly', async () => {
  const checkoutId = await create();
  const [payment] = await pay({ checkoutId, network: 'LITECOIN' });
  const query = `?id=${checkoutId}`;
  const { json } = await api.call('GET', '/checkout', { query });
  assert.equal(json.checkout?.depositInstructions?.amount, payment?.amount);
  assert.equal((await sentTo(checkoutId)).length, 1);
});

test('what is paid with an Idempotency-Key is paid once, whatever dies in between', async () => {
  const checkoutId = await create();
  const order = { body: { checkoutId, network: 'LITECOIN' }, headers: { 'Idempotency-Key': 'p1' } };
  await api.db.single((tx) =>
    tx.query(sql`create function lose_answer() returns trigger language plpgsql as
      $$ begin raise exception 'the answer is lost'; end $$`),
  );
  await api.db.single((tx) =>
    tx.query(sql`create trigger lose_answer before insert on idempotency_key
      for each row execute function lose_answer()`),
  );
  const lost = await api.call('POST', '/sandbox/pay', order);
  await api.db.single((tx) => tx.query(sql`drop trigger lose_answer on idempotency_key`));
  assert.equal(lost.status, 500, lost.text);
  assert.deepEqual(await sentTo(checkoutId), []);
  const [paid, again] = [
    await api.call('POST', '/sandbox/pay', order),
    await api.call('POST', '/sandbox/pay', order),
  ];
  assert.deepEqual([paid.status, again.text], [200, paid.text]);
  assert.equal((await sentTo(checkoutId)).length, 1);
});

test('a payment may be of another amount and in parts', async () => {
  const checkoutId = await create();
  const body = { checkoutId, network: 'LITECOIN', amount: '0.00000007', parts: 2 };
  assert.equal((await pay(body)).length, 2);
  assert.deepEqual((await sentTo(checkoutId)).toSorted(), [3n, 4n]);
});

test('my payments are mined on one network or on all, as deep as asked, and undone again', async () => {
  const sent = async (network: string) => {
    const [payment] = await pay({ checkoutId: await create(), network });
    return payment?.transaction ?? '';
  };
  const bitcoin = await sent('BITCOIN');
  const litecoin = await sent('LITECOIN');
  const one = await api.call('POST', '/sandbox/mine', { body: { network: 'BITCOIN', blocks: 3 } });
  assert.equal((one.json.tips as unknown as object[]).length, 1);
  assert.deepEqual(await depths([bitcoin, litecoin]), [3n, null]);
  const all = await api.call('POST', '/sandbox/mine', { body: '{}' });
  assert.ok((all.json.tips as unknown as object[]).length >= 3);
  assert.deepEqual(await depths([bitcoin, litecoin]), [4n, 1n]);
  const undone = await api.call('POST', '/sandbox/reorg', {
    body: { network: 'BITCOIN', depth: 4 },
  });
  assert.equal(undone.status, 200, undone.text);
  assert.equal(undone.json.tip?.network, 'BITCOIN');
  assert.deepEqual(await depths([bitcoin, litecoin]), [null, 1n]);
});

test('a node falls silent and is woken with 0 seconds', async () => {
  for (const seconds of [60, 0]) {
    const answer = await api.call('POST', '/sandbox/freeze', {
      body: { network: 'LITECOIN', seconds },
    });
    assert.deepEqual(answer.json, { network: 'LITECOIN', seconds });
  }
});

test('the payment window is ended now', async () => {
  const checkoutId = await create();
  const body = { checkoutId, network: 'BITCOIN' };
  assert.equal((await api.call('POST', '/checkout/commit', { body })).status, 200);
  const answer = await api.call('POST', '/sandbox/expire', { body: { checkoutId } });
  assert.deepEqual([answer.status, answer.json], [200, { checkoutId }]);
  const { json } = await api.call('GET', '/checkout', { query: `?id=${checkoutId}` });
  assert.equal(json.checkout?.expirationTime, '2026-11-21T10:00:00+00:00');
  assert.equal(json.checkout?.state, 'EXPIRED');
});

test('wrong wishes are refused with every fault named', async () => {
  const checkoutId = await create();
  const cases: [path: string, body: object, status: number, faults: number][] = [
    ['/sandbox/pay', {}, 400, 1],
    ['/sandbox/pay', { checkoutId: 'x', network: 'X', amount: 0, parts: 21 }, 400, 4],
    ['/sandbox/pay', { checkoutId: 'aaaaaaaaaaaa' }, 404, 1],
    ['/sandbox/pay', { checkoutId, network: 'NOWHERE' }, 400, 1],
    ['/sandbox/pay', { checkoutId, network: 'LITECOIN', amount: '0.000000001' }, 400, 1],
    ['/sandbox/mine', { network: 'NOWHERE', blocks: 1.5 }, 400, 2],
    ['/sandbox/mine', { network: 'NOWHERE' }, 400, 1],
    ['/sandbox/replace', { checkoutId }, 409, 1],
    ['/sandbox/reorg', { depth: 31 }, 400, 2],
    ['/sandbox/expire', { checkoutId: 'aaaaaaaaaaaa' }, 404, 1],
    ['/sandbox/freeze', { network: 'BITCOIN' }, 400, 1],
  ];
  for (const [path, body, status, faults] of cases) {
    const refused = await api.call('POST', path, { body });
    assert.equal(refused.status, status, `${path} ${JSON.stringify(body)}: ${refused.text}`);
    assert.equal((refused.json.errors as unknown as string[]).length, faults, refused.text);
  }
});

test('the checkout of another merchant is not there, and live keys drive nothing', async () => {
  const checkoutId = await create();
  const other = await api.otherMerchant();
  for (const path of ['/sandbox/pay', '/sandbox/replace', '/sandbox/expire']) {
    const body = { checkoutId };
    assert.equal((await api.call('POST', path, { key: other, body })).status, 404, path);
    assert.equal((await api.call('POST', path, { key: api.liveKey, body })).status, 403, path);
  }
});

/** How many blocks hold or bury each transaction; null where none does. */
async function depths(transactions: readonly string[]): Promise<(bigint | null)[]> {
  const rows = await api.db.query<{ transaction: string; depth: bigint | null }>(sql`
    select transaction, (select max(height) from sandbox_block b where b.chain = t.chain)
      - block_height + 1 as depth from sandbox_transfer t
    where transaction = any(${transactions}::text[])`);
  const byId = new Map(rows.map(({ transaction, depth }) => [transaction, depth]));
  return transactions.map((id) => byId.get(id) ?? null);
}

test('what one merchant plays happens to his own payments and to nobody else', async () => {
  const { clock } = api;
  const other = await api.otherMerchant();
  // Older than its first minutes: there is room to move payments down.
  await mineBlocks(api.app, 'test:LITECOIN', 150);
  const paid = async (key: NewApiKey) => {
    const made = await api.call('POST', '/checkout', { body: { charge }, key });
    const body = { checkoutId: made.json.id, network: 'LITECOIN' };
    await clock.advance(1_000);
    const payment = await api.call('POST', '/sandbox/pay', { body, key });
    assert.equal(payment.status, 200, payment.text);
    return (payment.json.payments as unknown as { transaction: string }[])[0]?.transaction ?? '';
  };
  const play = async (path: string, body: object) => {
    const { status, text } = await api.call('POST', `/sandbox/${path}`, { body });
    assert.equal(status, 200, text);
  };
  const payments = [await paid(api.key), await paid(other)];
  await play('mine', { network: 'LITECOIN', blocks: 2 });
  assert.deepEqual(await depths(payments), [2n, null]);
  await mineBlocks(api.app, 'test:LITECOIN', 1);
  assert.deepEqual(await depths(payments), [3n, 1n]);
  await play('mine', { blocks: 100 });
  assert.deepEqual(await depths(payments), [63n, 1n]);
  const late = [await paid(api.key), await paid(other)];
  await play('mine', { network: 'LITECOIN' });
  assert.deepEqual(await depths(late), [1n, null]);
  await play('reorg', { network: 'LITECOIN', depth: 1 });
  assert.deepEqual(await depths([...payments, ...late]), [63n, 1n, null, null]);
  await play('freeze', { network: 'LITECOIN', seconds: 60 });
  const silent = [await paid(api.key), await paid(other)];
  await mineBlocks(api.app, 'test:LITECOIN', 1);
  assert.deepEqual(await depths(silent), [null, 1n]);
  await play('freeze', { network: 'LITECOIN', seconds: 0 });
  await mineBlocks(api.app, 'test:LITECOIN', 1);
  assert.deepEqual(await depths(silent), [1n, 2n]);
});
