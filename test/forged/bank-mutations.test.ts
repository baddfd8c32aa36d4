// Statements that come as they should not, by chance and repeatable: split, twice, in another order,
// cut off, with bookings left out or repeated, notified first and stated later, taken back. Customers
// commit and pay meanwhile. When the bank has sent everything once, all that was paid is credited
// once and exactly: 0 lost, 0 doubled.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Random, randomInteger } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type FakeEntry, type FakeStatement, statementXml } from '#test/fakes/bank-statement.ts';
import { type BankWorld, EUR, openBankWorld } from '#test/fakes/bank-world.ts';
import { byLength } from '#test/support/run-length.ts';
import { pick, seededRandom } from '#test/support/seeded-random.ts';
import { mutateText } from './mutate-answer.ts';

const SEEDS = byLength({ short: 12, long: 170 });
const DAYS = 2;
const PAYMENTS_MOST = 3;
const FIRST_DAY = Temporal.PlainDate.from('2026-02-01');

type Day = { readonly entries: readonly FakeEntry[]; readonly statement: FakeStatement };

describe('statements that come as they should not', () => {
  let world: BankWorld;
  let opening = 100_000n;
  let number = 0;
  let refused = 0;
  let paidCount = 0;

  before(async () => {
    world = await openBankWorld();
  });
  after(() => world?.close());

  /** As a customer or the bank may have it; with the bank's reference, as banks that notify have. */
  async function payment(random: Random): Promise<FakeEntry> {
    const cents = BigInt(1 + randomInteger(random, 100_000));
    const { reference } = await world.open(cents);
    number += 1;
    paidCount += 1;
    const endToEndId = randomInteger(random, 2) === 0 ? `ORDER-${number}` : 'NOTPROVIDED';
    const isStructured = randomInteger(random, 2) === 0;
    const transaction = isStructured
      ? { structured: reference, endToEndId }
      : { unstructured: [`Thank you ${reference}`], endToEndId };
    return { cents, servicerReference: `B-${number}`, transactions: [transaction] };
  }

  async function makeDay(random: Random, name: string, day: string): Promise<Day> {
    const entries: FakeEntry[] = [];
    const count = 1 + randomInteger(random, PAYMENTS_MOST);
    for (let index = 0; index < count; index += 1) entries.push(await payment(random));
    if (randomInteger(random, 3) === 0) {
      number += 1;
      entries.push({ cents: 50n, side: 'DBIT', servicerReference: `FEE-${number}` });
    }
    const statement: FakeStatement = { id: name, day, opening, entries };
    opening = entries.reduce(
      (sum, { cents, side }) => (side === 'DBIT' ? sum - cents : sum + cents),
      opening,
    );
    return { entries, statement };
  }

  /** What may reach us of a day before its statement does, or in its place. */
  function disorder(random: Random, { entries, statement }: Day): string {
    const some = entries.filter(() => randomInteger(random, 2) === 0);
    const notification = { ...statement, kind: '054' as const, id: `N-${number}` };
    switch (randomInteger(random, 7)) {
      case 0:
        return statementXml({ ...notification, entries: some });
      case 1:
        return statementXml({ ...notification, entries: entries.toReversed() });
      case 2:
        return statementXml({ ...statement, entries: some, closing: opening });
      case 3:
        return statementXml({ ...statement, entries: [...entries, ...some], closing: opening });
      case 4:
        return statementXml({ ...statement, version: '02', entries: entries.toReversed() });
      case 5: {
        const pending = entries.map((entry) => ({ ...entry, status: 'PDNG' }));
        return statementXml({ ...statement, entries: pending, closing: opening });
      }
      default: {
        // One character anywhere may be an amount: only what is no statement any more is sent.
        const whole = statementXml(statement);
        const { text } = mutateText(random, whole);
        return text.length === whole.length ? whole.slice(0, text.length / 2) : text;
      }
    }
  }

  async function take(xml: string): Promise<void> {
    try {
      await world.importBytes(new TextEncoder().encode(xml));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused += 1;
    }
  }

  async function runSeed(seed: number): Promise<void> {
    const random = seededRandom(seed);
    const before = await world.credited();
    const days: Day[] = [];
    for (let index = 0; index < DAYS; index += 1) {
      const date = FIRST_DAY.add({ days: seed * DAYS + index });
      days.push(await makeDay(random, `S-${seed}-${index}`, date.toString()));
    }
    for (let step = 0; step < 4; step += 1) {
      await take(disorder(random, pick(random, days)));
      if (randomInteger(random, 2) === 0) await world.follow();
    }
    const whole = days.map(({ statement }) => statementXml(statement));
    if (randomInteger(random, 2) === 0) whole.reverse();
    for (const xml of whole) await take(xml);
    let paid = days
      .flatMap(({ entries }) => entries)
      .filter(({ side }) => side !== 'DBIT')
      .reduce((sum, { cents }) => sum + cents, 0n);
    if (randomInteger(random, 3) === 0) paid -= await takeBack(random, days);
    for (const xml of whole) if (randomInteger(random, 2) === 0) await take(xml);
    await world.follow();
    assert.equal((await world.credited()) - before, paid, `seed ${seed}`);
    assert.equal(await world.suspended(), 0n, `seed ${seed}`);
  }

  /** One of the payments, perhaps twice told. */
  async function takeBack(random: Random, days: readonly Day[]): Promise<bigint> {
    const credits = days.flatMap(({ entries }) => entries).filter(({ side }) => side !== 'DBIT');
    const { cents, ...entry } = pick(random, credits);
    const back = { ...entry, cents, side: 'DBIT', isReversal: true } as const;
    const xml = statementXml({ kind: '054', id: `BACK-${number}`, entries: [back] });
    if (randomInteger(random, 2) === 0) await world.follow();
    await take(xml);
    if (randomInteger(random, 2) === 0) await take(xml);
    opening -= cents;
    return cents;
  }

  test(`${SEEDS} schedules: nothing is lost and nothing is credited twice`, async () => {
    for (let seed = 0; seed < SEEDS; seed += 1) await runSeed(seed);
    assert.deepEqual(await world.brokenInvariants(), []);
    assert.equal(await world.custody('SEPA', EUR), await world.credited(EUR));
    assert.ok(refused > SEEDS / 10, `only ${refused} files were refused`);
    assert.ok(paidCount > 3 * SEEDS, `only ${paidCount} payments`);
  });
});
