// What moving money of ours costs at most, as a node says it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reader } from '#db/db.ts';
import { type EvmNetworkId, evmChain } from './evm-chain.ts';
import type { EvmRpc } from './json-rpc.ts';
import { surveyAddresses } from './survey-addresses.ts';

const ETH = 'ETH:NATIVE';
const GWEI = 10n ** 9n;
/** Twice the base fee and the tip. */
const PRICE = 21n * GWEI;
const HELD = 10n ** 18n;
const HOLDER = `0x${'11'.repeat(20)}`;
const COLLECT_TO = `0x${'22'.repeat(20)}`;
const GAS_ORACLE = '0x420000000000000000000000000000000000000f';
/** What the oracle takes for the data of one transaction, in wei. */
const FOR_DATA = 4_321_987_654n;

const hex = (value: bigint) => `0x${value.toString(16)}`;
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

const NODE: EvmRpc = {
  label: 'node',
  close: () => undefined,
  async batch(calls) {
    return calls.map(({ method, params }) => {
      const [asked] = params as [{ to?: string } | undefined];
      const answers: Readonly<Record<string, unknown>> = {
        eth_feeHistory: { baseFeePerGas: ['0x1', hex(10n * GWEI)], reward: [[hex(GWEI)]] },
        eth_getBalance: hex(HELD),
        eth_call: asked?.to === GAS_ORACLE ? word(FOR_DATA) : '0x',
        eth_estimateGas: hex(asked?.to === COLLECT_TO ? 21_000n : 40_000n),
      };
      return { ok: true as const, result: answers[method] };
    });
  },
};

async function ask(network: EvmNetworkId, question: object = {}) {
  const source = {
    ...{ chain: `live:${network}` as const, siblings: [], coinAssetId: ETH },
    parameters: evmChain(network, 'main'),
    contractOf: new Map(),
    offered: new Map(),
    db: { query: async () => [] } as unknown as Reader,
  };
  return surveyAddresses(source, NODE, {
    ...{ addresses: [HOLDER], collectTo: COLLECT_TO, gasAccount: undefined, heights: [1n, 2n] },
    ...question,
  });
}

async function survey(network: EvmNetworkId) {
  const { holdings, topUpCostUnits } = await ask(network);
  return [holdings.find(({ assetId }) => assetId === ETH)?.costUnits, topUpCostUnits];
}

for (const [network, forData] of [
  ['ETHEREUM', 0n],
  ['BASE', 2n * FOR_DATA],
  ['OPTIMISM', 2n * FOR_DATA],
] as const) {
  test(`a sweep on ${network} leaves what the chain takes for its data`, async () => {
    const plain = 21_000n * PRICE + forData;
    assert.deepEqual(await survey(network), [plain, plain]);
  });
}

test('what the gas account holds is read beside what a token takes, and where there is none nothing', async () => {
  const { gas, holdings } = await ask('BASE', { addresses: [], gasAccount: HOLDER });
  assert.deepEqual(gas, { heldUnits: HELD, tokenCostUnits: 100_000n * PRICE + 2n * FOR_DATA });
  assert.deepEqual(holdings, []);
  assert.equal((await ask('BASE')).gas, undefined);
});
