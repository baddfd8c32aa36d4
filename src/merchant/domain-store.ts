import { type Reader, sql, type Tx } from '#db/db.ts';
import type { MerchantDomain } from './domain.ts';

type DomainRow = Omit<MerchantDomain, 'verifiedAt' | 'lastCheckedAt'> & {
  readonly verifiedAt: Temporal.Instant | null;
  readonly lastCheckedAt: Temporal.Instant | null;
};

const COLUMNS = sql`merchant_id as "merchantId", host, proof_token as "proofToken",
  added_at as "addedAt", verified_at as "verifiedAt", last_checked_at as "lastCheckedAt"`;

function domainFromRow(row: DomainRow): MerchantDomain {
  return {
    ...row,
    verifiedAt: row.verifiedAt ?? undefined,
    lastCheckedAt: row.lastCheckedAt ?? undefined,
  };
}

/** Claimed before: as it was. */
export async function insertDomain(
  tx: Tx,
  domain: Pick<MerchantDomain, 'merchantId' | 'host' | 'proofToken' | 'addedAt'>,
): Promise<void> {
  await tx.query(sql`
    insert into merchant_domain (merchant_id, host, proof_token, added_at)
    values (${domain.merchantId}, ${domain.host}, ${domain.proofToken}, ${domain.addedAt})
    on conflict (merchant_id, host) do nothing`);
}

/** Those of everybody when no merchant is named. */
export async function selectDomains(
  reader: Reader,
  merchantId: string | null,
): Promise<MerchantDomain[]> {
  const rows = await reader.query<DomainRow>(sql`
    select ${COLUMNS} from merchant_domain
    ${merchantId === null ? sql`` : sql`where merchant_id = ${merchantId}`}
    order by merchant_id, added_at, host`);
  return rows.map(domainFromRow);
}

/** Every claim of the host; nobody else changes them until the transaction ends. */
export async function lockClaims(tx: Tx, host: string): Promise<MerchantDomain[]> {
  const rows = await tx.query<DomainRow>(sql`
    select ${COLUMNS} from merchant_domain where host = ${host}
    order by merchant_id for update`);
  return rows.map(domainFromRow);
}

export function endOtherClaims(tx: Tx, { merchantId, host }: MerchantDomain): void {
  tx.send(sql`
    update merchant_domain set verified_at = null
    where host = ${host} and merchant_id <> ${merchantId} and verified_at is not null`);
}

export function markVerified(
  tx: Tx,
  { merchantId, host }: MerchantDomain,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update merchant_domain
    set verified_at = coalesce(verified_at, ${now}::timestamptz), last_checked_at = ${now}
    where host = ${host} and merchant_id = ${merchantId}`);
}

export async function markChecked(
  tx: Tx,
  { merchantId, host }: MerchantDomain,
  now: Temporal.Instant,
): Promise<void> {
  await tx.query(sql`
    update merchant_domain set last_checked_at = ${now}
    where host = ${host} and merchant_id = ${merchantId}`);
}

export async function deleteDomain(tx: Tx, merchantId: string, host: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from merchant_domain where merchant_id = ${merchantId} and host = ${host}
    returning host`);
  return rows.length > 0;
}

export function selectVerifiedHosts(
  reader: Reader,
): Promise<{ readonly host: string; readonly merchantId: string }[]> {
  return reader.query(sql`
    select host, merchant_id as "merchantId" from merchant_domain where verified_at is not null`);
}
