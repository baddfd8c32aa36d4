// What leaves, held against the simulated chain: what each order cost, that no order is paid twice,
// and that nothing is sent back of what the chain took back before. Computed from what the wallet and
// the signer made and from what the chain holds.
import { chainOf, networkOf } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import { ACCOUNTS } from './merchant-steps.ts';
import { listMoved, type Moved } from './own-chain.ts';
import { coinOf, isChange, isFee, type OwnTransaction } from './own-transaction.ts';
import type { Story } from './story.ts';

type Order = {
  readonly id: string;
  readonly state: string;
  readonly kind: 'TRANSFER' | 'REFUND' | 'RETURN';
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  readonly target: bigint;
  readonly reserved: bigint;
  readonly isOutside: boolean;
  readonly transaction: string | null;
  readonly isTied: boolean;
  /** Its cancellation is in no block any more: perhaps nobody has looked since. */
  readonly isRevived: boolean;
  /** By its entries: of the merchant, or of suspense where it was taken from there. */
  readonly cost: bigint;
  readonly custody: bigint;
};

export type OrdersSeen = {
  readonly orders: readonly Order[];
  readonly moved: ReadonlyMap<string, readonly Moved[]>;
};

export async function listOrders(reader: Reader, story: Story): Promise<OrdersSeen> {
  const { shop, world } = story;
  const chains = [...world.wallet.senders].filter(([, sender]) => sender !== 'program');
  const [orders, ...moved] = await Promise.all([
    reader.query<Order>(sql`
      select t.id, t.state, t.kind, t.network, t.asset_id as "assetId", t.units,
        t.target_units as target, t.network_fee_units as reserved,
        t.paid_outside as "isOutside", t.transaction,
        exists (select 1 from departure_part p where p.transfer_id = t.id
          and p.decided_by is not null) as "isTied",
        t.state = 'FAILED' and exists (select 1 from attempt c
          where t.id = any(c.transfer_ids) and c.kind = 'CANCEL' and c.transaction is not null
            and not exists (select 1 from sandbox_transfer s where s.chain = c.chain
              and s.transaction = c.transaction and s.state = 'MINED')) as "isRevived",
        coalesce(sum(p.units) filter (where a.merchant_id is not null
          or a.code like 'suspense:%'), 0) as cost,
        coalesce(sum(p.units) filter (where a.code like 'custody:%'), 0) as custody
      from transfer t left join ledger_entry e on e.subject_id = t.id
        and e.cause_key ~ '^(reorganisation/)?transfer:'
      left join ledger_posting p on p.entry_id = e.id left join ledger_account a on a.id = p.account_id
      where t.merchant_id = ${shop.merchantId} and t.by_hand group by t.id order by t.id`),
    ...chains.map(([chain]) => listMoved(reader, chain, world.wallet.since)),
  ]);
  return { orders, moved: new Map(chains.map(([chain], index) => [chain, moved[index] ?? []])) };
}

export function checkOrders(story: Story, { orders, moved }: OrdersSeen): string[] {
  const { wallet } = story.world;
  return [
    ...wallet.broken.splice(0),
    ...orders.flatMap((order) => checkCost(story, order, orders)),
    ...[...moved].flatMap(([chain, outputs]) => checkTwice(story, chain, outputs, orders)),
  ];
}

/** What was asked for, and what the network took of it: never more than was reserved. */
function checkCost(story: Story, order: Order, orders: readonly Order[]): string[] {
  const { id, state, kind, target, units, isOutside, cost, custody, assetId } = order;
  const gone = (fee: bigint) => target + fee;
  const isPaid = state === 'COMPLETED' && !isOutside;
  const fees = isPaid ? feesOf(story, order, orders) : [0n];
  if (fees === undefined)
    return [`T2: order ${id} is COMPLETED by ${order.transaction}, which does not pay it`];
  const isOpen = state === 'TO_SEND' || state === 'SUBMITTED' || state === 'RESERVED';
  const due = (fee: bigint) => {
    if (state === 'FAILED') return [0n, 0n];
    if (isOpen) return [units, 0n];
    const taken = isOutside ? 0n : fee;
    const left = isOutside ? 0n : target + (isFeeInAsset(order) ? fee : 0n);
    return [kind === 'RETURN' ? units : gone(taken), -left];
  };
  // The merchant gives it: his accounts are credits. What is reserved is still on one of them.
  const isRight = fees.some((fee) => {
    const [costs, held] = due(fee);
    return (isOpen ? 0n : costs) === cost && held === custody;
  });
  if (isRight) return [];
  return [
    `T2: order ${id} (${state}) of ${target} ${assetId} cost ${cost}, custody ${custody}; it is ` +
      fees.map((fee) => due(fee).join(', custody ')).join(' or '),
  ];
}

const isFeeInAsset = ({ network, assetId }: Order) => coinOf(chainOf('test', network)) === assetId;

/** Its share of the fee of its transaction; of what a person tied later perhaps none of it. */
function feesOf(story: Story, order: Order, orders: readonly Order[]): bigint[] | undefined {
  const own = story.world.wallet.sent.get(order.transaction ?? '');
  if (own === undefined || !(order.isTied || paysReceiver(story, order, own))) return undefined;
  if (!isFeeInAsset(order)) return order.isTied ? [order.reserved, 0n] : [order.reserved];
  const sharing = orders.filter(
    (other) => other.transaction === order.transaction && isFeeInAsset(other),
  );
  // The difference of two running totals, each down.
  const upTo = (count: number) => (own.feeUnits * BigInt(count)) / BigInt(sharing.length);
  const before = sharing.findIndex(({ id }) => id === order.id);
  const share = upTo(before + 1) - upTo(before);
  const taken = share < order.reserved ? share : order.reserved;
  return order.isTied ? [taken, 0n] : [taken];
}

function paysReceiver(
  { service }: Story,
  { network, assetId, target }: Order,
  { chain, outputs }: OwnTransaction,
): boolean {
  const receiver = service.networks.get(chain)?.destinationOf?.(ACCOUNTS[network] ?? {}, '');
  return outputs.some(
    (one) => one.destination === receiver && one.assetId === assetId && one.units === target,
  );
}

/**
 * In the end no order was given back that is paid. A refund may be: another one gave its money back
 * before what it took the place of landed, and the books say so aloud.
 */
export async function checkGivenBack({ shop, world }: Story): Promise<string[]> {
  const rows = await world.db.query<{ id: string; transaction: string }>(sql`
    select t.id, a.transaction from transfer t join attempt a on t.id = any(a.transfer_ids)
    where t.merchant_id = ${shop.merchantId} and t.state = 'FAILED' and t.kind = 'TRANSFER'
      and a.kind = 'PAY' and exists (select 1 from sandbox_transfer s where s.chain = a.chain
        and s.transaction = a.transaction and s.state = 'MINED')`);
  return rows.map(
    ({ id, transaction }) => `T9: order ${id} was given back, and ${transaction} pays it`,
  );
}

const MAY_BE_PAID = ['TO_SEND', 'SUBMITTED', 'COMPLETED'];

/** Of orders that look the same no more are paid than there are, and none that was given back. */
function checkTwice(
  { world }: Story,
  chain: string,
  outputs: readonly Moved[],
  orders: readonly Order[],
): string[] {
  const { orders: ordersOf, sent } = world.wallet;
  const isPayment = ({ transaction, state, destination }: Moved) =>
    state === 'MINED' &&
    sent.has(transaction) &&
    (ordersOf.get(transaction)?.length ?? 0) > 0 &&
    !isChange(destination) &&
    !isFee(destination);
  const paid = Map.groupBy(
    outputs.filter(isPayment),
    ({ assetId, units }) => `${units} ${assetId}`,
  );
  return [...paid].flatMap(([what, payments]) => {
    const due = orders.filter(
      ({ network, state, target, assetId, isOutside, isRevived }) =>
        network === networkOf(chain as 'test:BITCOIN') &&
        (MAY_BE_PAID.includes(state) || isRevived) &&
        !isOutside &&
        `${target} ${assetId}` === what,
    );
    if (payments.length <= due.length) return [];
    const ids = payments.map(({ transaction }) => transaction.slice(0, 8)).join(' and ');
    return [`T9: ${what} on ${chain} is paid by ${ids}, and ordered ${due.length} times`];
  });
}
