// What is made for a signer, and what is read back from it, against a real EVM node: it takes the
// bytes, knows them by our hash, and moves what was ordered.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TransactionSerializableEIP1559 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { decideFeeCaps, decideReplacementCaps } from '#networks/evm/decide-fee-caps.ts';
import { balanceCall } from '#networks/evm/evm-tokens.ts';
import { readSignedEvmPayment } from '#networks/evm/signed-transaction.ts';
import { type EvmOrder, unsignedEvmTransaction } from '#networks/evm/unsigned-transaction.ts';
import { type AnvilNode, startAnvil } from './anvil-node.ts';

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const RECEIVER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const signer = privateKeyToAccount(`0x${'3d'.repeat(32)}`);
const BOUNDS = {
  leastPriorityFeePerGas: 1n,
  mostPriorityFeePerGas: 10n ** 10n,
  mostFeePerGas: 10n ** 11n,
};
let node: AnvilNode;

before(async () => {
  node = await startAnvil();
  await node.deploy('Token', 6, USDC);
  await node.call(USDC, 'mint', [signer.address, 10n ** 9n]);
  await node.send({ to: signer.address, value: 10n ** 18n });
  await node.mine(1);
});
after(async () => node?.stop());

async function seenFees() {
  const answer = await node.rpc('eth_feeHistory', '0x4', 'latest', [50]);
  const { baseFeePerGas, reward } = answer as { baseFeePerGas: string[]; reward: string[][] };
  return {
    baseFeePerGas: BigInt(baseFeePerGas.at(-1) ?? ''),
    tips: reward.map(([tip = '0']) => BigInt(tip)),
  };
}

async function orderOf(assetId: string, units: bigint): Promise<EvmOrder> {
  const caps = decideFeeCaps(await seenFees(), BOUNDS);
  assert(!('tooDear' in caps));
  return {
    payment: { network: 'ETHEREUM', assetId, account: { address: RECEIVER }, units },
    chainId: BigInt(String(await node.rpc('eth_chainId'))),
    sender: signer.address,
    nonce: BigInt(String(await node.rpc('eth_getTransactionCount', signer.address, 'latest'))),
    gasLimit: assetId === 'ETH:NATIVE' ? 21_000n : 90_000n,
    ...caps,
  };
}

/** From the JSON alone, as a wallet would. */
function sign(order: EvmOrder): Promise<`0x${string}`> {
  const { json } = unsignedEvmTransaction(order);
  return signer.signTransaction({
    type: 'eip1559',
    chainId: Number(json.chainId),
    nonce: Number(json.nonce),
    to: json.to,
    value: BigInt(json.value),
    data: json.data,
    gas: BigInt(json.gas),
    maxFeePerGas: BigInt(json.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(json.maxPriorityFeePerGas),
  } as TransactionSerializableEIP1559);
}

async function hasSucceeded(hash: string): Promise<boolean> {
  const receipt = await node.rpc('eth_getTransactionReceipt', hash);
  return (receipt as { status: string } | null)?.status === '0x1';
}

test('a coin and a token are sent as ordered, under the hash that was read', async () => {
  const coins = BigInt(String(await node.rpc('eth_getBalance', RECEIVER, 'latest')));
  for (const [assetId, units] of [
    ['ETH:NATIVE', 12_345n],
    [`USDC:${USDC}`, 2_500_000n],
  ] as const) {
    const order = await orderOf(assetId, units);
    const read = readSignedEvmPayment(await sign(order), order);
    assert.equal(await node.sendRaw(read.signedTransaction), read.transaction);
    await node.mine(1);
    assert(await hasSucceeded(read.transaction), assetId);
  }
  const now = BigInt(String(await node.rpc('eth_getBalance', RECEIVER, 'latest')));
  assert.equal(now - coins, 12_345n);
  const tokens = await node.rpc('eth_call', balanceCall(USDC, RECEIVER), 'latest');
  assert.equal(BigInt(String(tokens)), 2_500_000n);
});

test('the node takes a replacement with the caps that are decided for one, and none for the same', async () => {
  const order = await orderOf('ETH:NATIVE', 1n);
  const first = readSignedEvmPayment(await sign(order), order);
  await node.sendRaw(first.signedTransaction);
  const other = { ...order, payment: { ...order.payment, units: 2n } };
  await assert.rejects(node.sendRaw(await sign(other)), /underpriced/);
  const caps = decideReplacementCaps(order, await seenFees(), BOUNDS);
  assert(!('tooDear' in caps));
  const second = readSignedEvmPayment(await sign({ ...order, ...caps }), { ...order, ...caps });
  await node.sendRaw(second.signedTransaction);
  await node.mine(1);
  assert(await hasSucceeded(second.transaction));
  assert.equal(await hasSucceeded(first.transaction), false);
});
