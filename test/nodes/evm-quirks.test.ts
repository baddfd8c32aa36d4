// What a real EVM node says of a payment before it is signed: receivers that are contracts, tokens
// that are stopped, keep a part, say what is not true, or return nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { httpPost, openEvmRpc } from '#networks/evm/json-rpc.ts';
import { type ContractReceivers, tryPayment } from '#networks/evm/try-payment.ts';
import { type AnvilNode, startAnvil } from './anvil-node.ts';
import { contractOf, DAI, ETH, EURC, USDC, USDT } from './evm-shop.ts';

const SENDER = `0x${'5e'.repeat(20)}`;
const RECEIVER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const UNITS = 10n ** 7n;

let node: AnvilNode;
let contract: string;

before(async () => {
  node = await startAnvil();
  await node.deploy('Token', 6, contractOf(USDC));
  await node.deploy('FeeToken', 18, contractOf(DAI));
  await node.deploy('LyingToken', 6, contractOf(EURC));
  await node.deploy('StoppableToken', 6, contractOf(USDT));
  contract = await node.deploy('Sender');
  for (const token of [USDC, DAI, EURC, USDT]) {
    await node.call(contractOf(token), 'mint', [SENDER, UNITS]);
  }
  await node.mine(1);
});
after(async () => node?.stop());

async function tried(
  assetId: string,
  address: string,
  contractReceivers: ContractReceivers = new Set(),
): Promise<string> {
  const url = new URL(node.url);
  const rpc = openEvmRpc({ what: 'anvil', label: 'anvil', ...httpPost('anvil', 'anvil', url) });
  const payment = { network: 'ETHEREUM', assetId, account: { address }, units: UNITS };
  const said = await tryPayment(rpc, { payment, sender: SENDER, contractReceivers });
  rpc.close();
  return said ?? 'sent';
}

async function told(name: string, ...args: unknown[]): Promise<void> {
  await node.call(contractOf(USDT), name, args);
  await node.mine(1);
}

test('a coin, a token, and a token that returns nothing are sent', async () => {
  for (const assetId of [ETH, USDC, USDT]) assert.equal(await tried(assetId, RECEIVER), 'sent');
});

test('a token that keeps a part, or moves nothing, is refused with what would arrive', async () => {
  assert.match(await tried(DAI, RECEIVER), /of 0\.00000000001 DAI 0\.0000000000099 would arrive/);
  assert.match(await tried(EURC, RECEIVER), /of 10 EURC 0 would arrive/);
});

test('a contract is paid only where the operator names it; a delegated account is none', async () => {
  assert.match(await tried(ETH, contract.toLowerCase()), /is a contract/);
  assert.match(await tried(USDC, contract.toLowerCase()), /is a contract/);
  assert.equal(await tried(USDC, contract.toLowerCase(), 'any'), 'sent');
  assert.equal(
    await tried(USDC, contract.toLowerCase(), new Set([contract.toLowerCase()])),
    'sent',
  );
  await node.rpc('anvil_setCode', RECEIVER, `0xef0100${'ab'.repeat(20)}`);
  assert.equal(await tried(USDC, RECEIVER), 'sent');
  await node.rpc('anvil_setCode', RECEIVER, '0x');
});

test('a blocklist and a pause are named, and end', async () => {
  await told('stop', RECEIVER, true);
  assert.match(await tried(USDT, RECEIVER), /has the receiver on its blocklist/);
  await told('stop', RECEIVER, false);
  await told('stop', SENDER, true);
  assert.match(await tried(USDT, RECEIVER), /0x5e.* on its blocklist/);
  await told('stop', SENDER, false);
  await told('pause', true);
  assert.match(await tried(USDT, RECEIVER), /is paused by its issuer/);
  await told('pause', false);
  assert.equal(await tried(USDT, RECEIVER), 'sent');
});

test('more than is there would fail', async () => {
  await node.call(contractOf(USDC), 'mint', [SENDER, 1n]);
  const url = new URL(node.url);
  const rpc = openEvmRpc({ what: 'anvil', label: 'anvil', ...httpPost('anvil', 'anvil', url) });
  const payment = {
    network: 'ETHEREUM',
    assetId: USDC,
    account: { address: RECEIVER },
    units: 10n * UNITS,
  };
  const said = await tryPayment(rpc, { payment, sender: SENDER, contractReceivers: new Set() });
  rpc.close();
  assert.match(said ?? '', /it would fail/);
});
