// What a provider says it holds for us beside what the ledger says, code by code: an exchange knows
// one USDC, whatever networks it came over.
import { getAsset } from '#catalog/asset.ts';
import type { Reader } from '#db/db.ts';
import {
  add,
  type Decimal,
  decimalFromUnits,
  decimalToText,
  isZero,
  parseWideDecimal,
  subtract,
  ZERO,
} from '#money/decimal.ts';
import { listProviderUnits } from '#treasury/treasury-position.ts';

type Balance = { readonly code: string; readonly amount: string };

/** Amounts in whole coins; `difference` is above zero where the provider has more. */
export async function reconcileProvider(
  reader: Reader,
  provider: string,
  said: readonly Balance[],
) {
  const booked = await listProviderUnits(reader, 'live', provider);
  const ledger = sumByCode(
    booked.map(({ assetId, units }) => {
      const { assetCode, decimals } = getAsset(assetId);
      return [assetCode, decimalFromUnits(units, decimals)] as const;
    }),
  );
  const provided = sumByCode(
    said.map(({ code, amount }) => [code, parseWideDecimal(amount)] as const),
  );
  return [...new Set([...ledger.keys(), ...provided.keys()])].sort().flatMap((code) => {
    const [theirs, ours] = [provided.get(code) ?? ZERO, ledger.get(code) ?? ZERO];
    if (isZero(theirs) && isZero(ours)) return [];
    return [
      {
        code,
        said: decimalToText(theirs),
        booked: decimalToText(ours),
        difference: decimalToText(subtract(theirs, ours)),
      },
    ];
  });
}

function sumByCode(amounts: readonly (readonly [string, Decimal])[]): Map<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const [code, amount] of amounts) sums.set(code, add(sums.get(code) ?? ZERO, amount));
  return sums;
}
