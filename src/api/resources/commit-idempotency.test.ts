// A commit with an Idempotency-Key, where a node has to be asked: the transaction that the key opens
// must not be open meanwhile.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import type { Network } from '#deposit/network.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
let asked: string[] = [];

before(async () => {
  api = await openTestApi({ simulated: true });
  const network = api.app.networks.get('test:LIGHTNING');
  assert(network !== undefined);
  api.app.networks.set('test:LIGHTNING', askingNode(network));
});
after(() => api?.close());

function askingNode(network: Network): Network {
  return {
    ...network,
    asksNode: true,
    async openDestination(request) {
      const [row] = await api.db.query<{ open: bigint }>(sql`
        select count(*) as open from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and state like 'idle in transaction%'`);
      assert.equal(row?.open, 0n, 'a transaction is open while the node is asked');
      asked.push(request.instructionId);
      return network.openDestination(request);
    },
  };
}

async function create(): Promise<string> {
  const lineItems = [{ description: 'Book', netAmount: '0.0003' }];
  const body = { charge: { billingCurrency: 'BTC', lineItems } };
  const { json } = await api.call('POST', '/checkout', { body });
  return String(json?.id);
}

const commit = (checkoutId: string, key: string, network = 'LIGHTNING') =>
  api.call('POST', '/checkout/commit', {
    body: { checkoutId, network },
    headers: { 'idempotency-key': key },
  });

test('the node is asked once and outside; the repeat is the stored answer', async () => {
  asked = [];
  const id = await create();
  const first = await commit(id, 'one');
  assert.equal(first.status, 200, first.text);
  const again = await commit(id, 'one');
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  const plain = await api.call('POST', '/checkout/commit', {
    body: { checkoutId: id, network: 'LIGHTNING' },
  });
  assert.equal(plain.text, first.text);
  assert.equal(asked.length, 1);
});

test('a key used before with another request is refused, and no node is asked', async () => {
  const id = await create();
  await commit(id, 'two', 'BITCOIN');
  asked = [];
  const other = await commit(id, 'two');
  assert.equal(other.status, 422, other.text);
  assert.equal(asked.length, 0);
});

test('other networks are committed as ever', async () => {
  asked = [];
  const { status } = await commit(await create(), 'three', 'BITCOIN');
  assert.deepEqual([status, asked.length], [200, 0]);
});
