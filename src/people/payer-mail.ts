// Where a payer wants to be told how his payment ends, and the SQL of that table: one address for
// each checkout, typed on its page by whoever has the link. Guarantees: it is sealed; it can be
// typed wrong twice; for one address nothing more is kept after a few checkouts of a merchant in a
// day, without a word about it, so that nobody learns which addresses are known here; the address
// goes when he was told that it is paid, and what is left of it after a while.

import type { Clock } from '#base/clock.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { bytes, defineTable, integer, moment, optional, text } from '#db/table.ts';
import type { Keyring } from '#installation/keyring.ts';
import { readReceiver } from '#mail/letter.ts';
import { forgetMails, mailReader } from '#mail/mail-stop.ts';

const PAYER_MAIL = defineTable('payer_mail', {
  checkoutId: text(),
  merchantId: text(),
  customerId: optional(text()),
  /** Who, as mails of this merchant know him. */
  reader: bytes,
  language: text<LanguageCode>(),
  /** Both undefined when the address is gone. */
  sealedKey: optional(bytes),
  sealedAddress: optional(bytes),
  askedCount: integer,
  askedAt: moment,
});
const STANDING = PAYER_MAIL.only('askedCount', 'sealedAddress');

const ASKED_ANEW = [
  'reader',
  'language',
  'sealedKey',
  'sealedAddress',
  'askedCount',
  'askedAt',
] as const;

const PAYER_MAIL_KINDS = ['PAID', 'UNDERPAID', 'EXPIRED'] as const;
export type PayerMailKind = (typeof PAYER_MAIL_KINDS)[number];

/** Of one mail under this cause there is one. */
export function payerMailCause(checkoutId: string, kind: PayerMailKind): string {
  return `payer:${checkoutId}:${kind}`;
}

/** The first, and two that mend a mistake. */
const ASKED_MOST = 3;
/** Checkouts of one merchant in a day for which one address is kept. */
const CHECKOUTS_MOST = 5;
/** As long as mails that were sent are known. */
const KEPT_DAYS = 90;

type AskedCheckout = {
  readonly id: string;
  readonly merchantId: string;
  readonly customerId?: string | undefined;
};

export type PayerMail = {
  readonly address: string;
  readonly reader: Uint8Array;
  readonly language: LanguageCode;
};

/**
 * Under the lock of the checkout. What is too much is left out in silence.
 * @throws Refusal invalid `email`
 */
export async function keepPayerMail(
  { clock, keyring }: { readonly clock: Clock; readonly keyring: Keyring },
  tx: Tx,
  checkout: AskedCheckout,
  { address: typed, language }: Pick<PayerMail, 'address' | 'language'>,
): Promise<void> {
  const address = readReceiver(typed);
  const { id: checkoutId, merchantId, customerId } = checkout;
  const reader = mailReader(keyring, merchantId, address);
  const askedAt = clock.now();
  const dayAgo = askedAt.subtract({ hours: 24 });
  const [before, others] = await Promise.all([
    STANDING.find(tx, sql`where checkout_id = ${checkoutId}`),
    tx.query(sql`
      select 1 from payer_mail where merchant_id = ${merchantId} and reader = ${reader}
        and asked_at > ${dayAgo} and checkout_id <> ${checkoutId} limit ${CHECKOUTS_MOST}`),
  ]);
  // He was told already, or it was one of too many.
  if (before !== undefined && before.sealedAddress === undefined) return;
  if (before !== undefined && before.askedCount >= ASKED_MOST) return;
  const sealed =
    others.length < CHECKOUTS_MOST ? sealAddress(keyring, checkoutId, address) : undefined;
  const row = {
    ...{ checkoutId, merchantId, customerId, reader, language, askedAt },
    ...{ sealedKey: sealed?.sealedKey, sealedAddress: sealed?.sealedAddress },
    askedCount: (before?.askedCount ?? 0) + 1,
  };
  const changed = PAYER_MAIL.excluded(ASKED_ANEW);
  tx.send(PAYER_MAIL.insert([row], sql`on conflict (checkout_id) do update set ${changed}`));
}

function sealAddress(keyring: Keyring, checkoutId: string, address: string) {
  const { dataKey, sealed: sealedKey } = keyring.newDataKey(checkoutId);
  const content = new TextEncoder().encode(address);
  return { sealedKey, sealedAddress: keyring.seal(dataKey, labelOf(checkoutId), content) };
}

function labelOf(checkoutId: string): readonly string[] {
  return [checkoutId, 'payer-mail'];
}

/** Whether somebody has typed an address, also one that is gone. */
export async function isPayerMailAsked(reader: Reader, checkoutId: string): Promise<boolean> {
  return (await STANDING.find(reader, sql`where checkout_id = ${checkoutId}`)) !== undefined;
}

/** Undefined when nobody asked, or the address is gone. @throws UnsealFailure */
export async function findPayerMail(
  { keyring }: { readonly keyring: Keyring },
  reader: Reader,
  checkoutId: string,
): Promise<PayerMail | undefined> {
  const row = await PAYER_MAIL.find(reader, sql`where checkout_id = ${checkoutId}`);
  if (row?.sealedKey === undefined || row.sealedAddress === undefined) return undefined;
  const dataKey = keyring.openDataKey(checkoutId, row.sealedKey);
  const address = keyring.unseal(dataKey, labelOf(checkoutId), row.sealedAddress);
  return {
    address: new TextDecoder().decode(address),
    ...{ reader: row.reader, language: row.language },
  };
}

/** They were told that it is paid: their addresses are needed no more. */
export function dropPayerAddresses(tx: Tx, checkoutIds: readonly string[]): void {
  if (checkoutIds.length === 0) return;
  tx.send(sql`
    update payer_mail set sealed_key = null, sealed_address = null
    where checkout_id = any(${checkoutIds}::text[])`);
}

/**
 * What was typed at his checkouts, and what was typed of his address at others, with the mails that
 * went there.
 */
export async function forgetPayer(
  tx: Tx,
  {
    merchantId,
    reader,
    customerIds,
  }: {
    readonly merchantId: string;
    /** Undefined: his address is that of another customer as well. */
    readonly reader: Uint8Array | undefined;
    readonly customerIds: readonly string[];
  },
): Promise<void> {
  const ofAddress = reader === undefined ? sql`` : sql`or reader = ${reader}`;
  const gone = await tx.query<{ id: string }>(sql`
    delete from payer_mail where merchant_id = ${merchantId}
      and (customer_id = any(${customerIds}::text[]) ${ofAddress})
    returning checkout_id as id`);
  const causes = gone.flatMap(({ id }) => PAYER_MAIL_KINDS.map((kind) => payerMailCause(id, kind)));
  forgetMails(tx, causes);
}

export async function forgetOldPayerMails(app: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<void> {
  const before = app.clock.now().subtract({ hours: 24 * KEPT_DAYS });
  await app.db.single((tx) => tx.query(sql`delete from payer_mail where asked_at < ${before}`));
}
