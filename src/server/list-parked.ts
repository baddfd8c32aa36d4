// What waits for a person, whatever it is: since when, why, and what to do. Reads only facts that
// the acts themselves left; `retryParked` makes each due at once, and what is wrong still stays.

import { Refusal } from '#base/refusal.ts';
import { selectHeld } from '#chain/receipt.ts';
import { type Db, type Reader, type Statement, sql } from '#db/db.ts';
import { retryParkedDelivery, selectParkedDeliveries } from '#event/delivery.ts';
import { retryParkedMail, selectParkedMails } from '#mail/mail.ts';
import { retryParkedOf, selectParked } from '#settle/queue.ts';
import { discardUnwritten, retryUnwritten, selectUnwritten } from '#status-mail/unwritten-mail.ts';
import { retryParkedTransfer, selectParkedTransfers } from '#transfer/transfer.ts';

type Parked = {
  /** Kind and id, as `parked retry` takes it. */
  readonly id: string;
  readonly since: Temporal.Instant;
  readonly reason: string;
  readonly advice: string;
  readonly isDiscardable: boolean;
};

/** What never gets well by itself. */
const MEND = 'mend what it says, then: npx quittance parked retry';
const ADVICE: Readonly<Record<string, string>> = {
  transfer: 'see that its network answers and has funds; it is tried again by itself',
  send: 'npx quittance send list; npx quittance send show tells how',
  refund: 'it waits for its network; it is tried again by itself',
  payment: 'the brake of its chain holds it: docs/operate/brake.md',
  delivery: 'see that the receiver answers 2xx, then: npx quittance parked retry',
  letter:
    'a fault of this program or of what is stored, see the log; then: npx quittance parked retry, ' +
    'or parked discard, and nobody is mailed of it',
  mail: 'see what the mail server said (npx quittance mail list), then: npx quittance mail retry',
};

type ParkedRow = {
  readonly kind: string;
  readonly id: string;
  readonly since: Temporal.Instant;
  readonly why: string;
  /** By a person, before it is tried again. */
  readonly isMended: boolean;
};

/** Longer than any of them takes while all is well. */
const SLOW_MINUTES = 10;
/** More than anybody looks through: an operator is told that it is very many. */
const COUNTED_MOST = 1_000;

/** Oldest first. */
export async function listParked(
  { db }: { readonly db: Reader },
  now: Temporal.Instant,
  most: number,
): Promise<Parked[]> {
  const slow = now.subtract({ minutes: SLOW_MINUTES });
  const rows = await db.query<ParkedRow>(
    sql`select kind, id, since, why, "isMended" from (
      ${selectParked(slow)}
      union all
      ${selectParkedTransfers(slow)}
      union all
      ${selectHeld()}
      union all
      ${selectParkedDeliveries()}
      union all
      ${selectParkedMails()}
      union all
      ${selectUnwritten()}
      ) parked order by since, kind, id limit ${most}`,
  );
  return rows.map(({ kind, id, since, why, isMended }) => ({
    id: `${kind}:${id}`,
    since,
    reason: why,
    advice: isMended ? MEND : (ADVICE[kind] ?? ''),
    isDiscardable: isDiscardable(`${kind}:`),
  }));
}

/** How many wait, by kind; those of no kind are left out. */
export async function countParked(
  { db }: { readonly db: Reader },
  now: Temporal.Instant,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { id } of await listParked({ db }, now, COUNTED_MOST)) {
    const kind = id.slice(0, id.indexOf(':'));
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** @throws Refusal missing when nothing of that name waits. */
export async function retryParked(
  { db }: { readonly db: Db },
  name: string,
  now: Temporal.Instant,
): Promise<void> {
  const [kind = '', id = ''] = name.split(':');
  const done = await db.single((tx) => tx.query(retryOf(kind, id, now)));
  if (done.length === 0) throw missing(name);
}

/** Whether it may be given up: everything else is money, or somebody else's to have. */
function isDiscardable(name: string): boolean {
  return name.startsWith('letter:');
}

/** @throws Refusal invalid; missing when nothing of that name waits. */
export async function discardParked({ db }: { readonly db: Db }, name: string): Promise<void> {
  if (!isDiscardable(name)) {
    throw new Refusal('invalid', 'usage', [`${name}: only a letter can be given up`]);
  }
  const id = name.slice(name.indexOf(':') + 1);
  const done = await db.single((tx) => tx.query(discardUnwritten(id)));
  if (done.length === 0) throw missing(name);
}

function retryOf(kind: string, id: string, now: Temporal.Instant): Statement {
  switch (kind) {
    case 'checkout':
    case 'deposit-address':
      return retryParkedOf(kind, id, now);
    case 'transfer':
    case 'refund':
      return retryParkedTransfer(id, now);
    case 'delivery':
      return retryParkedDelivery(id, now);
    case 'mail':
      return retryParkedMail(id, now);
    case 'letter':
      return retryUnwritten(id, now);
    default:
      throw new Refusal('invalid', 'usage', [
        `${name(kind)}: name it as npx quittance parked list does; a payment cannot be retried`,
      ]);
  }
}

function missing(id: string): Refusal {
  return new Refusal('missing', 'parked_missing', [`nothing that is parked is named ${id}`]);
}

function name(kind: string): string {
  return kind === '' ? 'nothing' : kind;
}
