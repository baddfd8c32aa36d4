// What stands unspent at our addresses, as the node's own set of unspent outputs has it
// (scantxoutset, with its block since Bitcoin Core 0.18). Confirmed only; takes minutes on a full
// chain, and tells of the block at which it began. What was spent leaves no trace there.

import type { Log } from '#base/log.ts';
import type { BlockReference, Holdings } from '#deposit/network.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { NodeLie, RpcFailure, requireFields, requireHash } from '#networks/answer-fields.ts';
import { type CoreRpc, requireCount } from './json-rpc.ts';
import type { RawChain } from './read-transaction.ts';
import type { UtxoChain } from './utxo-chain.ts';
import type { UtxoPayee } from './utxo-payee.ts';

const TIMEOUT_MS = 30 * 60_000;

type AmountLimits = Pick<UtxoChain, 'decimals' | 'mostUnits'>;
/** Indexes, both included. */
type ScanRange = { readonly descriptor: string; readonly from: bigint; readonly to: bigint };
type Scanned = {
  readonly upTo: BlockReference;
  /** In units. */
  readonly units: bigint;
  /** Scripts of what was found, in hexadecimal. */
  readonly scripts: readonly string[];
};

/** Further than a wallet looks ahead of the last address that it gave itself. */
const CHANGE_LOOKED_AT = 1_000n;

type OwnDescriptors = { readonly receiving: string; readonly change: string | undefined };
type ScannedChain = AmountLimits & Pick<UtxoChain, 'assetId'>;

/**
 * At the indexes below `issued`, and at those where our wallet puts change; nothing while none is.
 * @throws NodeLie, RpcFailure or Outage
 */
export async function scanHoldings(
  rpc: CoreRpc,
  { receiving, change }: OwnDescriptors,
  { issued, cursor }: { readonly issued: bigint; readonly cursor: BlockReference },
  chain: ScannedChain,
): Promise<Holdings> {
  if (issued === 0n) return { upTo: cursor, units: new Map([[chain.assetId, 0n]]) };
  const ranges: ScanRange[] = [{ descriptor: receiving, from: 0n, to: issued - 1n }];
  if (change !== undefined)
    ranges.push({ descriptor: change, from: 0n, to: CHANGE_LOOKED_AT - 1n });
  const { upTo, units } = await scan(rpc, ranges, chain);
  return { upTo, units: new Map([[chain.assetId, units]]) };
}

/** Scripts at these indexes, both included, that hold something. @throws as scanHoldings */
async function scanScripts(
  rpc: CoreRpc,
  descriptor: string,
  range: readonly [bigint, bigint],
  limits: AmountLimits,
): Promise<readonly string[]> {
  const [from, to] = range;
  return (await scan(rpc, [{ descriptor, from, to }], limits)).scripts;
}

async function scan(
  rpc: CoreRpc,
  ranges: readonly ScanRange[],
  { decimals, mostUnits }: AmountLimits,
): Promise<Scanned> {
  const wanted = ranges.map(({ descriptor, from, to }) => ({
    desc: descriptor,
    range: [Number(from), Number(to)],
  }));
  const params = ['start', wanted];
  const answer = await rpc.call('scantxoutset', params, { timeoutMs: TIMEOUT_MS });
  const scanned = requireFields(answer, 'the unspent outputs');
  const { success, total_amount: total, unspents } = scanned;
  if (success !== true) throw new NodeLie('the unspent outputs were not looked through');
  // Text by quoteAmounts; a number would have lost digits.
  const units = typeof total === 'string' ? amountFromText(total, decimals) : undefined;
  if (units === undefined || units < 0n || units > mostUnits) {
    throw new NodeLie('the sum of the unspent outputs is no amount');
  }
  const listed = Array.isArray(unspents) ? unspents : [];
  const height = BigInt(requireCount(scanned.height, 'the height of the unspent outputs'));
  const upTo = { height, hash: requireHash(scanned.bestblock, 'their block') };
  return { upTo, units, scripts: listed.map((one) => String(Object(one).scriptPubKey)) };
}

// How far an account was paid, where nobody wrote it down: by what stands unspent at its addresses.
type Account = {
  readonly payee: Pick<UtxoPayee, 'addressSource' | 'addressAt'>;
  readonly rawChain: RawChain & Pick<UtxoChain, 'decimals' | 'mostUnits'>;
  readonly log: Log;
};

/** More than a wallet would look ahead. */
const LOOKED_AHEAD = 1_000n;

/**
 * The highest index from this one on that holds something; undefined when none does, or the
 * operator does not let us ask. @throws NodeLie or Outage
 */
export async function findUsedIndex(
  rpc: CoreRpc,
  { payee, rawChain, log }: Account,
  from: bigint,
): Promise<bigint | undefined> {
  const last = from + LOOKED_AHEAD - 1n;
  let scripts: readonly string[];
  try {
    scripts = await scanScripts(rpc, payee.addressSource, [from, last], rawChain);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    log.warn('what was paid before cannot be asked', { reason: error.message });
    return undefined;
  }
  const held = new Set(
    scripts.map((script) => rawChain.readAddress(Buffer.from(script, 'hex')) ?? ''),
  );
  for (let index = last; held.size > 0 && index >= from; index -= 1n) {
    if (held.has(payee.addressAt(index))) return index;
  }
  return undefined;
}
