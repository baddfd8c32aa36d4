// Seals over the acts, in batches and in the order of their numbers, as the ledger has them
// (ledger/seal-entries.ts). Each link is made under a key outside the database: whoever may write
// everything in it cannot make another chain. Guarantees: `verifyActs` finds an act that was
// changed, taken away or put in below the last seal. Not guaranteed: that the last acts, or the
// last seals with their acts, were not taken away: `acts` and `head` of an earlier answer show it.

import type { Clock } from '#base/clock.ts';
import { ConstraintViolation, type Db, type Reader, sql } from '#db/db.ts';
import { findSettledTop } from '#db/settled-top.ts';
import { bigInteger, bytes, defineTable, integer, moment, type Row } from '#db/table.ts';
import { ACT_NUMBERS, type Act, listActsAfter } from './act.ts';

export const ACT_SEAL = defineTable('act_seal', {
  number: bigInteger,
  lastAct: bigInteger,
  actCount: integer,
  hash: bytes,
  sealedAt: moment,
});
type ActSeal = Row<typeof ACT_SEAL>;

/** The narrow part of the keyring that seals of acts need. */
type ActSealKeys = { mac(purpose: 'act', bytes: Uint8Array): Uint8Array };

type SealApp = { readonly db: Db; readonly clock: Clock; readonly keyring: ActSealKeys };

/** One batch. Several processes may call it: one of them gets it. Answers how many were sealed. */
export async function sealActs(
  app: SealApp,
  { limit }: { readonly limit: number },
): Promise<number> {
  const { db } = app;
  const last = await ACT_SEAL.find(db, sql`order by number desc limit 1`);
  const after = last?.lastAct ?? 0n;
  const upTo = await findSettledTop(app, ACT_NUMBERS, after);
  const acts = upTo === undefined ? [] : await listActsAfter(db, { after, upTo, limit });
  const lastAct = acts.at(-1)?.id;
  if (lastAct === undefined) return 0;
  const seal = {
    number: (last?.number ?? 0n) + 1n,
    lastAct,
    actCount: acts.length,
    hash: hashActs(app.keyring, last, acts),
    sealedAt: app.clock.now(),
  };
  try {
    await db.single((tx) => tx.query(ACT_SEAL.insert([seal])));
  } catch (error) {
    if (error instanceof ConstraintViolation && error.code === '23505') return 0;
    throw error;
  }
  return acts.length;
}

function hashActs(
  keyring: ActSealKeys,
  before: ActSeal | undefined,
  acts: readonly Act[],
): Uint8Array {
  const lines = acts.map((act) =>
    JSON.stringify([
      `${act.id}`,
      act.actedAt.toString(),
      act.actor,
      act.verb,
      act.subject,
      act.environment ?? null,
      act.merchantId ?? null,
      act.details,
    ]),
  );
  const text = ['acts/v1', before?.hash.toHex() ?? '', ...lines].join('\n');
  return keyring.mac('act', new TextEncoder().encode(text));
}

type VerifiedActs = {
  readonly acts: bigint;
  readonly seals: bigint;
  /** Undefined while nothing is sealed: 32 bytes in hexadecimal digits. */
  readonly head: string | undefined;
  readonly faults: readonly string[];
};

/** Goes through all of them. */
export async function verifyActs(app: {
  readonly db: Reader;
  readonly keyring: ActSealKeys;
}): Promise<VerifiedActs> {
  const faults: string[] = [];
  let [before, acts]: [ActSeal | undefined, bigint] = [undefined, 0n];
  for (;;) {
    const number: bigint = (before?.number ?? 0n) + 1n;
    const seal = await ACT_SEAL.find(
      app.db,
      sql`where number >= ${number} order by number limit 1`,
    );
    if (seal === undefined) break;
    if (seal.number !== number) faults.push(`seal ${number} of the acts is missing`);
    const range = { after: before?.lastAct ?? 0n, upTo: seal.lastAct, limit: seal.actCount + 1 };
    const covered = await listActsAfter(app.db, range);
    const between = `acts ${range.after + 1n} to ${seal.lastAct}`;
    if (covered.length !== seal.actCount) {
      const found = covered.length > seal.actCount ? 'more' : `${covered.length}`;
      faults.push(`${between}: ${seal.actCount} were sealed, ${found} are there`);
    } else if (!isEqual(seal.hash, hashActs(app.keyring, before, covered))) {
      faults.push(`${between}: one of them was changed since it was sealed`);
    }
    acts += BigInt(seal.actCount);
    before = seal;
  }
  return { acts, seals: before?.number ?? 0n, head: before?.hash.toHex(), faults };
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.toHex() === other.toHex();
}
