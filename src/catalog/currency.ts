// The currencies as data: what GET /currencies shows, and with how many decimals a charge in each
// is written (ISO 4217 for money of states, the native precision for coins).
import { assert } from '#base/assert.ts';
import { FIAT_ISSUER, findAsset, listAssets } from './asset.ts';

export type Currency = {
  readonly assetCode: string;
  readonly name: string;
  readonly type: 'CRYPTO' | 'FIAT';
  readonly decimals: number;
  readonly billing: boolean;
  readonly settlement: boolean;
  readonly payment: boolean;
};

const fiat: readonly (readonly [assetCode: string, decimals: number, name: string])[] = [
  ['AED', 2, 'United Arab Emirates Dirham'],
  ['ARS', 2, 'Argentine Peso'],
  ['AUD', 2, 'Australian Dollar'],
  ['BDT', 2, 'Bangladeshi Taka'],
  ['BHD', 3, 'Bahraini Dinar'],
  ['BMD', 2, 'Bermudian Dollar'],
  ['BRL', 2, 'Brazilian Real'],
  ['CAD', 2, 'Canadian Dollar'],
  ['CHF', 2, 'Swiss Franc'],
  ['CLP', 0, 'Chilean Peso'],
  ['CNY', 2, 'Chinese Yuan'],
  ['CZK', 2, 'Czech Koruna'],
  ['DKK', 2, 'Danish Krone'],
  ['EUR', 2, 'Euro'],
  ['GBP', 2, 'Pound Sterling'],
  ['HKD', 2, 'Hong Kong Dollar'],
  ['HUF', 2, 'Hungarian Forint'],
  ['IDR', 2, 'Indonesian Rupiah'],
  ['ILS', 2, 'Israeli New Shekel'],
  ['INR', 2, 'Indian Rupee'],
  ['JPY', 0, 'Japanese Yen'],
  ['KRW', 0, 'South Korean Won'],
  ['KWD', 3, 'Kuwaiti Dinar'],
  ['LKR', 2, 'Sri Lankan Rupee'],
  ['MMK', 2, 'Myanmar Kyat'],
  ['MXN', 2, 'Mexican Peso'],
  ['MYR', 2, 'Malaysian Ringgit'],
  ['NGN', 2, 'Nigerian Naira'],
  ['NOK', 2, 'Norwegian Krone'],
  ['NZD', 2, 'New Zealand Dollar'],
  ['PHP', 2, 'Philippine Peso'],
  ['PKR', 2, 'Pakistani Rupee'],
  ['PLN', 2, 'Polish Zloty'],
  ['RUB', 2, 'Russian Rouble'],
  ['SAR', 2, 'Saudi Riyal'],
  ['SEK', 2, 'Swedish Krona'],
  ['SGD', 2, 'Singapore Dollar'],
  ['THB', 2, 'Thai Baht'],
  ['TRY', 2, 'Turkish Lira'],
  ['TWD', 2, 'New Taiwan Dollar'],
  ['UAH', 2, 'Ukrainian Hryvnia'],
  ['USD', 2, 'US Dollar'],
  // Withdrawn in 2018: it is quoted only while enough sources still price it.
  ['VEF', 2, 'Venezuelan Bolivar (Fuerte)'],
  ['VND', 0, 'Vietnamese Dong'],
  ['ZAR', 2, 'South African Rand'],
];

const currencies: readonly Currency[] = [
  ...fiat.map(([assetCode, decimals, name]) => fiatCurrency(assetCode, decimals, name)),
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
const currenciesByCode = new Map(currencies.map((currency) => [currency.assetCode, currency]));

export function findCurrency(assetCode: string): Currency | undefined {
  return currenciesByCode.get(assetCode);
}

/** For codes that we checked or stored ourselves: an unknown one is our bug. */
export function getCurrency(assetCode: string): Currency {
  const currency = findCurrency(assetCode);
  assert(currency !== undefined, `no such currency: ${assetCode}`);
  return currency;
}

export function listCurrencies(): readonly Currency[] {
  return currencies;
}

function fiatCurrency(assetCode: string, decimals: number, name: string): Currency {
  const asset = findAsset(`${assetCode}:${FIAT_ISSUER}`);
  const { settlement = false, checkouts: payment = false } = asset ?? {};
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
