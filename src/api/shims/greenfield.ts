// The part of BTCPay Server's Greenfield API v1 that shops use, under /greenfield/api/v1: a plugin
// that is written for BTCPay Server is given this address and a key, and works. What there is and
// what each answer holds: its OpenAPI document and BTCPayServer.Client.

import { callerOf } from '#api/endpoint.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { eventsOfGreenfield, greenfieldNames } from '#dialect/greenfield-event.ts';
import {
  invoicePaymentMethods,
  invoiceView,
  paymentMethodId,
} from '#dialect/greenfield-invoice.ts';
import type { ShownCheckout } from '#dialect/shown-checkout.ts';
import { SECRET_LEAST } from '#dialect/speak-dialect.ts';
import { EVENT_TYPES, type EventType, refuseUnheard } from '#event/event.ts';
import {
  createWebhookEndpoint,
  disableWebhookEndpoint,
  listWebhookEndpoints,
} from '#event/webhook-endpoint.ts';
import { type ExactJson, ExactNumber, type ExactObject, isJsonObject } from '#money/exact-json.ts';
import { refuseTarget } from '#webhook/admit-target.ts';
import type { Shim, ShimCall, ShimFault, ShimRoute } from './answer-shim.ts';

const STORE = '/stores/:';
const WEBHOOKS_MOST = 100;
const SECRET_MOST = 200;
const PAGE_MOST = 250;

const VERSION = '2.0.0';

const PERMISSIONS = [
  ...['btcpay.store.canviewinvoices', 'btcpay.store.cancreateinvoice'],
  ...['btcpay.store.canmodifyinvoices', 'btcpay.store.canviewstoresettings'],
  'btcpay.store.webhooks.canmodifywebhooks',
];

/** @throws Refusal missing for another one than that of the key. */
function requireStore({ caller, parts: [storeId] }: ShimCall): string {
  if (storeId === caller.merchantId) return storeId;
  throw new Refusal('missing', 'route_missing', 'The store was not found');
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('invalid', 'validation_failed', [`${path}: ${message}`]);
}

function storeView(call: ShimCall) {
  if (call.parts.length > 0) requireStore(call);
  const { caller } = call;
  return { id: caller.merchantId, name: caller.shopName, website: null, defaultCurrency: null };
}

async function findInvoice(call: ShimCall, id: string): Promise<ShownCheckout> {
  try {
    const { checkout } = await call.ask('GET', '/checkout', { id });
    return checkout as unknown as ShownCheckout;
  } catch (error) {
    const isOther = error instanceof Refusal && ['missing', 'invalid'].includes(error.kind);
    if (isOther) throw new Refusal('missing', 'checkout_missing', 'The invoice was not found');
    throw error;
  }
}

async function shownInvoice(call: ShimCall, id: string) {
  const storeId = requireStore(call);
  return invoiceView(await findInvoice(call, id), storeId, call.app.clock.now());
}

async function createInvoice(call: ShimCall) {
  requireStore(call);
  const made = await call.ask('POST', '/checkout/hosted', checkoutOfInvoice(call.body()));
  return shownInvoice(call, String(made.id));
}

/** @throws Refusal with the path as the other service has it. */
function checkoutOfInvoice(request: ExactObject): ExactObject {
  const { amount, currency, metadata, type } = request;
  const checkout = objectIn(request, 'checkout');
  if (amount === undefined || amount === null || type === 'TopUp') {
    throw invalid('amount', 'is required: an invoice without an amount is a deposit address here');
  }
  if (typeof amount !== 'string' && !(amount instanceof ExactNumber)) {
    throw invalid('amount', 'must be a number, or a text of one');
  }
  if (typeof currency !== 'string') throw invalid('currency', 'is required');
  if (request.webhookUrl || request.webhookSecret) {
    throw invalid('webhookUrl', 'is not taken: register a webhook of the store');
  }
  const methods = checkout.paymentMethods;
  if (Array.isArray(methods) && methods.length > 0) {
    throw invalid('checkout.paymentMethods', 'is not taken: which there are is set for the shop');
  }
  const meta = objectIn(request, 'metadata');
  const described = meta.itemDesc ?? (meta.orderId ? `Order ${meta.orderId}` : undefined);
  const description = typeof described === 'string' && described !== '' ? described : 'Invoice';
  const links = returnLinks(checkout.redirectURL, meta);
  const language = languageOf(checkout.defaultLanguage);
  return {
    charge: {
      billingCurrency: currency.toUpperCase(),
      lineItems: [{ description: description.slice(0, 200), netAmount: amount }],
    },
    ...(metadata !== undefined && metadata !== null && { meta: { ...meta } }),
    ...(language !== undefined && { checkoutLanguage: language }),
    ...(links !== undefined && { links }),
  };
}

function objectIn(request: ExactObject, name: string): ExactObject {
  const value = request[name];
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return value;
  throw invalid(name, 'must be an object');
}

/** BTCPay Server puts ids into the address; ours is not known before the invoice is made. */
function returnLinks(url: ExactJson | undefined, meta: ExactObject) {
  if (url === undefined || url === null || url === '') return undefined;
  if (typeof url !== 'string') throw invalid('checkout.redirectURL', 'must be a text');
  if (url.includes('{InvoiceId}')) {
    throw invalid('checkout.redirectURL', '{InvoiceId} is not known here: use {OrderId}');
  }
  const orderId = meta.orderId === undefined ? '' : encodeURIComponent(String(meta.orderId));
  return { returnUrl: url.replaceAll('{OrderId}', orderId) };
}

/** `de-DE` is `de`; another one than we have is that of the browser. */
function languageOf(wanted: ExactJson | undefined): string | undefined {
  const code = typeof wanted === 'string' ? wanted.slice(0, 2).toLowerCase() : '';
  return LANGUAGES.some(({ languageCode }) => languageCode === code) ? code : undefined;
}

/** Looks for an order, each through so many invoices as one page of `GET /checkouts` is made of. */
const LOOKS_MOST = 10;

async function listInvoices(call: ShimCall) {
  const storeId = requireStore(call);
  const take = Number(call.query.get('take') ?? '50');
  const limit = Number.isInteger(take) && take > 0 ? Math.min(take, PAGE_MOST) : 50;
  const orderId = call.query.get('orderId');
  const found: ShownCheckout[] = [];
  let cursor: ExactJson | undefined;
  // There is no cursor in this answer: pages with fewer than asked for are followed here.
  for (let looks = 0; cursor !== null && found.length < limit; looks += 1) {
    if (looks === LOOKS_MOST) {
      if (found.length > 0) break;
      throw invalid(
        'orderId',
        'none of the newest invoices has it, and the rest are too many to look at',
      );
    }
    const page = await call.ask('GET', '/checkouts', {
      limit: String(limit - found.length),
      ...(orderId !== null && { 'meta.orderId': orderId }),
      ...(typeof cursor === 'string' && { cursor }),
    });
    found.push(...(page.checkouts as unknown as readonly ShownCheckout[]));
    cursor = page.nextCursor ?? null;
  }
  const now = call.app.clock.now();
  return found.map((checkout) => invoiceView(checkout, storeId, now));
}

/** What a person would do with a button; a sale is settled by money alone. */
async function markInvoice(call: ShimCall) {
  requireStore(call);
  const [, id = ''] = call.parts;
  await findInvoice(call, id);
  if (call.body().status !== 'Invalid') {
    throw invalid('status', 'only Invalid can be marked: money alone settles an invoice');
  }
  await call.ask('POST', '/checkout/cancel', { checkoutId: id });
  return shownInvoice(call, id);
}

async function storePaymentMethods(call: ShimCall) {
  requireStore(call);
  const { networks } = await call.ask('GET', '/networks', {});
  const known = networks as unknown as readonly { network?: string; id?: string }[];
  return known.map(({ network, id }) => ({
    paymentMethodId: paymentMethodId({ network: network ?? id ?? '', assetCode: 'ALL' }),
    enabled: true,
  }));
}

type ShownEndpoint = {
  readonly id: string;
  readonly url: string;
  readonly eventTypes?: readonly EventType[] | undefined;
  readonly disabledAt?: Temporal.Instant | undefined;
};

function webhookView(endpoint: ShownEndpoint, secret?: string) {
  return {
    id: endpoint.id,
    enabled: endpoint.disabledAt === undefined,
    automaticRedelivery: true,
    url: endpoint.url,
    authorizedEvents: {
      everything: false,
      specificEvents: greenfieldNames(endpoint.eventTypes ?? null),
    },
    ...(secret !== undefined && { secret }),
  };
}

async function createWebhook(call: ShimCall) {
  requireStore(call);
  const { app, caller } = call;
  const { url, secret, authorizedEvents } = call.body();
  if (typeof url !== 'string' || !URL.canParse(url)) throw invalid('url', 'Invalid Url');
  if (secret !== undefined && secret !== null && !isSecret(secret)) {
    throw invalid('secret', `must have ${SECRET_LEAST} to ${SECRET_MOST} printable characters`);
  }
  const eventTypes = eventTypesOf(authorizedEvents);
  refuseUnheard(caller.scopes, eventTypes ?? ['CHECKOUT_COMPLETED']);
  await refuseTarget(app, caller.environment, { path: 'url', url });
  const act = {
    ...{ ...callerOf(caller), verb: 'webhook-endpoint-create' },
    subject: (told: { readonly endpoint: { readonly id: string } }) =>
      `webhook-endpoint:${told.endpoint.id}`,
    details: { url, eventTypes: eventTypes?.join(' '), format: 'GREENFIELD' },
  };
  const told = await doNoted(app, act, (within) =>
    createWebhookEndpoint(within, caller, {
      ...{ url, eventTypes, format: 'GREENFIELD' },
      secret: typeof secret === 'string' ? secret : undefined,
    }),
  );
  return webhookView(told.endpoint, told.secret);
}

function isSecret(secret: ExactJson): secret is string {
  if (typeof secret !== 'string' || !/^[\x21-\x7e]+$/.test(secret)) return false;
  return secret.length >= SECRET_LEAST && secret.length <= SECRET_MOST;
}

/** Undefined for all that there are words for. @throws Refusal for a name that there is not. */
function eventTypesOf(authorized: ExactJson | undefined): readonly EventType[] | undefined {
  if (!isJsonObject(authorized) || authorized.everything === true) return undefined;
  const names = authorized.specificEvents;
  if (!Array.isArray(names) || names.length === 0) return undefined;
  const ours = names.flatMap((name) => {
    const found = typeof name === 'string' ? eventsOfGreenfield(name) : undefined;
    if (found === undefined) {
      throw invalid('authorizedEvents.specificEvents', `${name} is not known here`);
    }
    return found;
  });
  const types = EVENT_TYPES.filter((type) => ours.includes(type));
  if (types.length > 0) return types;
  throw invalid('authorizedEvents.specificEvents', `nothing is told of ${names.join(', ')}`);
}

async function ownWebhooks({ app, caller }: ShimCall) {
  const page = { cursor: undefined, limit: WEBHOOKS_MOST };
  const { endpoints } = await listWebhookEndpoints(app, caller, page);
  return endpoints.filter(
    ({ format, disabledAt }) => format === 'GREENFIELD' && disabledAt === undefined,
  );
}

async function requireWebhook(call: ShimCall) {
  requireStore(call);
  const [, id] = call.parts;
  const found = (await ownWebhooks(call)).find((endpoint) => endpoint.id === id);
  if (found !== undefined) return found;
  throw new Refusal('missing', 'webhook_endpoint_missing', 'The webhook was not found');
}

async function deleteWebhook(call: ShimCall) {
  const { id } = await requireWebhook(call);
  const act = { ...callerOf(call.caller), verb: 'webhook-endpoint-delete' };
  await doNoted(call.app, { ...act, subject: `webhook-endpoint:${id}` }, (within) =>
    disableWebhookEndpoint(within, call.caller, id),
  );
  return {};
}

const ROUTES: readonly ShimRoute[] = [
  { method: 'GET', path: '/health', scope: 'public', handle: () => ({ synchronized: true }) },
  {
    ...{ method: 'GET', path: '/server/info', scope: 'any' },
    handle: ({ app }) => ({
      version: VERSION,
      onion: null,
      supportedPaymentMethods: ['BTC-CHAIN', 'BTC-LN'].filter(() => app.networks.size > 0),
      fullySynched: true,
      syncStatus: [],
    }),
  },
  {
    ...{ method: 'GET', path: '/api-keys/current', scope: 'any' },
    handle: ({ caller: { apiKey, merchantId } }) => ({
      apiKey,
      label: 'Quittance',
      permissions: PERMISSIONS.map((permission) => `${permission}:${merchantId}`),
    }),
  },
  { method: 'GET', path: '/stores', scope: 'any', handle: (call) => [storeView(call)] },
  {
    ...{ method: 'GET', path: STORE, scope: 'any' },
    handle: (call) => storeView(call),
  },
  {
    ...{ method: 'GET', path: `${STORE}/payment-methods`, scope: 'read' },
    handle: storePaymentMethods,
  },
  { method: 'GET', path: `${STORE}/invoices`, scope: 'read', handle: listInvoices },
  { method: 'POST', path: `${STORE}/invoices`, scope: 'checkout', handle: createInvoice },
  {
    ...{ method: 'GET', path: `${STORE}/invoices/:`, scope: 'read' },
    handle: (call) => shownInvoice(call, call.parts[1] ?? ''),
  },
  {
    ...{ method: 'GET', path: `${STORE}/invoices/:/payment-methods`, scope: 'read' },
    handle: async (call) => {
      requireStore(call);
      return invoicePaymentMethods(await findInvoice(call, call.parts[1] ?? ''));
    },
  },
  { method: 'POST', path: `${STORE}/invoices/:/status`, scope: 'checkout', handle: markInvoice },
  {
    ...{ method: 'POST', path: `${STORE}/invoices/:/refund`, scope: 'read' },
    handle: () => {
      throw new Refusal('forbidden', 'method_not_accepted', [
        'a refund moves money: it is asked for with a signature (POST /refund), or in the dashboard',
      ]);
    },
  },
  {
    ...{ method: 'GET', path: `${STORE}/webhooks`, scope: 'settings' },
    handle: async (call) => {
      requireStore(call);
      return (await ownWebhooks(call)).map((endpoint) => webhookView(endpoint));
    },
  },
  { method: 'POST', path: `${STORE}/webhooks`, scope: 'settings', handle: createWebhook },
  {
    ...{ method: 'GET', path: `${STORE}/webhooks/:`, scope: 'settings' },
    handle: async (call) => webhookView(await requireWebhook(call)),
  },
  { method: 'DELETE', path: `${STORE}/webhooks/:`, scope: 'settings', handle: deleteWebhook },
];

export const GREENFIELD: Shim = {
  prefix: '/greenfield/api/v1',
  routes: ROUTES,
  credentialOf(headers) {
    const [, token] = /^token (\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
    return token;
  },
  statusOf: ({ kind, status }) => (kind === 'invalid' ? 422 : status),
  faultBody,
};

/** Paths of the checkout that stands behind it, as the other service has them. */
const THEIR_PATHS: readonly (readonly [ours: RegExp, theirs: string])[] = [
  [/^charge\.lineItems\[0\]\.netAmount/, 'amount'],
  [/^charge$/, 'amount'],
  [/^charge\.billingCurrency/, 'currency'],
  [/^meta\b/, 'metadata'],
  [/^links\.returnUrl/, 'checkout.redirectURL'],
];

const THEIR_CODES: Readonly<Record<string, string>> = {
  checkout_missing: 'invoice-not-found',
  webhook_endpoint_missing: 'webhook-not-found',
};

function faultBody({ kind, code, details }: ShimFault): unknown {
  if (kind === 'unauthenticated') {
    const message = 'Authentication is required for accessing this endpoint';
    return { code: 'unauthenticated', message };
  }
  if (kind === 'forbidden') {
    return { code: 'missing-permission', message: details.join(' '), missingPermission: null };
  }
  if (kind !== 'invalid') {
    return { code: THEIR_CODES[code] ?? code.replaceAll('_', '-'), message: details.join(' ') };
  }
  return details.map((detail) => {
    const at = detail.indexOf(': ');
    const ours = at < 0 ? '' : detail.slice(0, at);
    const found = THEIR_PATHS.find(([pattern]) => pattern.test(ours));
    const path = found === undefined ? ours : ours.replace(...found);
    return { path, message: at < 0 ? detail : detail.slice(at + 2) };
  });
}
