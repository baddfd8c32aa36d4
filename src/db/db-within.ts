import { assert } from '#base/assert.ts';
import { type Db, sql, type Tx } from './db.ts';

/**
 * A Db whose transactions are parts of this one, for acts that must be committed together with
 * something else. What an act did is checked when it ends, deferred constraints too, so that its
 * failures reach whoever called it, as they would with a transaction of its own. A failure fails
 * all of it: nobody can go on after one.
 */
export function dbWithin(tx: Tx): Db {
  async function run<T>(act: (part: Tx) => Promise<T>): Promise<T> {
    const result = await act(tx);
    await tx.query(sql`set constraints all immediate`);
    return result;
  }
  return {
    query: (statement) => tx.query(statement),
    read: (act) => act(tx),
    transact: run,
    single: run,
    close: async () => assert(false, 'the transaction belongs to somebody else'),
  };
}
