// What the signer signs, taken by a real EVM node: ether, a token, a dearer one in the place of the
// first, and nothing to oneself in the place of a payment.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { balanceCall } from '#networks/evm/evm-tokens.ts';
import { unsignedBytes } from '#networks/evm/unsigned-transaction.ts';
import { openSignerClient } from '#signer/client.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { createSignerProcess, type SignerProcess } from '#test/support/signer-process.ts';
import {
  EVM_ADDRESS,
  EVM_RECEIVER,
  EVM_SECRET,
  evmOrder,
  USDC,
  WIDE_RULES,
} from '#test/support/signer-world.ts';
import { type AnvilNode, startAnvil } from './anvil-node.ts';

const CONTRACT = USDC.slice('USDC:'.length);
let node: AnvilNode;
let signer: SignerProcess;
let chainId: bigint;

before(async () => {
  node = await startAnvil();
  await node.deploy('Token', 6, CONTRACT);
  await node.call(CONTRACT, 'mint', [EVM_ADDRESS, 10n ** 9n]);
  await node.send({ to: EVM_ADDRESS, value: 10n ** 18n });
  await node.mine(1);
  chainId = BigInt(String(await node.rpc('eth_chainId')));
  const key = {
    name: 'evm',
    network: 'ETHEREUM',
    environment: 'live',
    secret: EVM_SECRET,
  } as const;
  signer = createSignerProcess([{ ...key, chain: 'dev', chainId: `${chainId}` }]);
  await signer.start(WIDE_RULES);
});
after(async () => {
  await signer?.close();
  await node?.stop();
});

async function signed(order: SignOrder) {
  const outcome = await openSignerClient(signer.socket).sign(order);
  assert(outcome.outcome === 'SIGNED', JSON.stringify(outcome));
  return outcome;
}

const balance = async () =>
  BigInt(String(await node.rpc('eth_getBalance', EVM_RECEIVER, 'latest')));

async function isMined(hash: string): Promise<boolean> {
  const receipt = await node.rpc('eth_getTransactionReceipt', hash);
  return (receipt as { status: string } | null)?.status === '0x1';
}

test('ether and a token arrive, under the ids that the signer said', async () => {
  const before = await balance();
  const ether = await signed(evmOrder({ id: 'ether', units: 12_345n }, { chainId, nonce: 0n }));
  const wanted = { id: 'token', units: 2_500_000n, assetId: USDC };
  const token = await signed(evmOrder(wanted, { chainId, nonce: 1n }));
  for (const { signedTransaction, transaction } of [ether, token]) {
    assert.equal(await node.sendRaw(signedTransaction), transaction);
  }
  await node.mine(1);
  assert.deepEqual(
    [await isMined(ether.transaction), await isMined(token.transaction)],
    [true, true],
  );
  assert.equal((await balance()) - before, 12_345n);
  const answer = await node.rpc('eth_call', balanceCall(CONTRACT, EVM_RECEIVER), 'latest');
  assert.equal(BigInt(String(answer)), 2_500_000n);
});

test('of two attempts at one order one lands, and a cancel ends another', async () => {
  const before = await balance();
  const wanted = { id: 'again', units: 5n };
  const first = await signed(evmOrder(wanted, { chainId, nonce: 2n }));
  await node.sendRaw(first.signedTransaction);
  const dear = { maxFeePerGas: 2n * 10n ** 10n, maxPriorityFeePerGas: 2n * 10n ** 9n };
  const second = await signed(evmOrder(wanted, { chainId, nonce: 2n, ...dear }));
  await node.sendRaw(second.signedTransaction);
  const unwanted = evmOrder({ id: 'unwanted', units: 7n }, { chainId, nonce: 3n });
  const third = await signed(unwanted);
  await node.sendRaw(third.signedTransaction);
  const caps = { chainId, sender: EVM_ADDRESS, nonce: 3n, gasLimit: 21_000n, ...dear };
  const bytes = unsignedBytes(caps, { to: EVM_ADDRESS.toLowerCase(), value: 0n, data: '0x' });
  const cancel = await signed({
    ...unwanted,
    kind: 'CANCEL',
    payments: [],
    feeUnits: 21_000n * dear.maxFeePerGas,
    unsigned: `0x${bytes.toString('hex')}`,
  });
  await node.sendRaw(cancel.signedTransaction);
  await node.mine(1);
  const mined = await Promise.all(
    [first, second, third, cancel].map(({ transaction }) => isMined(transaction)),
  );
  assert.deepEqual(mined, [false, true, false, true]);
  assert.equal((await balance()) - before, 5n);
});
