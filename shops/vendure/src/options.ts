/** What `QuittancePlugin.init` is given. */
export type QuittanceOptions = {
  /** Where the service is: `https://pay.example`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
  /** `whsec_…` of checkouts; a list while one is replaced by another. */
  readonly webhookSecret: string | readonly string[];
  /** Where this Vendure is, as the service and customers reach it: `https://shop.example`. */
  readonly vendureUrl: string;
  /** Page of the storefront; `{order_code}` in it becomes the code of the order. */
  readonly storefrontUrl: string;
  /** What the merchant is credited in; `ORIGIN` (as it is paid) unless given. */
  readonly settlementAsset?: string;
};

export const QUITTANCE_OPTIONS = Symbol('QUITTANCE_OPTIONS');
export const LOG_CONTEXT = 'Quittance';

const REQUIRED = [
  ...(['baseUrl', 'key', 'secret', 'webhookSecret', 'vendureUrl', 'storefrontUrl'] as const),
];

/** @throws Error that names what is missing. */
export function checkOptions(options: QuittanceOptions): void {
  const missing = REQUIRED.find(
    (name) => options[name] === undefined || options[name].length === 0,
  );
  if (missing !== undefined)
    throw new Error(`The option ${missing} of QuittancePlugin is missing.`);
}
