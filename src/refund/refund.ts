// Money of a checkout on its way back to the payer: a refund row, and the transfer that carries it.
// Here is the SQL of its table, and the link by which a payer claims it.

import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { timestamp } from '#base/instant.ts';
import type { Random } from '#base/random.ts';
import { shownAsset } from '#catalog/asset.ts';
import type { Owner } from '#catalog/owner.ts';
import { checkoutRefundView, REFUND } from '#checkout/checkout-refund.ts';
import { type PageTokenKeys, pageOrigin } from '#checkout/page-token.ts';
import { metaView } from '#checkout-settlement/checkout-view.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { cutPage, type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import type { Row } from '#db/table.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { causeAgain } from '#ledger/ledger-entry.ts';
import { amountToText } from '#money/asset-amount.ts';
import { stringifyExact } from '#money/exact-json.ts';
import { gasFeeView } from '#transfer/executor.ts';
import { claimableView, TRANSFER } from '#transfer/transfer.ts';

/** `account`: where the transfer goes, once that is known: with the memo or tag. */
const CARRIER = TRANSFER.only(
  'account',
  'transaction',
  'failure',
  'submittedAt',
  'expiresAt',
  'restsUntil',
  'networkFeeUnits',
  'feeTakenUnits',
  'gasFee',
  'claimable',
  'undoneCount',
);
type Carrier = Row<typeof CARRIER>;

export type Refund = Row<typeof REFUND> &
  Omit<Carrier, 'expiresAt'> & {
    /** When a refund that nobody claimed goes back to the merchant. */
    readonly claimableUntil: Temporal.Instant;
    /** Language of the page where the payer says where it goes: that of the checkout. */
    readonly language: string;
    /** Of the checkout; undefined: the public URL. */
    readonly pageOrigin: string | undefined;
    /** Of the checkout: it gets the event too. */
    readonly webhookUrl: string | undefined;
    readonly checkoutApiKey: string | undefined;
    readonly checkoutState: string;
    /** JSON text that the checkout was created with. */
    readonly checkoutMeta: string | undefined;
  };

type App = { readonly db: Reader };

/** `condition` names the refund `r`. */
async function select(reader: Reader, condition: Statement): Promise<Refund[]> {
  type Joined = Row<typeof REFUND> & Carrier & { [Name in keyof OfCheckout]: OfCheckout[Name] };
  const rows = await reader.query<Joined>(sql`
    select ${REFUND.columnsOf('r')}, ${CARRIER.columnsOf('t')}, c.language,
      c.webhook_url as "webhookUrl", c.page_origin as "pageOrigin",
      c.api_key as "checkoutApiKey", c.state as "checkoutState", c.meta as "checkoutMeta"
    from refund r join transfer t on t.id = r.transfer_id join checkout c on c.id = r.checkout_id
    where ${condition}`);
  return rows.map((row) => {
    const { expiresAt, ...refund } = CARRIER.parse(REFUND.parse(row));
    return {
      ...refund,
      claimableUntil: expiresAt,
      webhookUrl: row.webhookUrl ?? undefined,
      pageOrigin: row.pageOrigin ?? undefined,
      checkoutApiKey: row.checkoutApiKey ?? undefined,
      checkoutMeta: row.checkoutMeta ?? undefined,
    };
  });
}

type OfCheckout = {
  readonly language: string;
  readonly webhookUrl: string | null;
  readonly pageOrigin: string | null;
  readonly checkoutApiKey: string | null;
  readonly checkoutState: string;
  readonly checkoutMeta: string | null;
};

/** Undefined also for one of another merchant or environment (E9). */
export async function findRefund({ db }: App, owner: Owner, id: string) {
  const [found] = await select(db, sql`r.id = ${id} and ${ofOwner(owner)}`);
  return found;
}

/** Of one checkout, in the order in which they were asked for; no more than `most`. */
export function listRefundsOf(
  { db }: App,
  owner: Owner,
  { checkoutId, most }: { readonly checkoutId: string; readonly most: number },
): Promise<Refund[]> {
  return select(
    db,
    sql`r.checkout_id = ${checkoutId} and ${ofOwner(owner)} order by r.created_at, r.id limit ${most}`,
  );
}

/** For the page of the payer, which is opened by its token alone. */
export async function findRefundByClaim({ db }: App, token: string): Promise<Refund | undefined> {
  const [found] = await select(db, sql`r.claim_token_hash = ${claimTokenHash(token)}`);
  return found;
}

export async function findRefundOfTransfer(
  reader: Reader,
  transferId: string,
): Promise<Refund | undefined> {
  const [found] = await select(reader, sql`r.transfer_id = ${transferId}`);
  return found;
}

/** That wait for their payer, of whom nobody has seen yet whether he is mailed. */
export function listUntoldClaims(reader: Reader, most: number): Promise<Refund[]> {
  return select(
    reader,
    sql`r.claim_told_at is null and r.state = 'AWAITING_ADDRESS'
      order by r.created_at, r.id limit ${most}`,
  );
}

/** Seen to, mailed or not. */
export function noteClaimsTold(tx: Tx, ids: readonly string[], now: Temporal.Instant): void {
  tx.send(sql`update refund set claim_told_at = ${now} where id = any(${ids}::text[])`);
}

/** Of any merchant. */
export async function findAnyRefund(reader: Reader, id: string): Promise<Refund | undefined> {
  const [found] = await select(reader, sql`r.id = ${id}`);
  return found;
}

/** Where its payer says where it goes. */
export function refundClaimUrl(
  app: { readonly publicUrl: string; readonly keyring: PageTokenKeys },
  refund: Pick<Refund, 'id' | 'language' | 'pageOrigin'>,
): string {
  const token = claimToken(app.keyring, refund.id);
  return claimUrl(pageOrigin(app, refund), refund.language, token);
}

/** Whether its payer still has to say where it goes. */
export function isClaimable({ state, payment }: Pick<Refund, 'state' | 'payment'>): boolean {
  return state === 'AWAITING_ADDRESS' && payment !== 'TAKEN_BACK';
}

/** Newest first. */
export async function listRefunds(
  { db }: App,
  owner: Owner,
  { limit, cursor }: { readonly limit: number; readonly cursor: PagePlace | undefined },
): Promise<{ readonly shown: readonly Refund[]; readonly nextCursor: string | null }> {
  const { at, id } = placeNewestFirst(cursor);
  // Which they are is known before anything is joined: else the one plan may read all of them.
  const rows = await select(
    db,
    sql`${ofOwner(owner)} and r.id = any(array(
        select id from refund where ${ownedBy(owner)} and (created_at, id) < (${at}, ${id})
        order by created_at desc, id desc limit ${limit + 1}))
      order by r.created_at desc, r.id desc`,
  );
  return cutPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

/** `refund` of api-contract.md 5: as in its checkout, and where the payer claims it. */
export function refundView(
  app: { readonly publicUrl: string; readonly keyring: PageTokenKeys },
  refund: Refund,
) {
  const isOpen = isClaimable(refund);
  return {
    ...checkoutRefundView(refund),
    networkFee: amountToText(
      refund.feeTakenUnits ?? refund.networkFeeUnits,
      shownAsset(refund.network, refund.assetId).decimals,
    ),
    gasFee: gasFeeView(refund.gasFee),
    claimableBalance: claimableView(refund),
    claimUrl: isOpen ? refundClaimUrl(app, refund) : null,
    claimableUntil: isOpen ? timestamp(refund.claimableUntil) : null,
    restsUntil: refund.restsUntil === undefined ? null : timestamp(refund.restsUntil),
    ...metaView(refund.checkoutMeta),
  };
}

/** `data.refund` of REFUND_RESTS: it is not sent before, and can be cancelled. */
export function restingRefundView(refund: Refund, restsUntil: Temporal.Instant) {
  return { ...completedRefundView(refund), restsUntil: timestamp(restsUntil) };
}

/** `data.refund` of REFUND_COMPLETED: of its checkout nothing but the `meta`. */
export function completedRefundView({ id, checkoutId, context, checkoutMeta }: Refund) {
  return { id, checkoutId, context, ...metaView(checkoutMeta) };
}

/** `data.refund` of REFUND_FAILED. `failure`: of the transfer that carried it. */
export function failedRefundView(refund: Refund, failure: string | undefined) {
  const { id, checkoutId, context, payment, checkoutMeta } = refund;
  const shown = { id, checkoutId, context, payment, failure: failure ?? null };
  return { ...shown, ...metaView(checkoutMeta) };
}

const TOKEN_BYTES = 24;

/**
 * The token in the link by which a payer claims a refund: 192 bits as 32 characters of base64url,
 * derived from the id under the key file, so the database holds only its hash and a copy of the
 * database claims nothing. What it is derived from never is an id of a checkout.
 */
export function claimToken(keyring: PageTokenKeys, refundId: string): string {
  const mac = keyring.mac('page-token', new TextEncoder().encode(`refund/${refundId}`));
  return Buffer.from(mac.subarray(0, TOKEN_BYTES)).toString('base64url');
}

export function claimTokenHash(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}

function claimUrl(origin: string, language: string, token: string): string {
  return `${origin}/${language}/refund/${token}`;
}

function ofOwner({ merchantId, environment }: Owner): Statement {
  return sql`r.merchant_id = ${merchantId} and r.environment = ${environment}`;
}

// What a merchant is told of a refund: that it rests before it is sent, and how it ended.
type TellRefundApp = { readonly clock: Clock; readonly random: Random };

/**
 * api-contract.md 7: to the webhook of the checkout. Under the lock of the checkout, or of the
 * transfer that carries it.
 */
export function tellRefund(
  app: TellRefundApp,
  tx: Tx,
  refund: Refund,
  type:
    | 'REFUND_RESTS'
    | 'REFUND_COMPLETED'
    | 'REFUND_FAILED'
    | 'REFUND_REOPENED'
    | 'REFUND_RETURNED',
  view: object,
): void {
  const id = newId(app.random);
  const now = app.clock.now();
  const data = stringifyExact({ refund: view });
  const sequence = refund.eventSequence + 1;
  tx.send(sql`update refund set event_sequence = ${sequence} where id = ${refund.id}`);
  enqueueEvent(tx, {
    id,
    merchantId: refund.merchantId,
    environment: refund.environment,
    type,
    subject: 'refund',
    subjectId: refund.id,
    sequence,
    causeKey: causeAgain(`refund:${refund.id}:${type}`, refund.undoneCount),
    data,
    apiKey: refund.checkoutApiKey,
    createdAt: now,
    webhookUrl: refund.webhookUrl,
  });
}
