// What was sent and does not land, and small coins of ours, where nobody has a node: what is put in
// its place is drafted by what two Esplora servers say, signed by a person or the signer, and sent
// through the servers to a real Litecoin Core.
// In a long run alone: litecoin-sent-by-signer.test.ts and litecoin-by-hand.test.ts tell of both over a
// node, litecoin-by-esplora.test.ts of those servers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitUntil } from '#test/support/shop.ts';
import { type EsploraShop, openEsploraShop } from './esplora-shop.ts';

const SAID = ['--reason', 'too slow', '--by', 'anna'] as const;

let shop: EsploraShop;
before(async () => {
  shop = await openEsploraShop();
  // Coins that the signer was asked to spend stay its own: a person spends others.
  for (const amount of ['0.3', '0.3']) await shop.paid(amount);
});
after(() => shop?.close());

type Draft = { readonly id: string; readonly text: string; readonly inputs: number };

const run = (...words: string[]) => shop.server.command(...words, '--json');

async function drafted(...words: string[]): Promise<Draft> {
  const { json, stderr } = await run(...words);
  assert('draft' in json, stderr);
  return (json as unknown as { draft: Draft }).draft;
}

async function refused(pattern: RegExp, ...words: string[]): Promise<void> {
  const { exitCode, stderr } = await run(...words);
  assert.notEqual(exitCode, 0, words.join(' '));
  assert.match(stderr, pattern, words.join(' '));
}

/** Signed by the person's wallet, and sent. */
async function send(verb: 'send' | 'custody', id: string, psbt: string): Promise<string> {
  const { exitCode, json, stderr } = await run(verb, 'signed', id, await shop.signed(psbt));
  assert.equal(exitCode, 0, stderr);
  return (json as { transaction: string }).transaction;
}

/** A person has drafted, signed and sent a refund, which waits in the mempool. */
async function sentByHand(amount: string) {
  await shop.signer.kill9();
  const { checkoutId, address } = await shop.refund(amount);
  const { id } = await shop.toSend(({ state }) => state === 'TO_SEND');
  const first = await send(
    'send',
    id,
    (await drafted('send', 'draft', id, '--fee-rate', '2')).text,
  );
  assert.deepEqual(await shop.waiting(), [first]);
  return { checkoutId, address, id, first };
}

/** The signer has signed it, and it waits in the mempool. */
async function sentBySigner(amount: string) {
  await shop.startSigner();
  const { checkoutId, address } = await shop.refund(amount);
  await waitUntil('the signer to send it', async () => (await shop.waiting()).length === 1);
  const { id } = await shop.toSend(() => true);
  const [first] = await shop.waiting();
  return { checkoutId, address, id, first: first ?? assert.fail() };
}

async function takenPlaceOf(first: string): Promise<string> {
  let other = '';
  await waitUntil('another one in its place', async () => {
    const waiting = await shop.waiting();
    other = waiting.find((one) => one !== first) ?? '';
    return other !== '' && !waiting.includes(first);
  });
  return other;
}

/** Blocks are found meanwhile: what ended it is deep enough only some of them later. */
async function endedAs(checkoutId: string): Promise<readonly [string, string | undefined]> {
  const { state, tx } = await shop.ended(checkoutId, { isMining: true });
  await shop.booked();
  return [state, tx];
}

const received = async (address: string) =>
  String(await shop.node.rpc('getreceivedbyaddress', address));

test('what nobody has signed is neither bumped nor taken from the signer by asking for it', async () => {
  await shop.signer.kill9();
  const { checkoutId, address } = await shop.refund('0.1');
  const { id } = await shop.toSend(({ state }) => state === 'TO_SEND');
  await refused(/ID: the id of a transfer of npx quittance send list/, 'send', 'bump', ...SAID);
  await refused(/--reason/, 'send', 'bump', id, '--by', 'anna');
  await refused(/--fee-rate/, 'send', 'bump', id, ...SAID, '--fee-rate', 'much');
  await refused(/no such transfer/, 'send', 'bump', 'nobodystransfer', ...SAID);
  const nothing = /nothing that was signed for it can land: npx quittance send draft, or send/;
  await refused(nothing, 'send', 'bump', id, ...SAID);
  await shop.startSigner();
  await waitUntil('the signer to send it', async () => (await shop.waiting()).length === 1);
  const [transaction] = await shop.waiting();
  assert.deepEqual(await endedAs(checkoutId), ['COMPLETED', transaction]);
  assert.equal(await received(address), '0.1');
  await refused(new RegExp(`${id} is COMPLETED`), 'send', 'bump', id, ...SAID);
  await refused(new RegExp(`${id} is COMPLETED`), 'send', 'cancel', id, ...SAID);
});

test('a person bumps what waits: drafted again it is still paid once, by what pays more', async () => {
  const { checkoutId, address, id, first } = await sentByHand('0.1');
  for (const at of [0, 1]) shop.servers[at]?.asked.splice(0);
  const bump = ['send', 'bump', id, ...SAID, '--fee-rate'];
  const second = await drafted(...bump, '20');
  const third = await drafted(...bump, '40');
  const file = await shop.signed(second.text);
  shop.saysToBroadcast(1, 503, 'busy');
  const busy = await run('send', 'signed', id, file);
  assert.match(busy.stderr, /does not pass it on \(503\)|too few servers/);
  shop.saysToBroadcast(1);
  const { transaction: dearer } = (await run('send', 'signed', id)).json as {
    transaction: string;
  };
  assert.notEqual(dearer, first);
  assert.deepEqual(await shop.waiting(), [dearer]);
  const dearest = await send('send', id, third.text);
  assert.deepEqual(await shop.waiting(), [dearest]);
  assert.deepEqual(await endedAs(checkoutId), ['COMPLETED', dearest]);
  assert.equal(await received(address), '0.1');
});

test('a person cancels what waits: what pays us lands instead, and the money goes back once', async () => {
  const { checkoutId, address, id, first } = await sentByHand('0.1');
  const before = await shop.balance('LTC:NATIVE');
  const cancel = ['send', 'cancel', id, '--reason', 'wrong receiver', '--by', 'anna'];
  const second = await drafted(...cancel, '--fee-rate', '20');
  const instead = await send('send', id, second.text);
  assert.notEqual(instead, first);
  assert.deepEqual(await shop.waiting(), [instead]);
  const [state] = await endedAs(checkoutId);
  assert.deepEqual([state, await received(address)], ['FAILED', '0']);
  const after = await shop.balance('LTC:NATIVE');
  assert(after > before, `${after} is not more than ${before}`);
  await refused(/it is FAILED/, ...cancel);
  assert.equal(await shop.balance('LTC:NATIVE'), after);
});

test('the signer bumps what waits, and what lands is booked', async () => {
  const { checkoutId, address, id, first } = await sentBySigner('0.1');
  const { exitCode, stderr } = await run('send', 'bump', id, ...SAID, '--fee-rate', '20');
  assert.equal(exitCode, 0, stderr);
  const second = await takenPlaceOf(first);
  assert.deepEqual(await endedAs(checkoutId), ['COMPLETED', second]);
  assert.equal(await received(address), '0.1');
});

test('the signer cancels what waits, and the money goes back', async () => {
  const { checkoutId, address, id, first } = await sentBySigner('0.1');
  const { exitCode, stderr } = await run('send', 'cancel', id, ...SAID);
  assert.equal(exitCode, 0, stderr);
  await takenPlaceOf(first);
  const [state] = await endedAs(checkoutId);
  assert.deepEqual([state, await received(address)], ['FAILED', '0']);
});

test('small coins become one, and what waits with too low a fee is replaced', async () => {
  for (const amount of ['0.011', '0.012', '0.013']) await shop.paid(amount);
  await shop.booked();
  const small = ['custody', 'consolidate', 'LITECOIN', '--below', '0.02', '--fee-rate', '2'];
  await refused(/NETWORK: there is no LITECOINS/, 'custody', 'consolidate', 'LITECOINS');
  await refused(/live:BITCOIN is not watched here/, 'custody', 'consolidate', 'BITCOIN');
  const first = await drafted(...small);
  assert.equal(first.inputs, 3);
  const replace = (id: string, rate: string) => ['custody', 'replace', id, '--fee-rate', rate];
  await refused(/it was not signed/, ...replace(first.id, '20'));
  await refused(/nothing was drafted under this number/, ...replace('999999', '20'));
  const transaction = await send('custody', first.id, first.text);
  await refused(/of 0 confirmed coins that nothing spends/, ...small);
  await refused(/it pays that rate already/, ...replace(first.id, '1'));
  // One server knows nothing of it: then what it pays is what one of them says.
  const [server] = shop.servers;
  assert(server !== undefined);
  server.keep = (path) =>
    path === `/tx/${transaction}` ? { status: 404, body: 'not found' } : undefined;
  await refused(/disagree about what waits/, ...replace(first.id, '20'));
  server.keep = () => undefined;
  const second = await drafted(...replace(first.id, '20'));
  const instead = await send('custody', second.id, second.text);
  assert.deepEqual(await shop.waiting(), [instead]);
  await refused(/took its place: replace that one, number/, ...replace(first.id, '50'));
  await shop.node.mine(2);
  await shop.booked();
  await waitUntil('nothing to wait any more', async () => {
    const { json } = await run('custody', 'list');
    return (json as unknown as { moves: readonly object[] }).moves.length === 0;
  });
  await refused(/it is in a block already/, ...replace(second.id, '50'));
  await refused(/can land no more/, ...replace(first.id, '50'));
});
