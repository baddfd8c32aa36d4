import { type ChainId, type Environment, environmentOf, networkOf } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { type AccountCode, type MerchantAccountCode, naturalUnits } from './account.ts';
import { findBalance, listBalances } from './balance-store.ts';

export type Balance = {
  readonly code: MerchantAccountCode;
  readonly assetId: string;
  /** Smallest units; positive is the merchant's money, negative after a reversal of spent money. */
  readonly units: bigint;
};

/** Every account of the merchant that was ever posted to, zeros included, by asset and code. */
export async function balancesOf(
  reader: Reader,
  owner: { readonly merchantId: string; readonly environment: Environment },
): Promise<Balance[]> {
  const rows = await listBalances(reader, owner);
  return rows.map(({ code, assetId, units }) => ({
    code,
    assetId,
    units: naturalUnits(code, units),
  }));
}

/** What the ledger says we hold on the chain (smallest units), to be reconciled with it (L10). */
export async function custodyBalance(
  reader: Reader,
  chain: ChainId,
  assetId: string,
): Promise<bigint> {
  const code: AccountCode = `custody:${networkOf(chain)}`;
  const units = await findBalance(reader, { environment: environmentOf(chain), code, assetId });
  return naturalUnits(code, units ?? 0n);
}
