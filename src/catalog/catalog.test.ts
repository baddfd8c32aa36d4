import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StrKey } from '@stellar/stellar-base';
import fc from 'fast-check';
import { getAddress } from 'viem';
import { add, parseDecimal } from '#money/decimal.ts';
import { findAsset, findAssetByCode, getAsset, listAssets, shownAsset } from './asset.ts';
import { type ChainId, chainOf } from './chain.ts';
import { findCurrency, getCurrency, listCurrencies } from './currency.ts';
import { FIAT_MONEY } from './fiat.ts';
import { DASHBOARD_LANGUAGES, isLanguageCode, LANGUAGES } from './language.ts';
import {
  type ConfirmationTiers,
  confirmationsRequired,
  findNetwork,
  getNetwork,
  listNetworks,
} from './network.ts';

const networks = listNetworks();
const assets = listAssets();
const currencies = listCurrencies();

describe('networks', () => {
  test('are those of the wire contract, each once', () => {
    assert.deepEqual(networks.map(({ id }) => id).toSorted(), [
      ...['ARBITRUM', 'BASE', 'BITCOIN', 'ETHEREUM', 'LIGHTNING', 'LITECOIN', 'OPTIMISM', 'PIX'],
      ...['POLYGON', 'SEPA', 'STELLAR', 'SWIFT', 'XRP_LEDGER'],
    ]);
  });

  test('carry assets that exist, the default one among them', () => {
    for (const { id, assets: carried, defaultAssetId } of networks) {
      assert.ok(carried.length > 0 && new Set(carried).size === carried.length, id);
      assert.ok(carried.includes(defaultAssetId), id);
      for (const assetId of carried) assert.ok(getAsset(assetId).networks.includes(id), assetId);
    }
  });

  test('of banks carry bank money and nothing else', () => {
    for (const { type, assets: carried } of networks) {
      for (const assetId of carried) assert.equal(assetId.endsWith(':FIAT'), type === 'BANK');
    }
  });

  test('leave no field of the specification empty', () => {
    for (const network of networks) {
      assert.match(network.id, /^[A-Z_]+$/);
      assert.match(network.imageSrc, /^\/images\/networks\/[a-z-]+\.svg$/);
      assert.match(network.hexColor, /^#[0-9a-f]{6}$/);
      assert.ok(network.name !== '' && network.blockchain !== '');
      for (const flag of [network.deposits, network.transfers, network.bridged]) {
        assert.equal(typeof flag, 'boolean');
      }
      assert.equal(network.evmChainId !== undefined, network.family === 'evm', network.id);
    }
  });

  test('that are unknown are not found', () => {
    assert.equal(findNetwork('DOGECOIN'), undefined);
    assert.equal(findNetwork('constructor'), undefined);
    assert.throws(() => getNetwork('bitcoin'), /no such network/);
  });
});

describe('assets', () => {
  test('have an id of their code and issuer and a network, or are money that is only credited', () => {
    for (const asset of assets) {
      assert.equal(asset.id, `${asset.assetCode}:${asset.assetIssuer}`);
      assert.match(asset.assetCode, /^[A-Z]{3,4}$/);
      const isOnlyCredited = !asset.checkouts && !asset.deposits && !asset.transfers;
      assert.equal(asset.networks.length === 0, isOnlyCredited, asset.id);
      if (isOnlyCredited) assert.equal(asset.assetIssuer, 'FIAT', asset.id);
      for (const id of asset.networks) assert.ok(getNetwork(id).assets.includes(asset.id));
    }
    assert.equal(new Set(assets.map(({ id }) => id)).size, assets.length);
  });

  test('of Stellar name an account and those of EVM networks a contract, checksums right', () => {
    for (const { id, assetIssuer, networks: on } of assets) {
      const families = new Set(on.map((network) => getNetwork(network).family));
      if (assetIssuer === 'NATIVE' || assetIssuer === 'FIAT') continue;
      assert.equal(on.length, 1, `${id} is issued on one network`);
      if (families.has('stellar')) assert.ok(StrKey.isValidEd25519PublicKey(assetIssuer), id);
      else assert.equal(getAddress(assetIssuer.toLowerCase()), assetIssuer, id);
    }
  });

  const decimals: readonly [assetId: string, decimals: number][] = [
    ['BTC:NATIVE', 8],
    ['LTC:NATIVE', 8],
    ['ETH:NATIVE', 18],
    ['POL:NATIVE', 18],
    ['XLM:NATIVE', 7],
    ['XRP:NATIVE', 6],
    ['USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN', 7],
    ['USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6],
    ['DAI:0x6B175474E89094C44Da98b954EedeAC495271d0F', 18],
    ['EUR:FIAT', 2],
  ];
  for (const [assetId, expected] of decimals) {
    test(`${assetId} has ${expected} decimals`, () => {
      assert.equal(getAsset(assetId).decimals, expected);
    });
  }

  test('of one network family and code have the same decimals: 7 on Stellar, 2 at a bank', () => {
    for (const { id, decimals: digits, networks: on } of assets) {
      const families = on.map((network) => getNetwork(network).family);
      if (families.includes('stellar')) assert.equal(digits, 7, id);
      if (families.includes('bank')) assert.equal(digits, 2, id);
    }
  });

  test('of one code agree in group, name and colour, and a group in its picture', () => {
    for (const asset of assets) {
      for (const other of assets) {
        if (asset.assetCode === other.assetCode) {
          assert.equal(asset.group, other.group);
          assert.equal(asset.name, other.name);
        }
        assert.equal(asset.group === other.group, asset.groupImageSrc === other.groupImageSrc);
      }
    }
    const members = (group: string) =>
      [...new Set(assets.filter((a) => a.group === group).map((a) => a.assetCode))].toSorted();
    assert.deepEqual(members('USD'), ['DAI', 'USD', 'USDC', 'USDT']);
    assert.deepEqual(members('EUR'), ['EUR', 'EURC']);
    assert.deepEqual(members('BTC'), ['BTC', 'WBTC']);
  });

  test('leave no field of the specification empty', () => {
    for (const asset of assets) {
      const { name, issuerName, issuerDomain, issuerAddress } = asset;
      for (const text of [name, issuerName, issuerDomain, issuerAddress]) assert.ok(text !== '');
      assert.match(issuerDomain, /^[a-z0-9.-]+\.[a-z]+$/);
      assert.match(asset.hexColor, /^#[0-9a-f]{6}$/);
      assert.match(asset.riskLevel, /^(LOW|MEDIUM|HIGH)$/);
      const { checkouts, deposits, settlement, swaps, transfers, bridge } = asset;
      for (const flag of [checkouts, deposits, settlement, swaps, transfers, bridge]) {
        assert.equal(typeof flag, 'boolean');
      }
    }
  });

  test('bitcoin on Lightning is the same asset, shown in satoshi with the same units', () => {
    assert.deepEqual(getAsset('BTC:NATIVE').networks, ['BITCOIN', 'LIGHTNING']);
    const { assetCode, decimals: digits } = shownAsset('LIGHTNING', 'BTC:NATIVE');
    assert.deepEqual([assetCode, digits], ['SAT', 0]);
    assert.deepEqual(shownAsset('BITCOIN', 'BTC:NATIVE'), { assetCode: 'BTC', decimals: 8 });
  });

  test('that are unknown are not found, nor under another spelling of the issuer', () => {
    assert.equal(findAsset('USDC:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'), undefined);
    assert.equal(findAsset('toString'), undefined);
    assert.throws(() => getAsset('BTC'), /no such asset/);
  });

  test('of a bare code: USDC is the one on Stellar, EUR is bank money', () => {
    assert.deepEqual(findAssetByCode('USDC')?.networks, ['STELLAR']);
    assert.equal(findAssetByCode('EUR')?.id, 'EUR:FIAT');
    assert.equal(findAssetByCode('JPY')?.id, 'JPY:FIAT');
    assert.equal(findAssetByCode('SAT'), undefined);
  });
});

describe('currencies', () => {
  const codes =
    'AED ARS AUD BDT BHD BMD BRL CAD CHF CLP CNY CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW KWD ' +
    'LKR MMK MXN MYR NGN NOK NZD PHP PKR PLN RUB SAR SEK SGD THB TRY TWD UAH USD VEF VND ZAR';
  const otherDecimals: Readonly<Record<string, number>> = {
    ...{ BHD: 3, KWD: 3, CLP: 0, JPY: 0, KRW: 0, VND: 0 },
  };
  for (const code of codes.split(' ')) {
    test(`${code} can be billed and credited, with the decimals of ISO 4217`, () => {
      const currency = getCurrency(code);
      assert.equal(currency.type, 'FIAT');
      assert.equal(currency.billing, true);
      assert.equal(currency.decimals, otherDecimals[code] ?? 2);
      assert.equal(currency.settlement, true);
      assert.equal(getAsset(`${code}:FIAT`).decimals, currency.decimals);
    });
  }

  test('the five native coins can be billed, settled and paid', () => {
    const facts = ['BTC', 'LTC', 'ETH', 'XLM', 'XRP'].map((code) => getCurrency(code));
    assert.deepEqual(
      facts.map(({ decimals: digits }) => digits),
      [8, 8, 18, 7, 6],
    );
    for (const { type, billing, settlement, payment } of facts) {
      assert.deepEqual([type, billing, settlement, payment], ['CRYPTO', true, true, true]);
    }
  });

  test('every asset code and every shown code is a currency', () => {
    for (const { id, assetCode, networks: on } of assets) {
      assert.ok(findCurrency(assetCode), assetCode);
      for (const network of on) assert.ok(findCurrency(shownAsset(network, id).assetCode), id);
    }
  });

  test('have no more decimals than any asset of their code, so that a charge fits all', () => {
    for (const { assetCode, decimals: digits } of assets) {
      assert.ok(getCurrency(assetCode).decimals <= digits, assetCode);
    }
  });

  test('are listed once each, and money of states is settled in, and paid where a bank carries it', () => {
    assert.equal(new Set(currencies.map(({ assetCode }) => assetCode)).size, currencies.length);
    const fiat = currencies.filter(({ type }) => type === 'FIAT');
    assert.ok(fiat.every(({ settlement }) => settlement));
    const paid = fiat.filter(({ payment }) => payment);
    assert.deepEqual(paid.map(({ assetCode }) => assetCode).toSorted(), [
      ...['BRL', 'CHF', 'EUR', 'GBP', 'USD'],
    ]);
  });
});

describe('money of states', () => {
  const inUse = new Set(Intl.supportedValuesOf('currency'));
  const names = new Intl.DisplayNames(['en'], { type: 'currency' });
  const digitsOf = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits;

  test('has codes of ISO 4217 that are in use; the one withdrawn is known', () => {
    const codes = Object.keys(FIAT_MONEY);
    assert.deepEqual(
      codes.filter((code) => !inUse.has(code)),
      ['VEF'],
    );
    assert.notEqual(names.of('VEF'), 'VEF');
  });

  test('has the name that Unicode gives the code, or one known to mean the same', () => {
    const ours = {
      BMD: 'Bermudian Dollar',
      GBP: 'Pound Sterling',
      RUB: 'Russian Rouble',
      VEF: 'Venezuelan Bolivar (Fuerte)',
    };
    const others = Object.entries(FIAT_MONEY).filter(
      ([code, { name }]) => names.of(code)?.toLowerCase() !== name.toLowerCase(),
    );
    assert.deepEqual(Object.fromEntries(others.map(([code, { name }]) => [code, name])), ours);
  });

  test('has the decimals of ISO 4217, also where nobody uses them any more', () => {
    const unused = ['HUF', 'IDR', 'MMK', 'PKR'];
    for (const [code, { decimals }] of Object.entries(FIAT_MONEY)) {
      assert.equal(decimals, unused.includes(code) ? 2 : digitsOf(code), code);
    }
  });

  test('names an issuer with a host of its own for each', () => {
    const all = Object.values(FIAT_MONEY);
    assert.equal(new Set(all.map(({ issuerName }) => issuerName)).size, all.length);
    assert.equal(new Set(all.map(({ issuerDomain }) => issuerDomain)).size, all.length);
  });
});

describe('confirmations', () => {
  const table: readonly [chain: ChainId, usd: string | undefined, expected: number][] = [
    ['live:BITCOIN', '0', 1],
    ['live:BITCOIN', '999.99', 1],
    ['live:BITCOIN', '1000', 3],
    ['live:BITCOIN', '49999.99', 3],
    ['live:BITCOIN', '50000', 6],
    ['live:BITCOIN', undefined, 6],
    ['live:LITECOIN', '10', 12],
    ['live:LITECOIN', '1000', 24],
    ['live:LITECOIN', '1000000', 48],
    ['live:ETHEREUM', undefined, 1],
    ['live:BASE', '5', 1],
    ['live:STELLAR', undefined, 1],
    ['live:XRP_LEDGER', undefined, 1],
    ['live:LIGHTNING', undefined, 0],
    ['test:BITCOIN', '5', 2],
    ['test:LITECOIN', undefined, 3],
    ['test:ETHEREUM', '5', 2],
    ['test:STELLAR', '5', 1],
    ['test:LIGHTNING', '5', 0],
  ];
  for (const [chain, usd, expected] of table) {
    test(`${chain}: ${expected} for ${usd ?? 'an unknown value'}`, () => {
      const value = usd === undefined ? undefined : parseDecimal(usd);
      assert.equal(confirmationsRequired(chain, value), expected);
    });
  }

  test('never get fewer with more value', () => {
    const cents = fc.nat({ max: 10_000_000 }).map((n) => parseDecimal(`${n}e-2`));
    fc.assert(
      fc.property(fc.constantFrom(...networks), cents, cents, ({ id }, value, more) => {
        const chain = chainOf('live', id);
        const larger = confirmationsRequired(chain, add(value, more));
        assert.ok(confirmationsRequired(chain, value) <= larger);
        assert.ok(larger <= confirmationsRequired(chain, undefined));
      }),
    );
  });

  test('of one chain can be replaced by configuration, and no other chain notices', () => {
    const overrides = new Map<ChainId, ConfirmationTiers>([['live:LITECOIN', [2, 2, 4]]]);
    assert.equal(confirmationsRequired('live:LITECOIN', parseDecimal('5'), overrides), 2);
    assert.equal(confirmationsRequired('live:LITECOIN', undefined, overrides), 4);
    assert.equal(confirmationsRequired('test:LITECOIN', undefined, overrides), 3);
    assert.equal(confirmationsRequired('live:BITCOIN', undefined, overrides), 6);
  });
});

test('languages are those of checkoutLanguage without auto, and more for customers', () => {
  const eight = ['en', 'de', 'pt', 'es', 'it', 'tr', 'pl', 'fr'];
  assert.deepEqual(
    DASHBOARD_LANGUAGES.map(({ languageCode }) => languageCode),
    eight,
  );
  const codes = LANGUAGES.map(({ languageCode }) => languageCode);
  assert.deepEqual(codes.slice(0, 8), eight);
  assert.equal(isLanguageCode('auto'), false);
  assert.equal(isLanguageCode('fr'), true);
});
