// Who did what with money on its way out, and the SQL of its table. An act is noted in the
// transaction that does it, so that neither is without the other. Rows are only added: triggers
// refuse the rest, and seals show what was done past them (seal-acts.ts).
import type { Environment } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import type { NumberedTable } from '#db/settled-top.ts';
import {
  bigInteger,
  defineTable,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';

export const ACT = defineTable('act', {
  id: selectOnly(bigInteger),
  actedAt: moment,
  /** `key <id>`, a name at the command line, `payer`, `signer` or `service`. */
  actor: text(),
  /** Such as `transfer-commit`. */
  verb: text(),
  /** Such as `transfer:<id>`. */
  subject: text(),
  /** Undefined of what is of no environment. */
  environment: optional(text<Environment>()),
  /** Undefined: of the house. */
  merchantId: optional(text()),
  /** JSON text. */
  details: text(),
});
export type Act = Row<typeof ACT>;

export const ACT_NUMBERS: NumberedTable = {
  name: ACT.name,
  top: sql`select coalesce(max(id), 0) from act`,
};

/** `details`: units as text, since numbers of JSON are not exact everywhere. */
export function noteAct(
  tx: Tx,
  {
    details = {},
    environment,
    merchantId,
    ...act
  }: Pick<Act, 'actedAt' | 'actor' | 'verb' | 'subject'> & {
    readonly environment?: Environment | undefined;
    readonly merchantId?: string | undefined;
    readonly details?: Readonly<Record<string, string | null | undefined>>;
  },
): void {
  tx.send(ACT.insert([{ ...act, environment, merchantId, details: JSON.stringify(details) }]));
}

type ActFilter = {
  readonly actor?: string | undefined;
  readonly verb?: string | undefined;
  readonly subject?: string | undefined;
  readonly merchantId?: string | undefined;
};

/** The newest, oldest first. */
export async function listActs(
  reader: Reader,
  { actor, verb, subject, merchantId }: ActFilter,
  most: number,
): Promise<Act[]> {
  const found = await ACT.select(
    reader,
    sql`where ${is(sql`actor`, actor)} and ${is(sql`verb`, verb)}
      and ${is(sql`subject`, subject)} and ${is(sql`merchant_id`, merchantId)}
      order by id desc limit ${most}`,
  );
  return found.toReversed();
}

function is(column: Statement, value: string | undefined): Statement {
  return value === undefined ? sql`true` : sql`${column} = ${value}`;
}

/** In their order: above `after`, at most `upTo`. */
export function listActsAfter(
  reader: Reader,
  { after, upTo, limit }: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<Act[]> {
  return ACT.select(reader, sql`where id > ${after} and id <= ${upTo} order by id limit ${limit}`);
}
