// What money leaves by: how each kind of order is asked for, by whom, and how much has to arrive.
// Whatever is asked is asked again, the same, until somebody who lives has taken it.
import assert from 'node:assert/strict';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { type Random, systemRandom } from '#base/random.ts';
import { sql } from '#db/db.ts';
import { openKeyring } from '#installation/keyring.ts';
import { amountToText } from '#money/asset-amount.ts';
import { insertPlanned } from '#sending/sweep-move.ts';
import { addBeneficiary } from '#test/support/outgoing-money.ts';
import { pick } from '#test/support/seeded-random.ts';
import { endLeases, type KillWorld } from './kill-world.ts';
import type { OrderKind } from './order-kinds.ts';

export type Order = {
  readonly kind: OrderKind;
  readonly receiver: string;
  /** What the receiver had before. */
  readonly before: bigint;
  /** What it is about; the fee of the network is a part of it, but of a refund. */
  readonly askedUnits: bigint;
  /** Resolves when somebody has taken it. */
  place(): Promise<void>;
  /** Undefined while nobody has. */
  booked(): Promise<Booked | undefined>;
};

/** What the books say of an order. */
export type Booked = {
  /** As the signer and its log name it. */
  readonly id: string;
  /** It pays the receiver, as far as everything that knows of it says. */
  readonly isPaid: boolean;
  /** The network has shown it, in a block or not. */
  readonly isSeen: boolean;
  /** What has to arrive. */
  readonly units: bigint;
};

/** What does not come to be in this time does not come; a machine may be slow. */
export const WITHIN_MS = process.env.QUITTANCE_TEST_BUG === undefined ? 300_000 : 120_000;
const POLL_MS = 25;
/** The same signature is taken once: it is of the second in which it is made. */
const ASK_AGAIN_MS = 200;
const AMOUNTS = ['0.01', '0.013', '0.02'];
/** Above what one person may send. */
const LARGE = '0.12';
const SETTLED = '0.05';
const RETURNED = '0.05';
const SWEPT = '0.5';
/** Paid at once by strangers: blocks and looks cost more than payments. */
const STRANGERS = 8;

type Asked = { readonly key: string; readonly random: Random };

/** All that has to be there before anybody is killed. */
export function prepareOrder(world: KillWorld, kind: OrderKind, asked: Asked): Promise<Order> {
  switch (kind) {
    case 'refund':
      return prepareRefund(world, asked);
    case 'transfer':
      return prepareTransfer(world, asked.key, pick(asked.random, AMOUNTS));
    case 'two people':
      return prepareTransfer(world, asked.key, LARGE);
    case 'settlement':
      return prepareSettlement(world, asked.key);
    case 'return':
      return prepareReturn(world);
    case 'sweep':
      return prepareSweep(world);
  }
}

async function prepareRefund(world: KillWorld, { key, random }: Asked): Promise<Order> {
  const { chain, checkoutIds } = world;
  const receiver = await chain.newReceiver();
  const amount = pick(random, AMOUNTS);
  const body = { checkoutId: pick(random, checkoutIds), kind: 'amount', amount, address: receiver };
  const askedUnits = chain.unitsOf(amount);
  const booked = async () => {
    const found = await findBooked(world, receiver);
    if (found !== undefined) assert.equal(found.units, askedUnits, 'what is refunded arrives');
    return found;
  };
  const place = async () => void (await post(world, '/refund', body, key));
  return { kind: 'refund', receiver, before: 0n, askedUnits, place, booked };
}

async function prepareTransfer(world: KillWorld, key: string, amount: string): Promise<Order> {
  const { chain } = world;
  const to = await addReceiver(world, key);
  const request = { ...to.target, amount };
  const isLarge = amount === LARGE;
  const kind = isLarge ? 'two people' : 'transfer';
  return {
    ...debited(world, kind, { receiver: to.receiver, askedUnits: chain.unitsOf(amount) }),
    async place() {
      type Quoted = { readonly transfer: { readonly id: string } };
      const { transfer } = await post<Quoted>(world, '/transfer', request, key);
      await post(world, '/transfer/commit', { transferId: transfer.id }, `${key}-commit`);
      if (isLarge) await approve(world, `transfer:${transfer.id}`);
    },
  };
}

async function approve(world: KillWorld, subject: string): Promise<void> {
  const { server } = world;
  await until('a second person to be asked for', async () => {
    const asked = await server.db.query(sql`select from approval where subject = ${subject}`);
    return asked.length > 0;
  });
  const given = await server.command('approval', 'give', subject, '--by', 'bob');
  assert.equal(given.exitCode, 0, given.stderr);
  await endLeases(server);
}

/** Nobody asks: what is available above what has to stay goes by itself. */
async function prepareSettlement(world: KillWorld, key: string): Promise<Order> {
  const { chain, server, shop } = world;
  const { receiver, target } = await addReceiver(world, key);
  const askedUnits = chain.unitsOf(SETTLED);
  const keptUnits = (await shop.balance(chain.assetId)) - askedUnits;
  const [keep, threshold] = [keptUnits, keptUnits + 1n].map((units) =>
    amountToText(units, chain.decimals),
  );
  return {
    ...debited(world, 'settlement', { receiver, askedUnits }),
    async place() {
      type Made = { readonly settlementRule: { readonly id: string } };
      const made = await post<Made>(world, '/settlement-rule', { ...target, keep, threshold }, key);
      const { id } = made.settlementRule;
      await until('the rule to be followed', async () => {
        const done = await server.db.query(sql`
          select from settlement_run where rule_id = ${id} and state = 'DONE'`);
        return done.length > 0;
      });
      // What comes later is not for this order.
      await post(world, '/settlement-rule/pause', { settlementRuleId: id }, `${key}-pause`);
    },
  };
}

/** What strangers paid goes back to them, by the word of the operator. */
async function prepareReturn(world: KillWorld): Promise<Order> {
  const { chain, server, shop } = world;
  if (world.strangers.length === 0) {
    const payments = Array.from({ length: STRANGERS }, () => {
      return { address: chain.strangersAddress, amount: RETURNED };
    });
    await chain.fund(payments);
    await until('the money of strangers to lie in suspense', async () => {
      const open = await server.db.query<{ id: bigint }>(
        sql`select id from suspense where state = 'OPEN' order by id`,
      );
      if (open.length < STRANGERS) return false;
      world.strangers.push(...open.map(({ id }) => `${id}`));
      return true;
    });
  }
  const id = world.strangers.shift() ?? '';
  const receiver = await chain.newReceiver();
  return {
    ...debited(world, 'return', { receiver, askedUnits: chain.unitsOf(RETURNED) }),
    async place() {
      const words = ['--merchant', shop.merchantId, '--reason', 'not ours', '--by', 'ann'];
      const done = await server.command('suspense', 'return', id, '--address', receiver, ...words);
      assert.equal(done.exitCode, 0, done.stderr);
    },
  };
}

/** Coins at an address of ours, which the signer brings to where they are collected. */
async function prepareSweep({ chain, server, sweepFrom }: KillWorld): Promise<Order> {
  const { chain: chainId, assetId, collectTo: receiver = '' } = chain;
  assert(sweepFrom !== undefined, `nothing is swept on ${chain.network}`);
  const credited = () =>
    server.db.query(sql`
      select from receipt where destination = ${sweepFrom} and status = 'FINAL'
        and credited_generation = generation`);
  const known = (await credited()).length;
  await chain.fund([{ address: sweepFrom, amount: SWEPT }]);
  await until('what is to be swept', async () => (await credited()).length > known);
  const before = (await chain.received(receiver)).units;
  const id = newId(systemRandom);
  // With what the gas of the last one left there.
  const { units } = await chain.received(sweepFrom);
  const move = { id, chain: chainId, kind: 'SWEEP' as const, source: sweepFrom, receiver, assetId };
  return {
    ...{ kind: 'sweep', receiver, before, askedUnits: units },
    async place() {
      const planned = { plannedBy: 'ann', plannedAt: systemClock.now() };
      // As `custody sweep` plans it, and of this address only.
      await server.db.transact(async (tx) => insertPlanned(tx, [{ ...move, units, ...planned }]));
    },
    async booked() {
      const [row] = await server.db.query<{ state: string; signed: number; units: bigint }>(sql`
        select state, cardinality(transactions) as signed, units from sweep_move where id = ${id}`);
      if (row === undefined) return undefined;
      assert(row.signed <= 1, 'one transaction moves it');
      return { id, isPaid: row.state === 'MOVED', isSeen: false, units: row.units };
    },
  };
}

/** An order of which the fee of the network is a part. */
function debited(
  world: KillWorld,
  kind: OrderKind,
  { receiver, askedUnits }: Pick<Order, 'receiver' | 'askedUnits'>,
): Omit<Order, 'place'> {
  const booked = async () => {
    const found = await findBooked(world, receiver);
    if (found !== undefined)
      assert.equal(found.debitedUnits, askedUnits, 'what was asked is taken');
    return found;
  };
  return { kind, receiver, before: 0n, askedUnits, booked };
}

/** The receiver is of one order; should several transfers go there, the first, once all are paid. */
async function findBooked({ server }: KillWorld, receiver: string) {
  type Found = Booked & { readonly debitedUnits: bigint };
  const rows = await server.db.query<Found>(sql`
    select t.id, t.units as "debitedUnits", t.target_units as units,
      t.state in ('SUBMITTED', 'COMPLETED') as "isSeen",
      t.state = 'COMPLETED' and coalesce(r.state, 'COMPLETED') = 'COMPLETED'
        and coalesce(s.state, 'RETURNED') = 'RETURNED' as "isPaid"
    from transfer t left join refund r on r.transfer_id = t.id
      left join suspense_act a on a.transfer_id = t.id
      left join suspense s on s.id = a.suspense_id
    where lower(t.account::jsonb ->> 'address') = lower(${receiver})
      and t.state not in ('QUOTED', 'EXPIRED') order by t.created_at, t.id`);
  const [first] = rows;
  return first && { ...first, isPaid: rows.every(({ isPaid }) => isPaid) };
}

/** A beneficiary who has cooled down. */
async function addReceiver(world: KillWorld, label: string) {
  const { chain, server, shop } = world;
  const receiver = await chain.newReceiver();
  const keyring = openKeyring(server.keyFile, systemRandom);
  const app = { db: server.db, random: systemRandom, clock: systemClock, keyring };
  const caller = { merchantId: shop.merchantId, environment: 'live' as const };
  const account = { address: receiver };
  await addBeneficiary({ app, caller }, label, { network: chain.network, account });
  const target = { network: chain.network, asset: chain.assetId, targetAccount: label };
  return { receiver, target };
}

/** As a merchant does whose request was not answered: the same once more, under the same key. */
async function post<T>(
  { shop }: KillWorld,
  path: string,
  body: object,
  idempotencyKey: string,
): Promise<T> {
  const said = new Set<string>();
  const endsAtMs = performance.now() + WITHIN_MS;
  while (performance.now() < endsAtMs) {
    const answer = await shop.client
      .call('POST', path, { body, idempotencyKey })
      .catch(() => undefined);
    if (answer?.status === 200) return answer.json as T;
    if (answer !== undefined) said.add(answer.text);
    const isUsed = answer?.status === 409 && /Idempotency-Key|signature/.test(answer.text);
    if (answer !== undefined && !isUsed && answer.status < 500) break;
    await sleep(ASK_AGAIN_MS);
  }
  throw new Error(`${path} was not taken: ${[...said].join(' ')}`);
}

/** Something did not come to be. */
export class InVain extends Error {}

export async function until(wanted: string, isReached: () => Promise<boolean>): Promise<void> {
  const endsAtMs = performance.now() + WITHIN_MS;
  while (!(await isReached())) {
    if (performance.now() > endsAtMs) throw new InVain(`waited in vain for ${wanted}`);
    await sleep(POLL_MS);
  }
}
