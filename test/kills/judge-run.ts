// What has to be true when a run is over. What was paid is asked of the node itself, what was signed of
// the signer's own log.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { systemClock } from '#base/clock.ts';
import { sql } from '#db/db.ts';
import { custodyBalance } from '#ledger/account.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import type { KillWorld } from './kill-world.ts';
import { type Booked, InVain, type Order, until } from './orders.ts';

export const FAULTS = ['double payment', 'lost payment', 'difference'] as const;
/** A difference: everybody has what he should, and somebody says something else. */
export type Fault = (typeof FAULTS)[number];

export class Wrong extends Error {
  readonly fault: Fault;
  constructor(fault: Fault, message: string, options?: ErrorOptions) {
    super(`${fault}: ${message}`, options);
    this.fault = fault;
  }
}

/** All orders have ended. @throws Wrong @throws AssertionError: a difference */
export async function judge(world: KillWorld, orders: readonly Order[]): Promise<void> {
  const { chain, server } = world;
  const ended = await Promise.all(orders.map((order) => order.booked()));
  for (const [at, order] of orders.entries()) {
    const booked = ended[at];
    assert(booked?.isPaid === true && booked.units <= order.askedUnits, inspect(booked));
    const fault = await faultOf(world, order, booked);
    if (fault !== undefined) throw fault;
    await checkSigned(world, order, booked);
  }
  const held = await chain.heldUnits(server);
  await until(`custody to be the ${held} units on the chain`, async () => {
    return (await custodyBalance(server.db, chain.chain, chain.assetId)) === held;
  });
  const reserved = await world.shop.balance(chain.assetId, 'merchant:reserved');
  assert.equal(reserved, 0n, 'nothing stays reserved');
}

/** Of a run that did not come to its end, as far as the chain says. */
export async function judgeUnended(
  world: KillWorld,
  orders: readonly Order[],
  { story, cause }: { readonly story: string; readonly cause: unknown },
): Promise<Wrong> {
  if (cause instanceof Wrong) return new Wrong(cause.fault, story, { cause });
  for (const order of orders) {
    const booked = await order.booked().catch(() => undefined);
    const fault = await faultOf(world, order, booked);
    // What was only looked at too early is not lost.
    if (fault?.fault === 'lost payment' && !(cause instanceof InVain)) continue;
    if (fault !== undefined) return new Wrong(fault.fault, `${story}: ${fault.message}`, { cause });
  }
  const rows = await told(world, orders).catch(String);
  return new Wrong('difference', `${story}\n${rows}`, { cause });
}

/** What the chain shows of it, beside what has to arrive: once, and all of it. */
async function faultOf(
  { chain }: KillWorld,
  { receiver, before, askedUnits, kind }: Order,
  booked: Booked | undefined,
): Promise<Wrong | undefined> {
  const wanted = booked?.units ?? askedUnits;
  const received = await chain.received(receiver);
  const units = received.units - before;
  const shown = `${receiver} (${kind}) has ${units} units of ${wanted}`;
  const isOften = kind !== 'sweep' && received.times > 1;
  if (units > wanted || isOften) {
    return new Wrong('double payment', `${shown}, in ${received.times} transactions`);
  }
  return units < wanted ? new Wrong('lost payment', shown) : undefined;
}

/** Every invariant of the whole database, and nothing was logged that a person would be woken by. */
export async function checkWhole({ server }: KillWorld): Promise<void> {
  // What becomes due while it is being looked at is due.
  const now = systemClock.now().add({ seconds: 1 });
  assert.deepEqual(await checkInvariants(server.db, { now }), []);
  assert.deepEqual(server.errors().filter(isSurprise), []);
  const verified = await server.command('ledger', 'verify', '--json');
  assert.equal(verified.json.ok, true, `${verified.stdout}${verified.stderr}`);
}

/** Of what is returned a person has to be told. */
function isSurprise({ message }: Readonly<Record<string, unknown>>): boolean {
  return message !== 'money arrived that nobody asked for';
}

/** What was signed is stored, is one, and is what has paid; the signer has one line about it. */
async function checkSigned({ server, signer }: KillWorld, { kind }: Order, { id }: Booked) {
  if (kind !== 'sweep') {
    const [row] = await server.db.query<{ paid: string; signed: string[]; departures: number }>(sql`
      select t.transaction as paid,
        (select coalesce(array_agg(distinct a.transaction), '{}') from attempt a
          where a.transfer_ids @> array[t.id] and a.signed_at is not null) as signed,
        (select count(*)::int from departure_part p where p.transfer_id = t.id) as departures
      from transfer t where t.id = ${id}`);
    assert.deepEqual(row?.signed, [row?.paid], 'one is stored as signed, and that one paid');
    assert.equal(row?.departures, 1, 'one departure carries it');
  }
  const lines = readFileSync(signer.log, 'utf8').split('\n');
  const signed = lines.filter((line) => line.includes(id) && isSigned(line, id));
  assert.equal(signed.length, 1, `lines of ${id} in the log of the signer`);
}

function isSigned(line: string, id: string): boolean {
  type Signed = { readonly id: string; readonly beside?: readonly string[] };
  const { entry } = JSON.parse(line) as { entry: { kind: string; order?: Signed } };
  const { order } = entry;
  return entry.kind === 'signed' && (order?.id === id || order?.beside?.includes(id) === true);
}

/** For whoever looks into a run that does not end. */
async function told({ server }: KillWorld, orders: readonly Order[]): Promise<string> {
  const receivers = orders.map(({ receiver }) => receiver.toLowerCase());
  const rows = await server.db.query<{ row: string }>(sql`
    select row_to_json(shown)::text as row from (
      select t.id, t.kind, t.state, t.transaction, t.held_up, t.committed_at, t.asked_at,
        t.shown_at, t.next_step_at, t.step_error, t.parked_reason, a.id as attempt, a.spends,
        a.drafted_at, a.answered_at, a.signed_at, a.over_at, a.transaction as signed
      from transfer t left join attempt a on a.transfer_ids @> array[t.id]
      where lower(t.account::jsonb ->> 'address') = any(${receivers}::text[]) order by t.id, a.id) shown
    union all select row_to_json(m)::text from sweep_move m
    where m.ended_at is null and lower(m.receiver) = any(${receivers}::text[])`);
  return rows.map(({ row }) => row).join('\n');
}
