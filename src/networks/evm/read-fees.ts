// What the gas of a payment costs on an EVM chain now: the caps that would be offered, the gas that
// a payment takes, and what a rollup takes for its own chain. All that a node says is bounded: the
// price by what the operator allows, the gas by what a transfer can take.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { listPaidLast } from '#chain/receipt.ts';
import type { Reader } from '#db/db.ts';
import type { NetworkFee } from '#deposit/money-out.ts';
import { NodeLie } from '#networks/answer-fields.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import { decideFeeCaps } from './decide-fee-caps.ts';
import { readFees } from './draft-payment.ts';
import { GAS_MOST, readGasLimits } from './estimate-gas.ts';
import type { EvmChain } from './evm-chain.ts';
import { askAll, type EvmRpc } from './json-rpc.ts';
import { type EvmCall, transferCall } from './unsigned-transaction.ts';

type FeeSource = {
  readonly chain: ChainId;
  readonly parameters: EvmChain;
  readonly contractOf: ReadonlyMap<string, string>;
  readonly coinAssetId: string;
  readonly db: Reader;
};

type EvmFees = {
  /** The most that is offered for each gas. */
  readonly unitsPerGas: bigint;
  /** By asset, as nodes say it. Tokens of which no address of ours holds any are left out. */
  readonly gas: ReadonlyMap<string, bigint>;
  /** What a rollup takes on top (OP Stack). */
  readonly ownChainUnits: bigint;
};

/** Addresses that are asked for the gas of each token, the first that can pay counts. */
const HOLDERS_ASKED = 3;
const ADDRESSES_MOST = 200;
/** Where nobody has any: the first time costs a token more gas than every other time. */
const NEW_RECEIVER = `0x${'5f'.repeat(20)}`;
/** GasPriceOracle of the OP Stack, at the same address on each of its chains. */
const GAS_ORACLE = '0x420000000000000000000000000000000000000f';
const OWN_CHAIN_FEE = selector('getL1FeeUpperBound(uint256)');
/** Bytes of a transfer of a token with its signature, rounded up. */
const TRANSACTION_BYTES = 200n;
/** It may double until it is sent, as the base fee may. */
const OWN_CHAIN_TIMES = 2n;
/** Of a coin: what takes more for one payment is a lie. */
const OWN_CHAIN_MOST = 10n ** 16n;

/**
 * The most that a payment in this asset takes.
 * @throws Refusal unavailable `network_fee_unknown` when its gas is no gas of a transfer.
 */
export function evmFeeOf(
  { unitsPerGas, gas, ownChainUnits }: EvmFees,
  coinAssetId: string,
  assetId: string,
): NetworkFee | undefined {
  const needed = gas.get(assetId);
  if (needed === undefined) return undefined;
  if (needed > GAS_MOST) {
    throw new Refusal('unavailable', 'network_fee_unknown', [
      `a payment in ${assetId} takes ${needed} gas now, and no transfer may take more than ` +
        `${GAS_MOST}: nothing was moved, try again later or choose another asset`,
    ]);
  }
  return { assetId: coinAssetId, units: needed * unitsPerGas + ownChainUnits };
}

/** @throws Refusal conflict when it is dearer than the operator allows. */
export async function readEvmFees(source: FeeSource, rpc: EvmRpc): Promise<EvmFees> {
  const caps = decideFeeCaps(await readFees(rpc), source.parameters.fees);
  if ('tooDear' in caps) throw refusedDraft(caps.tooDear);
  return {
    unitsPerGas: caps.maxFeePerGas,
    gas: await readGasOfAll(source, rpc),
    ownChainUnits: await readOwnChainFee(source.parameters, rpc),
  };
}

/** One question for the coin, and one for each token and each of a few that may hold it. */
async function readGasOfAll(source: FeeSource, rpc: EvmRpc): Promise<ReadonlyMap<string, bigint>> {
  const { coinAssetId, contractOf } = source;
  const paid = await listPaidLast(source.db, source.chain, ADDRESSES_MOST);
  // A payment of nothing takes the gas of any payment, from whomever it comes.
  const plain: EvmCall = { to: NEW_RECEIVER, value: 0n, data: '0x' };
  const asked = [
    { assetId: coinAssetId, call: plain, from: paid[0]?.destination ?? NEW_RECEIVER },
    ...[...contractOf].flatMap(([assetId, contract]) => {
      const call = { to: contract, value: 0n, data: transferCall(NEW_RECEIVER, 1n) };
      const holders = paid.filter((one) => one.assetId === assetId).slice(0, HOLDERS_ASKED);
      return holders.map(({ destination: from }) => ({ assetId, call, from }));
    }),
  ];
  const limits = await readGasLimits(
    rpc,
    asked.map(({ from, call }) => ({ from, ...call })),
  );
  const gas = new Map<string, bigint>();
  for (const [at, { assetId }] of asked.entries()) {
    const limit = limits[at];
    if (limit === undefined) continue;
    if (limit > (gas.get(assetId) ?? 0n)) gas.set(assetId, limit);
  }
  return gas;
}

/**
 * What the oracle of a rollup says for a transaction of our size, and that it may rise meanwhile;
 * zero on other chains. In wei, beside the gas (OP Stack specification, L1 cost).
 * @throws Refusal conflict when it is dearer than any payment; NodeLie, Outage
 */
export async function readOwnChainFee(
  { isOpStack }: Pick<EvmChain, 'isOpStack'>,
  rpc: EvmRpc,
): Promise<bigint> {
  if (!isOpStack) return 0n;
  const data = `${OWN_CHAIN_FEE}${TRANSACTION_BYTES.toString(16).padStart(64, '0')}`;
  const [answer] = await askAll(rpc, [
    { method: 'eth_call', params: [{ to: GAS_ORACLE, data }, 'latest'] },
  ]);
  // A chain of one's own has no such contract, and takes nothing.
  if (answer === '0x') return 0n;
  if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(answer)) {
    throw new NodeLie('what the rollup takes for its own chain is no number');
  }
  const units = BigInt(answer) * OWN_CHAIN_TIMES;
  if (units <= OWN_CHAIN_MOST) return units;
  throw refusedDraft(`the rollup takes ${BigInt(answer)} wei for its own chain now: wait`);
}

/** Solidity ABI: the first four bytes of the hash of the signature. */
function selector(signature: string): string {
  const hash = keccak_256(new TextEncoder().encode(signature));
  return `0x${Buffer.from(hash.subarray(0, 4)).toString('hex')}`;
}
