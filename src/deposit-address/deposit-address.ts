// A dedicated destination, paid any number of times and watched for ever (api-contract.md 5).

import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import type { DepositInstruction } from '#deposit/deposit-instruction.ts';

export type DepositAddress = {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly network: string;
  /** What it was made for; anything else that arrives goes to suspense. */
  readonly assetId: string;
  readonly instructionId: string;
  readonly label: string | undefined;
  readonly webhookUrl: string | undefined;
  /** JSON text of the merchant's own data. */
  readonly metaText: string | undefined;
  readonly apiKey: string | undefined;
  /** In force when it was made. */
  readonly feePartsPerMillion: number;
  readonly eventSequence: number;
  readonly createdAt: Temporal.Instant;
};

/** With where to pay and the link a wallet opens; the payer chooses the amount. */
export type DepositAddressRecord = DepositAddress & {
  readonly instruction: DepositInstruction;
  readonly paymentUri: string;
};

export type DepositAccount = 'available' | 'suspense';

/** What a final receipt was credited as. */
export type DepositCredit = {
  readonly receiptId: bigint;
  readonly generation: number;
  readonly assetId: string;
  readonly units: bigint;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
  readonly account: DepositAccount;
};

type DepositReceiver = {
  readonly merchantId: string;
  readonly apiKey: string | undefined;
  readonly webhookUrl: string | undefined;
};

/** Who is told of what happens to money of a deposit address. */
export async function findDepositReceiver(
  reader: Reader,
  depositAddressId: string,
): Promise<DepositReceiver | undefined> {
  const [row] = await reader.query<{
    merchantId: string;
    apiKey: string | null;
    webhookUrl: string | null;
  }>(sql`select merchant_id as "merchantId", api_key as "apiKey", webhook_url as "webhookUrl"
    from deposit_address where id = ${depositAddressId}`);
  if (row === undefined) return undefined;
  const { merchantId, apiKey, webhookUrl } = row;
  return { merchantId, apiKey: apiKey ?? undefined, webhookUrl: webhookUrl ?? undefined };
}
