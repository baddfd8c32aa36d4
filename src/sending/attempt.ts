// A transaction that was put together for transfers a person sends, what came back of it signed,
// and the SQL of its table. Whether it has landed is not known here: a departure shows that.
import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import { isSpentForGood } from '#chain/departure.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  texts,
} from '#db/table.ts';
import type { DraftedTransaction, DraftOrder, SignedSending } from '#deposit/money-out.ts';
import { hasTransferUnderWay } from '#transfer/transfer.ts';

type OwnKind = 'OWN' | 'CONVERSION' | 'TAKE_BACK';

export const ATTEMPT = defineTable('attempt', {
  id: selectOnly(bigInteger),
  chain: text<ChainId>(),
  transferIds: texts(),
  /**
   * CANCEL pays nobody but us, in the place of what pays the transfers; OWN pays nobody but us, and
   * is for none; CONVERSION sells to ourselves at the market of the network; TAKE_BACK fetches what
   * a receiver never did.
   */
  kind: text<'PAY' | 'CANCEL' | OwnKind>(),
  /** Of the adapter of the chain. */
  terms: text(),
  spends: texts(),
  draftedAt: moment,
  /** What the signer was asked; undefined of what a person was given. */
  question: optional(text()),
  /** When the signer said that it does not sign it. */
  answeredAt: selectOnly(optional(moment)),
  signedTransaction: selectOnly(optional(text())),
  transaction: selectOnly(optional(text())),
  signedAt: selectOnly(optional(moment)),
  /** It can land no more, and has not paid the transfers. */
  overAt: selectOnly(optional(moment)),
});
export type SendAttempt = Row<typeof ATTEMPT>;
export type SignedAttempt = SendAttempt & SignedSending;

export function insertAttempt(
  tx: Tx,
  { chain, transferIds, kind }: Pick<SendAttempt, 'chain' | 'transferIds' | 'kind'>,
  { terms, spends, question }: Drafted,
  draftedAt: Temporal.Instant,
): void {
  tx.send(ATTEMPT.insert([{ chain, transferIds, kind, terms, spends, draftedAt, question }]));
}

type Drafted = Pick<DraftedTransaction, 'terms' | 'spends'> & { readonly question?: string };

/** What goes back to us. Answers by which number it is named. */
export async function insertOwnMove(
  tx: Tx,
  { chain, kind }: { readonly chain: ChainId; readonly kind: OwnKind },
  { terms, spends, question }: Drafted,
  draftedAt: Temporal.Instant,
): Promise<bigint> {
  const row = { chain, transferIds: [], kind, terms, spends, draftedAt };
  const insert = ATTEMPT.insert([{ ...row, question }], sql`returning id`);
  const [inserted] = await tx.query<{ id: bigint }>(insert);
  assert(inserted !== undefined, 'what was inserted has a number');
  return inserted.id;
}

export function findOwnMove(reader: Reader, id: bigint): Promise<SendAttempt | undefined> {
  return ATTEMPT.find(reader, sql`where id = ${id} and kind in ('OWN', 'CONVERSION', 'TAKE_BACK')`);
}

export function findAttempt(reader: Reader, id: bigint): Promise<SendAttempt | undefined> {
  return ATTEMPT.find(reader, sql`where id = ${id}`);
}

export type AskedAttempt = SendAttempt & { readonly question: string };

/** For any of them, what the signer was asked and has not answered, the newest. */
export async function findNewestAsked(
  reader: Reader,
  transferIds: readonly string[],
): Promise<AskedAttempt | undefined> {
  const found = await ATTEMPT.find(
    reader,
    sql`where transfer_ids && ${transferIds}::text[] and question is not null
      and answered_at is null and signed_at is null and over_at is null order by id desc limit 1`,
  );
  return found?.question === undefined ? undefined : { ...found, question: found.question };
}

/** Of these, for which the signer was asked, or somebody has signed, at any time. */
export async function listAskedEver(
  reader: Reader,
  transferIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return idsIn(reader, transferIds, sql`question is not null or signed_at is not null`);
}

/** Of these, for which the signer was asked after this attempt for what may land. */
export async function listAskedSince(
  reader: Reader,
  transferIds: readonly string[],
  id: bigint,
): Promise<ReadonlySet<string>> {
  const canLand = sql`answered_at is null and over_at is null`;
  return idsIn(reader, transferIds, sql`question is not null and id > ${id} and ${canLand}`);
}

async function idsIn(
  reader: Reader,
  transferIds: readonly string[],
  isSo: Statement,
): Promise<ReadonlySet<string>> {
  const found = await reader.query<{ id: string }>(sql`
    select distinct unnest(transfer_ids) as id from attempt
    where transfer_ids && ${transferIds}::text[] and (${isSo})`);
  return new Set(found.map(({ id }) => id));
}

/** What the signer last said that it does not sign, and when. */
export async function findAnswered(
  reader: Reader,
  transferId: string,
): Promise<(SendAttempt & { readonly answeredAt: Temporal.Instant }) | undefined> {
  const found = await ATTEMPT.find(
    reader,
    sql`where transfer_ids @> array[${transferId}] and answered_at is not null
      order by id desc limit 1`,
  );
  return found?.answeredAt === undefined ? undefined : { ...found, answeredAt: found.answeredAt };
}

/** Nobody has it signed, for exactly these: it makes room for the next. */
export function dropAnswered(tx: Tx, transferIds: readonly string[]): void {
  tx.send(sql`
    delete from attempt
    where transfer_ids @> ${transferIds}::text[] and transfer_ids <@ ${transferIds}::text[]
      and answered_at is not null and signed_at is null`);
}

/** The signer does not sign it; undefined while it is asked and may have signed it. */
export async function markAnswered(
  db: Db,
  id: bigint,
  now: Temporal.Instant | undefined,
): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`update attempt set answered_at = ${now ?? null} where id = ${id}`),
  );
}

/** What was asked on a chain and signed since then, whatever became of it. */
export async function listSignedQuestions(
  reader: Reader,
  chain: ChainId,
  since: Temporal.Instant,
): Promise<string[]> {
  const found = await ATTEMPT.select(
    reader,
    sql`where chain = ${chain} and question is not null and signed_at > ${since} order by id`,
  );
  return found.flatMap(({ question }) => question ?? []);
}

/** Of a chain, signed for what has not ended, or to move our own, and not known to be over. */
export async function listLiveOf(reader: Reader, chain: ChainId): Promise<SignedAttempt[]> {
  const found = await ATTEMPT.select(
    reader,
    sql`where chain = ${chain} and signed_at is not null and over_at is null
      and (${hasTransferUnderWay(sql`transfer_ids`)}
        or kind = 'OWN' and not ${isSpentForGood(sql`attempt.chain`, sql`attempt.spends`)})
      order by id`,
  );
  return found.filter(isSigned);
}

/** Of a chain, drafted and signed by nobody yet: for these transfers, and for others to be sent. */
export async function listDraftedSpends(
  reader: Reader,
  chain: ChainId,
  transferIds: readonly string[],
): Promise<NonNullable<DraftOrder['drafted']>> {
  const found = await ATTEMPT.select(
    reader,
    sql`where chain = ${chain} and signed_at is null and question is null
      and ${hasTransferUnderWay(sql`transfer_ids`)} order by id desc`,
  );
  const isOwn = (one: SendAttempt) => one.transferIds.some((id) => transferIds.includes(id));
  const spendsOf = (some: readonly SendAttempt[]) => new Set(some.flatMap(({ spends }) => spends));
  return {
    own: spendsOf(found.filter(isOwn)),
    others: spendsOf(found.filter((one) => !isOwn(one))),
  };
}

/** Of a chain, what the signer was asked to spend and has not answered: it may have signed it. */
export async function listAskedSpends(reader: Reader, chain: ChainId): Promise<readonly string[]> {
  const found = await ATTEMPT.select(
    reader,
    sql`where chain = ${chain} and question is not null and answered_at is null
      and signed_at is null and over_at is null and ${hasTransferUnderWay(sql`transfer_ids`)}`,
  );
  return found.flatMap(({ spends }) => spends);
}

/** What may come back signed, newest first. */
export function listDrafts(
  reader: Reader,
  transferId: string,
  most: number,
): Promise<SendAttempt[]> {
  return ATTEMPT.select(
    reader,
    sql`where transfer_ids @> array[${transferId}] and over_at is null
      order by id desc limit ${most}`,
  );
}

/** Signed, and not known to be over, newest first. */
export async function listLive(
  reader: Reader,
  transferIds: readonly string[],
): Promise<SignedAttempt[]> {
  const found = await ATTEMPT.select(
    reader,
    sql`where transfer_ids && ${transferIds}::text[] and signed_at is not null
      and over_at is null order by id desc`,
  );
  return found.filter(isSigned);
}

/** What was ever signed here for one of them, by its id on the network. */
export async function listTransactionsOf(
  reader: Reader,
  transferIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await ATTEMPT.select(
    reader,
    sql`where transfer_ids && ${transferIds}::text[] and signed_at is not null`,
  );
  return new Set(found.flatMap(({ transaction }) => transaction ?? []));
}

/** Of a chain, signed and not known to be over, that pay these or spend the same. */
export async function listRivals(
  reader: Reader,
  { id, chain, transferIds, spends }: Pick<SendAttempt, 'id' | 'chain' | 'transferIds' | 'spends'>,
): Promise<SignedAttempt[]> {
  const found = await ATTEMPT.select(
    reader,
    sql`where chain = ${chain} and signed_at is not null and over_at is null and id <> ${id}
      and (transfer_ids && ${transferIds}::text[] or spends && ${spends}::text[]) order by id`,
  );
  return found.filter(isSigned);
}

/** The signer signed for it what can land no more, and these do not take the place of that. */
export async function isSignedAnew(
  reader: Reader,
  transferId: string,
  spends: readonly string[],
): Promise<boolean> {
  const found = await ATTEMPT.find(
    reader,
    sql`where transfer_ids @> array[${transferId}] and question is not null
      and over_at is not null and not spends && ${spends}::text[] limit 1`,
  );
  return found !== undefined;
}

export function isSigned(attempt: SendAttempt): attempt is SignedAttempt {
  return attempt.signedTransaction !== undefined && attempt.transaction !== undefined;
}

/** False when it was signed meanwhile. */
export async function storeSigned(
  tx: Tx,
  id: bigint,
  { signedTransaction, transaction }: SignedSending,
  now: Temporal.Instant,
): Promise<boolean> {
  const stored = await tx.query(sql`
    update attempt set signed_transaction = ${signedTransaction}, transaction = ${transaction},
      signed_at = ${now}
    where id = ${id} and signed_at is null returning id`);
  return stored.length === 1;
}

/** Locks the attempt; whether it can land no more. */
export async function lockOver(tx: Tx, id: bigint): Promise<boolean> {
  const found = await ATTEMPT.find(tx, sql`where id = ${id} for update`);
  return found?.overAt !== undefined;
}

export function markOver(tx: Tx, id: bigint, now: Temporal.Instant): void {
  tx.send(sql`update attempt set over_at = ${now} where id = ${id} and over_at is null`);
}

/** A person says of the transaction that it can land no more. Answers which transfers it paid. */
export async function markTransactionOver(
  tx: Tx,
  chain: ChainId,
  transaction: string,
  now: Temporal.Instant,
): Promise<readonly string[]> {
  const over = await tx.query<Pick<SendAttempt, 'transferIds'>>(sql`
    update attempt set over_at = ${now}
    where chain = ${chain} and transaction = ${transaction} and over_at is null
    returning transfer_ids as "transferIds"`);
  return over.flatMap(({ transferIds }) => transferIds);
}

/** Signed to pay them, and over by this transaction or by what spends the same, newest first. */
export async function listOverBy(
  reader: Reader,
  { chain, transaction, spends }: Pick<SignedAttempt, 'chain' | 'transaction' | 'spends'>,
): Promise<SignedAttempt[]> {
  const found = await ATTEMPT.select(
    reader,
    sql`where chain = ${chain} and kind = 'PAY' and signed_at is not null and over_at is not null
      and (transaction = ${transaction} or spends && ${spends}::text[]) order by id desc`,
  );
  return found.filter(isSigned);
}

/**
 * A transaction is in no block any more. What it proved to be over can land again, as far as it
 * pays what has not ended, until something else proves it.
 */
export function reviveAttempts(
  tx: Tx,
  { chain, transaction, spends }: Pick<SignedAttempt, 'chain' | 'transaction' | 'spends'>,
): void {
  tx.send(sql`
    update attempt set over_at = null where chain = ${chain} and over_at is not null
      and signed_at is not null and (transaction = ${transaction} or spends && ${spends}::text[])
      and (kind = 'OWN' or ${hasTransferUnderWay(sql`transfer_ids`)})`);
}

/** Whether it was signed here, and nothing proves that it can land no more. */
export async function canLand(
  reader: Reader,
  { chain, transaction }: Pick<SignedAttempt, 'chain' | 'transaction'>,
): Promise<boolean> {
  const found = await ATTEMPT.find(
    reader,
    sql`where chain = ${chain} and transaction = ${transaction} and over_at is null`,
  );
  return found !== undefined;
}
