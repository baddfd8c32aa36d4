// Money that leaves where nobody has a node: our server knows two Esplora servers in front of a
// real Litecoin Core. The signer signs, or a person does; what is signed goes through the servers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type EsploraShop, openEsploraShop } from './esplora-shop.ts';

let shop: EsploraShop;
before(async () => {
  shop = await openEsploraShop();
});
after(() => shop?.close());

test('the signer’s payment waits while a server does not take it, and is sent, once, when it does', async () => {
  const { node, servers, server } = shop;
  for (const at of [0, 1]) shop.saysToBroadcast(at, 503, 'busy');
  const { checkoutId, address } = await shop.refund('0.1');
  await waitUntil('it to be sent', async () => servers.every(({ asked }) => asked.includes('/tx')));
  assert.deepEqual(await shop.waiting(), []);
  for (const at of [0, 1]) shop.saysToBroadcast(at);
  await waitUntil('it to wait for a block', async () => (await shop.waiting()).length === 1);
  const [transaction] = await shop.waiting();
  await node.mine(2);
  const { state, tx } = await shop.ended(checkoutId);
  assert.deepEqual([state, tx], ['COMPLETED', transaction]);
  assert.equal(String(await node.rpc('getreceivedbyaddress', address)), '0.1');
  const signed = sql`select 1 from attempt where signed_at is not null`;
  assert.equal((await server.db.query(signed)).length, 1);
  await shop.booked();
});

test('a person drafts, signs and hands back; a server that lies keeps it, and it is sent again', async () => {
  const { node, server, servers } = shop;
  await shop.signer.kill9();
  const { checkoutId, address } = await shop.refund('0.2');
  const { id } = await shop.toSend(() => true);
  const drafted = await server.command('send', 'draft', id, '--json');
  assert('draft' in drafted.json, drafted.stderr);
  const { text } = (drafted.json as unknown as { draft: { text: string } }).draft;
  // With the whole transactions that hardware wallets ask for.
  assert(servers.some(({ asked }) => asked.some((path) => path.endsWith('/hex'))));
  const file = await shop.signed(text);
  const refusal = 'sendrawtransaction RPC error: {"code":-26,"message":"min relay fee not met"}';
  shop.saysToBroadcast(0, 400, refusal);
  const first = await server.command('send', 'signed', id, file, '--json');
  assert.equal(first.exitCode, 1);
  shop.saysToBroadcast(0);
  const again = await server.command('send', 'signed', id, '--json');
  assert.equal(again.exitCode, 0, again.stderr);
  const { transaction } = again.json as { transaction: string };
  assert.deepEqual(await shop.waiting(), [transaction]);
  await node.mine(2);
  const { state, tx } = await shop.ended(checkoutId);
  assert.deepEqual([state, tx], ['COMPLETED', transaction]);
  assert.equal(String(await node.rpc('getreceivedbyaddress', address)), '0.2');
  await shop.booked();
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
  const file = await shop.signed(draft.text);
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
  await shop.booked();
});
