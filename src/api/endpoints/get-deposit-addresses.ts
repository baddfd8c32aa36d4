import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { depositAddressSchema } from '#api/endpoints/post-deposit-address.ts';
import { nextCursor, pageQuery, parsePage } from '#api/page-query.ts';
import { depositAddressView } from '#deposit-address/deposit-address-view.ts';
import { listDepositAddresses } from '#deposit-address/find-deposit-address.ts';
import { fields } from '#money/exact-schema.ts';

export const getDepositAddresses = protectedEndpoint({
  method: 'GET',
  path: '/deposit-addresses',
  auth: 'read',
  summary: 'Deposit addresses, newest first',
  request: fields(pageQuery),
  response: z.object({ depositAddresses: z.array(depositAddressSchema), nextCursor }),
  async handle(app, { caller }, input) {
    const page = await listDepositAddresses(app, caller, parsePage(input));
    return {
      depositAddresses: page.depositAddresses.map(depositAddressView),
      nextCursor: page.nextCursor,
    };
  },
});
