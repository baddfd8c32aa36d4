import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { listReceiptsByIds } from '#chain/receipt.ts';
import { listRemarks } from '#chain/strangers.ts';
import type { Checkout } from '#checkout/checkout.ts';
import type { Tx } from '#db/db.ts';
import { findDepositReceiver } from '#deposit-address/deposit-address.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { causeAgain } from '#ledger/ledger-entry.ts';
import { stringifyExact } from '#money/exact-json.ts';
import type { Suspense } from '#settle/suspense.ts';
import { countUndoneReturns, type SuspenseAct } from '#settle/suspense-act.ts';
import { suspenseView } from './suspense-view.ts';

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
