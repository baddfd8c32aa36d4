// Money that the signer sends on a real Litecoin Core: our server drafts, the signer signs, the node
// takes and mines it. The server has no key.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { sql } from '#db/db.ts';
import { descriptorChecksum } from '#networks/utxo/parse-address-source.ts';
import { waitUntil } from '#test/support/shop.ts';
import { createSignerProcess, type SignerProcess } from '#test/support/signer-process.ts';
import { type LitecoinNode, startLitecoinNode } from './litecoin-node.ts';
import { settingsFor } from './litecoin-shop.ts';
import { type LiveShop, openLiveShop } from './open-live-shop.ts';
import { waitForCursor } from './wait-for-cursor.ts';

const VERSIONS = { public: 0x043587cf, private: 0x04358394 };
const account = HDKey.fromMasterSeed(randomBytes(32), VERSIONS).derive("m/84'/1'/0'");
const RULES = `[[cap]]
environment = "live"
asset = "LTC:NATIVE"
per_transaction = "1"
per_day = "10"
fee_per_transaction = "0.01"
`;

type Opened = { readonly checkoutId: string; readonly depositInstructions: { address: string } };
type SignerShop = LiveShop & { readonly node: LitecoinNode; open(amount: string): Promise<Opened> };
let shop: SignerShop;
let signer: SignerProcess;

function descriptor(): string {
  const text = `wpkh(${account.publicExtendedKey}/0/*)`;
  return `${text}#${descriptorChecksum(text)}`;
}

before(async () => {
  const secret = account.privateExtendedKey;
  signer = createSignerProcess([
    { name: 'hot', environment: 'live', network: 'LITECOIN', chain: 'regtest', secret },
  ]);
  await signer.start(RULES);
  shop = await openLiveShop(async ({ closeLater, startShop }) => {
    const node = await startLitecoinNode();
    closeLater(() => node.stop());
    const started = await startShop({
      ...settingsFor(node, descriptor()),
      LITECOIN_FEE_RATE: '2',
      SIGNER_SOCKET: signer.socket,
      SIGNER_NETWORKS: 'LITECOIN',
    });
    const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
    await started.server.command('allow-list', 'add', ...here);
    const open = (amount: string) =>
      started.shop.open({ currency: 'LTC', amount }, 'LITECOIN') as Promise<Opened>;
    return { ...started.shop, server: started.server, node, open };
  });
});
after(async () => {
  await shop?.close();
  await signer?.close();
});

async function paidCheckout(amount: string): Promise<string> {
  const { checkoutId, depositInstructions } = await shop.open(amount);
  await shop.node.send(depositInstructions.address, amount);
  await shop.node.mine(2);
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  return checkoutId;
}

type Refund = { readonly checkoutId: string; readonly state: string; readonly tx: string };

async function refunds(): Promise<readonly Refund[]> {
  return (await shop.client.get<{ refunds: readonly Refund[] }>('/refunds')).refunds;
}

test('refunds that wait at once go in one transaction, and each pays its share of the fee', async () => {
  const { node, client, server } = shop;
  const ids = [await paidCheckout('0.5'), await paidCheckout('0.4'), await paidCheckout('0.3')];
  const payers: string[] = [];
  // What waits when it comes back goes together: all, or all but what it was asked for meanwhile.
  await signer.kill9();
  for (const checkoutId of [...ids, ...ids]) {
    const address = await node.newAddress();
    payers.push(address);
    await client.post('/refund', { checkoutId, kind: 'amount', amount: '0.1', address });
  }
  await waitUntil('all to wait', async () => {
    const { json } = await server.command('send', 'list', '--json');
    return (json as { transfers: readonly object[] }).transfers.length === payers.length;
  });
  await signer.start(RULES);
  await waitUntil('the refunds to complete', async () => {
    await node.mine(1);
    const done = (await refunds()).filter(({ state }) => state === 'COMPLETED');
    return done.length === payers.length;
  });
  for (const address of payers) {
    assert.equal(String(await node.rpc('getreceivedbyaddress', address)), '0.1');
  }
  const sent = await server.db.query<{ count: number; shares: bigint; fee: bigint }>(sql`
    select count(*)::int as count, sum(t.fee_taken_units)::bigint as shares, d.fee_units as fee
    from transfer t join departure d using (transaction) group by d.id order by count desc`);
  assert(
    sent.length <= 2 && (sent[0]?.count ?? 0) >= payers.length / 2,
    JSON.stringify(sent.length),
  );
  for (const { shares, fee } of sent) assert.equal(shares, fee);
  const hash = await node.bestHash();
  await waitForCursor(server, 'live:LITECOIN', (cursor) => cursor.hash === hash);
  await shop.checkBooks();
  const verified = await server.command('ledger', 'verify', '--json');
  assert.deepEqual(verified.json.faults, []);
  const listed = await server.command('custody', 'list', '--json');
  assert.deepEqual(listed.json.departures, []);
});

type Waiting = { readonly id: string; readonly state: string; readonly tx: string | null };

async function waitForSending(isIt: (one: Waiting) => boolean): Promise<Waiting> {
  let found: Waiting | undefined;
  await waitUntil('a transfer of send list', async () => {
    const { json } = await shop.server.command('send', 'list', '--json');
    found = (json as { transfers: readonly Waiting[] }).transfers.find(isIt);
    return found !== undefined;
  });
  return found ?? assert.fail();
}

/** Asked for, signed, and seen by the watcher in the mempool of the node. */
async function refundInMempool(): Promise<{ checkoutId: string; id: string; first: string }> {
  const checkoutId = await paidCheckout('0.4');
  const address = await shop.node.newAddress();
  await shop.client.post('/refund', { checkoutId, kind: 'amount', amount: '0.1', address });
  const { id, tx } = await waitForSending(({ state }) => state === 'SUBMITTED');
  return { checkoutId, id, first: tx ?? '' };
}

/** What took the place of the first, which the node has dropped. */
async function waitForReplacement(first: string): Promise<string> {
  let other = '';
  await waitUntil('another one in its place', async () => {
    const waiting = (await shop.node.rpc('getrawmempool')) as readonly string[];
    other = waiting.find((transaction) => transaction !== first) ?? '';
    return other !== '' && !waiting.includes(first);
  });
  return other;
}

async function endOf(checkoutId: string): Promise<Refund> {
  let ended: Refund | undefined;
  let nextMs = 0;
  await waitUntil('the refund to end', async () => {
    // Some hundred blocks later MWEB becomes active, and this node mines no more.
    if (performance.now() >= nextMs) {
      await shop.node.mine(1);
      nextMs = performance.now() + 500;
    }
    const open = (await refunds()).find((one) => one.checkoutId === checkoutId);
    ended = open?.state === 'COMPLETED' || open?.state === 'FAILED' ? open : undefined;
    return ended !== undefined;
  });
  return ended ?? assert.fail();
}

test('what waits in the mempool is replaced with a higher fee, and what lands is booked', async () => {
  const { checkoutId, id, first } = await refundInMempool();
  const said = ['--fee-rate', '20', '--reason', 'too slow', '--by', 'anna'];
  const bumped = await shop.server.command('send', 'bump', id, ...said, '--json');
  assert.equal(bumped.exitCode, 0, bumped.stderr);
  const second = await waitForReplacement(first);
  const ended = await endOf(checkoutId);
  assert.deepEqual([ended.state, ended.tx], ['COMPLETED', second]);
  await shop.checkBooks();
});

test('what waits in the mempool is cancelled by what pays us, and then the money goes back', async () => {
  const { checkoutId, id, first } = await refundInMempool();
  const said = ['--reason', 'wrong receiver', '--by', 'anna'];
  const cancelled = await shop.server.command('send', 'cancel', id, ...said, '--json');
  assert.equal(cancelled.exitCode, 0, cancelled.stderr);
  await waitForReplacement(first);
  assert.equal((await endOf(checkoutId)).state, 'FAILED');
  await shop.checkBooks();
  const { json } = await shop.server.command('custody', 'list', '--json');
  assert.deepEqual(json.departures, []);
});
