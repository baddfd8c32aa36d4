import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { checkoutSchema } from '#api/endpoints/get-checkout.ts';
import { nextCursor, pageQuery, parsePage } from '#api/page-query.ts';
import { timeQuery } from '#api/time-query.ts';
import { Refusal } from '#base/refusal.ts';
import { CHECKOUT_STATES } from '#checkout/checkout.ts';
import { checkoutView } from '#checkout/checkout-view.ts';
import { type CheckoutFilter, listCheckouts } from '#checkout/list-checkouts.ts';
import type { ExactJson } from '#money/exact-json.ts';
import { checkShape, fields, isFields, optional, text } from '#money/exact-schema.ts';

const metaPrefix = 'meta.';

const checkoutsQuery = fields({
  ...pageQuery,
  state: optional(z.enum(CHECKOUT_STATES)),
  from: optional(timeQuery),
  to: optional(timeQuery),
  customerId: optional(text(100)),
});

type CheckoutsInput = z.output<typeof checkoutsQuery> & Pick<CheckoutFilter, 'meta'>;

export const getCheckouts = protectedEndpoint({
  method: 'GET',
  path: '/checkouts',
  auth: 'read',
  summary:
    'Checkouts, newest first; created from `from` on and before `to`; `meta.<key>=` finds those ' +
    'with this text or number at the top of their `meta`',
  request: checkoutsQuery,
  prefixed: [{ name: 'meta', description: '`meta.order=7`: text or number at the top of `meta`' }],
  response: z.object({ checkouts: z.array(checkoutSchema), nextCursor }),
  parse: parseCheckouts,
  async handle(app, { caller }, { limit, cursor, state, from, to, customerId, meta }) {
    const filter = { state, from, to, customerId, meta };
    const page = await listCheckouts(app, caller, filter, parsePage({ limit, cursor }));
    return {
      checkouts: page.checkouts.map((record) => checkoutView(app, record)),
      nextCursor: page.nextCursor,
    };
  },
});

function parseCheckouts(input: ExactJson): CheckoutsInput {
  const faults: string[] = [];
  const query = checkShape(checkoutsQuery, input, faults);
  if (query === undefined) throw new Refusal('invalid', 'validation_failed', faults);
  const meta = new Map<string, string>();
  for (const [name, value] of Object.entries(isFields(input) ? input : {})) {
    if (name.startsWith(metaPrefix)) meta.set(name.slice(metaPrefix.length), String(value));
  }
  return { ...query, meta };
}
