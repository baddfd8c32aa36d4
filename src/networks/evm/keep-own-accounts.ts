// Accounts of the operator on an EVM chain that nobody is given: what pays for gas, and what its
// owners move. They are watched, and what they send to an address of ours is no payment.
import type { Clock } from '#base/clock.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { GAS_ACCOUNT, insertLeftOut, OWNED_CONTRACT } from '#deposit/given-out.ts';
import type { SweepSettings } from './evm-settings.ts';

type OwnAccounts = {
  readonly db: Db;
  readonly chain: ChainId;
  readonly clock: Clock;
  readonly sweep?: Pick<SweepSettings, 'gasAccount'> | undefined;
  readonly safe?: string | undefined;
};

export async function keepOwnAccounts(accounts: OwnAccounts): Promise<void> {
  const { db, chain, sweep, safe, clock } = accounts;
  const gasAccount = sweep?.gasAccount;
  if (gasAccount === undefined && safe === undefined) return;
  const now = clock.now();
  await db.transact(async (tx) => {
    if (gasAccount !== undefined) insertLeftOut(tx, chain, [gasAccount], GAS_ACCOUNT, now);
    if (safe !== undefined) insertLeftOut(tx, chain, [safe], OWNED_CONTRACT, now);
  });
}
