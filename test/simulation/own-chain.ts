// What is ours on a simulated chain, and what moves it away. As on a real one a coin or a nonce is
// spent once, a transaction whose coin is gone is gone as well, and an unconfirmed one makes room for
// another that pays a higher fee.
import { Outage } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { sql, type Tx } from '#db/db.ts';
import { notTaken } from '#networks/draft-terms.ts';
import { isFrozen, lockSandboxChain } from '#networks/sandbox/sandbox-block.ts';
import {
  findTransaction,
  insertTransaction,
  setState,
} from '#networks/sandbox/sandbox-transaction.ts';
import {
  hasCoins,
  hashOf,
  nonceOf,
  type OwnTransaction,
  readOwn,
  storedOutputs,
} from './own-transaction.ts';
import type { World } from './world.ts';

type Chains = Pick<World, 'db' | 'clock' | 'wallet'>;

/**
 * Hands a signed transaction to the node, which knows it afterwards, any number of times. `heldUntil`:
 * not mined before. Answers its hash.
 * @throws Refusal of what the node says. @throws Outage while it is down.
 */
export async function submitOwn(
  { db, clock, wallet }: Chains,
  unsigned: string,
  heldUntil?: Temporal.Instant,
): Promise<string> {
  const own = readOwn(unsigned);
  const { chain } = own;
  const transaction = hashOf(unsigned);
  const now = clock.now();
  await db.transact(async (tx) => {
    const { frozenUntil } = await lockSandboxChain(tx, chain, now);
    if (isFrozen(frozenUntil, now)) throw new Outage(chain);
    const known = await findTransaction(tx, chain, transaction);
    if (known?.state === 'MEMPOOL' || known?.state === 'MINED') return;
    if (known?.state === 'REPLACED' && (await hasRival(tx, own, transaction))) {
      throw notTaken('another one took its place');
    }
    await makeRoom(tx, own, wallet.sent);
    if (known !== undefined) {
      setState(tx, chain, [transaction], 'MEMPOOL');
      return;
    }
    const { spends } = own;
    const sent = { transaction, spends, outputs: storedOutputs(own) };
    insertTransaction(tx, chain, sent, { now, mineAfter: heldUntil });
  });
  wallet.sent.set(transaction, own);
  // BIP-125: what rests on the one that made room is evicted with it.
  await dropOrphans({ db, clock, wallet }, chain);
  return transaction;
}

/** Whether what took its place is still there: a reorganisation may have dropped that. */
async function hasRival(
  tx: Tx,
  { chain, spends }: OwnTransaction,
  transaction: string,
): Promise<boolean> {
  const rivals = await tx.query(sql`
    select 1 from sandbox_transfer where chain = ${chain} and transaction <> ${transaction}
      and spends && ${[...spends]}::text[] and state in ('MEMPOOL', 'MINED') limit 1`);
  return rivals.length > 0;
}

/** What it spends is there, and nobody else spends it but what pays less. */
async function makeRoom(
  tx: Tx,
  own: OwnTransaction,
  sent: ReadonlyMap<string, OwnTransaction>,
): Promise<void> {
  const { chain, spends, feeUnits } = own;
  const rivals = await tx.query<{ transaction: string; state: string }>(sql`
    select distinct transaction, state from sandbox_transfer where chain = ${chain}
      and spends && ${[...spends]}::text[] and state in ('MEMPOOL', 'MINED')`);
  if (rivals.some(({ state }) => state === 'MINED'))
    throw notTaken('bad-txns-inputs-missingorspent');
  const dearest = rivals.map(({ transaction }) => sent.get(transaction)?.feeUnits ?? 0n);
  if (dearest.some((fee) => fee >= feeUnits)) throw notTaken('insufficient fee');
  if (!(await hasAll(tx, own))) throw notTaken('missing inputs');
  const replaced = rivals.map(({ transaction }) => transaction);
  if (replaced.length > 0) setState(tx, chain, replaced, 'REPLACED');
}

async function hasAll(tx: Tx, { chain, spends }: OwnTransaction): Promise<boolean> {
  const [first = ''] = spends;
  if (!hasCoins(chain)) {
    const before = nonceOf(first);
    return before === 0n || (await listNonces(tx, chain)).includes(before - 1n);
  }
  const found = await tx.query(sql`
    select 1 from sandbox_transfer where chain = ${chain} and state in ('MEMPOOL', 'MINED')
      and transaction || ':' || position = any(${[...spends]}::text[])`);
  return found.length === spends.length;
}

/** Nonces of our account that a transaction in the mempool or in a block has. */
export async function listNonces(
  reader: Pick<Tx, 'query'>,
  chain: ChainId,
): Promise<readonly bigint[]> {
  const rows = await reader.query<{ spent: string }>(sql`
    select distinct spends[1] as spent from sandbox_transfer where chain = ${chain}
      and spends[1] like 'own/%' and state in ('MEMPOOL', 'MINED')`);
  return rows.map(({ spent }) => nonceOf(spent));
}

/**
 * After a reorganisation or a replacement: what spends an output that is not there any more is not
 * there either, and comes back as little as that does.
 */
export async function dropOrphans({ db }: Chains, chain: ChainId): Promise<void> {
  for (;;) {
    const dropped = await db.single((tx) =>
      tx.query(sql`
        update sandbox_transfer child set block_height = null,
          state = case parent.state when 'REPLACED' then 'REPLACED' else 'DROPPED' end
        from (
          select transaction || ':' || position as output, state from sandbox_transfer
          where chain = ${chain} and state in ('REPLACED', 'DROPPED')) parent
        where child.chain = ${chain} and child.state in ('MEMPOOL', 'MINED')
          and child.spends @> array[parent.output] returning child.id`),
    );
    if (dropped.length === 0) break;
  }
  if (hasCoins(chain)) return;
  const nonces = new Set(await listNonces(db, chain));
  let next = 0n;
  while (nonces.has(next)) next += 1n;
  const late = [...nonces].filter((nonce) => nonce > next).map((nonce) => `own/${nonce}`);
  await db.single((tx) =>
    tx.query(sql`
      update sandbox_transfer set state = 'DROPPED', block_height = null where chain = ${chain}
        and state in ('MEMPOOL', 'MINED') and spends[1] = any(${late}::text[])`),
  );
}

/** Of these outputs those that are in a block, and that nothing spends. */
export async function listStanding(
  { db, wallet }: Chains,
  chain: ChainId,
  creditKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ creditKey: string }>(sql`
    select o.transaction || ':' || o.position as "creditKey" from sandbox_transfer o
    where o.chain = ${chain} and o.state = 'MINED' and o.created_at >= ${wallet.since}
      and o.transaction || ':' || o.position = any(${[...creditKeys]}::text[])
      and not exists (select 1 from sandbox_transfer s where s.chain = ${chain}
        and s.state in ('MEMPOOL', 'MINED')
        and s.spends @> array[o.transaction || ':' || o.position])`);
  return new Set(rows.map(({ creditKey }) => creditKey));
}

export type Moved = {
  readonly transaction: string;
  readonly state: 'MEMPOOL' | 'MINED' | 'REPLACED' | 'DROPPED';
  readonly height: bigint | null;
  readonly spends: readonly string[];
  readonly position: number;
  readonly destination: string;
  readonly assetId: string;
  readonly units: bigint;
};

/** Every output on the chain, whatever became of it; `since`: made then or later. */
export function listMoved(
  db: Pick<Tx, 'query'>,
  chain: ChainId,
  since?: Temporal.Instant,
): Promise<Moved[]> {
  const made = since === undefined ? sql`true` : sql`created_at >= ${since}`;
  return db.query<Moved>(sql`
    select transaction, state, block_height as height, spends, position, destination,
      asset_id as "assetId", units
    from sandbox_transfer where chain = ${chain} and ${made} order by id`);
}

/** Something else that spends the same is in a block, or what it spends was never paid. */
export async function findDead(
  db: Pick<Tx, 'query'>,
  chain: ChainId,
  transaction: string,
  spends: readonly string[],
): Promise<boolean> {
  const [found] = await db.query<{ isDead: boolean }>(sql`
    select exists (select 1 from sandbox_transfer where chain = ${chain} and state = 'MINED'
        and spends && ${[...spends]}::text[] and transaction <> ${transaction})
      or exists (select 1 from sandbox_transfer where chain = ${chain} and state = 'REPLACED'
        and (transaction = ${transaction}
          or transaction || ':' || position = any(${[...spends]}::text[]))) as "isDead"`);
  return found?.isDead === true;
}

/** Whether we made one of these transactions, or rest on an output of one; or of the last blocks. */
export async function isSpentByUs(
  { db, wallet }: Pick<World, 'db' | 'wallet'>,
  chain: ChainId,
  paid: { readonly depth: number } | { readonly transaction: string },
): Promise<boolean> {
  const among =
    'depth' in paid
      ? sql`p.block_height > (select max(height) from sandbox_block where chain = ${chain})
          - ${paid.depth}`
      : sql`p.transaction = ${paid.transaction}`;
  const found = await db.query(sql`
    select 1 from sandbox_transfer p where p.chain = ${chain} and ${among}
      and (p.transaction = any(${[...wallet.sent.keys(), ...wallet.exchanged.keys()]}::text[])
        or exists (select 1 from sandbox_transfer c where c.chain = ${chain}
          and c.spends @> array[p.transaction || ':' || p.position])
        or exists (select 1 from attempt a where a.chain = ${chain} and a.over_at is null
          and a.spends @> array[p.transaction || ':' || p.position])) limit 1`);
  return found.length > 0;
}
