// What a merchant asks for when creating a checkout: service.md, POST /checkout, in the current and
// in the older layout (api-contract.md 5), which may be mixed as long as they say the same.
//
// Guarantees: a request that comes back is complete and consistent with the catalog; a refused one
// names every fault at once. `metaText` and `payloadText` keep what was sent, value for value, with
// the text of every number; `readPayload` reads back what is kept. Not checked here: whether
// customerId names a customer of the caller.

import { z } from 'zod';
import { askingFields, RETURN_METHODS } from '#ask/ask.ts';
import { acceptedText, Refusal } from '#base/refusal.ts';
import { findAsset, findAssetByCode, getAsset, listAssets } from '#catalog/asset.ts';
import { listCurrencies } from '#catalog/currency.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { findNetwork } from '#catalog/network.ts';
import { type ExactJson, isJsonObject, parseExactJson, stringifyExact } from '#money/exact-json.ts';
import {
  checkShape,
  faultAt,
  fields,
  isGiven,
  metaObject,
  omittable,
  type Path,
  textUpTo,
  webUrl,
} from '#money/exact-schema.ts';
import { type Charge, chargeSchema, readCharge } from './charge.ts';

export type CheckoutRequest = {
  readonly charge: Charge;
  /** An asset id, or ORIGIN: credited as it was paid. */
  readonly settlementAsset: string;
  readonly checkoutLanguage: string;
  readonly webhook: string | undefined;
  readonly anchors: readonly AnchorPreference[];
  readonly pageSettings: PageWishes;
  /** JSON text of `meta` as it came. */
  readonly metaText: string | undefined;
  /** JSON text of the request as echoed in events (service.md, `data.checkout.payload`). */
  readonly payloadText: string;
};

const SHOP_NAME_MAX = 200;
const ASSET_ID_MAX = 200;
const NETWORK_ID_MAX = 200;
const LANGUAGE_CODES = ['auto', ...LANGUAGES.map(({ languageCode }) => languageCode)];

const settlementAsset = textUpTo(ASSET_ID_MAX).superRefine((id, context) => {
  if (id === 'ORIGIN' || findAsset(id)?.settlement === true) return;
  const accepted = acceptedText(id, ['ORIGIN', ...settlementAssetIds()], 'GET /assets');
  const must = 'must be ORIGIN or an asset id of GET /assets that can be used for settlement';
  context.addIssue({ code: 'custom', message: `${must}; ${accepted}` });
});

const settlementCurrency = textUpTo(ASSET_ID_MAX).superRefine((code, context) => {
  if (settlementAssetOf(code) !== undefined) return;
  const codes = listCurrencies().filter(({ settlement }) => settlement);
  const known = ['ORIGIN', ...codes.map(({ assetCode }) => assetCode), ...settlementAssetIds()];
  const accepted = acceptedText(code, known, 'GET /currencies and GET /assets');
  const must = 'must be a currency or asset that can be used for settlement';
  context.addIssue({ code: 'custom', message: `${must}; ${accepted}` });
});

function settlementAssetIds(): string[] {
  return listAssets()
    .filter(({ settlement }) => settlement)
    .map(({ id }) => id);
}

/** Whether they can be followed is found out where the offers are made (checkout-request.ts). */
const preferences = z.record(textUpTo(NETWORK_ID_MAX), textUpTo(ASSET_ID_MAX));

const pageWishes = fields({
  returnUrl: omittable(webUrl),
  cancelUrl: omittable(webUrl),
  shopName: omittable(textUpTo(SHOP_NAME_MAX)),
  displayBuyerInfo: omittable(z.boolean()),
  displaySellerInfo: omittable(z.boolean()),
  ...askingFields,
  returnMethod: omittable(z.enum(RETURN_METHODS)),
}).meta({ id: 'PageSettings' });
/** What a request says of its page. Undefined means: as the account says. */
type PageWishes = Partial<z.output<typeof pageWishes>>;

/** Everything but the charge; the older layout's fields stand beside the current ones. */
const settingsShape = {
  settlementAsset: omittable(settlementAsset),
  settlementCurrency: omittable(settlementCurrency),
  checkoutLanguage: omittable(z.enum(LANGUAGE_CODES)),
  webhook: omittable(webUrl),
  anchors: omittable(preferences),
  blockchainRelays: omittable(preferences),
  pageSettings: omittable(pageWishes),
  links: omittable(
    fields({ returnUrl: omittable(webUrl), cancelUrl: omittable(webUrl) }).meta({
      id: 'ReturnLinks',
    }),
  ),
  meta: omittable(metaObject),
};

/** The whole request as documented; `parseCheckoutRequest` checks the charge with more care. */
export const checkoutRequestSchema = fields({ charge: chargeSchema, ...settingsShape }).meta({
  id: 'CheckoutRequest',
});

const settingsSchema = fields({ charge: z.unknown().optional(), ...settingsShape });
type Settings = z.output<typeof settingsSchema>;

/** @throws Refusal `validation_failed` with one sentence a fault, each with its JSON path. */
export function parseCheckoutRequest(body: ExactJson): CheckoutRequest {
  const faults: string[] = [];
  const settings = checkShape(settingsSchema, body, faults);
  const given = isJsonObject(body) ? body : {};
  const charge = isJsonObject(body) ? readCharge(given.charge, faults) : undefined;
  if (settings === undefined) throw refused(faults);
  const merged = mergeLayouts(settings, given, faults);
  if (charge === undefined || faults.length > 0) throw refused(faults);
  return {
    charge,
    ...merged,
    webhook: settings.webhook,
    metaText: settings.meta === undefined ? undefined : stringifyExact(given.meta),
    payloadText: payloadText(given, merged),
  };
}

function refused(faults: readonly string[]): Refusal {
  return new Refusal('invalid', 'validation_failed', faults);
}

type Merged = Pick<
  CheckoutRequest,
  'settlementAsset' | 'checkoutLanguage' | 'anchors' | 'pageSettings'
>;

function mergeLayouts(settings: Settings, given: Fields, faults: string[]): Merged {
  const { charge } = given;
  const isOlder =
    isJsonObject(charge) && isGiven(charge.currency) && !isGiven(charge.billingCurrency);
  const relays = anchorsOf(settings.blockchainRelays);
  if (isOlder && !isGiven(given.settlementAsset) && !isGiven(given.settlementCurrency)) {
    faults.push(faultAt(['settlementCurrency'], 'is required together with charge.currency'));
  }
  const pick = <Value>(current: Value, older: Value, names: [Path, Path]): Value => {
    const differs = isGiven(current) && isGiven(older) && !isSame(current, older);
    if (differs) faults.push(faultAt(names[1], `differs from ${names[0].join('.')}`));
    return current ?? older;
  };
  const link = (name: 'returnUrl' | 'cancelUrl') =>
    pick(settings.pageSettings?.[name], settings.links?.[name], [
      ['pageSettings', name],
      ['links', name],
    ]);
  const older = settings.settlementCurrency;
  return {
    settlementAsset:
      pick(settings.settlementAsset, older && settlementAssetOf(older), [
        ['settlementAsset'],
        ['settlementCurrency'],
      ]) ?? 'ORIGIN',
    checkoutLanguage: settings.checkoutLanguage ?? (isOlder ? 'en' : 'auto'),
    anchors: preferencesOf(
      settings,
      pick(settings.anchors, relays, [['anchors'], ['blockchainRelays']]),
    ),
    pageSettings: {
      ...settings.pageSettings,
      returnUrl: link('returnUrl'),
      cancelUrl: link('cancelUrl'),
    },
  };
}

/** Fields echoed as they came, beside those that are always there in the current layout. */
const ECHOED = [
  'settlementCurrency',
  'checkoutLanguage',
  'anchors',
  'blockchainRelays',
  'pageSettings',
  'meta',
];

function payloadText(given: Fields, merged: Merged): string {
  const echoed = ECHOED.filter((name) => isGiven(given[name])).map((name) => [name, given[name]]);
  const { returnUrl, cancelUrl } = merged.pageSettings;
  return stringifyExact({
    charge: given.charge,
    settlementAsset: merged.settlementAsset,
    webhook: isGiven(given.webhook) ? given.webhook : null,
    links: { cancelUrl: cancelUrl ?? null, returnUrl: returnUrl ?? null },
    ...Object.fromEntries(echoed),
  });
}

/**
 * What was asked for, as it is kept with a checkout. Undefined: a charge that cannot be read any
 * more; the total of its checkout is known all the same.
 */
export function readPayload(payload: string): {
  readonly charge: Charge | undefined;
  readonly pageSettings: PageWishes;
} {
  const parsed = parseExactJson(payload);
  const kept = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  const wishes = omittable(pageWishes).safeParse(kept.pageSettings);
  return {
    charge: readCharge(kept.charge, []),
    pageSettings: wishes.data ?? {},
  };
}

/** The anchors that a checkout was asked to prefer, by what is kept of the request. */
export function readAnchors(payload: string): readonly AnchorPreference[] {
  const parsed = parseExactJson(payload);
  if (!parsed.ok) return [];
  try {
    return parseCheckoutRequest(parsed.value).anchors;
  } catch (error) {
    // The catalogue may have lost since what the request named: then nothing is preferred.
    if (error instanceof Refusal) return [];
    throw error;
  }
}

type Fields = { readonly [name: string]: unknown };

function isSame(one: unknown, other: unknown): boolean {
  const sorted = (value: unknown) =>
    typeof value === 'object' && value !== null ? Object.entries(value).sort() : value;
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** Older clients also settle in bare codes: BTC is BTC:NATIVE, EUR is EUR:FIAT. */
function settlementAssetOf(code: string): string | undefined {
  const isUsable = (id: string) => findAsset(id)?.settlement === true;
  const candidates = [code, `${code}:NATIVE`, `${code}:FIAT`];
  const issued = findAssetByCode(code)?.id;
  if (issued !== undefined) candidates.push(issued);
  return code === 'ORIGIN' ? code : candidates.find(isUsable);
}

function anchorOf(network: string, issuer: string): string | undefined {
  const assets = listAssets().filter((asset) => asset.networks.includes(network));
  return assets.find(({ assetIssuer }) => assetIssuer === issuer)?.id;
}

/** Both layouts may say the same; different ones are refused. */
function preferencesOf(
  settings: Settings,
  merged: Record<string, string> | undefined,
): AnchorPreference[] {
  const field = settings.anchors === undefined ? 'blockchainRelays' : 'anchors';
  return Object.entries(merged ?? {}).map(([network, assetId]) => {
    return { network, assetId, field, given: settings[field]?.[network] ?? assetId };
  });
}

function anchorsOf(relays: Record<string, string> | undefined): Record<string, string> | undefined {
  if (relays === undefined) return undefined;
  const pairs = Object.entries(relays).map(([network, issuer]) => [
    network,
    anchorOf(network, issuer) ?? issuer,
  ]);
  return Object.fromEntries(pairs);
}

// Which of the assets that a network receives a checkout offers, where the same coin can come by
// itself or through an anchor, and where a merchant prefers one (service.md, `anchors`). Pure. A
// preference that cannot be followed stops no sale: it is as if it had not been said, and the
// answer says so.
export type AnchorPreference = {
  readonly network: string;
  readonly assetId: string;
  /** The field of the request, for sentences. */
  readonly field: 'anchors' | 'blockchainRelays';
  /** What stood there, where it was an issuer. */
  readonly given: string;
};

/** Of what can be received on the network now, in that order. */
export function offeredAssets(
  receivable: readonly string[],
  preference: Pick<AnchorPreference, 'assetId'> | undefined,
): readonly string[] {
  // Most networks have no anchor, and most merchants no preference.
  if (preference === undefined && receivable.every(needsNoAnchor)) return receivable;
  const preferred = receivable.find((id) => id === preference?.assetId);
  const usable = receivable.map(getAsset).filter(({ checkouts }) => checkouts);
  const isBridgeWanted = preferred !== undefined && getAsset(preferred).bridge;
  const wantedCode = isBridgeWanted ? getAsset(preferred).assetCode : undefined;
  const comesByItself = (code: string) =>
    usable.some(({ bridge, assetCode }) => !bridge && assetCode === code);
  return usable
    .filter(({ id, bridge, assetCode }) => {
      if (isBridgeWanted) return bridge ? id === preferred : assetCode !== wantedCode;
      // A coin that can come by itself needs no anchor, unless the merchant prefers one.
      return !bridge || !comesByItself(assetCode);
    })
    .map(({ id }) => id);
}

function needsNoAnchor(id: string): boolean {
  const { checkouts, bridge } = getAsset(id);
  return checkouts && !bridge;
}

/** Why it is not followed, in one sentence for the merchant; undefined when it is. */
export function faultOfPreference(
  { network, assetId, field, given }: AnchorPreference,
  receivable: readonly string[],
): string | undefined {
  if (receivable.includes(assetId)) return undefined;
  const where = `${field}.${network}`;
  if (findNetwork(network) === undefined) {
    return `${where}: is not a network of GET /networks; it was ignored`;
  }
  const known = findAsset(assetId)?.networks.includes(network) === true;
  const reason = known ? 'cannot be received now' : 'is none of its assets';
  const instead = receivable.length > 0 ? 'the usual way is offered instead' : 'it was ignored';
  return `${where}: ${given} ${reason}; ${instead}`;
}
