import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { transferSchema } from '#api/endpoints/post-transfer.ts';
import { isId } from '#base/id.ts';
import { fields } from '#money/exact-schema.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { transferView } from '#transfer/transfer-view.ts';

export const postTransferCommit = protectedEndpoint({
  method: 'POST',
  path: '/transfer/commit',
  auth: 'money',
  summary: 'Send a quoted transfer; a repeat answers with it as it stands',
  request: fields({
    transferId: z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9'),
  }),
  response: z.object({ transfer: transferSchema }),
  async handle(app, { caller }, { transferId }) {
    return { transfer: transferView(await commitTransfer(app, caller, transferId)) };
  },
});
