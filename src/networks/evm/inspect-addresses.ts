// Which addresses are looked at in a step although nothing is known to have happened to them: coins
// that come from inside a call leave no other trace than what an address holds.
//
// Guarantees: each address is looked at once, in order, before it can have been paid, for it was
// handed out after the step's first block; how far that went outlives the process. After that the
// newest are looked at in each step at the tip, all the others in turns. Not guaranteed: more than
// 1,000 new addresses in a step, or a node without the states of blocks it is behind; and how soon
// a turn comes, where there are many.

import type { ChainId } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { listInspected } from '#deposit/deposit-instruction.ts';
import { readLookedTo, writeLookedTo } from './balance-store.ts';

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

const mostNewest = 60;
const mostInTurn = 40;
const mostInOrder = 1000;

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
        newest: isTip ? mostNewest : 0,
        after: turnAfter,
        inTurn: isTip ? mostInTurn : 0,
        afterIndex: lookedTo,
        inOrder: mostInOrder,
      });
      const turn = rows.filter(({ why }) => why === 'inTurn');
      if (isTip) turnAfter = turn.length < mostInTurn ? '' : (turn.at(-1)?.destination ?? '');
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
