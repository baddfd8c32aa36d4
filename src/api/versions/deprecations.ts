// Names of the older layout of requests: they are taken as before, and have newer ones. Answers to
// calls that use one say so (RFC 9745, `Deprecation`). They have no end (`Sunset`): shops sent them
// before us.
import { type ExactJson, isJsonObject } from '#money/exact-json.ts';

/** By `operationId`, from the root of the request. */
const OLD_FIELDS: { readonly [operationId: string]: readonly string[] } = {
  createCheckout: ['settlementCurrency', 'blockchainRelays', 'charge.currency'],
  createHostedCheckout: ['settlementCurrency', 'blockchainRelays', 'charge.currency'],
  validateCharge: ['charge.currency'],
  commitCheckout: ['depositNetwork', 'relatedAssetId', 'assetCode'],
};

/** The same by the component of the document that has them. */
const OLD_MEMBERS: { readonly [component: string]: readonly string[] } = {
  CheckoutRequest: ['settlementCurrency', 'blockchainRelays'],
  Charge: ['currency'],
  CommitCheckoutRequest: ['depositNetwork', 'relatedAssetId'],
};

export function isDeprecated(component: string, field: string): boolean {
  return OLD_MEMBERS[component]?.includes(field) ?? false;
}

/** Midnight of the day from which on they are told, UTC. */
const SINCE = Temporal.Instant.from('2026-11-24T00:00Z').epochMilliseconds / 1000;

const TOLD = {
  deprecation: `@${SINCE}`,
  link: '</docs/versioning>; rel="deprecation"; type="text/html"',
};

/** Nothing where all of the request is as it should be. */
export function deprecationHeaders(
  operationId: string,
  request: ExactJson,
): Readonly<Record<string, string>> {
  const fields = OLD_FIELDS[operationId] ?? [];
  return fields.some((field) => isGivenAt(request, field.split('.'))) ? TOLD : {};
}

function isGivenAt(request: ExactJson, [name = '', ...rest]: readonly string[]): boolean {
  if (!isJsonObject(request)) return false;
  const value = request[name];
  if (value === undefined || value === null || value === '') return false;
  return rest.length === 0 || isGivenAt(value, rest);
}
