// Unspent outputs of ours as coins that a signer finds the keys of, and where change goes next.
import type { UnspentOutput } from '#deposit/money-out.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import type { OwnCoin } from './build-psbt.ts';
import { addressDeriver } from './derive-address.ts';
import { type Branch, changeSource } from './own-scripts.ts';
import type { AddressSource } from './parse-address-source.ts';
import type { UtxoChain } from './utxo-chain.ts';

/** Where an address of ours stands. */
export type OwnPlace = { readonly branch: Branch; readonly index: bigint };

/** As far as change is looked for. */
const CHANGE_LOOKED_AT = 1_000;

/** @throws Refusal conflict where the descriptor has no branch for change. */
export function ownCoins(
  source: AddressSource,
  chain: UtxoChain,
  unspent: readonly UnspentOutput[],
): { readonly coins: readonly OwnCoin[]; readonly change: OwnPlace } {
  if (changeSource(source, chain) === undefined) {
    throw refusedDraft(
      'the descriptor has no branch for change (…/0/*): send it with your wallet itself',
    );
  }
  const indexOf = changeIndexes(source, chain, unspent);
  const used = [...indexOf.values()].reduce((most, one) => (one > most ? one : most), -1n);
  const coins = unspent.flatMap((output) => coinOf(output, source, indexOf));
  return { coins, change: { branch: 'change', index: used + 1n } };
}

/** Of coins that our wallet gave itself. */
function changeIndexes(
  source: AddressSource,
  chain: UtxoChain,
  unspent: readonly UnspentOutput[],
): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  const change = changeSource(source, chain);
  const wanted = new Set(
    unspent.flatMap(({ sourceIndex, destination }) => (sourceIndex === null ? [destination] : [])),
  );
  if (change === undefined || wanted.size === 0) return found;
  const addressAt = addressDeriver(change, chain);
  for (let index = 0n; index < CHANGE_LOOKED_AT && found.size < wanted.size; index += 1n) {
    const address = addressAt(index);
    if (wanted.has(address)) found.set(address, index);
  }
  return found;
}

/** How what arrives at addresses of this source is spent. */
export function coinKind(script: AddressSource['script']): 'p2tr' | 'p2wpkh' {
  return script === 'tr' ? 'p2tr' : 'p2wpkh';
}

function coinOf(
  { creditKey, destination, units, sourceIndex, confirmations }: UnspentOutput,
  { script }: AddressSource,
  indexOf: ReadonlyMap<string, bigint>,
): OwnCoin[] {
  const [transaction = '', vout = ''] = creditKey.split(':');
  const kind = coinKind(script);
  const coin = { transaction, vout: Number(vout), units, kind, confirmations } as const;
  if (sourceIndex !== null) return [{ ...coin, branch: 'receiving', index: sourceIndex }];
  const index = indexOf.get(destination);
  return index === undefined ? [] : [{ ...coin, branch: 'change', index }];
}
