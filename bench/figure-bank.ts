// What a statement of a bank costs: 5,000 entries, 20 of them credits for us, from the file to the
// receipts, against reading the file into bookings and doing nothing with them; the same with
// 1,000,000 watched references against 1,000; and, beside it, against parsing its XML alone, and a
// statement in which every entry is for us.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseXml } from '@rgrove/parse-xml';
import { systemClock } from '#base/clock.ts';
import { readPosition } from '#chain/chain-status.ts';
import { recordObservation } from '#chain/record-observation.ts';
import { type Db, sql } from '#db/db.ts';
import type { BankAccount } from '#networks/bank/bank-account.ts';
import { creditorReference } from '#networks/bank/bank-references.ts';
import { importStatement } from '#networks/bank/import-bank-file.ts';
import { bankNetwork } from '#networks/bank/open-bank-networks.ts';
import { readStatements } from '#networks/bank/read-statement.ts';
import { type FakeEntry, OUR_IBAN, statementBytes } from '#test/fakes/bank-statement.ts';
import type { Bench } from './bench.ts';
import { openBenchApp } from './bench-app.ts';
import { type Figure, figureOf, median, timed } from './measure.ts';

const ENTRIES = 5_000;
const OURS = 20;
/** Between the references that are paid. */
const APART = 10;
const FEW = 1_000;
const MANY = 1_000_000;
const MADE_AT_ONCE = 50_000;
const RUNS = 11;
const WARM_UPS = 4;
const CHAIN = 'live:SEPA';
const FIRST_DAY = Temporal.PlainDate.from('2026-01-01');

const ACCOUNT: BankAccount = {
  network: 'SEPA',
  account: OUR_IBAN,
  holder: 'Fern & Folio GmbH',
  bic: undefined,
  currencies: ['EUR'],
  pix: undefined,
};

export async function measureBank(bench: Bench): Promise<Figure[]> {
  const few = await openWatched(bench, 'bench_bank_few', FEW);
  const many = await openWatched(bench, 'bench_bank_many', MANY);
  const all = await openWatched(bench, 'bench_bank_all', ENTRIES * APART);
  const times: Record<'few' | 'many' | 'all' | 'parsed' | 'read' | 'allRead', number[]> = {
    ...{ few: [], many: [], all: [] },
    ...{ parsed: [], read: [], allRead: [] },
  };
  for (let run = 1 - WARM_UPS; run <= RUNS; run += 1) {
    // A statement of its own for each run: what is known already costs less.
    const some = await writeStatement(bench, run, OURS);
    const whole = await writeStatement(bench, run, ENTRIES);
    const acts = {
      parsed: () => parse(some),
      few: () => take(few, some, OURS),
      many: () => take(many, some, OURS),
      read: () => read(some),
      allRead: () => read(whole),
      all: () => take(all, whole, ENTRIES),
    };
    // Forwards and backwards in turn: whoever comes first clears away what was left before.
    const names = Object.keys(acts) as (keyof typeof acts)[];
    const took = new Map<string, number>();
    for (const name of run % 2 === 0 ? names : names.reverse()) {
      took.set(name, await timed(acts[name]));
    }
    if (run < 1) continue;
    for (const name of names) times[name].push(took.get(name) ?? 0);
  }
  const unit = 'ms' as const;
  const [entries, addresses] = [ENTRIES.toLocaleString('en'), MANY.toLocaleString('en')];
  const name = `bank (${entries} entries, ${OURS} for us, ${addresses} references)`;
  return [
    figureOf(
      { name, against: 'read alone', unit, aim: { atMost: 1.5 } },
      median(times.many),
      median(times.read),
    ),
    figureOf(
      { name, against: `${FEW.toLocaleString('en')} references`, unit, aim: { atMost: 1.2 } },
      median(times.many),
      median(times.few),
    ),
    figureOf({ name, against: 'XML parsed', unit }, median(times.many), median(times.parsed)),
    figureOf(
      { name: `bank (${entries} entries, all for us)`, against: 'read alone', unit },
      median(times.all),
      median(times.allRead),
    ),
  ];
}

async function parse(path: string): Promise<void> {
  parseXml(await readFile(path, 'utf8'));
}

async function read(path: string): Promise<void> {
  readStatements(await readFile(path));
}

type Watched = Awaited<ReturnType<typeof openWatched>>;

/** As `quittance bank import` and the watch after it do. */
async function take({ app, network }: Watched, path: string, ours: number): Promise<void> {
  const known = { chain: CHAIN, account: ACCOUNT, isDry: false } as const;
  const options = { ...known, actor: 'operator' };
  for (const statement of readStatements(await readFile(path))) {
    await importStatement(app, statement, options);
  }
  let changed = 0;
  for (let isComplete = false; !isComplete; ) {
    const position = await readPosition(app.db, CHAIN);
    const observation = await network.observe(position);
    const outcome = await recordObservation(app, CHAIN, observation, position);
    if (outcome.kind === 'stale') throw new Error('somebody else watches');
    changed += outcome.affected.length;
    isComplete = observation.complete;
  }
  if (changed !== ours) throw new Error(`${changed} checkouts were paid, not ${ours}`);
}

/** Day by day, each with the balance of the day before. */
async function writeStatement(bench: Bench, run: number, ours: number): Promise<string> {
  const day = FIRST_DAY.add({ days: run + WARM_UPS }).toString();
  const every = ENTRIES / ours;
  const entries = Array.from({ length: ENTRIES }, (_, number): FakeEntry => {
    const isOurs = number % every === 0;
    const cents = 1_000n + BigInt(number);
    const unstructured = [`Invoice ${number} of ${day}`, 'thank you for the quick delivery'];
    const structured = creditorReference(BigInt(1 + Math.floor(number / every) * APART));
    return {
      cents,
      side: isOurs ? 'CRDT' : 'DBIT',
      servicerReference: `${day}-${number}`,
      transactions: [
        { endToEndId: `E2E-${day}-${number}`, unstructured, ...(isOurs ? { structured } : {}) },
      ],
    };
  });
  const path = join(bench.directory, `statement-${day}-${ours}.xml`);
  await writeFile(path, statementBytes({ id: `S-${day}`, day, entries, opening: null }));
  return path;
}

async function openWatched(bench: Bench, name: string, size: number) {
  const database = await bench.openDatabase(name);
  bench.say(`bank: making ${size.toLocaleString('en')} watched references`);
  await watchReferences(database.db, database.ours.merchantId, size);
  const app = await openBenchApp(database, bench.keyring);
  const { db } = app;
  const network = bankNetwork({ chain: CHAIN, account: ACCOUNT, db, clock: systemClock });
  const watched = { app, network };
  const nothing = await readPosition(db, CHAIN);
  await recordObservation(app, CHAIN, await network.observe(nothing), nothing);
  return watched;
}

/** Without the foreign keys, which hold by construction. */
async function watchReferences(db: Db, merchantId: string, size: number): Promise<void> {
  for (let made = 0; made < size; made += MADE_AT_ONCE) {
    const count = Math.min(MADE_AT_ONCE, size - made);
    const references = Array.from({ length: count }, (_, at) =>
      creditorReference(BigInt(made + at + 1)),
    );
    await db.transact(async (tx) => {
      tx.send(sql`set local session_replication_role = replica`);
      await tx.query(sql`
        insert into deposit_instruction (id, chain, merchant_id, purpose, purpose_id, asset_id,
          destination, address, memo, memo_type, integrity_mac, created_at)
        select substr(md5('i' || reference), 1, 12), ${CHAIN}, ${merchantId}, 'checkout',
          substr(md5('c' || reference), 1, 12), 'EUR:FIAT', ${OUR_IBAN} || ':' || reference,
          ${OUR_IBAN}, reference, 'reference', sha256(convert_to(reference, 'UTF8')), now()
        from unnest(${references}::text[]) as reference`);
    });
  }
  await db.query(sql`vacuum analyze deposit_instruction`);
  await db.query(sql`checkpoint`);
}
