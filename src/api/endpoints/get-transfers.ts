import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { transferSchema } from '#api/endpoints/post-transfer.ts';
import { nextCursor, pageQuery, parsePage } from '#api/page-query.ts';
import { fields } from '#money/exact-schema.ts';
import { listTransfers } from '#transfer/find-transfer.ts';
import { transferView } from '#transfer/transfer-view.ts';

export const getTransfers = protectedEndpoint({
  method: 'GET',
  path: '/transfers',
  auth: 'read',
  scope: 'money',
  summary: 'Transfers, newest first',
  request: fields(pageQuery),
  response: z.object({ transfers: z.array(transferSchema), nextCursor }),
  async handle(app, { caller }, input) {
    const page = await listTransfers(app, caller, parsePage(input));
    return { transfers: page.shown.map(transferView), nextCursor: page.nextCursor };
  },
});
