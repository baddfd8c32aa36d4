/** A host that a merchant claims for its pages. */
export type MerchantDomain = {
  readonly merchantId: string;
  /** As findDomainName spells it. */
  readonly host: string;
  readonly proofToken: string;
  readonly addedAt: Temporal.Instant;
  /** Undefined: its pages are not served under it. */
  readonly verifiedAt: Temporal.Instant | undefined;
  /** When name servers last answered. */
  readonly lastCheckedAt: Temporal.Instant | undefined;
};

/** Whose pages, and nobody else's, are served under a host. */
export type OwnDomain = { readonly host: string; readonly merchantId: string };
