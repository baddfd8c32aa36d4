// Accounts that money may be sent to, and the SQL of their table. Those of another merchant or
// environment do not exist (E9). Guarantees: an account, label, network or cool-down that was
// changed in the database is not used, because the key of the seal lies outside it (D3, D15). Not
// guaranteed: anything about a row that was taken away, or put back as it once was.
import { timingSafeEqual } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { timestamp } from '#base/instant.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, type Statement, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { cutPage, type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import { bytes, defineTable, json, moment, optional, type Row, text } from '#db/table.ts';
import { markSealed } from '#installation/installation.ts';
import type { ReceivingAccount } from './account-fields.ts';

export const BENEFICIARY = defineTable('beneficiary', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  /** Unique among those not deleted. */
  label: text(),
  /** Network id. */
  network: text(),
  account: json<ReceivingAccount>(),
  createdAt: moment,
  /** End of the cool-down: nothing is sent before. */
  usableAt: moment,
  /** Undefined only in rows from before seals. */
  seal: optional(bytes),
});
type BeneficiaryRow = Row<typeof BENEFICIARY>;
export type Beneficiary = Omit<BeneficiaryRow, 'seal'>;

/** The narrow part of the keyring that seals need. */
export type SealKeys = { mac(purpose: 'beneficiary', bytes: Uint8Array): Uint8Array };

type App = { readonly db: Reader; readonly keyring: SealKeys };

export function sealOfBeneficiary(
  keyring: SealKeys,
  beneficiary: Omit<Beneficiary, 'createdAt'>,
): Uint8Array {
  const parts = [
    'beneficiary/v1',
    beneficiary.id,
    beneficiary.merchantId,
    beneficiary.environment,
    beneficiary.label,
    beneficiary.network,
    JSON.stringify(beneficiary.account),
    beneficiary.usableAt.epochMilliseconds,
  ];
  return keyring.mac('beneficiary', new TextEncoder().encode(JSON.stringify(parts)));
}

function isSealed(keyring: SealKeys, { seal, ...beneficiary }: BeneficiaryRow): boolean {
  const expected = sealOfBeneficiary(keyring, beneficiary);
  return seal?.length === expected.length && timingSafeEqual(seal, expected);
}

/** @throws AssertionFailure when a row is not the one that was written. */
async function select(app: App, rest: Statement): Promise<Beneficiary[]> {
  const rows = await BENEFICIARY.select(app.db, rest);
  return rows.map((row) => {
    assert(isSealed(app.keyring, row), `beneficiary ${row.id} was changed in the database`);
    const { seal: _, ...beneficiary } = row;
    return beneficiary;
  });
}

/**
 * @throws Refusal missing `beneficiary_missing`, also for a deleted one and for one of another
 * merchant or environment (E9).
 */
export async function requireBeneficiary(app: App, owner: Owner, id: string): Promise<Beneficiary> {
  const [found] = await select(app, sql`where id = ${id} and ${livingOf(owner)}`);
  if (found === undefined) throw beneficiaryMissing();
  return found;
}

/** By id or by label; an id goes before a label of the same spelling. */
export async function findBeneficiary(
  app: App,
  owner: Owner,
  idOrLabel: string,
): Promise<Beneficiary | undefined> {
  const [found] = await select(
    app,
    sql`where ${livingOf(owner)} and (id = ${idOrLabel} or label = ${idOrLabel})
      order by (id = ${idOrLabel}) desc limit 1`,
  );
  return found;
}

/** Newest first, without those deleted. */
export async function listBeneficiaries(
  app: App,
  owner: Owner,
  { limit, cursor }: { readonly limit: number; readonly cursor: PagePlace | undefined },
): Promise<{ readonly beneficiaries: readonly Beneficiary[]; readonly nextCursor: string | null }> {
  const place = placeNewestFirst(cursor);
  const rows = await select(
    app,
    sql`where ${livingOf(owner)} and (created_at, id) < (${place.at}, ${place.id})
      order by created_at desc, id desc limit ${limit + 1}`,
  );
  const placeOf = ({ createdAt, id }: Beneficiary) => ({ at: createdAt, id });
  const { shown, nextCursor } = cutPage(rows, limit, placeOf);
  return { beneficiaries: shown, nextCursor };
}

/**
 * Whether a beneficiary is still at this account: the row may have been changed since. One that was
 * deleted meanwhile is still who it was.
 */
export async function isBeneficiaryAt(
  app: App,
  owner: Owner,
  given: Pick<Beneficiary, 'id' | 'network' | 'account'>,
): Promise<boolean> {
  const row = await BENEFICIARY.find(app.db, sql`where id = ${given.id} and ${ownedBy(owner)}`);
  return (
    row !== undefined &&
    row.network === given.network &&
    JSON.stringify(row.account) === JSON.stringify(given.account) &&
    isSealed(app.keyring, row)
  );
}

/**
 * Deletes a beneficiary. Its label can be used again; the row stays for the transfers that name it.
 * @throws Refusal missing `beneficiary_missing`.
 */
export async function hideBeneficiary(
  app: { readonly db: Db; readonly clock: Clock },
  owner: Owner,
  id: string,
): Promise<void> {
  const now = app.clock.now();
  const rows = await app.db.single((tx) =>
    tx.query(sql`
      update beneficiary set deleted_at = ${now} where id = ${id} and ${livingOf(owner)}
      returning id`),
  );
  if (rows.length === 0) throw beneficiaryMissing();
}

/** Rows from before seals, once for each installation: later ones without a seal are forged. */
export async function sealOldBeneficiaries(app: {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: SealKeys;
}): Promise<void> {
  await app.db.transact(async (tx) => {
    if (!(await markSealed(tx, 'beneficiaries', app.clock.now()))) return;
    for (const row of await BENEFICIARY.select(tx, sql`where seal is null`)) {
      const seal = sealOfBeneficiary(app.keyring, row);
      tx.send(sql`update beneficiary set seal = ${seal}::bytea where id = ${row.id}`);
    }
  });
}

/** `beneficiary` of the wire: the account with the fields that were given. */
export function beneficiaryView(beneficiary: Beneficiary) {
  const { id, label, network, account, createdAt, usableAt } = beneficiary;
  return {
    id,
    label,
    network,
    account: accountView(account),
    timestamp: timestamp(createdAt),
    usableTime: timestamp(usableAt),
  };
}

/** A destination tag is a number here as in deposit instructions. */
function accountView({ destinationTag, ...account }: ReceivingAccount) {
  return destinationTag === undefined
    ? account
    : { ...account, destinationTag: Number(destinationTag) };
}

function beneficiaryMissing(): Refusal {
  return new Refusal('missing', 'beneficiary_missing', 'no such beneficiary');
}

function livingOf(owner: Owner): Statement {
  return sql`${ownedBy(owner)} and deleted_at is null`;
}
