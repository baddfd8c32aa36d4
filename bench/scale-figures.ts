// What a shop does and sees in a full database, in turns with the same in one that is nearly empty:
// both are on one server, filled by the same program, and whatever else the machine does meets both.
// What is read anywhere in a full database is read twice: the first time it comes from the disk, which
// is told without an aim, since the nearly empty one lies in memory whole.

import { readPosition } from '#chain/chain-status.ts';
import { listReceiptsByTransaction } from '#chain/receipt.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { findCheckout, listCheckoutsPaidAt } from '#checkout/find-checkout.ts';
import { listCheckouts } from '#checkout/list-checkouts.ts';
import { pageToken } from '#checkout/page-token.ts';
import { sql } from '#db/db.ts';
import type { PagePlace } from '#db/page-cursor.ts';
import { followLedgerDays } from '#ledger/ledger-day.ts';
import { parseDecimal } from '#money/decimal.ts';
import { listPeriodBalances } from '#report/balances-report.ts';
import type { BenchApp } from './bench-app.ts';
import type { BenchDatabase } from './bench-database.ts';
import { CHAIN } from './bench-network.ts';
import { createOne } from './figure-create.ts';
import { commitMany, creditBlocks } from './figure-credit.ts';
import { ALL } from './figure-lists.ts';
import { askOnce, createBody } from './http-client.ts';
import { type Aim, type Figure, figureOf, inParallel, percentile, timed } from './measure.ts';
import { CLIENTS } from './pgbench.ts';
import { copyNumber } from './scale-fill.ts';
import { measureVerify } from './scale-verify.ts';

export type Side = {
  readonly app: BenchApp;
  readonly database: BenchDatabase;
  /** Copies that are in it. */
  readonly checkouts: number;
  /** Where its service answers. */
  readonly port: number;
  /** The file that says how far its proof has come. */
  readonly proof: string;
};
export type Sides = {
  readonly full: Side;
  readonly small: Side;
  readonly say: (line: string) => void;
};

const AIM = { atMost: 1.3 };
const WRITES = { runs: 15, warmUps: 3, atOnce: 100, aim: AIM };
const READS = { runs: 201, warmUps: 10, atOnce: 10, aim: AIM };
const SHOWN = 50;

export const SCALE_PARTS: Readonly<Record<string, (sides: Sides) => Promise<Figure[]>>> = {
  writes: measureWrites,
  lists: measureLists,
  searches: measureSearches,
  page: measurePage,
  balances: measureBalances,
  verify: measureVerify,
};

/** The tenth part that was fastest: what an act takes while nobody else is in its way. */
const FASTEST = 0.1;

async function inTurns(
  { full, small, say }: Sides,
  name: string,
  turns: { readonly runs: number; readonly warmUps: number; readonly aim?: Aim | undefined },
  act: (side: Side) => Promise<void>,
): Promise<Figure> {
  const times = new Map<Side, number[]>([
    [full, []],
    [small, []],
  ]);
  for (let run = 1 - turns.warmUps; run <= turns.runs; run += 1) {
    // Whoever comes first finds the processor as the other left it.
    for (const side of run % 2 === 0 ? [full, small] : [small, full]) {
      const ms = await timed(() => act(side));
      if (run >= 1) times.get(side)?.push(ms);
    }
  }
  const fastest = (side: Side) => percentile(times.get(side) ?? [], FASTEST);
  const against = `of ${small.checkouts.toLocaleString('en')}`;
  const named = { name, against, unit: 'ms', aim: turns.aim } as const;
  const figure = figureOf(named, fastest(full), fastest(small));
  say(`${name}: ${figure.ratio.toFixed(2)}`);
  return figure;
}

async function measureWrites(sides: Sides): Promise<Figure[]> {
  const { atOnce } = WRITES;
  const create = await inTurns(sides, `create (${atOnce})`, WRITES, async ({ app, database }) => {
    await createMany(app, database, atOnce);
  });
  const pools = new Map<Side, string[]>();
  for (const side of [sides.full, sides.small]) {
    const count = atOnce * (WRITES.runs + WRITES.warmUps);
    pools.set(side, await createMany(side.app, side.database, count));
  }
  const commit = await inTurns(sides, `commit (${atOnce})`, WRITES, async (side) => {
    const ids = pools.get(side)?.splice(0, atOnce) ?? [];
    await inParallel(CLIENTS, async (taken) => {
      const checkoutId = ids[taken];
      if (checkoutId === undefined) return false;
      await commitCheckout(side.app, { checkoutId, owner: 'page', network: 'LITECOIN' });
      return true;
    });
  });
  return [create, commit, await measureCredit(sides)];
}

async function createMany(
  app: BenchApp,
  { ours }: BenchDatabase,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  await inParallel(CLIENTS, async (taken) => {
    if (taken >= count) return false;
    ids.push(await createOne(app, ours.key, createBody(taken)));
    return true;
  });
  return ids;
}

/** From the block to the event: payments that were committed before the time is taken. */
async function measureCredit(sides: Sides): Promise<Figure> {
  const { atOnce, runs, warmUps } = WRITES;
  const due = new Map<Side, Awaited<ReturnType<typeof commitMany>>>();
  const cursors = new Map<Side, Parameters<typeof creditBlocks>[1]>();
  for (const side of [sides.full, sides.small]) {
    const { cursor } = await readPosition(side.app.db, CHAIN);
    if (cursor === undefined) throw new Error('the chain was never read');
    cursors.set(side, { at: cursor });
    due.set(side, await commitMany(side.app, [side.database.ours.key], atOnce * (runs + warmUps)));
  }
  return inTurns(sides, `credit (${atOnce})`, WRITES, async (side) => {
    const cursor = cursors.get(side);
    if (cursor !== undefined) {
      await creditBlocks(side.app, cursor, due.get(side)?.splice(0, atOnce) ?? []);
    }
  });
}

function ownerOf({ database }: Side) {
  return { merchantId: database.ours.merchantId, environment: 'test' } as const;
}

/** `actOf` gives an act that begins with the same places each time it is asked for one. */
async function readTwice(
  sides: Sides,
  name: string,
  actOf: () => (side: Side) => Promise<void>,
): Promise<Figure[]> {
  const first = { ...READS, aim: undefined };
  return [
    await inTurns(sides, `${name}, for the first time`, first, actOf()),
    await inTurns(sides, name, READS, actOf()),
  ];
}

/** The newest page is asked for again and again; the others are each another one. */
async function measureLists(sides: Sides): Promise<Figure[]> {
  const next = wanderer();
  const places = new Map<Side, readonly PagePlace[]>();
  for (const side of [sides.full, sides.small]) {
    const ids = Array.from({ length: READS.runs + READS.warmUps }, () => next(side).checkoutId);
    places.set(side, await placesOf(side, ids));
  }
  const read = async (side: Side, cursor: PagePlace | undefined) => {
    const page = { cursor, limit: SHOWN };
    const { checkouts } = await listCheckouts(side.app, ownerOf(side), ALL, page);
    if (checkouts.length !== SHOWN && cursor === undefined) {
      throw new Error(`${checkouts.length} are shown`);
    }
  };
  return [
    await inTurns(sides, 'newest page', READS, (side) => read(side, undefined)),
    ...(await readTwice(sides, 'pages in the middle', () => {
      const left = new Map(Array.from(places, ([side, those]) => [side, [...those]]));
      return (side) => read(side, left.get(side)?.shift());
    })),
  ];
}

function placesOf({ app }: Side, ids: readonly string[]): Promise<PagePlace[]> {
  return app.db.query<PagePlace>(sql`
    select created_at as at, id from checkout where id = any(${ids}::text[])`);
}

/** Copies from everywhere, none twice soon: as many people have each a page of their own. */
function wanderer(): (side: Side) => ReturnType<typeof copyNumber> {
  const turns = new Map<Side, number>();
  return (side) => {
    const turn = (turns.get(side) ?? 0) + 1;
    turns.set(side, turn);
    return copyNumber((turn * 7_919) % side.checkouts);
  };
}

async function measureSearches(sides: Sides): Promise<Figure[]> {
  const [row] = await sides.full.app.db.query<{ total: string }>(sql`
    select total::text from checkout limit 1`);
  const filter = { ...ALL, total: parseDecimal(row?.total ?? '') };
  const page = { cursor: undefined, limit: SHOWN };
  return [
    ...(await searchTwice(sides, 'id', async (side, { checkoutId }) => {
      const found = await findCheckout(side.app, ownerOf(side), checkoutId);
      return found === undefined ? 0 : 1;
    })),
    await inTurns(sides, 'search by amount', READS, async (side) => {
      const { checkouts } = await listCheckouts(side.app, ownerOf(side), filter, page);
      if (checkouts.length !== SHOWN) throw new Error(`${checkouts.length} are shown`);
    }),
    ...(await searchTwice(sides, 'address', async (side, { address }) => {
      return (await listCheckoutsPaidAt(side.app.db, ownerOf(side), [address])).length;
    })),
    ...(await searchTwice(sides, 'transaction', async (side, { transaction }) => {
      return (await listReceiptsByTransaction(side.app.db, [transaction])).length;
    })),
  ];
}

/** `search` answers how many it found. */
function searchTwice(
  sides: Sides,
  by: string,
  search: (side: Side, copy: ReturnType<typeof copyNumber>) => Promise<number>,
): Promise<Figure[]> {
  return readTwice(sides, `search by ${by} (${READS.atOnce})`, () => {
    const next = wanderer();
    return async (side) => {
      for (let done = 0; done < READS.atOnce; done += 1) {
        if ((await search(side, next(side))) === 0) throw new Error('nothing was found');
      }
    };
  });
}

/** The hosted page, over HTTP, one after another. */
function measurePage(sides: Sides): Promise<Figure[]> {
  return readTwice(sides, `page of a checkout (${READS.atOnce})`, () => {
    const next = wanderer();
    return async (side) => {
      for (let done = 0; done < READS.atOnce; done += 1) {
        const token = pageToken(side.app.keyring, next(side).checkoutId);
        const lines = [
          `GET /en/checkout/${token} HTTP/1.1`,
          'host: 127.0.0.1',
          'connection: close',
        ];
        const { status } = await askOnce(side.port, `${lines.join('\r\n')}\r\n\r\n`);
        if (status !== 200) throw new Error(`the page answered ${status}`);
      }
    };
  });
}

/** No aim: the first and the last day are told by their postings, and a full database has more a day. */
const PERIODS = { runs: 7, warmUps: 1 };

/** What each account held, and what moved, in a period that begins and ends within a day. */
async function measureBalances(sides: Sides): Promise<Figure[]> {
  const figures: Figure[] = [];
  const ends = new Map<Side, Period>();
  for (const side of [sides.full, sides.small]) {
    const ms = await timed(async () => {
      while ((await followLedgerDays(side.app)) === 'busy');
    });
    sides.say(`days of ${side.checkouts.toLocaleString('en')}: ${Math.round(ms / 1000)} s`);
    ends.set(side, await lifeOf(side));
  }
  for (const [name, within] of [
    ['balances of all the time', 0.001],
    ['balances of the middle half', 0.25],
  ] as const) {
    figures.push(
      await inTurns(sides, name, PERIODS, async (side) => {
        const { from, to } = ends.get(side) ?? (await lifeOf(side));
        const ms = to.since(from).total('milliseconds') * within;
        const cut = { milliseconds: Math.round(ms) };
        const period = { from: from.add(cut), to: to.subtract(cut), limit: 1, cursor: undefined };
        const rows = await listPeriodBalances(side.app.db, { ...ownerOf(side), ...period });
        if (rows.length === 0) throw new Error('no account is told of');
      }),
    );
  }
  return figures;
}

type Period = { readonly from: Temporal.Instant; readonly to: Temporal.Instant };

/** From the first entry to the last. */
async function lifeOf({ app }: Side): Promise<Period> {
  const [life] = await app.db.query<Period>(sql`
    select (select occurred_at from ledger_entry order by id limit 1) as from,
      (select occurred_at from ledger_entry order by id desc limit 1) as to`);
  if (life === undefined) throw new Error('the ledger is empty');
  return life;
}
