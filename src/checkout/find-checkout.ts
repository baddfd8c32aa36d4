// Reads a checkout with everything that is known about it: two round trips.

import type { Environment } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import type { InstructionKeys } from '#deposit/deposit-instruction.ts';
import { listInstructions } from '#deposit/list-instructions.ts';
import { listReceipts } from '#deposit/list-receipts.ts';
import type { Network } from '#deposit/network.ts';
import type { CheckoutRecord } from './checkout.ts';
import { listCheckoutRefunds } from './checkout-refund-store.ts';
import {
  type CheckoutRow,
  checkoutFromRow,
  findCheckoutRow,
  findCheckoutRowByPageToken,
  listStateChanges,
} from './checkout-store.ts';
import { joinCommitment } from './commitment.ts';
import { listCommitmentRows } from './commitment-store.ts';
import { pageTokenHash } from './page-token.ts';
import { listReceiptCredits } from './receipt-credit-store.ts';

export type FindCheckoutApp = {
  readonly db: Reader;
  readonly keyring: InstructionKeys;
  readonly networks: ReadonlyMap<string, Network>;
};

/** Undefined also for a checkout of another merchant or environment (E9). */
export async function findCheckout(
  app: FindCheckoutApp,
  owner: { readonly merchantId: string; readonly environment: Environment },
  id: string,
): Promise<CheckoutRecord | undefined> {
  const row = await findCheckoutRow(app.db, id);
  if (row?.merchant_id !== owner.merchantId || row.environment !== owner.environment) {
    return undefined;
  }
  return readRecord(app, row);
}

/** For the hosted page, which is opened by its token alone. */
export async function findCheckoutByPageToken(
  app: FindCheckoutApp,
  token: string,
): Promise<CheckoutRecord | undefined> {
  const row = await findCheckoutRowByPageToken(app.db, pageTokenHash(token));
  return row === undefined ? undefined : readRecord(app, row);
}

/** For the operator: any checkout. */
export async function findAnyCheckout(
  app: FindCheckoutApp,
  id: string,
): Promise<CheckoutRecord | undefined> {
  const row = await findCheckoutRow(app.db, id);
  return row === undefined ? undefined : readRecord(app, row);
}

/** The record of a row that was read, or locked, by whoever asks. */
export async function readRecord(app: FindCheckoutApp, row: CheckoutRow): Promise<CheckoutRecord> {
  const [commitments, instructions, receipts, credits, refunds, stateHistory] = await Promise.all([
    listCommitmentRows(app.db, row.id),
    listInstructions(app, app.db, 'checkout', row.id),
    listReceipts(app.db, 'checkout', row.id),
    listReceiptCredits(app.db, row.id),
    listCheckoutRefunds(app.db, row.id),
    listStateChanges(app.db, row.id),
  ]);
  return {
    ...checkoutFromRow(row),
    commitments: commitments.map((commitment) =>
      joinCommitment(commitment, instructions, app.networks, row.environment),
    ),
    receipts,
    credits,
    refunds,
    stateHistory,
  };
}
