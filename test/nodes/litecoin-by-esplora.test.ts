// Money that leaves where nobody has a node: our server knows two Esplora servers in front of a
// real Litecoin Core. The signer signs, or a person does; what is signed goes through the servers.
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { openCoreRpc } from '#networks/utxo/json-rpc.ts';
import { LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import { type EsploraServer, startEsploraServer } from '#test/fakes/esplora-server.ts';
import { psbtSigner } from '#test/support/psbt-signer.ts';
import { waitUntil } from '#test/support/shop.ts';
import { createSignerProcess, type SignerProcess } from '#test/support/signer-process.ts';
import { type LitecoinNode, startLitecoinNode } from './litecoin-node.ts';
import { type LiveShop, openLiveShop } from './open-live-shop.ts';
import { waitForCursor } from './wait-for-cursor.ts';

const RULES = `[[cap]]
environment = "live"
asset = "LTC:NATIVE"
per_transaction = "1"
per_day = "10"
fee_per_transaction = "0.01"
`;
const keys = psbtSigner(LITECOIN_REGTEST);

type Opened = { readonly checkoutId: string; readonly depositInstructions: { address: string } };
type EsploraShop = LiveShop & {
  readonly node: LitecoinNode;
  readonly servers: readonly EsploraServer[];
  open(amount: string): Promise<Opened>;
};
let shop: EsploraShop;
let signer: SignerProcess;

before(async () => {
  const secret = keys.root.derive("m/84'/1'/0'").privateExtendedKey;
  signer = createSignerProcess([
    { name: 'hot', environment: 'live', network: 'LITECOIN', chain: 'regtest', secret },
  ]);
  await signer.start(RULES);
  shop = await openLiveShop(async ({ closeLater, startShop }) => {
    const node = await startLitecoinNode();
    closeLater(() => node.stop());
    const start = () => startEsploraServer(openCoreRpc(node.rpcOptions));
    const servers = [await start(), await start()];
    for (const one of servers) closeLater(() => one.close());
    const started = await startShop({
      LITECOIN_ESPLORA_URLS: servers
        .map(({ url }, at) => (at === 0 ? url : url.replace('127.0.0.1', 'localhost')))
        .join(','),
      LITECOIN_CHAIN: 'regtest',
      LITECOIN_DESCRIPTOR: keys.descriptor,
      LITECOIN_CONFIRMATIONS: '2/2/2',
      SIGNER_SOCKET: signer.socket,
      SIGNER_NETWORKS: 'LITECOIN',
    });
    const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
    await started.server.command('allow-list', 'add', ...here);
    const open = (amount: string) =>
      started.shop.open({ currency: 'LTC', amount }, 'LITECOIN') as Promise<Opened>;
    return { ...started.shop, server: started.server, node, servers, open };
  });
});
after(async () => {
  await shop?.close();
  await signer?.close();
});

async function refund(amount: string): Promise<{ checkoutId: string; address: string }> {
  const { checkoutId, depositInstructions } = await shop.open('0.5');
  await shop.node.send(depositInstructions.address, '0.5');
  await shop.node.mine(2);
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  const address = await shop.node.newAddress();
  await shop.client.post('/refund', { checkoutId, kind: 'amount', amount, address });
  return { checkoutId, address };
}

type Refund = { readonly checkoutId: string; readonly state: string; readonly tx: string };

async function completed(checkoutId: string): Promise<Refund> {
  let found: Refund | undefined;
  await waitUntil('the refund to complete', async () => {
    const { refunds } = await shop.client.get<{ refunds: readonly Refund[] }>('/refunds');
    found = refunds.find((one) => one.checkoutId === checkoutId && one.state === 'COMPLETED');
    return found !== undefined;
  });
  return found ?? assert.fail();
}

const waiting = async () => (await shop.node.rpc('getrawmempool')) as readonly string[];

async function booked(): Promise<void> {
  const hash = await shop.node.bestHash();
  await waitForCursor(shop.server, 'live:LITECOIN', (cursor) => cursor.hash === hash);
  const verified = await shop.server.command('ledger', 'verify', '--json');
  assert.deepEqual(verified.json.faults, []);
  const { json } = await shop.server.command('custody', 'list', '--json');
  assert.deepEqual(json.departures, []);
}

/** A server that answers so to whatever is sent to it. */
function saysToBroadcast(at: number, status: number, body: string): void {
  const server = shop.servers[at];
  assert(server !== undefined);
  server.keep = (path) => (path === '/tx' ? { status, body } : undefined);
}

test('the signer’s payment waits while a server does not take it, and is sent, once, when it does', async () => {
  const { node, servers, server } = shop;
  for (const at of [0, 1]) saysToBroadcast(at, 503, 'busy');
  const { checkoutId, address } = await refund('0.1');
  await waitUntil('it to be sent', async () => servers.every(({ asked }) => asked.includes('/tx')));
  assert.deepEqual(await waiting(), []);
  for (const one of servers) one.keep = () => undefined;
  await waitUntil('it to wait for a block', async () => (await waiting()).length === 1);
  const [transaction] = await waiting();
  await node.mine(2);
  assert.equal((await completed(checkoutId)).tx, transaction);
  assert.equal(String(await node.rpc('getreceivedbyaddress', address)), '0.1');
  const signed = sql`select 1 from attempt where signed_at is not null`;
  assert.equal((await server.db.query(signed)).length, 1);
  await booked();
});

test('a person drafts, signs and hands back; a server that lies keeps it, and it is sent again', async () => {
  const { node, server, servers } = shop;
  await signer.kill9();
  const { checkoutId, address } = await refund('0.2');
  let id = '';
  await waitUntil('it to wait for a person', async () => {
    const { json } = await server.command('send', 'list', '--json');
    id = (json as { transfers: readonly { id: string }[] }).transfers[0]?.id ?? '';
    return id !== '';
  });
  const drafted = await server.command('send', 'draft', id, '--json');
  assert('draft' in drafted.json, drafted.stderr);
  const { text } = (drafted.json as unknown as { draft: { text: string } }).draft;
  // With the whole transactions that hardware wallets ask for.
  assert(servers.some(({ asked }) => asked.some((path) => path.endsWith('/hex'))));
  const file = join(await mkdtemp(join(tmpdir(), 'signed-')), 'psbt');
  await writeFile(file, keys.sign(Buffer.from(text, 'base64')));
  const refusal = 'sendrawtransaction RPC error: {"code":-26,"message":"min relay fee not met"}';
  saysToBroadcast(0, 400, refusal);
  const first = await server.command('send', 'signed', id, file, '--json');
  assert.equal(first.exitCode, 1);
  for (const one of servers) one.keep = () => undefined;
  const again = await server.command('send', 'signed', id, '--json');
  assert.equal(again.exitCode, 0, again.stderr);
  const { transaction } = again.json as { transaction: string };
  assert.deepEqual(await waiting(), [transaction]);
  await node.mine(2);
  assert.equal((await completed(checkoutId)).tx, transaction);
  assert.equal(String(await node.rpc('getreceivedbyaddress', address)), '0.2');
  await booked();
});

test('a payment to us that waits is sped up by what the servers say it pays', async () => {
  const { node, server, client } = shop;
  const { checkoutId, depositInstructions } = await shop.open('0.05');
  const paying = await node.send(depositInstructions.address, '0.05');
  await waitUntil('the payment to be seen', async () => {
    const found = sql`select 1 from receipt where transaction = ${paying} and status = 'SEEN'`;
    return (await server.db.query(found)).length === 1;
  });
  const command = ['custody', 'speed-up', 'LITECOIN', paying, '--json', '--fee-rate'];
  assert.match((await server.command(...command, '1')).stderr, /it pays that rate already/);
  const { json, stderr } = await server.command(...command, '100');
  assert('draft' in json, stderr);
  const { draft } = json as unknown as { draft: { id: string; text: string } };
  const file = join(await mkdtemp(join(tmpdir(), 'signed-')), 'psbt');
  await writeFile(file, keys.sign(Buffer.from(draft.text, 'base64')));
  const sent = await server.command('custody', 'signed', draft.id, file, '--json');
  assert.equal(sent.exitCode, 0, sent.stderr);
  const { transaction } = sent.json as { transaction: string };
  type Entry = { readonly fees: { readonly ancestor: string }; readonly ancestorsize: number };
  const { fees, ancestorsize } = (await node.rpc('getmempoolentry', transaction)) as Entry;
  const feeUnits = amountFromText(fees.ancestor, 8) ?? 0n;
  const size = BigInt(ancestorsize);
  assert(feeUnits >= 100n * size && feeUnits < 102n * size, `${feeUnits} for ${size}`);
  await node.mine(2);
  await client.waitForState(checkoutId, 'COMPLETED');
  await booked();
});
