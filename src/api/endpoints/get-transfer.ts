import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { transferSchema } from '#api/endpoints/post-transfer.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { fields, text } from '#money/exact-schema.ts';
import { findTransfer } from '#transfer/find-transfer.ts';
import { transferView } from '#transfer/transfer-view.ts';

export const getTransfer = protectedEndpoint({
  method: 'GET',
  path: '/transfer',
  auth: 'read',
  scope: 'money',
  summary: 'State of a transfer',
  request: fields({ id: text(100) }),
  response: z.object({ transfer: transferSchema }),
  async handle(app, { caller }, { id }) {
    const found = isId(id) ? await findTransfer(app, caller, id) : undefined;
    if (found === undefined) throw new Refusal('missing', 'transfer_missing', 'no such transfer');
    return { transfer: transferView(found) };
  },
});
