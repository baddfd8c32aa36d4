import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { timestamp } from '#base/instant.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { shownAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { listReceiptsByIds, type Receipt } from '#chain/receipt.ts';
import { listRemarks } from '#chain/strangers.ts';
import type { Checkout } from '#checkout/checkout.ts';
import { listCheckoutMeta } from '#checkout/list-checkouts.ts';
import { metaView } from '#checkout-settlement/checkout-view.ts';
import type { Reader, Tx } from '#db/db.ts';
import { cutPage, type PagePlace } from '#db/page-cursor.ts';
import { findDepositReceiver } from '#deposit-address/deposit-address.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { causeAgain } from '#ledger/ledger-entry.ts';
import { amountToText } from '#money/asset-amount.ts';
import { stringifyExact } from '#money/exact-json.ts';
import { listSuspenseRows, type Suspense, type SuspenseFilter } from '#settle/suspense.ts';
import { countUndoneReturns, listSuspenseActs, type SuspenseAct } from '#settle/suspense-act.ts';

export type SuspenseRecord = {
  readonly suspense: Suspense;
  readonly receipt: Receipt;
  readonly acts: readonly SuspenseAct[];
  /** More than the code says, where it is known. */
  readonly remark: string | undefined;
  /** JSON text that the checkout it names was created with. */
  readonly checkoutMeta: string | undefined;
};

/** `suspense` of answers and events. Who decided and why is for the operator alone. */
export function suspenseView(record: SuspenseRecord) {
  const { suspense, receipt, acts, remark, checkoutMeta } = record;
  const { network, assetId, purpose, purposeId, resolvedAt } = suspense;
  assert(receipt.id === suspense.receiptId, 'suspense is shown with its receipt');
  const { assetCode, decimals } = shownAsset(network, assetId);
  const last = acts.at(-1);
  return {
    id: String(suspense.id),
    state: suspense.state,
    reason: suspense.reason,
    detail: remark ?? null,
    network,
    assetId,
    amount: amountToText(suspense.units, decimals),
    amountAssetCode: assetCode,
    tx: receipt.transaction,
    destination: receipt.destination,
    checkoutId: purpose === 'checkout' ? (purposeId ?? null) : null,
    depositAddressId: purpose === 'deposit-address' ? (purposeId ?? null) : null,
    timestamp: timestamp(suspense.foundAt),
    resolvedTime: resolvedAt === undefined ? null : timestamp(resolvedAt),
    returnAddress: last?.address ?? null,
    returnTx: last?.kind === 'RETURN' ? (last.transaction ?? null) : null,
    ...metaView(checkoutMeta),
  };
}

/** Newest first. */
export async function listSuspense(
  { db }: { readonly db: Reader },
  filter: SuspenseFilter,
  most: number,
): Promise<SuspenseRecord[]> {
  return joinSuspense(db, await listSuspenseRows(db, filter, most));
}

export async function joinSuspense(
  reader: Reader,
  rows: readonly Suspense[],
): Promise<SuspenseRecord[]> {
  const named = rows.filter(({ purpose }) => purpose === 'checkout');
  const [receipts, acts, remarks, metas] = await Promise.all([
    listReceiptsByIds(
      reader,
      rows.map(({ receiptId }) => receiptId),
    ),
    listSuspenseActs(
      reader,
      rows.map(({ id }) => id),
    ),
    listRemarks(
      reader,
      rows.map(({ receiptId }) => receiptId),
    ),
    listCheckoutMeta(
      reader,
      named.flatMap(({ purposeId }) => purposeId ?? []),
    ),
  ]);
  return rows.flatMap((suspense) =>
    receipts
      .filter(({ id }) => id === suspense.receiptId)
      .map((receipt) => ({
        suspense,
        receipt,
        acts: acts.filter(({ suspenseId }) => suspenseId === suspense.id),
        remark: remarks.get(receipt.id),
        checkoutMeta:
          suspense.purpose === 'checkout' ? metas.get(suspense.purposeId ?? '') : undefined,
      })),
  );
}

type SuspenseOwner = { readonly merchantId: string; readonly environment: Environment };

/** What names a checkout or an address of the merchant, whatever became of it; newest first. */
export async function pageSuspense(
  { db }: { readonly db: Reader },
  owner: SuspenseOwner,
  page: { readonly limit: number; readonly cursor: PagePlace | undefined },
) {
  const filter = { ...owner, isOpen: false, before: placeOf(page.cursor) };
  const rows = await listSuspense({ db }, filter, page.limit + 1);
  return cutPage(rows, page.limit, ({ suspense }) => ({
    at: suspense.foundAt,
    id: String(suspense.id),
  }));
}

function placeOf(cursor: PagePlace | undefined): bigint | undefined {
  if (cursor === undefined) return undefined;
  if (/^\d{1,18}$/.test(cursor.id)) return BigInt(cursor.id);
  throw new Refusal('invalid', 'cursor_invalid', 'cursor: is not one of ours');
}

/**
 * Tells the merchant that the item names, at the webhook of its checkout or address. Without such a
 * merchant nobody is told.
 */
export async function tellResolved(
  app: { readonly clock: Clock; readonly random: Random },
  tx: Tx,
  suspense: Suspense,
  act: SuspenseAct,
  named: Checkout | undefined,
): Promise<void> {
  const { merchantId, environment } = suspense;
  const [[receipt], remarks, undoneCount] = await Promise.all([
    listReceiptsByIds(tx, [suspense.receiptId]),
    listRemarks(tx, [suspense.receiptId]),
    countUndoneReturns(tx, suspense.id),
  ]);
  if (merchantId === undefined || receipt === undefined) return;
  const receiver = named ?? (await receiverOfAddress(tx, suspense));
  const id = newId(app.random);
  const now = app.clock.now();
  const type = 'SUSPENSE_RESOLVED';
  const remark = remarks.get(receipt.id);
  const told = { suspense, receipt, acts: [act], remark, checkoutMeta: named?.meta };
  const data = stringifyExact({ suspense: suspenseView(told) });
  enqueueEvent(tx, {
    id,
    merchantId,
    environment,
    type,
    subject: 'suspense',
    subjectId: String(suspense.id),
    sequence: undoneCount + 1,
    causeKey: causeAgain(`suspense:${suspense.id}:${type}`, undoneCount),
    data,
    apiKey: receiver?.apiKey,
    createdAt: now,
    webhookUrl: receiver?.webhookUrl,
  });
}

async function receiverOfAddress(
  tx: Tx,
  { purpose, purposeId, merchantId }: Suspense,
): Promise<Pick<Checkout, 'apiKey' | 'webhookUrl'> | undefined> {
  if (purpose !== 'deposit-address' || purposeId === undefined) return undefined;
  const address = await findDepositReceiver(tx, purposeId);
  // When it was assigned to another merchant, the merchant whose address it came to is not told.
  return address?.merchantId === merchantId ? address : undefined;
}
