// Sees to it that no index of a source is given to two people, whatever was done to the database.
// Guarantees: what this process showed to anybody is in the record beside the key file before it is
// shown; before the first index of a source is taken the record was compared with the database, and
// where there is no record the chain was asked; what is left out is watched all the same, and money
// that comes there lies in suspense. Not guaranteed: what another machine gave out after the backup
// that was restored; its own start, or `quittance restored` there, says it.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type Random, randomBigint } from '#base/random.ts';
import { Outage } from '#base/refusal.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { defineTable, insertOnly, moment, type Row, text } from '#db/table.ts';
import { findNextIndex, raiseNextIndex, type SourceName } from './address-source.ts';
import { decideLeftOut, isWitness, type LeftOut } from './decide-left-out.ts';
import { openGivenOutFile } from './given-out-file.ts';
import type { Network, Payee } from './network.ts';

export type GivenOut = {
  /** True when indexes of its source may be given out by this process. */
  isSettled(network: SourceOf): boolean;
  /** Compares, and leaves out what is to be; once a process. @throws Outage */
  settle(network: Network): Promise<void>;
  /** Of all that the record knows: the database is asked, and no chain. */
  settleFromRecord(): Promise<void>;
  /** The same on purpose, whatever the record says. @throws Outage */
  leaveOut(network: Network): Promise<LeftOutNow | undefined>;
  /** To be waited for before a destination is shown. @throws Outage */
  keep(network: SourceOf, index: bigint): Promise<void>;
};

export type LeftOutNow = LeftOut & {
  readonly next: bigint;
  /** How many of them are watched. */
  readonly watched: number;
};

type SourceOf = Pick<Payee, 'chain' | 'addressSource' | 'addressSourceOwner' | 'asksNode'>;

type GivenOutApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Of the record, which lies beside the key file. */
  readonly path: string;
  /** Every real one: all that share a source have the same destinations. */
  readonly networks: readonly Network[];
};

/** Destinations that are watched of those left out: the last ones. */
const WATCHED_MOST = 2_000n;
/** Numbers go on anywhere within that part of where they may begin. */
const JUMP_PART = 1_000n;

type Book = {
  readonly app: GivenOutApp;
  /** What this machine gave out, beside the key file. */
  readonly file: Awaited<ReturnType<typeof openGivenOutFile>>;
  /** Sources whose indexes may be given out. */
  readonly settled: Set<string>;
  readonly underWay: Map<string, Promise<void>>;
};

/** @throws Refusal when there is a record that cannot be read. */
export async function openGivenOut(app: GivenOutApp): Promise<GivenOut> {
  const file = await openGivenOutFile(app.path);
  const book: Book = { app, file, settled: new Set(), underWay: new Map() };
  return {
    isSettled: (network) => !hasRecord(network) || book.settled.has(keyOf(network)),
    settle: (network) => settle(book, network),
    async settleFromRecord() {
      for (const network of app.networks) {
        if (file.nextOf(keyOf(network)) !== undefined) await settle(book, network);
      }
    },
    async leaveOut(network) {
      return hasRecord(network) ? compare(book, network, true) : undefined;
    },
    async keep(network, index) {
      if (hasRecord(network)) await keep(book, keyOf(network), index + 1n);
    },
  };
}

async function settle(book: Book, network: Network): Promise<void> {
  const { settled, underWay } = book;
  if (!hasRecord(network)) return;
  const key = keyOf(network);
  if (settled.has(key)) return;
  const looking =
    underWay.get(key) ?? settleOnce(book, network).finally(() => void underWay.delete(key));
  underWay.set(key, looking);
  await looking;
}

async function settleOnce(book: Book, network: Network): Promise<void> {
  await compare(book, network, false);
  book.settled.add(keyOf(network));
}

/** The record with the database, and with the chain where that is asked for or the only witness. */
async function compare(
  book: Book,
  network: Network,
  isAsked: boolean,
): Promise<LeftOutNow | undefined> {
  const { app, file } = book;
  const key = keyOf(network);
  const next = await findNextIndex(app.db, nameOf(network));
  const kept = file.nextOf(key);
  const isDerived = network.firstIndexes === undefined;
  const from = highest([next ?? 0n, kept ?? 0n]) ?? 0n;
  const asks = isAsked || !isWitness({ next, kept });
  const used = asks ? await askChains(app, network, from) : undefined;
  const facts = { next, kept, used, isDerived, isAsked, jump: jumpOf(app.random, network) };
  const leftOut = decideLeftOut(facts);
  if (leftOut === undefined) {
    // Zero is kept too: a start after a crash need not ask the chain again.
    await keep(book, key, next ?? 0n);
    return undefined;
  }
  const done = await leaveOut(book, network, leftOut);
  await keep(book, key, done.next);
  return done;
}

/** Who shares the source: those that are away have no say, beside one that has. */
async function askChains(
  app: GivenOutApp,
  network: Network,
  from: bigint,
): Promise<bigint | undefined> {
  const asked = sharing(app, network).map(async (one) => {
    try {
      return await highestUsed(one, from);
    } catch (error) {
      if (one.chain === network.chain || !(error instanceof Outage)) throw error;
      app.log.warn('a chain could not be asked what was paid there', { chain: one.chain, error });
      return undefined;
    }
  });
  return highest((await Promise.all(asked)).filter((index) => index !== undefined));
}

function sharing({ networks }: GivenOutApp, network: SourceOf): Network[] {
  return networks.filter((one) => hasRecord(one) && keyOf(one) === keyOf(network));
}

async function leaveOut(
  { app, file }: Book,
  network: Network,
  leftOut: LeftOut,
): Promise<LeftOutNow> {
  const { to, reason } = leftOut;
  const name = nameOf(network);
  const now = app.clock.now();
  // Numbers jump far: what was perhaps given out lies at the begin of the jump.
  const end =
    network.firstIndexes === undefined ? to : (file.nextOf(keyOf(network)) ?? leftOut.from);
  const from = end - leftOut.from > WATCHED_MOST ? end - WATCHED_MOST : leftOut.from;
  const watched = await Promise.all(
    sharing(app, network).map(async (one) => ({
      one,
      destinations: await destinationsOf(one, from, end, now),
    })),
  );
  const next = await app.db.transact(async (tx) => {
    const raised = await raiseNextIndex(tx, name, to, now);
    for (const { one, destinations } of watched) {
      insertLeftOut(tx, one.chain, destinations, reason, now);
    }
    return raised;
  });
  const count = watched[0]?.destinations.length ?? 0;
  const fields = { chain: network.chain, from: leftOut.from, next, reason, watched: count };
  app.log.warn('indexes are left out: they may have been given out before', fields);
  return { ...leftOut, next, watched: count };
}

async function keep({ app, file }: Book, key: string, next: bigint): Promise<void> {
  try {
    await file.keep(key, next);
  } catch (error) {
    // Without it nobody may be shown what was taken.
    app.log.error('the record of what was given out cannot be written', { path: app.path, error });
    throw new Outage('the record of what was given out', { cause: error });
  }
}

function highest(indexes: readonly bigint[]): bigint | undefined {
  return indexes.reduce<bigint | undefined>(
    (most, one) => (most === undefined || one > most ? one : most),
    undefined,
  );
}

/** Simulated money may be mixed up; a node numbers itself. */
function hasRecord({ chain, asksNode }: SourceOf): boolean {
  return asksNode !== true && environmentOf(chain) === 'live';
}

function nameOf({ chain, addressSource, addressSourceOwner = chain }: SourceOf): SourceName {
  return { owner: addressSourceOwner, descriptor: addressSource };
}

function keyOf(network: SourceOf): string {
  const { owner, descriptor } = nameOf(network);
  return `${owner} ${descriptor}`;
}

function jumpOf(random: Random, { firstIndexes }: Payee): bigint {
  if (firstIndexes === undefined) return 0n;
  return 1n + randomBigint(random, (firstIndexes.below - firstIndexes.least) / JUMP_PART);
}

/** As far as money is found, however far that is from where it was looked for first. */
async function highestUsed(network: Network, from: bigint): Promise<bigint | undefined> {
  let last: bigint | undefined;
  for (let at = from; ; ) {
    const found = await network.usedIndex?.(at);
    if (found === undefined) return last;
    last = found;
    at = found + 1n;
  }
}

async function destinationsOf(
  network: Network,
  from: bigint,
  end: bigint,
  expiresAt: Temporal.Instant,
): Promise<string[]> {
  const destinations: string[] = [];
  for (let index = from; index < end; index += 1n) {
    const request = { index, assetId: '', units: 0n, instructionId: '', expiresAt };
    destinations.push((await network.openDestination(request)).destination);
  }
  return destinations;
}

// Destinations of ours that nobody is given: those that a database which is gone may have given
// out, and the account that pays for gas. They are watched, and what comes there from elsewhere
// lies in suspense. And the SQL of their table.

/** Why money lies in suspense. */
const GIVEN_BEFORE_RESTORE = 'address given out before a restore';

/** Why it is left out: it gives coins to addresses that have none to pay gas with. */
export const GAS_ACCOUNT = 'gas account';

/** The same of a contract that holds money of ours and that its owners move (a Safe). */
export const OWNED_CONTRACT = 'Safe';

export const ADDRESS_LEFT_OUT = defineTable('address_left_out', {
  chain: text<ChainId>(),
  destination: text(),
  reason: insertOnly(text()),
  leftOutAt: insertOnly(moment),
});

export function insertLeftOut(
  tx: Tx,
  chain: ChainId,
  destinations: readonly string[],
  reason: string,
  leftOutAt: Temporal.Instant,
): void {
  if (destinations.length === 0) return;
  const rows = destinations.map((destination) => ({ chain, destination, reason, leftOutAt }));
  const rest = sql`
    where not exists (select from deposit_instruction i
      where i.chain = given.chain and i.destination = given.destination)
    on conflict do nothing`;
  tx.send(ADDRESS_LEFT_OUT.insert(rows, rest));
}

/** Why money there is nobody's; null where it was not left out. Both as the statement has them. */
export function remarkOfLeftOut(chain: Statement, destination: Statement): Statement {
  return sql`(
    select case when l.reason in (${GAS_ACCOUNT}, ${OWNED_CONTRACT}) then l.reason
      else ${GIVEN_BEFORE_RESTORE} end
    from address_left_out l where l.chain = ${chain} and l.destination = ${destination})`;
}

/** Left out, and not because it is an account of our own: a database that is gone gave it out. */
export function listGivenBefore(
  reader: Reader,
  chain: ChainId,
): Promise<Row<typeof ADDRESS_LEFT_OUT>[]> {
  return ADDRESS_LEFT_OUT.select(
    reader,
    sql`where chain = ${chain} and reason not in (${GAS_ACCOUNT}, ${OWNED_CONTRACT})`,
  );
}

/** Few, or none: all of them at once. */
export function listLeftOut(
  reader: Reader,
  chains: readonly ChainId[],
): Promise<Row<typeof ADDRESS_LEFT_OUT>[]> {
  return ADDRESS_LEFT_OUT.select(reader, sql`where chain = any(${chains}::text[])`);
}
