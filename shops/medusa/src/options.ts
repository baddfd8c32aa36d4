import { MedusaError } from '@medusajs/framework/utils';

/** What stands under `options` of the provider in `medusa-config.ts`. */
export type QuittanceOptions = {
  /** Where the service is: `https://pay.example`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
  /** `whsec_…` of checkouts; a list while one is replaced by another. */
  readonly webhookSecret: string | readonly string[];
  /** Address of `/hooks/payment/quittance_<id>` of this Medusa, as the service reaches it. */
  readonly webhookUrl: string;
  /** Page of the storefront; `{session_id}` in it becomes the id of the payment session. */
  readonly returnUrl: string;
  /** Likewise, for a customer who goes back without paying. */
  readonly cancelUrl?: string;
  /** What stands on the payment page for the one line of the charge; `Your order` unless given. */
  readonly description?: string;
  /** What the merchant is credited in; `ORIGIN` (as it is paid) unless given. */
  readonly settlementAsset?: string;
};

const REQUIRED = ['baseUrl', 'key', 'secret', 'webhookSecret', 'webhookUrl', 'returnUrl'] as const;

/** @throws MedusaError that names what is missing. */
export function checkOptions(options: Record<string, unknown>): void {
  for (const name of REQUIRED) {
    const value = options[name];
    const isThere = typeof value === 'string' ? value !== '' : Array.isArray(value);
    if (isThere) continue;
    const message = `The option ${name} of the payment provider Quittance is missing.`;
    throw new MedusaError(MedusaError.Types.INVALID_DATA, message);
  }
}
