// A database connection of a process that dies at a chosen moment: before a statement, before
// COMMIT (everything of the transaction is lost) or right after it (it happened, and nobody was
// told). From then on nothing gets through any more, as it is for a process that is dead.
import { Outage } from '#base/refusal.ts';
import { type Db, type Reader, ResultUnknown, type Statement, type Tx } from '#db/db.ts';

export type Death = {
  readonly at: 'statement' | 'before-commit' | 'after-commit';
  /** Which statement or which transaction: 1 is the first. */
  readonly count: number;
};

export type FailingDatabase = {
  readonly db: Db;
  isDead(): boolean;
};

/** What every act of the dead process ends with. */
export class ProcessDied extends Outage {
  constructor(where: string) {
    super('database', { cause: new ResultUnknown({ cause: new Error(`died ${where}`) }) });
    this.name = 'ProcessDied';
  }
}

export function failingDatabase(db: Db, death: Death): FailingDatabase {
  let isDead = false;
  let statements = 0;
  let transactions = 0;

  function die(where: string): never {
    isDead = true;
    throw new ProcessDied(where);
  }
  function issue(): void {
    if (isDead) die('before');
    statements += 1;
    if (death.at === 'statement' && statements === death.count) die(`at statement ${statements}`);
  }
  function watched(tx: Tx): Tx {
    const parts: Pick<Tx, 'query' | 'send'> = {
      query: async <Row>(statement: Statement) => {
        issue();
        return tx.query<Row>(statement);
      },
      send: (statement) => {
        issue();
        tx.send(statement);
      },
    };
    return parts as Tx;
  }
  async function run<T>(
    transaction: (act: (tx: Tx) => Promise<T>) => Promise<T>,
    act: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    if (isDead) die('before');
    transactions += 1;
    const isLast = transactions === death.count;
    const result = await transaction(async (tx) => {
      const answer = await act(watched(tx));
      if (isDead) die('before COMMIT');
      if (isLast && death.at === 'before-commit') die('before COMMIT');
      return answer;
    });
    if (isLast && death.at === 'after-commit') die('after COMMIT');
    return result;
  }

  return {
    isDead: () => isDead,
    db: {
      query: async <Row>(statement: Statement) => {
        issue();
        return db.query<Row>(statement);
      },
      read: <T>(act: (reader: Reader) => Promise<T>) =>
        db.read((reader) =>
          act({
            query: async <Row>(statement: Statement) => {
              issue();
              return reader.query<Row>(statement);
            },
          }),
        ),
      transact: <T>(act: (tx: Tx) => Promise<T>) => run<T>(db.transact, act),
      // A single statement is committed by itself: before COMMIT is before the statement.
      single: <T>(act: (tx: Tx) => Promise<T>) => {
        const isBefore = death.at === 'before-commit' && transactions + 1 === death.count;
        return isBefore
          ? run<T>(async () => die('before the statement'), act)
          : run<T>(db.single, act);
      },
      close: async () => {},
    },
  };
}

/** `between` runs once, after the first reads of the first transaction and before its writes. */
export function interleavedDatabase(db: Db, between: () => Promise<unknown>): Db {
  let ran: Promise<unknown> | undefined;
  return {
    ...db,
    transact: <T>(act: (tx: Tx) => Promise<T>) =>
      db.transact((tx) => {
        let unanswered = 0;
        const parts: Pick<Tx, 'query' | 'send'> = {
          query: async <Row>(statement: Statement) => {
            unanswered += 1;
            const rows = await tx.query<Row>(statement);
            unanswered -= 1;
            if (unanswered === 0) ran ??= between();
            await ran;
            return rows;
          },
          send: (statement) => tx.send(statement),
        };
        return act(parts as Tx);
      }),
  };
}

/** Every connection breaks while a query is under way, as when the server is restarted. */
export function breakingDatabase(
  db: Db,
  count: number,
  breakConnections: () => Promise<void>,
): {
  readonly db: Db;
  readonly broken: () => Promise<void> | undefined;
  /** When nothing is under way any more: what fails first ends before its neighbours do. */
  readonly rest: () => Promise<void>;
} {
  let queries = 0;
  let broken: Promise<void> | undefined;
  const underWay = new Set<Promise<unknown>>();
  function note<T>(begun: Promise<T>): Promise<T> {
    underWay.add(begun);
    const end = () => underWay.delete(begun);
    begun.then(end, end);
    return begun;
  }
  const watched = (tx: Tx): Tx => {
    const parts: Pick<Tx, 'query' | 'send'> = {
      query: <Row>(statement: Statement) => {
        queries += 1;
        if (queries === count) broken = breakConnections();
        return tx.query<Row>(statement);
      },
      send: (statement) => tx.send(statement),
    };
    return parts as Tx;
  };
  return {
    broken: () => broken,
    rest: async () => {
      for (let turn = 0; turn < TURNS_AT_REST; turn += 1) {
        if (underWay.size > 0) turn = 0;
        await Promise.allSettled(underWay);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    db: {
      ...db,
      query: <Row>(statement: Statement) => note(db.query<Row>(statement)),
      read: <T>(act: (reader: Reader) => Promise<T>) => note(db.read(act)),
      transact: <T>(act: (tx: Tx) => Promise<T>) => note(db.transact((tx) => act(watched(tx)))),
      single: <T>(act: (tx: Tx) => Promise<T>) => note(db.single((tx) => act(watched(tx)))),
    },
  };
}

const TURNS_AT_REST = 5;
