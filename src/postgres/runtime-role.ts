// The role the service runs as: it owns nothing and is no superuser. What is append-only it may
// read and add to; balances it may only read, for the trigger of postings writes them. Migrations
// run as the owner. Guarantees: after `prepareRuntimeRole` the role has these rights and no others
// of ours, whatever it had before.
import { hash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';

export const RUNTIME_ROLE = 'quittance_runtime';

/** Never changed and never removed once written. */
const APPEND_ONLY = [
  'act',
  'act_seal',
  'bill_logo',
  'checkout_note',
  'event_digest',
  'ledger_account',
  'ledger_entry',
  'ledger_posting',
  'ledger_seal',
  'released_payment',
  'told_cause',
];
/** Changed as their story goes on, and never removed. */
const NEVER_REMOVED = ['receipt', 'receipt_credit', 'deposit_credit'];
const READ_ONLY = ['ledger_balance_part', 'schema_migration'];

// Any constant does: granting twice at the same moment fails in PostgreSQL.
const GRANTOR_LOCK = 7_144_301_300n;

/** For the embedded server, whose password file both roles stand on. */
export function runtimePassword(ownerPassword: string): string {
  return hash('sha256', `quittance runtime role ${ownerPassword}`);
}

/** `password`: the role is made where it does not exist, and given this one. */
export async function prepareRuntimeRole(
  owner: Db,
  { role, password }: { readonly role: string; readonly password?: string | undefined },
): Promise<void> {
  assert(!role.includes('\0'), 'a role has a name');
  assert(password === undefined || /^[\w-]+$/.test(password), 'the password needs no quotes');
  const name = `"${role.replaceAll('"', '""')}"`;
  await owner.transact(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${GRANTOR_LOCK})`);
    const known = await tx.query(sql`select 1 from pg_roles where rolname = ${role}`);
    const [place] = await tx.query<{ schema: string; database: string }>(sql`
      select quote_ident(current_schema()) as schema,
        quote_ident(current_database()) as database`);
    assert(place !== undefined, 'a connection has a schema');
    const { schema, database } = place;
    if (password !== undefined) {
      const verb = known.length === 0 ? 'create' : 'alter';
      const rights = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
      await tx.query(rawStatement(`${verb} role ${name} ${rights} password '${password}'`));
    }
    // PostgreSQL 17 knows the right to take statistics; before that the owner's are enough.
    const [server] = await tx.query<{ version: number }>(sql`
      select current_setting('server_version_num')::int as version`);
    const mayAnalyze = (server?.version ?? 0) >= 170_000;
    const list = (tables: readonly string[]) => tables.map((table) => `${schema}.${table}`).join();
    await tx.query(
      rawStatement(`
        revoke temporary on database ${database} from public;
        revoke create on schema ${schema} from public, ${name};
        grant usage on schema ${schema} to ${name};
        revoke all on all tables in schema ${schema} from ${name};
        grant select, insert, update, delete on all tables in schema ${schema} to ${name};
        grant select on all sequences in schema ${schema} to ${name};
        revoke update, delete on ${list(APPEND_ONLY)} from ${name};
        revoke delete on ${list(NEVER_REMOVED)} from ${name};
        revoke insert, update, delete on ${list(READ_ONLY)} from ${name};
        ${mayAnalyze ? `grant maintain on ${schema}.bank_entry to ${name}` : ''}`),
    );
  });
}

/** What the role of this connection could do to the ledger that it should not; else undefined. */
export async function findExcessRights(reader: Reader): Promise<string | undefined> {
  const [row] = await reader.query<{ role: string; isSuperuser: boolean; isOwner: boolean }>(sql`
    select current_user::text as role, rolsuper as "isSuperuser",
      pg_has_role(current_user, (select relowner from pg_class
        where oid = 'ledger_entry'::regclass), 'usage') as "isOwner"
    from pg_roles where rolname = current_user`);
  if (row === undefined) return undefined;
  if (row.isSuperuser) return `the service runs as ${row.role}, a superuser of the database`;
  return row.isOwner ? `the service runs as ${row.role}, the owner of the ledger` : undefined;
}
