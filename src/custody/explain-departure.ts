// What a person says of money that left and carried no transfer: it came back to us, the operator
// holds it elsewhere, or it is lost. Who and why is kept with it and in the entry.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import {
  decidePart,
  listUnconfirmed,
  listUnexplained,
  lockDeparture,
  markGone,
  type PartPurpose,
  type RecordedDeparture,
} from '#chain/departure.ts';
import type { Db } from '#db/db.ts';
import { postEntries } from '#ledger/post-entry.ts';
import { amountToText } from '#money/asset-amount.ts';
import { requireAccounts, transactWithAccounts } from '#settle/settle.ts';
import type { Said } from '#transfer/conclude-transfer.ts';
import { partEntry } from './custody-entries.ts';

type ExplainApp = { readonly db: Db; readonly clock: Clock };

type Explanation = Said & {
  readonly departureId: bigint;
  readonly number: number;
  readonly purpose: Exclude<PartPurpose, 'TRANSFER'>;
};

/** @throws Refusal missing; conflict when it is explained already, or its transaction is gone. */
export async function explainDeparture(
  app: ExplainApp,
  { departureId, number, purpose, actor, reason }: Explanation,
): Promise<RecordedDeparture> {
  const now = app.clock.now();
  return transactWithAccounts(app.db, async (tx) => {
    const departure = await lockDeparture(tx, departureId);
    const part = departure?.parts.find((one) => one.number === number);
    if (departure === undefined || part === undefined) {
      throw new Refusal(
        'missing',
        'departure_missing',
        'no such part of npx quittance custody list',
      );
    }
    if (part.purpose !== undefined || departure.status === 'GONE') {
      const why = part.purpose === undefined ? 'its transaction is gone' : `it is ${part.purpose}`;
      throw new Refusal('conflict', 'departure_explained', `nothing is to be explained: ${why}`);
    }
    const explained = { ...part, purpose, decidedBy: actor, reason };
    decidePart(tx, part, { purpose, decidedBy: actor, reason }, now);
    // Of one that is not booked yet the entry is posted with its fee.
    const entries =
      purpose === 'OWN' || departure.bookedAt === undefined
        ? []
        : [partEntry(departure, explained, now)];
    requireAccounts(app.db, entries);
    postEntries(tx, entries);
    const parts = departure.parts.map((one) => (one === part ? explained : one));
    return { ...departure, parts };
  });
}

/**
 * A person says that an unconfirmed transaction will never be mined (dropped, never relayed): what
 * it carried waits to be sent again. Should it be mined all the same, it is recognised again.
 * @throws Refusal missing or conflict
 */
export async function abandonDeparture(
  { db, log }: Pick<ExplainApp, 'db'> & { readonly log: Log },
  transaction: string,
  said: Said,
): Promise<RecordedDeparture> {
  const [departure] = await listUnconfirmed(db, transaction);
  if (departure === undefined || departure.bookedAt !== undefined) {
    throw new Refusal('missing', 'departure_missing', [
      `${transaction}: no unconfirmed transaction of ours is known by this id`,
    ]);
  }
  await db.transact(async (tx) => {
    await lockDeparture(tx, departure.id);
    markGone(tx, departure.id);
  });
  log.warn('a transaction of ours was given up', { transaction, ...said });
  return { ...departure, status: 'GONE' };
}

/** Oldest first. */
export function listDepartures({ db }: Pick<ExplainApp, 'db'>, most: number) {
  return listUnexplained(db, most);
}

/** `departure` of the command line. Amounts in whole coins. */
export function departureView(departure: RecordedDeparture) {
  const { id, chain, transaction, feeAssetId, feeUnits, confirmations } = departure;
  const amount = (assetId: string, units: bigint) =>
    `${amountToText(units, getAsset(assetId).decimals)} ${getAsset(assetId).assetCode}`;
  return {
    id: String(id),
    chain,
    transaction,
    status: statusOf(departure),
    confirmations: Number(confirmations),
    seenAt: departure.seenAt.toString(),
    fee: feeUnits === undefined ? null : amount(feeAssetId, feeUnits),
    parts: departure.parts.map((part) => ({
      id: `${id}:${part.number}`,
      destination: part.destination,
      amount: amount(part.assetId, part.units),
      purpose: part.purpose ?? null,
      transferId: part.transferId ?? null,
      by: part.decidedBy ?? null,
      reason: part.reason ?? null,
    })),
  };
}

/** Booked, and then undone by a reorganisation: a person has to see whether it comes again. */
function statusOf({ bookedAt, status }: RecordedDeparture): string {
  if (bookedAt === undefined) return status;
  return status === 'INCLUDED' ? 'BOOKED' : `BOOKED_AND_${status}`;
}
