// Money of a checkout on its way back to the payer: a refund row, and the transfer that carries it.

import type { Owner } from '#catalog/owner.ts';
import type { CheckoutRefund } from '#checkout/checkout.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';

export type Refund = CheckoutRefund &
  Owner & {
    readonly transferId: string;
    /** Where the transfer goes, once that is known: with the memo or tag. */
    readonly account: ReceivingAccount | undefined;
    readonly apiKey: string | undefined;
    /** Language of the page where the payer says where it goes: that of the checkout. */
    readonly language: string;
    /** Of the checkout; undefined: the public URL. */
    readonly pageOrigin: string | undefined;
    /** Of the checkout: it gets the event too. */
    readonly webhookUrl: string | undefined;
    readonly checkoutApiKey: string | undefined;
    readonly checkoutState: string;
    /** JSON text that the checkout was created with. */
    readonly checkoutMeta: string | undefined;
    /** When a refund that nobody claimed goes back to the merchant. */
    readonly claimableUntil: Temporal.Instant;
  };
