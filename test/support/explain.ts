// What a statement reads of tables, as PostgreSQL tells it.
import type { Db, Statement } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
};

export type TableRead = { readonly table: string; readonly node: string; readonly rows: number };

function tablesRead(node: PlanNode): TableRead[] {
  const rows =
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  const table = node['Relation Name'];
  const own = table === undefined ? [] : [{ table, node: node['Node Type'], rows }];
  return [...own, ...(node.Plans ?? []).flatMap(tablesRead)];
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `'{${value.map((one) => `"${one}"`).join(',')}}'`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/**
 * What the statement reads with the plan that is made without knowing its values. `isLarge`: as if
 * neither the tables nor what notes their pages had room in the memory.
 */
export async function explain(
  db: Db,
  { text, values }: Statement,
  { isLarge = false } = {},
): Promise<TableRead[]> {
  return db.transact(async (tx) => {
    if (isLarge) {
      await tx.query(rawStatement(`set local effective_cache_size = '1MB'`));
      await tx.query(rawStatement(`set local work_mem = '64kB'`));
    }
    await tx.query(rawStatement(`prepare looked_at as ${text}`));
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
    const [answer] = await tx.query<{ 'QUERY PLAN': unknown }>(
      rawStatement(`explain (analyze, timing off, format json) execute looked_at${given}`),
    );
    await tx.query(rawStatement('deallocate looked_at'));
    const plan = answer?.['QUERY PLAN'];
    const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: PlanNode }];
    return tablesRead(Plan);
  });
}
