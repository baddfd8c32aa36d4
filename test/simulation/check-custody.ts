// At the end of a story, when all is mined, seen and booked: custody is what the simulated chain
// holds of ours, to the unit.
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import { ACCOUNTS } from './merchant-steps.ts';
import { listMoved, type Moved } from './own-chain.ts';
import { isNonce } from './own-transaction.ts';
import type { Story } from './story.ts';
import { HAND_CHAINS } from './world.ts';

export async function checkCustody(story: Story): Promise<string[]> {
  const chains = story.chains.filter((chain) => HAND_CHAINS.includes(chain));
  const broken = await Promise.all(chains.map((chain) => checkChain(story, chain)));
  return broken.flat();
}

type Sum = { readonly assetId: string; readonly units: bigint };

async function checkChain(story: Story, chain: ChainId): Promise<string[]> {
  const { db } = story.world;
  const network = networkOf(chain);
  const [moved, custody, byPrograms] = await Promise.all([
    listMoved(db, chain),
    db.query<Sum>(sql`
      select asset_id as "assetId", sum(balance_units) as units from ledger_balance
      where code = ${`custody:${network}`} and environment = 'test' group by 1`),
    // What the program of the sandbox sends spends no coins.
    db.query<Sum>(sql`
      select asset_id as "assetId", sum(target_units) as units from transfer
      where environment = 'test' and network = ${network} and not by_hand
        and state in ('COMPLETED', 'RETURNED') group by 1`),
  ]);
  const off = new Map<string, bigint>();
  const add = ({ assetId, units }: Sum) => off.set(assetId, (off.get(assetId) ?? 0n) + units);
  const coins = new Map<string, Moved>(
    moved.map((one) => [`${one.transaction}:${one.position}`, one]),
  );
  const isToUs = toUs(story, chain);
  for (const outputs of Map.groupBy(moved, (one) => one.transaction).values()) {
    // What was booked and then undone is reversed.
    if (outputs[0]?.state !== 'MINED') continue;
    for (const change of changesBy(outputs, coins, isToUs)) add(change);
  }
  for (const { assetId, units } of [...byPrograms, ...custody]) add({ assetId, units: -units });
  const wrong = [...off].filter(([, units]) => units !== 0n);
  if (wrong.length === 0) return [];
  return [
    ...wrong.map(
      ([assetId, units]) => `R6: the chain has ${units} ${assetId} more than custody:${network}`,
    ),
    ...(await tellBoth(story, chain, moved.slice(-TOLD_MOST))),
  ];
}

const TOLD_MOST = 40;

/** What the chain and the ledger say of the last transactions, since neither says what is missing. */
async function tellBoth(
  { world: { db } }: Story,
  chain: ChainId,
  moved: readonly Moved[],
): Promise<string[]> {
  const entries = await db.query<Sum & { readonly cause: string }>(sql`
    select e.cause_key as cause, a.asset_id as "assetId", p.units from ledger_posting p
    join ledger_entry e on e.id = p.entry_id join ledger_account a on a.id = p.account_id
    where a.code = ${`custody:${networkOf(chain)}`} and a.environment = 'test'
    order by e.id desc limit ${TOLD_MOST}`);
  return [
    ...moved.map(
      ({ transaction, state, height, position, destination, assetId, units, spends }) =>
        `${transaction}:${position} ${state} ${height} ${units} ${assetId} to ${destination}, spends ${spends}`,
    ),
    ...entries.toReversed().map(({ cause, assetId, units }) => `${cause}: ${units} ${assetId}`),
  ];
}

function toUs({ service }: Story, chain: ChainId): (output: Moved) => boolean {
  const account = ACCOUNTS[networkOf(chain)] ?? {};
  const payee = service.networks.get(chain)?.destinationOf?.(account, '');
  return ({ destination }) => destination !== payee && !destination.startsWith('elsewhere-');
}

/** What a transaction adds to what we have, and takes of it. */
function changesBy(
  outputs: readonly Moved[],
  coins: ReadonlyMap<string, Moved>,
  isToUs: (output: Moved) => boolean,
): Sum[] {
  const spends = outputs[0]?.spends ?? [];
  const negative = ({ assetId, units }: Sum) => ({ assetId, units: -units });
  if (isNonce(spends[0])) return outputs.map(negative);
  const spent = spends.flatMap((key) => coins.get(key) ?? []).filter(isToUs);
  return [...outputs.filter(isToUs), ...spent.map(negative)];
}
