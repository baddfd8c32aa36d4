import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import { NodeLie, RpcFailure } from '#networks/answer-fields.ts';
import type { CoreRpc } from './json-rpc.ts';
import { type FeeRateLimits, readFeeRate, USUAL_FEE_RATES } from './read-fee-rate.ts';
import { BITCOIN_MAIN, BITCOIN_REGTEST, type UtxoChain } from './utxo-chain.ts';

const MISSING = new RpcFailure('getmempoolinfo', -32601, 'Method not found');

function nodeOf(estimate: unknown, mempool: unknown): CoreRpc {
  return {
    async call(method) {
      const answer = method === 'estimatesmartfee' ? estimate : mempool;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    batch: () => Promise.reject(new Error('nothing else is asked')),
    lastAnswerBytes: () => 0,
    close: () => undefined,
  };
}

type Case = readonly [
  what: string,
  node: readonly [estimate: unknown, mempool: unknown],
  expected: bigint | RegExp,
  limits?: Partial<FeeRateLimits>,
  chain?: UtxoChain,
];

const POOL = { mempoolminfee: '0.00001000' };
const rate = (text: unknown) => ({ feerate: text, blocks: '6' });

/** Numbers stand as their text, as the client reads them. */
const TABLE: readonly Case[] = [
  ['an estimate', [rate('0.00012345'), POOL], 12_345n],
  ['below what is relayed', [rate('0.00000500'), POOL], 1_000n],
  ['zero', [rate('0.00000000'), POOL], 1_000n],
  ['below zero', [rate('-0.00012345'), POOL], /no estimate/],
  ['text', [rate('a lot'), POOL], /no estimate/],
  ['something else', [rate({}), POOL], /no estimate/],
  ['absurd', [rate('21000000.00000000'), POOL], 1_000_000n],
  ['above what the operator pays', [rate('0.00100000'), POOL], 50_000n, { feeRateMost: 50n }],
  ['a mempool that asks for nothing', [rate('0.00000001'), { mempoolminfee: '0' }], 100n],
  ['a mempool that says nothing', [rate('0.00000001'), 'full'], 100n],
  ['a server without a mempool', [rate('0.00000001'), MISSING], 100n],
  [
    'a mempool that asks for too much',
    [rate('0.00012345'), { mempoolminfee: '1' }],
    /FEE_RATE_MOST/,
  ],
  ['none yet', [{ errors: ['Insufficient data'] }, POOL], /BITCOIN_FEE_RATE/],
  ['none yet, and the operator said one', [{}, POOL], 3_000n, { feeRateElse: 3n }],
  [
    'none yet, and the mempool asks for more',
    [{}, { mempoolminfee: '0.0001' }],
    10_000n,
    { feeRateElse: 3n },
  ],
  ['none on a chain of one’s own', [{}, POOL], 1_000n, {}, BITCOIN_REGTEST],
];

for (const [what, [estimate, mempool], expected, limits, chain = BITCOIN_MAIN] of TABLE) {
  test(`the fee rate of a node: ${what}`, async () => {
    const read = readFeeRate(nodeOf(estimate, mempool), chain, { ...USUAL_FEE_RATES, ...limits });
    if (typeof expected === 'bigint') return assert.equal(await read, expected);
    await assert.rejects(read, (error) => {
      assert(error instanceof Refusal);
      return expected.test(error.details.join());
    });
  });
}

test('whatever a node says, what is paid is between what is relayed and the most', async () => {
  const digits = fc.stringMatching(/^-?\d{1,9}(\.\d{1,10})?$/);
  const text = fc.oneof(fc.string(), digits);
  await fc.assert(
    fc.asyncProperty(fc.anything(), text, fc.anything(), async (other, said, pool) => {
      for (const estimate of [other, rate(said), rate(other)]) {
        try {
          const node = nodeOf(estimate, { mempoolminfee: pool });
          const found = await readFeeRate(node, BITCOIN_MAIN, USUAL_FEE_RATES);
          assert(found >= 100n && found <= 1_000_000n);
        } catch (error) {
          assert(error instanceof Refusal || error instanceof NodeLie, String(error));
        }
      }
    }),
  );
});
