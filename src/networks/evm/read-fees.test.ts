import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import type { Reader } from '#db/db.ts';
import { NodeLie, RpcFailure } from '#networks/answer-fields.ts';
import { type EvmNetworkId, evmChain } from './evm-chain.ts';
import type { EvmRpc } from './json-rpc.ts';
import { evmFeeOf, readEvmFees } from './read-fees.ts';

const ETH = 'ETH:NATIVE';
const USDC = 'USDC:token';
const GWEI = 10n ** 9n;
const HOLDER = `0x${'11'.repeat(20)}`;
const OTHER = `0x${'22'.repeat(20)}`;
const CONTRACT = `0x${'cc'.repeat(20)}`;

type Said = {
  readonly base?: unknown;
  readonly tips?: unknown;
  /** By what is called: the receiver of a coin, or the contract. */
  readonly gas?: unknown;
  readonly tokenGas?: unknown;
  /** Of the oracle of a rollup. */
  readonly own?: unknown;
};

const REVERTED = new RpcFailure('eth_estimateGas', 3, 'execution reverted');
const hex = (value: bigint) => `0x${value.toString(16)}`;

function nodeOf({ base = hex(10n * GWEI), tips = [[hex(GWEI)]], ...said }: Said): EvmRpc {
  const { gas = hex(21_000n), tokenGas = hex(60_000n), own = '0x' } = said;
  const answerTo = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'eth_feeHistory') return { baseFeePerGas: ['0x1', base], reward: tips };
    if (method === 'eth_call') return own;
    const [{ to, from }] = params as [{ to: string; from: string }];
    if (to !== CONTRACT) return gas;
    return from === HOLDER ? tokenGas : REVERTED;
  };
  return {
    label: 'node',
    close: () => undefined,
    async batch(calls) {
      return calls.map(({ method, params }) => {
        const answer = answerTo(method, params);
        return answer instanceof RpcFailure
          ? { ok: false as const, failure: answer }
          : { ok: true as const, result: answer };
      });
    },
  };
}

const paid = [
  { destination: OTHER, assetId: USDC },
  { destination: HOLDER, assetId: USDC },
];

function sourceOf(network: EvmNetworkId, received = paid) {
  return {
    chain: `live:${network}` as const,
    parameters: evmChain(network, 'main'),
    contractOf: new Map([[USDC, CONTRACT]]),
    coinAssetId: ETH,
    db: { query: async () => received } as unknown as Reader,
  };
}

async function feesOf(said: Said, network: EvmNetworkId = 'ETHEREUM', received = paid) {
  const fees = await readEvmFees(sourceOf(network, received), nodeOf(said));
  return [ETH, USDC].map((assetId) => evmFeeOf(fees, ETH, assetId)?.units);
}

/** Twice the base fee and the tip. */
const PRICE = 21n * GWEI;

type Case = readonly [
  what: string,
  said: Said,
  expected: readonly (bigint | undefined)[] | RegExp,
  network?: EvmNetworkId,
];

const TABLE: readonly Case[] = [
  ['a plain payment, and a token with a quarter more', {}, [21_000n * PRICE, 75_000n * PRICE]],
  ['a base fee of nothing', { base: '0x0' }, [21_000n * GWEI, 75_000n * GWEI]],
  ['no tips', { tips: null }, [21_000n * (20n * GWEI + 1n), 75_000n * (20n * GWEI + 1n)]],
  ['a token that nobody has', { tokenGas: REVERTED }, [21_000n * PRICE, undefined]],
  ['too little gas', { gas: '0x0', tokenGas: '0x1' }, [21_000n * PRICE, 21_000n * PRICE]],
  ['a plain payment that takes more', { gas: hex(40_000n) }, [50_000n * PRICE, 75_000n * PRICE]],
  ['dearer than allowed', { base: hex(200n * GWEI) }, /allowed are 100000000000/],
  ['absurd gas', { gas: hex(30_000_000n) }, /37500000 gas/],
  ['a base fee in words', { base: 'cheap' }, /base fee/],
  ['a negative base fee', { base: '-0x1' }, /base fee/],
  ['gas that is no number', { gas: 21_000 }, /the gas/],
  [
    'what the oracle of a rollup says, doubled',
    { own: hex(7n).replace('0x', `0x${'0'.repeat(63)}`) },
    [21_000n * PRICE + 14n, 75_000n * PRICE + 14n],
    'BASE',
  ],
  ['a rollup of one’s own, without an oracle', {}, [21_000n * PRICE, 75_000n * PRICE], 'OPTIMISM'],
  ['an oracle that says nonsense', { own: '0x12' }, /no number/, 'BASE'],
  ['an oracle that says too much', { own: `0x${'f'.repeat(64)}` }, /for its own chain/, 'BASE'],
  [
    'an oracle where none is asked',
    { own: `0x${'f'.repeat(64)}` },
    [21_000n * PRICE, 75_000n * PRICE],
  ],
];

for (const [what, said, expected, network] of TABLE) {
  test(`what gas costs: ${what}`, async () => {
    if (!(expected instanceof RegExp)) {
      return assert.deepEqual(await feesOf(said, network), expected);
    }
    await assert.rejects(feesOf(said, network), (error) => {
      const isRefused = error instanceof Refusal;
      assert(isRefused || error instanceof NodeLie, String(error));
      return expected.test(isRefused ? error.details.join() : error.message);
    });
  });
}

test('a token with absurd gas stops its own quotes alone, and the refusal says why', async () => {
  const fees = await readEvmFees(sourceOf('ETHEREUM'), nodeOf({ tokenGas: hex(30_000_000n) }));
  assert.equal(evmFeeOf(fees, ETH, ETH)?.units, 21_000n * PRICE);
  assert.throws(
    () => evmFeeOf(fees, ETH, USDC),
    (error) => {
      assert(error instanceof Refusal);
      assert.deepEqual([error.kind, error.code], ['unavailable', 'network_fee_unknown']);
      return /USDC:token takes 37500000 gas now/.test(error.details.join());
    },
  );
});

test('before anything was paid the coin is known and tokens are not', async () => {
  assert.deepEqual(await feesOf({}, 'ETHEREUM', []), [21_000n * PRICE, undefined]);
});

test('whatever a node says, a payment costs something, and no more than the operator allows', async () => {
  const quantity = fc.oneof(fc.bigInt(0n, 2n ** 256n).map(hex), fc.anything(), fc.constant('0x'));
  const most = 500_000n * 100n * GWEI + 10n ** 16n;
  const properties = fc.record({
    base: quantity,
    gas: quantity,
    tokenGas: quantity,
    own: quantity,
  });
  await fc.assert(
    fc.asyncProperty(
      properties,
      fc.oneof(fc.anything(), fc.array(fc.array(quantity))),
      async (said, tips) => {
        try {
          for (const units of await feesOf({ ...said, tips }, 'BASE')) {
            assert(units === undefined || (units >= 21_000n && units <= most));
          }
        } catch (error) {
          assert(error instanceof Refusal || error instanceof NodeLie, String(error));
        }
      },
    ),
  );
});
