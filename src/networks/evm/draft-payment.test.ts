// Which address of ours pays, of those that hold enough.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reader } from '#db/db.ts';
import type { DraftOrder } from '#deposit/money-out.ts';
import { draftEvmPayment } from './draft-payment.ts';
import { evmChain } from './evm-chain.ts';
import type { EvmRpc } from './json-rpc.ts';

const ETH = 'ETH:NATIVE';
const GWEI = 10n ** 9n;
const COIN = 10n ** 18n;
const OURS = `0x${'11'.repeat(20)}`;
/** Given out by a database that is gone: its number, and what was signed for it, nobody knows. */
const LEFT_OUT = `0x${'22'.repeat(20)}`;
const RECEIVER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const HELD: Readonly<Record<string, bigint>> = { [OURS]: 6n * COIN, [LEFT_OUT]: 5n * COIN };

const hex = (value: bigint) => `0x${value.toString(16)}`;

const NODE: EvmRpc = {
  label: 'node',
  close: () => undefined,
  async batch(calls) {
    return calls.map(({ method, params }) => {
      const [asked] = params as [string];
      const answers: Readonly<Record<string, unknown>> = {
        eth_feeHistory: { baseFeePerGas: ['0x1', hex(10n * GWEI)], reward: [[hex(GWEI)]] },
        eth_blockNumber: '0x10',
        eth_getBalance: hex(HELD[asked] ?? 0n),
        eth_getTransactionCount: '0x3',
        eth_getCode: '0x',
        eth_estimateGas: hex(21_000n),
        eth_call: '0x',
      };
      return { ok: true as const, result: answers[method] };
    });
  },
};

async function draft(paid: readonly string[], order: Partial<DraftOrder> = {}) {
  const query = async (statement: { readonly text?: string }) => {
    const text = JSON.stringify(statement);
    const leftOutAt = Temporal.Instant.from('2030-01-01T00:00:00Z');
    if (text.includes('address_left_out')) {
      return [{ chain: 'live:ETHEREUM', destination: LEFT_OUT, reason: 'restored', leftOutAt }];
    }
    if (!text.includes('from receipt')) return [];
    return paid.map((destination) => ({ destination, assetId: ETH }));
  };
  const source = {
    ...{ chain: 'live:ETHEREUM' as const, siblings: [], coinAssetId: ETH },
    parameters: evmChain('ETHEREUM', 'main'),
    contractOf: new Map(),
    db: { query } as unknown as Reader,
  };
  const payment = { transferId: 'one', account: { address: RECEIVER }, assetId: ETH, units: COIN };
  const wish = { unspent: [], taken: new Set<string>(), feeRate: undefined, replaces: undefined };
  const drafted = await draftEvmPayment(source, NODE, {
    ...{ ...wish, payments: [payment], from: undefined },
    ...order,
  });
  return drafted.from;
}

test('what was given out before a backup was restored pays only when a person names it', async () => {
  assert.equal(await draft([LEFT_OUT, OURS]), OURS);
  await assert.rejects(draft([LEFT_OUT]), /no address of yours holds 1 ETH by itself/);
  assert.equal(await draft([LEFT_OUT, OURS], { from: LEFT_OUT }), LEFT_OUT);
});
