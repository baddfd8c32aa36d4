import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { depositAddressSchema } from '#api/endpoints/post-deposit-address.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { depositAddressView } from '#deposit-address/deposit-address-view.ts';
import { findDepositAddress } from '#deposit-address/find-deposit-address.ts';
import { fields, text } from '#money/exact-schema.ts';

export const getDepositAddress = protectedEndpoint({
  method: 'GET',
  path: '/deposit-address',
  auth: 'read',
  summary: 'A deposit address',
  request: fields({ id: text(100) }),
  response: z.object({ depositAddress: depositAddressSchema }),
  async handle(app, { caller }, { id }) {
    const found = isId(id) ? await findDepositAddress(app, caller, id) : undefined;
    if (found === undefined) {
      throw new Refusal('missing', 'deposit_address_missing', 'no such deposit address');
    }
    return { depositAddress: depositAddressView(found) };
  },
});
