// What still works and has something newer in its place: names of the older layout of requests, and
// older versions. Answers to calls that use one say so (RFC 9745, `Deprecation`), and when it ends
// (RFC 8594, `Sunset`). The older layout has no end: shops sent it before us.
import { type ExactJson, isJsonObject } from '#money/exact-json.ts';
import { changesSince } from './api-version.ts';

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

/** Since when they are told. */
const SINCE = '2026-11-24';

/**
 * What is said of a call: that it has a name of the older layout, which has no end, or that its
 * version has one. Since the first of both; undefined where all of it is as it should be.
 */
export function deprecationHeaders(
  version: string,
  operationId: string,
  request: ExactJson,
): Readonly<Record<string, string>> | undefined {
  const fields = OLD_FIELDS[operationId];
  const isOld = fields?.some((field) => isGivenAt(request, field.split('.'))) === true;
  const [next] = changesSince(version);
  const since = isOld ? SINCE : next?.version;
  if (since === undefined) return undefined;
  const relations = next === undefined ? 'deprecation' : 'deprecation sunset';
  return {
    deprecation: `@${midnight(since).epochMilliseconds / 1000}`,
    ...(next !== undefined && { sunset: httpDate(midnight(next.endOfBefore)) }),
    link: `</docs/changelog>; rel="${relations}"; type="text/html"`,
  };
}

function midnight(day: string): Temporal.Instant {
  return Temporal.Instant.from(`${day}T00:00Z`);
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** As RFC 9110 writes a date: `Sat, 25 Nov 2028 00:00:00 GMT`. */
function httpDate(at: Temporal.Instant): string {
  const { dayOfWeek, day, month, year } = at.toZonedDateTimeISO('UTC');
  const date = `${String(day).padStart(2, '0')} ${MONTHS[month - 1]} ${year}`;
  return `${DAYS[dayOfWeek - 1]}, ${date} 00:00:00 GMT`;
}

function isGivenAt(request: ExactJson, [name = '', ...rest]: readonly string[]): boolean {
  if (!isJsonObject(request)) return false;
  const value = request[name];
  if (value === undefined || value === null || value === '') return false;
  return rest.length === 0 || isGivenAt(value, rest);
}
