import type { Environment } from '#catalog/chain.ts';

/** Fields of api-contract.md 8 in canonical spelling, numbers as text; none without a value. */
export type BeneficiaryAccount = { readonly [field: string]: string };

export type Beneficiary = {
  readonly id: string;
  /** Unique among those not deleted. */
  readonly label: string;
  /** Network id. */
  readonly network: string;
  readonly account: BeneficiaryAccount;
  readonly createdAt: Temporal.Instant;
  /** End of the cool-down: nothing is sent before. */
  readonly usableAt: Temporal.Instant;
};

/** Whose beneficiaries: those of another merchant or environment do not exist. */
export type BeneficiaryOwner = {
  readonly merchantId: string;
  readonly environment: Environment;
};
