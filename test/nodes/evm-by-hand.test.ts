// Money that a person sends, on a real EVM node: the test holds the keys of the addresses that our
// server derives, as the wallet of an operator does. The server has none of them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { type Abi, encodeFunctionData, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
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
