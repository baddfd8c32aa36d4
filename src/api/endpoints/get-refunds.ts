import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { refundSchema } from '#api/endpoints/post-refund.ts';
import { nextCursor, pageQuery, parsePage } from '#api/page-query.ts';
import { fields } from '#money/exact-schema.ts';
import { listRefunds } from '#refund/find-refund.ts';
import { refundView } from '#refund/refund-view.ts';

export const getRefunds = protectedEndpoint({
  method: 'GET',
  path: '/refunds',
  auth: 'read',
  scope: 'money',
  summary: 'Refunds, newest first',
  request: fields(pageQuery),
  response: z.object({ refunds: z.array(refundSchema), nextCursor }),
  async handle(app, { caller }, input) {
    const page = await listRefunds(app, caller, parsePage(input));
    const refunds = page.shown.map((refund) => refundView(app, refund));
    return { refunds, nextCursor: page.nextCursor };
  },
});
