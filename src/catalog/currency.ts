// The currencies as data: what GET /currencies shows, and with how many decimals a charge in each
// is written (ISO 4217 for money of states, the native precision for coins).
import { assert } from '#base/assert.ts';
import { FIAT_ISSUER, getAsset, listAssets } from './asset.ts';
import { FIAT_MONEY, type FiatMoney } from './fiat.ts';

type Currency = {
  readonly assetCode: string;
  readonly name: string;
  readonly type: 'CRYPTO' | 'FIAT';
  readonly decimals: number;
  readonly billing: boolean;
  readonly settlement: boolean;
  readonly payment: boolean;
};

const CURRENCIES: readonly Currency[] = [
  ...Object.entries(FIAT_MONEY).map(([code, money]) => fiatCurrency(code, money)),
  ...coinCurrencies(),
  // Lightning payments are shown in it (api-contract.md 8); nobody is billed or credited in it.
  {
    assetCode: 'SAT',
    name: 'Satoshi',
    type: 'CRYPTO',
    decimals: 0,
    billing: false,
    settlement: false,
    payment: true,
  },
];
const CURRENCIES_BY_CODE = new Map(CURRENCIES.map((currency) => [currency.assetCode, currency]));

export function findCurrency(assetCode: string): Currency | undefined {
  return CURRENCIES_BY_CODE.get(assetCode);
}

/** For codes that we checked or stored ourselves: an unknown one is our bug. */
export function getCurrency(assetCode: string): Currency {
  const currency = findCurrency(assetCode);
  assert(currency !== undefined, `no such currency: ${assetCode}`);
  return currency;
}

export function listCurrencies(): readonly Currency[] {
  return CURRENCIES;
}

function fiatCurrency(assetCode: string, { decimals, name }: FiatMoney): Currency {
  const { settlement, checkouts: payment } = getAsset(`${assetCode}:${FIAT_ISSUER}`);
  return { assetCode, name, type: 'FIAT', decimals, billing: true, settlement, payment };
}

/** One per code. USDC has 6 decimals on one network and 7 on another: a charge gets the fewest. */
function coinCurrencies(): Currency[] {
  const byCode = Map.groupBy(
    listAssets().filter((asset) => asset.assetIssuer !== FIAT_ISSUER),
    (asset) => asset.assetCode,
  );
  return Array.from(byCode, ([assetCode, assets]) => ({
    assetCode,
    name: assets[0]?.name ?? assetCode,
    type: 'CRYPTO',
    decimals: Math.min(...assets.map((asset) => asset.decimals)),
    billing: true,
    settlement: assets.some((asset) => asset.settlement),
    payment: assets.some((asset) => asset.checkouts),
  }));
}
