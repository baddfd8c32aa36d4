// What leaves us in a block: a pure function. Every transaction by which coins or tokens go from an
// address of ours, whoever sent it; that ours paid for, also when it failed; that the Safe carried
// out. What a call of a contract moves out of an address without any event is seen in its balance
// only.
import type { Departure } from '#deposit/network.ts';
import type { OurBlock, OwnFee } from './read-blocks.ts';
import { turnKey } from './unsigned-transaction.ts';

type OwnSide = {
  readonly isOurs: (address: string) => boolean;
  /** In what fees are paid. */
  readonly coinAssetId: string;
};

/**
 * One for each transaction; a part keeps the key that its movement has as an arrival. What it
 * spends is its nonce, as in what is drafted, and what the owners of the Safe signed: another one
 * that spends the same cannot land beside it.
 */
export function departuresOf(
  { movements, fees, executed }: Pick<OurBlock, 'movements' | 'fees' | 'executed'>,
  { isOurs, coinAssetId }: OwnSide,
): Departure[] {
  const leaving = movements.filter(({ from }) => isOurs(from));
  const movedBy = Map.groupBy(leaving, ({ transaction }) => transaction);
  const feeOf = new Map(fees.map((fee) => [fee.transaction, fee]));
  const doneBy = new Map(executed.map(({ transaction, digest }) => [transaction, [digest]]));
  const leavingBy = new Set([...movedBy.keys(), ...feeOf.keys(), ...doneBy.keys()]);
  return [...leavingBy].map((transaction) => ({
    transaction,
    spends: [...nonceOf(feeOf.get(transaction)), ...(doneBy.get(transaction) ?? [])],
    parts: (movedBy.get(transaction) ?? []).map(({ key, to, assetId, units }) => {
      return { creditKey: key, destination: to, assetId, units };
    }),
    // Who lets somebody else fetch a token pays nothing for that.
    fee: { assetId: coinAssetId, units: feeOf.get(transaction)?.units ?? 0n },
  }));
}

function nonceOf(fee: OwnFee | undefined): string[] {
  return fee?.nonce === undefined ? [] : [turnKey(fee.address, fee.nonce)];
}
