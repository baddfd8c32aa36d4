// Money on its way out, a transfer or a refund, and the SQL of its table. Guarantees: nothing is
// signed for a row that was changed in the database: the key of its seal lies outside it (D3). Not
// guaranteed: anything about a row that was taken away, put back as it was, or signed already.

import { timingSafeEqual } from 'node:crypto';
import { type Act, noteAct } from '#audit/act.ts';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { timestamp } from '#base/instant.ts';
import type { Random } from '#base/random.ts';
import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { cutPage, type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import {
  bytes,
  defineTable,
  flag,
  integer,
  json,
  moment,
  optional,
  propertiesOf,
  type Row,
  text,
  units,
} from '#db/table.ts';
import { markSealed } from '#installation/installation.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import type { Claimable } from './claimable.ts';
import { type GasFee, gasFeeView } from './executor.ts';
import { sealOfTransfer } from './seal-of-transfer.ts';

export const TRANSFER_STATES = [
  'QUOTED',
  'RESERVED',
  /** A person has to send it. */
  'TO_SEND',
  'SUBMITTED',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
  /** It had arrived, and was sent back. */
  'RETURNED',
] as const;
type TransferState = (typeof TRANSFER_STATES)[number];

/** As it is made, by a quote or by the act that reserves its money. */
const TERMS = {
  merchantId: text(),
  environment: text<Environment>(),
  kind: text<'TRANSFER' | 'REFUND' | 'RETURN'>(),
  beneficiaryId: optional(text()),
  network: text(),
  assetId: text(),
  /** Undefined while the payer has not said where a refund goes. */
  account: optional(json<ReceivingAccount>()),
  /** What the merchant is debited: the other three together. */
  units,
  networkFeeUnits: units,
  feeUnits: units,
  targetUnits: units,
  /** Account that is debited, and gets it back when it fails: of the merchant, or suspense. */
  source: text<'merchant:available' | 'merchant:pending' | `suspense:${string}`>(),
  state: text<TransferState>(),
  apiKey: optional(text()),
  createdAt: moment,
  /** End of the quote; of a refund nobody claimed: when the money goes back. */
  expiresAt: moment,
  committedAt: optional(moment),
  /** It is not sent before. */
  restsUntil: optional(moment),
  nextStepAt: optional(moment),
};
const FIELDS = {
  id: text(),
  ...TERMS,
  signedTransaction: optional(text()),
  transaction: optional(text()),
  failure: optional(text()),
  submittedAt: optional(moment),
  finishedAt: optional(moment),
  /** In a row. */
  stepFailures: integer,
  /** A person sends it; nothing of it is signed here. */
  byHand: flag,
  /** When somebody was first told how to send it: from then on it may have been sent. */
  shownAt: optional(moment),
  /** What the network took, as far as the merchant pays it; undefined: all of `networkFeeUnits`. */
  feeTakenUnits: optional(units),
  /** What it took above what was reserved, which the house pays. */
  feeBeyondUnits: units,
  /** By how much `networkFeeUnits` was changed when the payer claimed it; part of it and `units`. */
  requotedUnits: units,
  /** Paid with money that the operator holds outside of the addresses that are watched. */
  paidOutside: flag,
  /** What came back of it after it had arrived. */
  returnedUnits: optional(units),
  /** When the signer was first asked: from then on it may have been sent. */
  askedAt: optional(moment),
  /** Why the signer has not sent it yet, for the operator. */
  heldUp: optional(text()),
  /** Since when something pays it that can land: it was signed here, or the network shows it. */
  leavingSince: optional(moment),
  /** When it was found to be on its way for too long. */
  stuckAt: optional(moment),
  /** Most that the network takes in another asset, when it was quoted: the house pays that. */
  gasFee: optional(json<GasFee>()),
  /** A person, as the trail names him; undefined where a key or the service made it. */
  maker: optional(text()),
  /** Where it lies until its receiver fetches it. */
  claimable: optional(json<Claimable>()),
  /** Of the last event. */
  eventSequence: integer,
  /** How often it had ended and a reorganisation undid that. */
  undoneCount: integer,
};
/** `seal`: undefined only in rows from before seals. */
export const TRANSFER = defineTable('transfer', { ...FIELDS, seal: optional(bytes) });
export const OPEN_TRANSFER = TRANSFER.only(...propertiesOf(FIELDS));
const SEAL = TRANSFER.only('seal');

export type Transfer = Row<typeof OPEN_TRANSFER>;
export type TransferTerms = Pick<Transfer, keyof typeof TERMS> &
  Partial<Pick<Transfer, 'gasFee' | 'maker'>>;

/** The narrow part of the keyring that seals of transfers need. */
export type TransferSealKeys = { mac(purpose: 'transfer', bytes: Uint8Array): Uint8Array };

/** Writes a new one, sealed: a quote, or what is reserved in the act that makes it. */
export function openTransfer(
  { keyring, random }: { readonly keyring: TransferSealKeys; readonly random: Random },
  tx: Tx,
  terms: TransferTerms,
): Transfer {
  const transfer = {
    gasFee: undefined,
    maker: undefined,
    ...terms,
    id: newId(random),
    ...{ signedTransaction: undefined, transaction: undefined, failure: undefined },
    ...{ submittedAt: undefined, finishedAt: undefined, shownAt: undefined, askedAt: undefined },
    ...{ stepFailures: 0, eventSequence: 0, undoneCount: 0, byHand: false, paidOutside: false },
    ...{ feeTakenUnits: undefined, feeBeyondUnits: 0n, requotedUnits: 0n },
    ...{ returnedUnits: undefined, claimable: undefined },
    ...{ heldUp: undefined, leavingSince: undefined, stuckAt: undefined },
  };
  tx.send(TRANSFER.insert([{ ...transfer, seal: sealOfTransfer(keyring, transfer) }]));
  return transfer;
}

/** Undefined also for one of another merchant or environment (E9), and for a refund. */
export function findTransfer(
  { db }: { readonly db: Reader },
  owner: Owner,
  id: string,
): Promise<Transfer | undefined> {
  return OPEN_TRANSFER.find(db, sql`where id = ${id} and ${ownedBy(owner)} and kind = 'TRANSFER'`);
}

export function lockTransfer(tx: Tx, id: string): Promise<Transfer | undefined> {
  return OPEN_TRANSFER.find(tx, sql`where id = ${id} for update`);
}

/** Newest first; refunds are listed as refunds. */
export async function listTransfers(
  { db }: { readonly db: Reader },
  owner: Owner,
  { limit, cursor }: { readonly limit: number; readonly cursor: PagePlace | undefined },
): Promise<{ readonly shown: readonly Transfer[]; readonly nextCursor: string | null }> {
  const { at, id } = placeNewestFirst(cursor);
  const rows = await OPEN_TRANSFER.select(
    db,
    sql`where ${ownedBy(owner)} and kind = 'TRANSFER' and (created_at, id) < (${at}, ${id})
      order by created_at desc, id desc limit ${limit + 1}`,
  );
  return cutPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

/** Whether one of the transfers of these ids has not ended. */
export function hasTransferUnderWay(ids: Statement): Statement {
  return sql`exists (select 1 from transfer t
    where t.id = any(${ids}) and t.state in ('TO_SEND', 'SUBMITTED'))`;
}

/** In the order of the ids. */
export function listTransfersByIds(reader: Reader, ids: readonly string[]): Promise<Transfer[]> {
  return OPEN_TRANSFER.select(reader, sql`where id = any(${ids}::text[]) order by id`);
}

/** What lies, as far as is known, for its receiver to fetch; first what is ours again soonest. */
export function listLeft(reader: Reader, most: number): Promise<Transfer[]> {
  return OPEN_TRANSFER.select(
    reader,
    sql`where claimable is not null and state = 'COMPLETED'
      order by (claimable::json ->> 'reclaimableAt')::timestamptz nulls last, id limit ${most}`,
  );
}

/** The end, whichever it is. */
export function finishTransfer(
  tx: Tx,
  id: string,
  end: {
    readonly state: 'COMPLETED' | 'FAILED' | 'EXPIRED';
    readonly failure: string | undefined;
    readonly eventSequence: number;
    readonly finishedAt: Temporal.Instant;
    readonly transaction?: string | undefined;
    readonly feeTakenUnits?: bigint | undefined;
    readonly feeBeyondUnits?: bigint;
    readonly paidOutside?: boolean;
    readonly claimable?: Claimable | undefined;
  },
): void {
  const claimable = end.claimable === undefined ? null : JSON.stringify(end.claimable);
  tx.send(sql`
    update transfer set state = ${end.state}, failure = ${end.failure ?? null},
      event_sequence = ${end.eventSequence}, finished_at = ${end.finishedAt}, next_step_at = null,
      transaction = coalesce(${end.transaction ?? null}, transaction),
      fee_taken_units = ${end.feeTakenUnits ?? null}, paid_outside = ${end.paidOutside ?? false},
      fee_beyond_units = ${end.feeBeyondUnits ?? 0n},
      claimable = coalesce(${claimable}, claimable),
      -- What landed was submitted, also when whoever did it died before it could say so.
      submitted_at = case when ${end.state === 'COMPLETED'}
        then coalesce(submitted_at, ${end.finishedAt}) else submitted_at end
    where id = ${id}`);
}

/** What had arrived came back. */
export function noteReturned(
  tx: Tx,
  { id, returnedUnits, failure, eventSequence }: Transfer,
): void {
  tx.send(sql`
    update transfer set state = 'RETURNED', returned_units = ${returnedUnits ?? null},
      failure = ${failure ?? null}, event_sequence = ${eventSequence}
    where id = ${id} and state = 'COMPLETED'`);
}

/** Of what was read before: that is what the seal is compared with, whatever stands there now. */
export async function isTransferSealed(
  reader: Reader,
  keyring: TransferSealKeys,
  transfer: Transfer,
): Promise<boolean> {
  const seal = (await SEAL.find(reader, sql`where id = ${transfer.id}`))?.seal;
  const expected = sealOfTransfer(keyring, transfer);
  return seal?.length === expected.length && timingSafeEqual(seal, expected);
}

/** @throws AssertionFailure when the row is not the one that was written. */
export async function verifyTransfer(
  reader: Reader,
  keyring: TransferSealKeys,
  transfer: Transfer,
): Promise<void> {
  const isSealed = await isTransferSealed(reader, keyring, transfer);
  assert(isSealed, `transfer ${transfer.id} was changed in the database`);
}

/** Open rows from before seals, once for each installation: later ones without one are forged. */
export async function sealOldTransfers(app: {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: TransferSealKeys;
}): Promise<void> {
  await app.db.transact(async (tx) => {
    if (!(await markSealed(tx, 'transfers', app.clock.now()))) return;
    const unsealed = await OPEN_TRANSFER.select(
      tx,
      sql`where seal is null and state in ('QUOTED', 'RESERVED', 'TO_SEND', 'SUBMITTED')`,
    );
    for (const transfer of unsealed) {
      const seal = sealOfTransfer(app.keyring, transfer);
      tx.send(sql`update transfer set seal = ${seal}::bytea where id = ${transfer.id}`);
    }
  });
}

/** `transfer` of api-contract.md 5, in answers and in events. Amounts in whole coins. */
export function transferView(transfer: Transfer) {
  const { decimals } = getAsset(transfer.assetId);
  return {
    id: transfer.id,
    state: transfer.state,
    network: transfer.network,
    assetId: transfer.assetId,
    amount: amountToText(debitedUnits(transfer), decimals),
    networkFee: amountToText(feeTakenUnits(transfer), decimals),
    fee: amountToText(transfer.feeUnits, decimals),
    targetAmount: amountToText(transfer.targetUnits, decimals),
    expirationTime: timestamp(transfer.expiresAt),
    tx: transfer.transaction ?? null,
    gasFee: gasFeeView(transfer.gasFee),
    beneficiaryId: transfer.beneficiaryId ?? null,
    failure: transfer.failure ?? null,
    stuckSince: stuckSince(transfer),
    claimableBalance: claimableView(transfer),
    returnedAmount:
      transfer.returnedUnits === undefined ? null : amountToText(transfer.returnedUnits, decimals),
  };
}

/** By which its receiver finds it, and from when on we may take it back (ISO 8601). */
export function claimableView({ claimable }: Pick<Transfer, 'claimable'>) {
  return claimable === undefined
    ? null
    : { id: claimable.id, reclaimableFrom: claimable.reclaimableAt };
}

/** ISO 8601; null of what ended, whatever it was before. */
function stuckSince(transfer: Transfer): string | null {
  const { stuckAt } = transfer;
  return stuckAt === undefined || !hasNotEnded(transfer) ? null : timestamp(stuckAt);
}

/** Debited, and not ended. */
export function hasNotEnded({ state }: Transfer): boolean {
  return state === 'RESERVED' || state === 'TO_SEND' || state === 'SUBMITTED';
}

/** The most the network may take, or what it took where that is known. */
function feeTakenUnits({ feeTakenUnits, networkFeeUnits }: Transfer): bigint {
  return feeTakenUnits ?? networkFeeUnits;
}

function debitedUnits(transfer: Transfer): bigint {
  return transfer.targetUnits + feeTakenUnits(transfer) + transfer.feeUnits;
}

/** Those that do not get on, as `npx quittance parked list` shows them (list-parked.ts). */
export function selectParkedTransfers(slow: Temporal.Instant): Statement {
  return sql`
    select case when kind = 'REFUND' then 'refund' else 'transfer' end as kind, id,
      committed_at as since, coalesce(parked_reason, case when state = 'SUBMITTED'
        then 'it was sent and has not arrived' else 'not sent yet' end
          || coalesce(': ' || step_error, '')) as why, parked_reason is not null as "isMended"
    from transfer where state in ('RESERVED', 'SUBMITTED') and next_step_at is not null
      and (parked_reason is not null or step_error is not null
        or account is not null and committed_at < ${slow})
    union all
    select 'send', id, committed_at, case when stuck_at is null then 'a person has to send it'
      else 'it was sent and is in no block: npx quittance send bump, or send cancel' end, false
    from transfer where state = 'TO_SEND' or state = 'SUBMITTED' and stuck_at is not null`;
}

/** Those of an owner, oldest first: `what`, `id`, `since`. */
export function selectWaitingTransfers(owner: Owner, most: number): Statement {
  return sql`(select 'transfer' as what, id, committed_at as since from transfer
    where ${ownedBy(owner)} and state in ('RESERVED', 'TO_SEND', 'SUBMITTED')
      and (state = 'TO_SEND' or not (parked_reason, stuck_at) is null) order by 3 limit ${most})`;
}

/** Makes the next step of one of them due at once. Answers no row when it does not wait. */
export function retryParkedTransfer(id: string, now: Temporal.Instant): Statement {
  return sql`
    update transfer set next_step_at = ${now}
    where id = ${id} and state in ('RESERVED', 'SUBMITTED')
      and (account is not null or parked_reason is not null or step_error is not null)
    returning id`;
}

type Done = Pick<Act, 'verb' | 'actor' | 'actedAt'> & {
  readonly details?: Readonly<Record<string, string | null | undefined>>;
};

/** Notes an act with it, for whoever asks later who did it. */
export function noteTransfer(tx: Tx, transfer: Transfer, { details, ...done }: Done): void {
  const { id, kind, environment, merchantId, network, assetId, targetUnits, account } = transfer;
  noteAct(tx, {
    ...{ ...done, environment, merchantId, subject: `transfer:${id}` },
    details: {
      ...{ kind, network, asset: assetId },
      amount: amountToText(targetUnits, getAsset(assetId).decimals),
      receiver: account && Object.values(account).join(' '),
      ...details,
    },
  });
}

/** The person or key that made it, or the service where nobody did. */
export function makerOf({ maker, apiKey }: Pick<Transfer, 'maker' | 'apiKey'>): string {
  return maker ?? (apiKey === undefined ? 'service' : `key ${apiKey}`);
}
