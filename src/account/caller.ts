import type { RiskLevel } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';

/**
 * Who makes a request, after authentication: everything a checkout needs to know of its merchant.
 */
export type Caller = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly apiKey: string;
  readonly method: 'digest' | 'basic';
  readonly merchantName: string;
  /** What customers see: the shop name, or the merchant's name when there is none. */
  readonly shopName: string;
  readonly sellerInfo: string | undefined;
  readonly displayBuyerInfo: boolean;
  readonly displaySellerInfo: boolean;
  /** Where its pages are: of the domain it proved last; undefined: the public URL. */
  readonly pageOrigin: string | undefined;
  readonly feePartsPerMillion: number;
  readonly underpaidTolerancePartsPerMillion: number;
  /** What late money must be worth, of the total, to complete a sale by itself. */
  readonly lateFloorPartsPerMillion: number;
  /** Riskier assets are neither offered nor settled in. */
  readonly riskTolerance: RiskLevel;
  /** What the key may do; undefined means everything. */
  readonly scopes: readonly string[] | undefined;
};
