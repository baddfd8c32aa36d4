// Charges of Coinbase Commerce (API version 2018-03-22) under /commerce: a shop that is written for
// it is given this address and a key, and works. Webhooks: POST /webhook-endpoint with `format`.

import { Refusal } from '#base/refusal.ts';
import { COMMERCE_KEY, COMMERCE_VERSION, chargeView } from '#dialect/commerce-charge.ts';
import type { ShownCheckout } from '#dialect/shown-checkout.ts';
import { ExactNumber, type ExactObject, isJsonObject } from '#money/exact-json.ts';
import type { Shim, ShimCall, ShimFault, ShimRoute } from './answer-shim.ts';

const PAGE_MOST = 100;
const PAGE_USUAL = 25;
const NAME_MOST = 100;
const DESCRIPTION_MOST = 200;

function invalid(message: string): Refusal {
  return new Refusal('invalid', 'validation_failed', [message]);
}

async function findCharge(call: ShimCall, id: string): Promise<ShownCheckout> {
  try {
    // The code is the id in capitals.
    const { checkout } = await call.ask('GET', '/checkout', { id: id.toLowerCase() });
    return checkout as unknown as ShownCheckout;
  } catch (error) {
    const isOther = error instanceof Refusal && ['missing', 'invalid'].includes(error.kind);
    if (isOther) throw new Refusal('missing', 'checkout_missing', 'Not found.');
    throw error;
  }
}

async function createCharge(call: ShimCall) {
  const made = await call.ask('POST', '/checkout/hosted', checkoutOfCharge(call.body()));
  return { data: chargeView(await findCharge(call, String(made.id))) };
}

/** @throws Refusal */
function checkoutOfCharge(request: ExactObject): ExactObject {
  const { name, description = null, pricing_type: pricing, local_price: price } = request;
  if (typeof name !== 'string' || name === '' || name.length > NAME_MOST) {
    throw invalid(`name: must be a text of 1 to ${NAME_MOST} characters`);
  }
  const isText = typeof description === 'string' && description.length <= DESCRIPTION_MOST;
  if (description !== null && !isText) {
    throw invalid(`description: must be a text of at most ${DESCRIPTION_MOST} characters`);
  }
  if (pricing !== 'fixed_price') {
    throw invalid('pricing_type: must be fixed_price; for any amount there are deposit addresses');
  }
  if (!isJsonObject(price)) throw invalid('local_price: is required');
  const { amount, currency } = price;
  if (typeof amount !== 'string' && !(amount instanceof ExactNumber)) {
    throw invalid('local_price.amount: must be a number, or a text of one');
  }
  if (typeof currency !== 'string') throw invalid('local_price.currency: is required');
  const { metadata = {} } = request;
  if (!isJsonObject(metadata)) throw invalid('metadata: must be an object');
  if (metadata[COMMERCE_KEY] !== undefined) {
    throw invalid(`metadata.${COMMERCE_KEY}: is the name of what we keep there`);
  }
  const links = {
    ...(request.redirect_url && { returnUrl: request.redirect_url }),
    ...(request.cancel_url && { cancelUrl: request.cancel_url }),
  };
  return {
    charge: {
      billingCurrency: currency.toUpperCase(),
      lineItems: [{ description: name, netAmount: amount }],
    },
    meta: { ...metadata, [COMMERCE_KEY]: { name, description: description ?? '' } },
    ...(Object.keys(links).length > 0 && { links }),
  };
}

async function listCharges(call: ShimCall) {
  const wanted = Number(call.query.get('limit') ?? PAGE_USUAL);
  const limit = Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, PAGE_MOST) : PAGE_USUAL;
  const cursor = call.query.get('starting_after');
  const { checkouts, nextCursor } = await call.ask('GET', '/checkouts', {
    limit: String(limit),
    ...(cursor !== null && { cursor }),
  });
  const data = (checkouts as unknown as readonly ShownCheckout[]).map(chargeView);
  const pagination = {
    order: 'desc',
    starting_after: cursor,
    ending_before: null,
    limit,
    yielded: data.length,
    // The second is what the next page starts after.
    cursor_range: typeof nextCursor === 'string' ? [cursor, nextCursor] : [],
  };
  return { pagination, data };
}

async function cancelCharge(call: ShimCall) {
  const { id } = await findCharge(call, call.parts[0] ?? '');
  await call.ask('POST', '/checkout/cancel', { checkoutId: id });
  return { data: chargeView(await findCharge(call, id)) };
}

/** What was paid too little is accepted as it is. */
async function resolveCharge(call: ShimCall) {
  const { id } = await findCharge(call, call.parts[0] ?? '');
  await call.ask('POST', '/checkout/accept-underpaid', { checkoutId: id });
  return { data: chargeView(await findCharge(call, id)) };
}

const ROUTES: readonly ShimRoute[] = [
  { method: 'POST', path: '/charges', scope: 'checkout', handle: createCharge },
  { method: 'GET', path: '/charges', scope: 'read', handle: listCharges },
  {
    ...{ method: 'GET', path: '/charges/:', scope: 'read' },
    handle: async (call) => ({ data: chargeView(await findCharge(call, call.parts[0] ?? '')) }),
  },
  { method: 'POST', path: '/charges/:/cancel', scope: 'checkout', handle: cancelCharge },
  { method: 'POST', path: '/charges/:/resolve', scope: 'checkout', handle: resolveCharge },
];

export const COMMERCE: Shim = {
  prefix: '/commerce',
  routes: ROUTES,
  credentialOf(headers) {
    const version = headers.get('x-cc-version');
    if (version !== null && version !== COMMERCE_VERSION) {
      throw invalid(`X-CC-Version: ${COMMERCE_VERSION} is what is served here`);
    }
    return headers.get('x-cc-api-key') ?? undefined;
  },
  faultBody,
};

const TYPES: Readonly<Record<string, string>> = {
  unauthenticated: 'authentication_error',
  missing: 'not_found',
  invalid: 'validation_error',
  'too-many': 'rate_limit_exceeded',
  internal: 'internal_server_error',
};

/** Paths of the checkout that stands behind it, as the other service has them. */
function faultBody({ kind, details }: ShimFault): unknown {
  const message = details
    .join(' ')
    .replaceAll('charge.lineItems[0].netAmount', 'local_price.amount')
    .replaceAll('charge.billingCurrency', 'local_price.currency')
    .replace(/^charge: /, 'local_price.amount: ')
    .replaceAll('links.returnUrl', 'redirect_url')
    .replaceAll('links.cancelUrl', 'cancel_url');
  return { error: { type: TYPES[kind] ?? 'invalid_request', message } };
}
