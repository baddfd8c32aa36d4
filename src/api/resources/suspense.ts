import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { fields } from '#money/exact-schema.ts';
import { SUSPENSE_REASONS, SUSPENSE_STATES } from '#settle/suspense.ts';
import { pageSuspense, suspenseView } from '#suspense/suspense-view.ts';
import { metaAnswer, nextCursor, pageQuery, parsePage, shownId } from './shared-fields.ts';

export const suspenseSchema = z
  .object({
    id: z.string().regex(/^\d+$/),
    state: z.enum(SUSPENSE_STATES),
    reason: z.enum(SUSPENSE_REASONS),
    /** A sentence for a person, where more is known. */
    detail: z.string().nullable(),
    network: z.string(),
    assetId: z.string(),
    amount: z.string(),
    amountAssetCode: z.string(),
    tx: z.string(),
    destination: z.string(),
    checkoutId: shownId.nullable(),
    depositAddressId: shownId.nullable(),
    timestamp: z.string(),
    resolvedTime: z.string().nullable(),
    returnAddress: z.string().nullable(),
    returnTx: z.string().nullable(),
    meta: metaAnswer,
  })
  .meta({ id: 'Suspense' });

export const getSuspense = protectedEndpoint({
  method: 'GET',
  path: '/suspense',
  operationId: 'listSuspense',
  auth: 'read',
  scope: 'read',
  summary: 'Money that came for your checkouts and addresses and is not credited, newest first',
  request: fields(pageQuery),
  response: z
    .object({ suspense: z.array(suspenseSchema), nextCursor })
    .meta({ id: 'SuspensePage' }),
  async handle(app, { caller }, input) {
    const page = await pageSuspense(app, caller, parsePage(input));
    return { suspense: page.shown.map(suspenseView), nextCursor: page.nextCursor };
  },
});
