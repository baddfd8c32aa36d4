import type { RiskLevel } from '#catalog/asset.ts';

/** An account that creates checkouts and owns balances. */
export type Merchant = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Temporal.Instant;
};

/** Defaults of a merchant's checkouts; who is charged what. */
export type MerchantSettings = {
  readonly name: string;
  /** Null: the name is shown. */
  readonly shopName: string | null;
  readonly sellerInfo: string | null;
  readonly displayBuyerInfo: boolean;
  readonly displaySellerInfo: boolean;
  readonly feePartsPerMillion: number;
  readonly underpaidTolerancePartsPerMillion: number;
  readonly lateFloorPartsPerMillion: number;
  readonly riskTolerance: RiskLevel;
};
