// Chooses the addresses whose balance a step looks at although no transaction names them: coins
// that arrive from inside a contract call show in the balance only.
//
// Guarantees: each address is looked at once, in order, before it can have been paid, for it was
// handed out after the step's first block; how far that went outlives the process. After that the
// newest are looked at in each step at the tip, all the others in turns. Not guaranteed: more than
// 1,000 new addresses in a step, or a node without the states of blocks it is behind; and how soon
// a turn comes, where there are many.

import type { ChainId } from '#catalog/chain.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { bigInteger, defineTable, text } from '#db/table.ts';
import { listInspected } from '#deposit/deposit-instruction.ts';

export const EVM_FIRST_LOOK = defineTable('evm_first_look', {
  chain: text<ChainId>(),
  descriptor: text(),
  /** Up to which index every address of the source has been looked at. */
  lookedTo: bigInteger,
});

export type Inspection = {
  readonly addresses: readonly string[];
  /** Those among them that nobody looked at yet, and the index of the last one. */
  readonly inOrder: readonly string[];
  readonly lookedTo: bigint | undefined;
};

type AddressInspector = {
  next(isTip: boolean): Promise<Inspection>;
  /** What was seen is written down: those in order need no first look again. */
  done(inspection: Inspection): Promise<void>;
};

type AddressInspectorOptions = {
  readonly db: Db;
  readonly chain: ChainId;
  readonly source: { readonly owner: ChainId; readonly descriptor: string };
};

const NEWEST_MOST = 60;
const IN_TURN_MOST = 40;
const IN_ORDER_MOST = 1000;

export function addressInspector({ db, chain, source }: AddressInspectorOptions): AddressInspector {
  let turnAfter = '';
  /** Undefined until it was read. */
  let lookedTo: bigint | undefined;

  return {
    async next(isTip) {
      lookedTo ??= await readLookedTo(db, chain, source.descriptor);
      const rows = await listInspected(db, {
        chain,
        source,
        newest: isTip ? NEWEST_MOST : 0,
        after: turnAfter,
        inTurn: isTip ? IN_TURN_MOST : 0,
        afterIndex: lookedTo,
        inOrder: IN_ORDER_MOST,
      });
      const turn = rows.filter(({ why }) => why === 'inTurn');
      if (isTip) turnAfter = turn.length < IN_TURN_MOST ? '' : (turn.at(-1)?.destination ?? '');
      const inOrder = rows.filter(({ why }) => why === 'inOrder');
      return {
        addresses: [...new Set(rows.map(({ destination }) => destination))],
        inOrder: inOrder.map(({ destination }) => destination),
        lookedTo: inOrder.at(-1)?.sourceIndex ?? undefined,
      };
    },
    async done({ lookedTo: upTo }) {
      if (upTo === undefined) return;
      await writeLookedTo(db, chain, source.descriptor, upTo);
      lookedTo = upTo;
    },
  };
}

/** -1 when none has been looked at. */
async function readLookedTo(reader: Reader, chain: ChainId, descriptor: string): Promise<bigint> {
  const where = sql`where chain = ${chain} and descriptor = ${descriptor}`;
  return (await EVM_FIRST_LOOK.find(reader, where))?.lookedTo ?? -1n;
}

async function writeLookedTo(
  db: Db,
  chain: ChainId,
  descriptor: string,
  lookedTo: bigint,
): Promise<void> {
  const statement = EVM_FIRST_LOOK.insert(
    [{ chain, descriptor, lookedTo }],
    sql`on conflict (chain, descriptor)
      do update set looked_to = greatest(evm_first_look.looked_to, excluded.looked_to)`,
  );
  await db.single((tx) => tx.query(statement));
}
