// Compares what was read with what the account holds. Guarantees: from one ledger at which both
// agreed to the next, every balance changed by exactly its effects, less the fees we paid;
// otherwise nothing of the step is used. The first agreement is taken as it is found. What was
// agreed on is kept in the database once the step is recorded, so that a restart loses nothing. Not
// guaranteed: while far behind (more than a page of ledgers), steps are compared with effects
// alone, and with the balances when the tip is reached.

import type { ChainId } from '#catalog/chain.ts';
import { type Db, sql } from '#db/db.ts';
import { bigInteger, defineTable, text, texts, unitsList } from '#db/table.ts';
import type { BlockReference } from '#deposit/network.ts';
import { type Agreed, type AgreedState, keepAgreed } from '#networks/agreed-state.ts';
import { requireThat } from '#networks/answer-fields.ts';
import type { FeeCharges } from './list-fee-charges.ts';
import type { AccountState } from './read-account.ts';
import type { Movement } from './read-effect.ts';
import { balanceChanges } from './reconcile-income.ts';

export const STELLAR_BALANCE = defineTable('stellar_balance', {
  chain: text<ChainId>(),
  account: text(),
  ledger: bigInteger,
  assetIds: texts(),
  /** In the order of `assetIds`. */
  units: unitsList,
});

export type BalanceCheck = {
  /** The ledger above which movements are to be listed, given where the record stands. */
  startAt(cursor: BlockReference): Promise<bigint>;
  /**
   * Whether fees were paid since the last agreement; true where nobody knows.
   * @throws NodeLie when a balance is not what its history says.
   */
  check(facts: BalanceFacts): Promise<boolean>;
};

type BalanceFacts = {
  /** Up to `stateLedger`. */
  readonly charges: FeeCharges;
  readonly state: AccountState;
  /** The ledger at whose end the account was as `state` says; the tip or above. */
  readonly stateLedger: bigint;
  /** Everything above the recorded ledger, up to `stateLedger` at least. */
  readonly movements: readonly Movement[];
  /** What changed above `startAt` and up to the recorded ledger. */
  readonly earlier: ReadonlyMap<string, bigint>;
  /** The last ledger of the step. */
  readonly tip: bigint;
  /** Asks for the state again: what nothing is held against is believed when it is said twice. */
  readonly askAgain: () => Promise<AccountState>;
};

const NATIVE = 'XLM:NATIVE';

type BalanceCheckParts = {
  readonly db: Db;
  readonly chain: ChainId;
  readonly account: string;
};

type Balances = ReadonlyMap<string, bigint>;

export function openBalanceCheck(parts: BalanceCheckParts): BalanceCheck {
  const state = openAgreedBalances(parts);
  /** At or below what is recorded. */
  let agreed: Agreed<Balances> | undefined;
  return {
    async startAt(recorded) {
      agreed = await state.at(recorded);
      return agreed?.ledger ?? recorded.height;
    },
    async check(facts) {
      const { tip, stateLedger } = facts;
      if (agreed === undefined) {
        const again = unitsOf(await facts.askAgain());
        requireThat(isSame(again, unitsOf(facts.state)), 'the account holds this, then that');
      }
      const isPaying = agreed === undefined || (await hasFees(agreed, facts));
      const balances = unitsOf(facts.state);
      // Back from the state to the tip, where the step ends.
      for (const [assetId, units] of changesOf(facts, tip)) {
        balances.set(assetId, (balances.get(assetId) ?? 0n) - units);
      }
      const paidSince = isPaying && stateLedger > tip ? await feesAbove(tip, facts) : 0n;
      if (paidSince > 0n) balances.set(NATIVE, (balances.get(NATIVE) ?? 0n) + paidSince);
      state.propose({ ledger: tip, held: balances });
      return isPaying;
    },
  };
}

function openAgreedBalances({ db, chain, account }: BalanceCheckParts): AgreedState<Balances> {
  return keepAgreed<Balances>({
    isSame,
    async find() {
      const where = sql`where chain = ${chain} and account = ${account}`;
      const row = await STELLAR_BALANCE.find(db, where);
      if (row === undefined) return undefined;
      const held = new Map(row.assetIds.map((id, index) => [id, row.units[index] ?? 0n]));
      return { ledger: row.ledger, held };
    },
    async save({ ledger, held }) {
      const lists = { assetIds: [...held.keys()], units: [...held.values()] };
      const statement = STELLAR_BALANCE.insert(
        [{ chain, account, ledger, ...lists }],
        sql`on conflict (chain, account)
          do update set ${STELLAR_BALANCE.excluded(['ledger', 'assetIds', 'units'])}
          where stellar_balance.ledger < excluded.ledger`,
      );
      await db.single((tx) => tx.query(statement));
    },
  });
}

/**
 * Whether fees were paid since the last agreement. @throws NodeLie when neither the changes nor
 * fees explain what the account holds.
 */
async function hasFees(agreed: Agreed<Balances>, facts: BalanceFacts): Promise<boolean> {
  const changes = changesOf(facts, agreed.ledger);
  for (const [assetId, units] of facts.earlier) {
    changes.set(assetId, (changes.get(assetId) ?? 0n) + units);
  }
  const held = unitsOf(facts.state);
  let isPaying = false;
  for (const assetId of new Set([...agreed.held.keys(), ...held.keys(), ...changes.keys()])) {
    const expected = (agreed.held.get(assetId) ?? 0n) + (changes.get(assetId) ?? 0n);
    const found = held.get(assetId) ?? 0n;
    if (found === expected) continue;
    isPaying ||= assetId === NATIVE;
    const paid = assetId === NATIVE ? await feesAbove(agreed.ledger, facts) : 0n;
    requireThat(
      found === expected - paid,
      `the account holds ${found} of ${assetId}, its history says ${expected - paid}`,
    );
  }
  return isPaying;
}

function changesOf({ movements, stateLedger }: BalanceFacts, after: bigint): Map<string, bigint> {
  return balanceChanges(movements, after, stateLedger);
}

async function feesAbove(ledger: bigint, { charges }: BalanceFacts): Promise<bigint> {
  return (await charges(ledger)).reduce((sum, { units }) => sum + units, 0n);
}

function unitsOf(state: AccountState): Map<string, bigint> {
  return new Map([...state.balances].map(([assetId, { units }]) => [assetId, units]));
}

function isSame(before: Balances, now: Balances): boolean {
  return before.size === now.size && [...now].every(([id, units]) => before.get(id) === units);
}
