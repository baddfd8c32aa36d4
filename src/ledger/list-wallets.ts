import type { Environment } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { type Balance, balancesOf } from './balance.ts';

/** What a merchant has of one asset, in its smallest units. Negative after a reversal. */
export type Wallet = {
  readonly assetId: string;
  /** available + pending + what transfers under way have reserved - owed. */
  readonly balanceUnits: bigint;
  readonly availableUnits: bigint;
  readonly pendingUnits: bigint;
  /** Refunded to payers whose payment the chain then lost. Never negative. */
  readonly owedUnits: bigint;
};

/** Of every asset the merchant ever had, by asset id. */
export async function listWallets(
  reader: Reader,
  owner: { readonly merchantId: string; readonly environment: Environment },
): Promise<Wallet[]> {
  const byAsset = Map.groupBy(await balancesOf(reader, owner), ({ assetId }) => assetId);
  return Array.from(byAsset, ([assetId, balances]) => walletOf(assetId, balances));
}

export function walletOf(assetId: string, balances: readonly Balance[]): Wallet {
  const units = (code?: Balance['code']) =>
    balances
      .filter((balance) => code === undefined || balance.code === code)
      .reduce((sum, balance) => sum + balance.units, 0n);
  return {
    assetId,
    balanceUnits: units(),
    availableUnits: units('merchant:available'),
    pendingUnits: units('merchant:pending'),
    owedUnits: -units('merchant:owed'),
  };
}
