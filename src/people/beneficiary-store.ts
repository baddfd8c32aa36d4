// SQL of the beneficiary table, private to this folder.
import { type Reader, sql, type Tx } from '#db/db.ts';
import { type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import type { Beneficiary, BeneficiaryAccount, BeneficiaryOwner } from './beneficiary.ts';
import { type SealKeys, sealOfBeneficiary, verifyBeneficiary } from './seal-beneficiary.ts';

const COLUMNS = sql`id, label, network, account, created_at as "createdAt",
  usable_at as "usableAt", seal`;

type Row = Omit<Beneficiary, 'account'> & {
  readonly account: string;
  readonly seal: Uint8Array | null;
};

/** False when the label is taken. */
export async function insertBeneficiary(
  tx: Tx,
  keyring: SealKeys,
  owner: BeneficiaryOwner,
  { id, label, network, account, createdAt, usableAt }: Beneficiary,
): Promise<boolean> {
  const text = JSON.stringify(account);
  const { merchantId, environment } = owner;
  const fields = { merchantId, environment, id, label, network, account: text, usableAt };
  const rows = await tx.query(sql`
    insert into beneficiary
      (id, merchant_id, environment, label, network, account, created_at, usable_at, seal)
    values (${id}, ${owner.merchantId}, ${owner.environment}, ${label}, ${network},
      ${text}, ${createdAt}, ${usableAt}, ${sealOfBeneficiary(keyring, fields)})
    on conflict (merchant_id, environment, label) where deleted_at is null do nothing
    returning id`);
  return rows.length > 0;
}

/** The row stays, for the transfers that name it. */
export async function hideBeneficiary(
  tx: Tx,
  owner: BeneficiaryOwner,
  id: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update beneficiary set deleted_at = ${now} where id = ${id} and ${ownedBy(owner)}
    returning id`);
  return rows.length > 0;
}

export async function findBeneficiaryRow(
  reader: Reader,
  keyring: SealKeys,
  owner: BeneficiaryOwner,
  id: string,
): Promise<Beneficiary | undefined> {
  const [row] = await reader.query<Row>(
    sql`select ${COLUMNS} from beneficiary where id = ${id} and ${ownedBy(owner)}`,
  );
  return row && fromRow(keyring, owner, row);
}

/** Newest first, those after `place`. */
export async function listBeneficiaryRows(
  reader: Reader,
  keyring: SealKeys,
  owner: BeneficiaryOwner,
  { most, place }: { readonly most: number; readonly place: PagePlace | undefined },
): Promise<Beneficiary[]> {
  const { at, id } = placeNewestFirst(place);
  const rows = await reader.query<Row>(sql`
    select ${COLUMNS} from beneficiary
    where ${ownedBy(owner)} and (created_at, id) < (${at}, ${id})
    order by created_at desc, id desc limit ${most}`);
  return rows.map((row) => fromRow(keyring, owner, row));
}

function fromRow(
  keyring: SealKeys,
  { merchantId, environment }: BeneficiaryOwner,
  { seal, ...row }: Row,
): Beneficiary {
  verifyBeneficiary(keyring, { ...row, merchantId, environment }, seal);
  return { ...row, account: JSON.parse(row.account) as BeneficiaryAccount };
}

function ownedBy({ merchantId, environment }: BeneficiaryOwner) {
  return sql`(merchant_id = ${merchantId} and environment = ${environment}
    and deleted_at is null)`;
}
