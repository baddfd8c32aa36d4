import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { refundSchema } from '#api/endpoints/post-refund.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { fields, text } from '#money/exact-schema.ts';
import { findRefund } from '#refund/find-refund.ts';
import { refundView } from '#refund/refund-view.ts';

export const getRefund = protectedEndpoint({
  method: 'GET',
  path: '/refund',
  auth: 'read',
  scope: 'money',
  summary: 'State of a refund',
  request: fields({ id: text(100) }),
  response: z.object({ refund: refundSchema }),
  async handle(app, { caller }, { id }) {
    const found = isId(id) ? await findRefund(app, caller, id) : undefined;
    if (found === undefined) throw new Refusal('missing', 'refund_missing', 'no such refund');
    return { refund: refundView(app, found) };
  },
});
