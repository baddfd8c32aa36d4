import { type Reader, sql } from '#db/db.ts';

export type DepositReceiver = {
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
