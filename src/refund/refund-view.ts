import { timestamp } from '#base/timestamp.ts';
import { checkoutRefundView } from '#checkout/checkout-refund.ts';
import { metaView } from '#checkout/checkout-view.ts';
import { type PageTokenKeys, pageOrigin } from '#checkout/page-token.ts';
import { claimToken, claimUrl } from './claim-token.ts';
import type { Refund } from './refund.ts';

/** `refund` of api-contract.md 5: as in its checkout, and where the payer claims it. */
export function refundView(
  app: { readonly publicUrl: string; readonly keyring: PageTokenKeys },
  refund: Refund,
) {
  const isClaimable = refund.state === 'AWAITING_ADDRESS' && refund.payment !== 'TAKEN_BACK';
  const token = claimToken(app.keyring, refund.id);
  return {
    ...checkoutRefundView(refund),
    claimUrl: isClaimable ? claimUrl(pageOrigin(app, refund), refund.language, token) : null,
    claimableUntil: isClaimable ? timestamp(refund.claimableUntil) : null,
    ...metaView(refund.checkoutMeta),
  };
}
