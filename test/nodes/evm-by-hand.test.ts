// Money that a person sends, on a real EVM node: the test holds the keys of the addresses that our
// server derives, as the wallet of an operator does. The server has none of them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { type Abi, encodeFunctionData, getAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { sql } from '#db/db.ts';
import { waitUntil } from '#test/support/shop.ts';
import { ABI } from './anvil-node.ts';
import { contractOf, ETH, type EvmShop, openEvmShop, USDC, unitsOf } from './evm-shop.ts';

const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'/0");
const PAYER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const COLD = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

let shop: EvmShop;

before(async () => {
  shop = await openEvmShop({ settings: { ETHEREUM_XPUB: account.publicExtendedKey } });
  const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
  await shop.server.command('allow-list', 'add', ...here);
});
after(() => shop?.close());

/** The key of an address that was handed out. */
function signerOf(address: string) {
  for (let index = 0; index < 50; index += 1) {
    const { privateKey } = account.deriveChild(index);
    assert(privateKey !== null);
    const signer = privateKeyToAccount(`0x${Buffer.from(privateKey).toString('hex')}`);
    if (signer.address === address) return signer;
  }
  throw new Error(`${address} is not derived from the account`);
}

type Sent = { readonly to: string; readonly value?: bigint; readonly data?: Hex };

/** As a wallet with these keys does it; mined at once. Gives its hash. */
async function sendAsOperator(from: string, { to, value = 0n, data }: Sent): Promise<string> {
  const { node } = shop;
  const nonce = Number(await node.rpc('eth_getTransactionCount', from, 'latest'));
  const raw = await signerOf(from).signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    nonce,
    to: to as Hex,
    value,
    gas: 100_000n,
    maxFeePerGas: 5_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_007n,
    ...(data === undefined ? {} : { data }),
  });
  const hash = await node.sendRaw(raw);
  await shop.include();
  return hash;
}

function tokenTransfer(to: string, units: bigint): Sent {
  const call = { abi: ABI as Abi, functionName: 'transfer', args: [to, units] };
  return { to: contractOf(USDC), data: encodeFunctionData(call) };
}

/** Gas, to the unit, as the node wrote it down. */
async function feeOf(hash: string, status: Hex = '0x1'): Promise<bigint> {
  const receipt = (await shop.node.rpc('eth_getTransactionReceipt', hash)) as Record<string, Hex>;
  assert.equal(receipt.status, status);
  return BigInt(receipt.gasUsed ?? '') * BigInt(receipt.effectiveGasPrice ?? '');
}

type Paid = { readonly checkoutId: string; readonly address: string };

async function paidCheckout(amount: string, assetId: string): Promise<Paid> {
  const committed = await shop.open(amount, assetId);
  const { checkoutId, depositInstructions } = committed;
  await shop.pay(committed, amount, assetId);
  await shop.include();
  await shop.finish();
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  return { checkoutId, address: depositInstructions.address };
}

type Sending = { readonly id: string; readonly send: string; readonly link: string };

/** What a person is told to send for the one transfer that waits. */
async function showWaiting(): Promise<Sending> {
  type Waiting = { readonly transfers: readonly { readonly id: string; readonly state: string }[] };
  let id = '';
  await waitUntil('a transfer that is to be sent', async () => {
    const { json } = await shop.server.command('send', 'list', '--json');
    const { transfers } = json as unknown as Waiting;
    id = transfers.find(({ state }) => state === 'TO_SEND')?.id ?? '';
    return id !== '';
  });
  const { json } = await shop.server.command('send', 'show', id, '--json');
  return (json as unknown as { sending: Sending }).sending;
}

type Draft = {
  readonly text: string;
  readonly from: string;
  readonly fee: string;
  readonly links: readonly string[];
  readonly json: Readonly<Record<string, string>>;
};

async function draft(...args: string[]): Promise<Draft> {
  const { json, stderr } = await shop.server.command('send', 'draft', ...args, '--json');
  assert('draft' in json, stderr);
  return (json as unknown as { draft: Draft }).draft;
}

/** As a wallet that is given the JSON signs it; `changes` are what it was not told. */
function signDraft({ from, json }: Draft, changes: object = {}): Promise<Hex> {
  return signerOf(getAddress(from)).signTransaction({
    type: 'eip1559',
    chainId: Number(json.chainId),
    nonce: Number(json.nonce),
    to: json.to as Hex,
    value: BigInt(json.value ?? ''),
    data: json.data as Hex,
    gas: BigInt(json.gas ?? ''),
    maxFeePerGas: BigInt(json.maxFeePerGas ?? ''),
    maxPriorityFeePerGas: BigInt(json.maxPriorityFeePerGas ?? ''),
    ...changes,
  });
}

/** `send signed`, with this in the file. */
async function sendSigned(id: string, text: string) {
  const file = join(await mkdtemp(join(tmpdir(), 'signed-')), 'transaction');
  await writeFile(file, text);
  return shop.server.command('send', 'signed', id, file, '--json');
}

type Refund = { readonly checkoutId: string; readonly state: string; readonly tx: string };

async function waitForRefund(checkoutId: string): Promise<Refund> {
  let found: Refund | undefined;
  await waitUntil('the refund to complete', async () => {
    const { refunds } = await shop.client.get<{ refunds: readonly Refund[] }>('/refunds');
    found = refunds.find((one) => one.checkoutId === checkoutId);
    return found?.state === 'COMPLETED';
  });
  assert(found !== undefined);
  return found;
}

type Part = { readonly id: string; readonly purpose: string | null; readonly amount: string };
type Departures = readonly {
  readonly transaction: string;
  readonly status: string;
  readonly parts: readonly Part[];
}[];

async function unexplained(): Promise<Departures> {
  const { json } = await shop.server.command('custody', 'list', '--json');
  return (json as unknown as { departures: Departures }).departures;
}

/** Custody is what the chain holds, to the unit; the ledger is whole. */
async function checkBooked(): Promise<void> {
  type Doctor = { chains: { chain: string; holdings: { held: string; custody: string }[] }[] };
  const { json } = await shop.server.command('doctor', '--holdings', '--json');
  const { chains } = json as unknown as Doctor;
  const holdings = chains.find(({ chain }) => chain === 'live:ETHEREUM')?.holdings ?? [];
  assert(holdings.length > 0);
  for (const { held, custody } of holdings) assert.equal(held, custody);
  const verified = await shop.server.command('ledger', 'verify', '--json');
  assert.deepEqual(verified.json.faults, []);
}

test('a refund in the coin is sent by hand, seen, completed, and booked with its gas', async () => {
  const { checkoutId, address } = await paidCheckout('0.5', ETH);
  const before = await shop.balance(ETH);
  const wanted = { kind: 'amount', amount: '0.2', address: PAYER };
  await shop.client.post('/refund', { checkoutId, ...wanted });
  const sending = await showWaiting();
  assert.equal(sending.send, '0.2 ETH');
  assert.match(sending.link, new RegExp(`^ethereum:${PAYER}@31337\\?value=2`));
  const hash = await sendAsOperator(address, { to: PAYER, value: unitsOf('0.2', ETH) });
  await shop.finish();
  assert.equal((await waitForRefund(checkoutId)).tx, hash);
  const paidUnits = before - (await shop.balance(ETH)) - unitsOf('0.2', ETH);
  assert(paidUnits > 0n && paidUnits <= (await feeOf(hash)), 'the merchant pays the gas');
  await shop.checkBooks();
  await checkBooked();
  assert.deepEqual(await unexplained(), []);
});

test('a refund in a token is sent by hand; its gas, and that of a failure, is the house’s', async () => {
  const { checkoutId, address } = await paidCheckout('25', USDC);
  const coins = await paidCheckout('0.1', ETH);
  const before = await shop.balance(USDC);
  const wanted = { kind: 'amount', amount: '10', address: PAYER };
  await shop.client.post('/refund', { checkoutId, ...wanted });
  assert.equal((await showWaiting()).send, '10 USDC');
  // The address of a token has no coins: a wallet gives it some of another one of ours.
  const fuel = await sendAsOperator(coins.address, { to: address, value: unitsOf('0.01', ETH) });
  const tooMuch = await sendAsOperator(address, tokenTransfer(PAYER, unitsOf('26', USDC)));
  await feeOf(tooMuch, '0x0');
  const hash = await sendAsOperator(address, tokenTransfer(PAYER, unitsOf('10', USDC)));
  await shop.finish();
  assert.equal((await waitForRefund(checkoutId)).tx, hash);
  assert.equal(before - (await shop.balance(USDC)), unitsOf('10', USDC));
  await shop.checkBooks();
  await checkBooked();
  assert.deepEqual(await unexplained(), [], `our own move ${fuel} is silent`);
});

test('a move to cold storage is seen, said aloud, explained, and the books are right', async () => {
  const { address } = await paidCheckout('1', ETH);
  const hash = await sendAsOperator(address, { to: COLD, value: unitsOf('0.7', ETH) });
  await shop.finish();
  await waitUntil('the move to be booked', async () => {
    return (await unexplained()).some(({ status }) => status === 'BOOKED');
  });
  const [departure, ...others] = await unexplained();
  assert.deepEqual(others, []);
  assert.equal(departure?.transaction, hash);
  const [part] = departure?.parts ?? [];
  assert.deepEqual([part?.amount, part?.purpose], ['0.7 ETH', null]);
  const why = ['--as', 'outside', '--reason', 'cold storage'];
  await shop.server.command('custody', 'explain', part?.id ?? '', ...why);
  assert.deepEqual(shop.server.errors(), []);
  await checkBooked();
  assert.deepEqual(await unexplained(), []);
});

test('a drafted payment is signed elsewhere, sent by us, seen, and booked', async () => {
  const { checkoutId } = await paidCheckout('0.5', ETH);
  await shop.client.post('/refund', { checkoutId, kind: 'amount', amount: '0.2', address: PAYER });
  const { id } = await showWaiting();
  const drafted = await draft(id);
  assert.match(drafted.links[0] ?? '', new RegExp(`^ethereum:${PAYER}@31337`));
  const raw = await signDraft(drafted);
  const first = await sendSigned(id, raw);
  assert.equal(first.exitCode, 0, first.stderr);
  const { transaction } = first.json as unknown as { transaction: string };
  // Again with the file, and again without it: the node knows it, and that is a success.
  assert.equal((await sendSigned(id, `${raw}\n`)).json.transaction, transaction);
  const again = await shop.server.command('send', 'signed', id, '--json');
  assert.equal(again.json.transaction, transaction);
  for (const verb of [
    ['show', id],
    ['cancel', id, '--not-sent', '--reason', 'changed my mind'],
  ]) {
    const refused = await shop.server.command('send', ...verb);
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /can still land/);
  }
  await shop.include();
  await shop.finish();
  assert.equal((await waitForRefund(checkoutId)).tx, transaction);
  const [row] = await shop.server.db.query<{ reserved: bigint }>(sql`
    select network_fee_units as reserved from transfer where id = ${id}`);
  assert(row !== undefined && row.reserved >= (await feeOf(transaction)), `${row?.reserved}`);
  await checkBooked();
  assert.deepEqual(await unexplained(), []);
});

test('a token is drafted at the address that has it, and another draft takes its place', async () => {
  const { checkoutId, address } = await paidCheckout('25', USDC);
  const coins = await paidCheckout('0.1', ETH);
  await shop.client.post('/refund', { checkoutId, kind: 'amount', amount: '10', address: PAYER });
  const { id } = await showWaiting();
  const withoutGas = await shop.server.command('send', 'draft', id, '--from', address);
  assert.match(withoutGas.stderr, /too little for the gas/);
  await sendAsOperator(coins.address, { to: address, value: unitsOf('0.01', ETH) });
  const first = await draft(id, '--from', address);
  assert.equal(first.json.to, contractOf(USDC).toLowerCase());
  assert.equal((await sendSigned(id, await signDraft(first))).exitCode, 0);
  const second = await draft(id);
  assert.deepEqual([second.from, second.json.nonce], [first.from, first.json.nonce]);
  assert(BigInt(second.json.maxFeePerGas ?? '') > BigInt(first.json.maxFeePerGas ?? ''));
  const sent = await sendSigned(id, await signDraft(second));
  assert.equal(sent.exitCode, 0, sent.stderr);
  await shop.include();
  await shop.finish();
  assert.equal((await waitForRefund(checkoutId)).tx, sent.json.transaction);
  await checkBooked();
  assert.deepEqual(await unexplained(), []);
});

test('what is not the draft, signed, is refused with a sentence, and nothing is kept of it', async () => {
  const { checkoutId } = await paidCheckout('0.5', ETH);
  await shop.client.post('/refund', { checkoutId, kind: 'amount', amount: '0.1', address: PAYER });
  const { id } = await showWaiting();
  const undrafted = await sendSigned(id, '0x02');
  assert.match(undrafted.stderr, /nothing was drafted for it/);
  const drafted = await draft(id);
  const value = BigInt(drafted.json.value ?? '');
  const good = await signDraft(drafted);
  const stranger = privateKeyToAccount(`0x${'5e'.repeat(32)}`);
  const refused = [
    [await signDraft(drafted, { to: COLD }), /the receiver is 0x8ba1.*; ordered is 0xd8da/],
    [await signDraft(drafted, { value: value + 1n }), /the amount in wei is \d+; ordered is \d+/],
    [await signDraft(drafted, { data: '0x01' }), /it calls a contract/],
    [await signDraft(drafted, { chainId: 1 }), /the chain id is 1; ordered is 31337/],
    [await signDraft(drafted, { maxFeePerGas: 10n ** 12n }), /the fee for each gas .* at most/],
    [await signDraft(drafted, { nonce: 99 }), /the nonce is 99/],
    [
      await stranger.signTransaction({ type: 'legacy', chainId: 31_337, to: PAYER, value }),
      /sign it as EIP-1559/,
    ],
    [
      await stranger.signTransaction({ type: 'eip1559', chainId: 31_337, to: PAYER, value }),
      /the sender is 0x/,
    ],
    [drafted.text, /it is not signed yet/],
    [good.slice(0, -2), /no whole signed transaction/],
    ['garbage', /must be a signed transaction in hexadecimal/],
    ['', /must be a signed transaction in hexadecimal/],
  ] as const;
  for (const [text, sentence] of refused) {
    const { exitCode, stderr } = await sendSigned(id, text);
    assert.equal(exitCode, 1, text);
    assert.match(stderr, sentence);
  }
  const stored = await shop.server.db.query(sql`
    select a.transaction, t.transaction as paid from attempt a join transfer t on t.id = ${id}
    where a.transfer_ids @> array[${id}] and (a.signed_at is not null or t.transaction is not null)`);
  assert.deepEqual(stored, []);
  assert.equal((await sendSigned(id, good)).exitCode, 0);
  await shop.include();
  await shop.finish();
  await waitForRefund(checkoutId);
  await checkBooked();
});

test('when another transaction has used its nonce for ever, the money goes back', async () => {
  const { checkoutId } = await paidCheckout('0.5', ETH);
  await shop.client.post('/refund', { checkoutId, kind: 'amount', amount: '0.1', address: PAYER });
  const { id } = await showWaiting();
  const drafted = await draft(id);
  assert.equal((await sendSigned(id, await signDraft(drafted))).exitCode, 0);
  const dearer = (cap = '') => BigInt(cap) * 2n;
  const instead = await signDraft(drafted, {
    to: COLD,
    maxFeePerGas: dearer(drafted.json.maxFeePerGas),
    maxPriorityFeePerGas: dearer(drafted.json.maxPriorityFeePerGas),
  });
  const hash = await shop.node.sendRaw(instead);
  const cancel = ['send', 'cancel', id, '--not-sent', '--reason', 'used its nonce for the vault'];
  assert.match((await shop.server.command(...cancel)).stderr, /can still land/);
  await shop.include();
  await shop.finish();
  await waitUntil('the other one to be booked', async () => {
    return (await unexplained()).some((one) => one.transaction === hash && one.status === 'BOOKED');
  });
  assert.equal((await shop.server.command(...cancel)).exitCode, 0);
  const [departure] = await unexplained();
  const why = ['--as', 'outside', '--reason', 'the vault'];
  await shop.server.command('custody', 'explain', departure?.parts[0]?.id ?? '', ...why);
  await checkBooked();
});
