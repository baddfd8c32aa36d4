// Money that a person sends, on a real Litecoin Core: its wallet holds the keys of the addresses
// that our server derives, as the wallet of an operator does. The server has none of them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { sql } from '#db/db.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { type CoreRpc, openCoreRpc } from '#networks/utxo/json-rpc.ts';
import { descriptorChecksum } from '#networks/utxo/parse-address-source.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type LitecoinNode, startLitecoinNode } from './litecoin-node.ts';
import { settingsFor } from './litecoin-shop.ts';
import { type LiveShop, openLiveShop } from './open-live-shop.ts';
import { waitForCursor } from './wait-for-cursor.ts';

const VERSIONS = { public: 0x043587cf, private: 0x04358394 };
const account = HDKey.fromMasterSeed(randomBytes(32), VERSIONS).derive("m/84'/1'/0'");
const WALLET = 'operator';

type HandShop = LiveShop & { readonly node: LitecoinNode; open(amount: string): Promise<Opened> };
type Opened = { readonly checkoutId: string; readonly depositInstructions: { address: string } };
let shop: HandShop;

function descriptorOf(key: string, branch: number): string {
  const text = `wpkh(${key}/${branch}/*)`;
  return `${text}#${descriptorChecksum(text)}`;
}

/** A wallet with nothing but the keys of our addresses. Of the old kind: the node has no other. */
async function createWallet(node: LitecoinNode): Promise<void> {
  await node.rpc('createwallet', WALLET, false, true, '', false, false, true);
  const requests = [0, 1].map((branch) => {
    const desc = descriptorOf(account.privateExtendedKey, branch);
    return { desc, range: [0, 30], timestamp: 'now', internal: branch === 1 };
  });
  const rpc = walletOf(node);
  await rpc.call('importmulti', [requests, { rescan: false }]);
  rpc.close();
  await node.rpc('unloadwallet', WALLET);
}

function walletOf({ rpcOptions }: LitecoinNode): CoreRpc {
  return openCoreRpc({ ...rpcOptions, url: `${rpcOptions.url}wallet/${WALLET}` });
}

let changeIndex = 0;
/** As a wallet with these keys does it. Loaded only meanwhile: the node's own is to be the only one. */
async function sendAsOperator(address: string, amount: string): Promise<string> {
  const { node } = shop;
  await node.rpc('loadwallet', WALLET);
  const rpc = walletOf(node);
  const change = descriptorOf(account.publicExtendedKey, 1);
  const [changeAddress] = (await node.rpc('deriveaddresses', change, [
    changeIndex,
    changeIndex,
  ])) as string[];
  changeIndex += 1;
  const raw = await rpc.call('createrawtransaction', [[], [{ [address]: amount }]]);
  const funded = (await rpc.call('fundrawtransaction', [raw, { changeAddress }, false])) as Hex;
  const signed = (await rpc.call('signrawtransactionwithwallet', [funded.hex])) as Hex;
  const transaction = String(await rpc.call('sendrawtransaction', [signed.hex]));
  rpc.close();
  await node.rpc('unloadwallet', WALLET);
  return transaction;
}
/** With the keys of the wallet. Gives the PSBT. */
async function signAsOperator(psbt: string): Promise<string> {
  const { node } = shop;
  await node.rpc('loadwallet', WALLET);
  const rpc = walletOf(node);
  type Processed = { readonly psbt: string; readonly complete: boolean };
  const signed = (await rpc.call('walletprocesspsbt', [psbt])) as Processed;
  assert.equal(signed.complete, true);
  rpc.close();
  await node.rpc('unloadwallet', WALLET);
  return signed.psbt;
}

/** As a wallet does that sends what it has signed. */
async function finishAsOperator(psbt: string): Promise<string> {
  const { node } = shop;
  const final = (await node.rpc('finalizepsbt', await signAsOperator(psbt))) as Hex;
  return String(await node.rpc('sendrawtransaction', final.hex));
}

type Draft = { readonly text: string; readonly fee: string };

async function draft(...args: string[]): Promise<Draft> {
  const { json, stderr } = await shop.server.command('send', 'draft', ...args, '--json');
  assert('draft' in json, stderr);
  return (json as unknown as { draft: Draft }).draft;
}

/** `send signed`, with this in the file. */
async function sendSigned(id: string, content: string | Uint8Array) {
  const file = join(await mkdtemp(join(tmpdir(), 'signed-')), 'psbt');
  await writeFile(file, content);
  return shop.server.command('send', 'signed', id, file, '--json');
}

/** `custody signed`; without a content what was sent before. */
async function moveSigned(id: string, content?: string) {
  const file = join(await mkdtemp(join(tmpdir(), 'signed-')), 'psbt');
  if (content !== undefined) await writeFile(file, content);
  const files = content === undefined ? [] : [file];
  return shop.server.command('custody', 'signed', id, ...files, '--json');
}

type Hex = { readonly hex: string };

before(async () => {
  shop = await openLiveShop(async ({ closeLater, startShop }) => {
    const node = await startLitecoinNode();
    closeLater(() => node.stop());
    await createWallet(node);
    const descriptor = descriptorOf(account.publicExtendedKey, 0);
    const started = await startShop(settingsFor(node, descriptor));
    const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
    await started.server.command('allow-list', 'add', ...here);
    const open = (amount: string) =>
      started.shop.open({ currency: 'LTC', amount }, 'LITECOIN') as Promise<Opened>;
    return { ...started.shop, server: started.server, node, open };
  });
});
after(() => shop?.close());

async function paidCheckout(amount: string): Promise<string> {
  const { checkoutId, depositInstructions } = await shop.open(amount);
  await shop.node.send(depositInstructions.address, amount);
  await shop.node.mine(2);
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  return checkoutId;
}

async function waitForTip(): Promise<void> {
  const hash = await shop.node.bestHash();
  await waitForCursor(shop.server, 'live:LITECOIN', (cursor) => cursor.hash === hash);
}

type Sending = { readonly id: string; readonly send: string; readonly link: string };
type Waiting = { readonly transfers: readonly { readonly id: string; readonly state: string }[] };

async function toSend(): Promise<Waiting['transfers']> {
  const { json } = await shop.server.command('send', 'list', '--json');
  return (json as unknown as Waiting).transfers;
}

async function waitForSending(state: string): Promise<string> {
  let id = '';
  await waitUntil(`a transfer that is ${state}`, async () => {
    id = (await toSend()).find((one) => one.state === state)?.id ?? '';
    return id !== '';
  });
  return id;
}

test('a refund is sent from the operator’s wallet, seen, completed, and booked to the unit', async () => {
  const { node, client, server } = shop;
  const checkoutId = await paidCheckout('0.5');
  const payer = await node.newAddress();
  await client.post('/refund', { checkoutId, kind: 'amount', amount: '0.2', address: payer });
  const id = await waitForSending('TO_SEND');
  const shown = await server.command('send', 'show', id, '--json');
  const { sending } = shown.json as unknown as { sending: Sending };
  assert.equal(sending.send, '0.2 LTC');
  assert.equal(sending.link, `litecoin:${payer}?amount=0.2`);
  const transaction = await sendAsOperator(payer, '0.2');
  assert.equal(await waitForSending('SUBMITTED'), id);
  // It is mined while nobody looks, and is not deep enough to be booked.
  await server.kill9();
  await node.mine(1);
  await server.start();
  await waitForTip();
  const holding = await countedSince(await holdingOf(shop));
  assert.equal(holding.custody, '0.5');
  assert(Number(holding.held) < 0.3);
  assert.deepEqual([holding.missing, server.errors()], ['0', []]);
  await node.mine(1);
  await waitUntil(
    'the refund to complete',
    async () => (await refundOf(checkoutId)).state === 'COMPLETED',
  );
  assert.deepEqual(await booked(), []);
  assert.equal((await refundOf(checkoutId)).tx, transaction);
});

type Refund = { readonly checkoutId: string; readonly state: string; readonly tx: string };
type Refunded = { readonly refunds: readonly Refund[] };

async function refundOf(checkoutId: string) {
  const { refunds } = await shop.client.get<Refunded>('/refunds');
  const found = refunds.find((one) => one.checkoutId === checkoutId);
  assert.ok(found);
  return found;
}

test('several refunds are one PSBT, which the operator’s wallet signs and sends', async () => {
  const { node, client } = shop;
  const checkoutId = await paidCheckout('0.3');
  const legacy = String(await node.rpc('getnewaddress', '', 'legacy'));
  const payers = [await node.newAddress(), legacy];
  for (const address of payers) {
    await client.post('/refund', { checkoutId, kind: 'amount', amount: '0.1', address });
  }
  await waitUntil('both to wait', async () => (await toSend()).length === 2);
  const ids = (await toSend()).map(({ id }) => id);
  const { text } = await draft(...ids, '--fee-rate', '2');
  const transaction = await finishAsOperator(text);
  await node.mine(2);
  await waitForBoth(transaction);
  assert.deepEqual(await booked(), []);
});

function waitForBoth(transaction: string): Promise<void> {
  return waitUntil('both to complete', async () => {
    const { refunds } = await shop.client.get<Refunded>('/refunds');
    return (
      refunds.filter((one) => one.state === 'COMPLETED' && one.tx === transaction).length === 2
    );
  });
}

test('a PSBT that the wallet signed comes back, is sent by us, and only it is', async () => {
  const { node, client, server } = shop;
  const checkoutId = await paidCheckout('0.3');
  for (const amount of ['0.1', '0.05']) {
    const address = await node.newAddress();
    await client.post('/refund', { checkoutId, kind: 'amount', amount, address });
  }
  await waitUntil('both to wait', async () => (await toSend()).length === 2);
  const [id = '', other = ''] = (await toSend()).map((one) => one.id);
  const { text } = await draft(id, other, '--fee-rate', '2');
  const signed = await signAsOperator(text);
  const elsewhere = await signAsOperator((await draft(id, '--fee-rate', '3')).text);
  for (const [content, sentence] of [
    [text, /its signature is missing/],
    [signed.slice(0, -40), /it is damaged|no PSBT/],
    ['garbage', /neither a PSBT nor a signed transaction/],
    [Buffer.alloc(3_000_000, 1), /larger than/],
  ] as const) {
    const refused = await sendSigned(id, content);
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, sentence);
  }
  const kept = sql`select transaction from attempt where signed_at is not null`;
  assert.deepEqual(await server.db.query(kept), []);
  // Of a transfer that the other draft does not pay.
  assert.equal((await sendSigned(other, elsewhere)).exitCode, 1);
  const sent = await sendSigned(id, Buffer.from(signed, 'base64'));
  assert.equal(sent.exitCode, 0, sent.stderr);
  const { transaction } = sent.json as { transaction: string };
  assert.equal((await sendSigned(other, signed)).json.transaction, transaction);
  // The other one spends the same coins, and would leave a transfer unpaid.
  assert.match((await sendSigned(id, elsewhere)).stderr, /pays other transfers|is SUBMITTED/);
  await node.mine(2);
  await waitForBoth(transaction);
  assert.deepEqual(await booked(), []);
});

test('what is reserved for the network is at least what it takes of what is drafted', async () => {
  const { node, client, server } = shop;
  const checkoutId = await paidCheckout('0.3');
  const address = await node.newAddress();
  const wish = { checkoutId, kind: 'amount', amount: '0.1', address };
  const { refund } = await client.post<{ refund: { networkFee: string } }>('/refund', wish);
  const id = await waitForSending('TO_SEND');
  const { text, fee } = await draft(id);
  const transaction = await finishAsOperator(text);
  await node.mine(2);
  await waitUntil('it to end', async () => (await refundOf(checkoutId)).state === 'COMPLETED');
  const [row] = await server.db.query<{ taken: bigint; reserved: bigint }>(sql`
    select d.fee_units as taken, t.network_fee_units as reserved
    from transfer t join departure d on d.transaction = t.transaction
    where t.id = ${id} and t.transaction = ${transaction}`);
  assert(row !== undefined && row.taken > 0n && row.taken <= row.reserved, `${row?.reserved}`);
  assert(Number(refund.networkFee) < 0.0001 && Number.parseFloat(fee) <= Number(refund.networkFee));
  assert.deepEqual(await booked(), []);
});

/** What the start counted; until then `doctor` tells what was counted before. */
async function countedSince(before: Holding | undefined): Promise<Holding> {
  let holding: Holding | undefined;
  await waitUntil('what is held to be counted', async () => {
    holding = await holdingOf(shop);
    return holding?.checkedAt !== before?.checkedAt;
  });
  assert(holding !== undefined);
  return holding;
}

type Holding = {
  readonly held: string;
  readonly custody: string;
  readonly missing: string;
  readonly checkedAt: string;
};
type Doctor = { chains: { chain: string; holdings: Holding[] }[] };

async function holdingOf({ server }: HandShop): Promise<Holding | undefined> {
  const { json } = await server.command('doctor', '--holdings', '--json');
  const { chains } = json as unknown as Doctor;
  return chains.find(({ chain }) => chain === 'live:LITECOIN')?.holdings[0];
}

/** What the chain holds is what the ledger says; answers what is not explained. */
async function booked(): Promise<readonly unknown[]> {
  const { server } = shop;
  await waitForTip();
  await waitUntil('custody to be what the chain holds', async () => {
    const holding = await holdingOf(shop);
    return holding !== undefined && holding.held === holding.custody;
  });
  const verified = await server.command('ledger', 'verify', '--json');
  assert.deepEqual(verified.json.faults, []);
  return (await server.command('custody', 'list', '--json')).json.departures as unknown[];
}

test('the operator’s own move to cold storage is seen, explained, and the books are right', async () => {
  const { node, server } = shop;
  await paidCheckout('1');
  const cold = await node.newAddress();
  await sendAsOperator(cold, '0.7');
  await node.mine(2);
  await waitForTip();
  type Listed = {
    departures: { parts: { id: string; purpose: string | null; amount: string }[] }[];
  };
  const parts = async () => {
    const { json } = await server.command('custody', 'list', '--json');
    return (json as unknown as Listed).departures.flatMap((one) => one.parts);
  };
  await waitUntil('the move to be seen', async () => (await parts()).length > 0);
  const [cold7] = (await parts()).filter(({ purpose }) => purpose === null);
  assert.equal(cold7?.amount, '0.7 LTC');
  const id = cold7?.id ?? '';
  await server.command('custody', 'explain', id, '--as', 'outside', '--reason', 'cold storage');
  assert.deepEqual(await booked(), []);
});

test('small coins become one: only the fee leaves, and nothing is left to be explained', async () => {
  const { server } = shop;
  for (const amount of ['0.011', '0.012', '0.013']) await paidCheckout(amount);
  await waitForTip();
  const command = ['custody', 'consolidate', 'LITECOIN', '--json'];
  const none = await server.command(...command, '--below', '0.0001');
  assert.equal(none.exitCode, 1);
  assert.match(none.stderr, /of 0 confirmed coins that nothing spends, 0 bring more/);
  const { json, stderr } = await server.command(...command, '--below', '0.02', '--fee-rate', '2');
  assert('draft' in json, stderr);
  const { draft } = json as unknown as {
    draft: { id: string; text: string; fee: string; change: string; inputs: number };
  };
  assert.deepEqual(
    [draft.inputs, draft.fee, draft.change],
    [3, '0.00000492 LTC', '0.03599508 LTC'],
  );
  assert.match((await moveSigned(draft.id, draft.text)).stderr, /its signature is missing/);
  assert.match((await moveSigned(draft.id)).stderr, /nothing that was signed for it/);
  assert.match((await moveSigned('999', draft.text)).stderr, /nothing was drafted/);
  const sent = await moveSigned(draft.id, await signAsOperator(draft.text));
  assert.equal(sent.exitCode, 0, sent.stderr);
  // What came back keeps its coins, seen or not.
  const same = await server.command(...command, '--below', '0.02', '--fee-rate', '2');
  assert.match(same.stderr, /of 0 confirmed coins that nothing spends/);
  assert.deepEqual((await moveSigned(draft.id)).json, sent.json);
  await shop.node.mine(2);
  assert.deepEqual(await booked(), []);
  assert.deepEqual((await moveSigned(draft.id)).json, sent.json);
  const { json: again } = await server.command(...command);
  assert.equal((again as unknown as { draft: { inputs: number } }).draft.inputs >= 2, true);
});

test('a consolidation that waits is replaced with a higher fee, and the first one is dead', async () => {
  const { node, server } = shop;
  for (const amount of ['0.014', '0.015']) await paidCheckout(amount);
  await waitForTip();
  type Move = { id: string; transaction: string; isReplaced: boolean };
  const moves = async () =>
    (await server.command('custody', 'list', '--json')).json.moves as unknown as readonly Move[];
  const replace = (id: string, rate: string) =>
    server.command('custody', 'replace', id, '--fee-rate', rate, '--json');
  const command = ['custody', 'consolidate', 'LITECOIN', '--below', '0.02', '--json'];
  const { json, stderr } = await server.command(...command, '--fee-rate', '2');
  assert('draft' in json, stderr);
  const first = (json as unknown as { draft: Draft & { id: string; fee: string } }).draft;
  assert.match((await replace(first.id, '5')).stderr, /it was not signed/);
  assert.match((await replace('999999', '5')).stderr, /nothing was drafted under this number/);
  assert.match((await replace('first', '5')).stderr, /ID: the number/);
  const sent = await moveSigned(first.id, await signAsOperator(first.text));
  const { transaction } = sent.json as unknown as { transaction: string };
  assert.deepEqual(await moves(), [
    { id: first.id, chain: 'live:LITECOIN', transaction, isReplaced: false },
  ]);
  assert.match((await replace(first.id, '1')).stderr, /it pays that rate already/);
  const dearer = await replace(first.id, '20');
  assert('draft' in dearer.json, dearer.stderr);
  const second = (dearer.json as unknown as { draft: Draft & { id: string } }).draft;
  const again = await moveSigned(second.id, await signAsOperator(second.text));
  assert.equal(again.exitCode, 0, again.stderr);
  const { transaction: instead } = again.json as unknown as { transaction: string };
  assert.deepEqual(await node.rpc('getrawmempool'), [instead]);
  assert.deepEqual(
    (await moves()).map((one) => [one.transaction, one.isReplaced]),
    [
      [transaction, true],
      [instead, false],
    ],
  );
  assert.match((await replace(first.id, '50')).stderr, /took its place: replace that one, number/);
  await node.mine(2);
  assert.deepEqual(await booked(), []);
  await waitUntil('nothing to wait any more', async () => (await moves()).length === 0);
  assert.match((await moveSigned(first.id)).stderr, /nothing that was signed for it can be sent/);
  assert.match((await replace(first.id, '50')).stderr, /are spent by .*: it can land no more/);
  assert.match((await replace(second.id, '50')).stderr, /it is in a block already/);
});

test('a payment with too low a fee is sped up, becomes final, and only the fee leaves', async () => {
  const { node, server, client } = shop;
  const { checkoutId, depositInstructions } = await shop.open('0.05');
  const paying = await node.send(depositInstructions.address, '0.05');
  const command = (id: string, ...more: string[]) =>
    server.command('custody', 'speed-up', 'LITECOIN', id, ...more, '--json');
  await waitUntil('the payment to be seen', async () => {
    const found = sql`select 1 from receipt where transaction = ${paying} and status = 'SEEN'`;
    return (await server.db.query(found)).length === 1;
  });
  assert.match((await command(paying, '--fee-rate', '1')).stderr, /it pays that rate already/);
  assert.match((await command('ab'.repeat(32))).stderr, /no payment to you waits in it/);
  const { json, stderr } = await command(paying, '--fee-rate', '100');
  assert('draft' in json, stderr);
  const { draft } = json as unknown as { draft: Draft & { id: string } };
  const { transaction: child } = (await moveSigned(draft.id, await signAsOperator(draft.text)))
    .json as { transaction: string };
  type Entry = { readonly fees: { readonly ancestor: string }; readonly ancestorsize: number };
  const { fees, ancestorsize } = (await node.rpc('getmempoolentry', child)) as Entry;
  // As large as the longest signatures make it: what is sent is a little smaller.
  const feeUnits = amountFromText(fees.ancestor, 8) ?? 0n;
  const size = BigInt(ancestorsize);
  assert(feeUnits >= 100n * size && feeUnits < 102n * size, `${feeUnits} for ${size}`);
  await waitUntil('it to be a move of ours', async () => {
    return /you sent it yourself/.test((await command(child)).stderr);
  });
  assert.match((await command(paying, '--fee-rate', '100')).stderr, /or what you have sent for it/);
  const more = await command(paying, '--fee-rate', '101');
  assert('draft' in more.json, more.stderr);
  const second = (more.json as unknown as { draft: Draft & { id: string } }).draft;
  const sent = await moveSigned(second.id, await signAsOperator(second.text));
  assert.equal(sent.exitCode, 0, sent.stderr);
  const waiting = (await node.rpc('getrawmempool')) as string[];
  assert.deepEqual([waiting.includes(child), waiting.length], [false, 2]);
  await node.mine(2);
  await client.waitForState(checkoutId, 'COMPLETED');
  assert.deepEqual(await booked(), []);
});
