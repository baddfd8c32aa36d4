// What a person says of money that left is, above the limit of one person, so on the word of two.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { approveAct, listWaiting } from '#spending/approval.ts';
import { setLimit } from '#spending/spending-limit.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { notedActs } from '#test/support/noted-acts.ts';
import { LTC, openSentByHand, type SentByHand } from '#test/support/sent-by-hand.ts';
import { confirmSentOutside } from '#transfer/send-by-hand.ts';
import { explainDeparture, listDepartures, settlePart } from './explain-departure.ts';
import { settleDepartures } from './settle-departures.ts';

const ANNA = { actor: 'anna', reason: 'looked at the wallet' };
/** Of what `order` sends by itself. */
const PAID = 9_999_500n;

let hand: SentByHand;
beforeEach(async () => {
  hand = await openSentByHand();
});
afterEach(async () => {
  const { app, clock } = hand.world;
  const broken = await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app });
  await hand.world.close();
  assert.deepEqual(broken, []);
});

/** Of the merchant and of the house alike. */
async function limit(mostUnits: bigint): Promise<void> {
  const { app, clock } = hand.world;
  const name = { kind: 'TWO_PEOPLE', environment: 'test', merchantId: undefined } as const;
  const said = { actor: 'operator', reason: 'test', setAt: clock.now() };
  await app.db.transact(async (tx) => setLimit(tx, { ...name, measure: LTC, mostUnits, ...said }));
}

async function waitingPart(): Promise<{ departureId: bigint; number: number }> {
  await settleDepartures(hand.app);
  const [departure] = await listDepartures(hand.world.app, 10);
  return { departureId: departure?.id ?? 0n, number: 1 };
}

const elsewhere = { destination: 'named otherwise', units: PAID };
type Says = { readonly subject: string; readonly say: (actor?: string) => Promise<unknown> };

const CASES: readonly (readonly [what: string, prepare: () => Promise<Says>])[] = [
  [
    'send confirm',
    async () => {
      const id = await hand.order();
      const say = (actor = 'anna', transaction = 'f'.repeat(64)) =>
        confirmSentOutside(app(), id, { ...ANNA, actor, transaction });
      return { subject: `confirm:${id}`, say };
    },
  ],
  ...(['OUTSIDE', 'LOST'] as const).map(
    (purpose) =>
      [
        `custody explain --as ${purpose}`,
        async () => {
          await hand.show('t1', [elsewhere], { depth: 2 });
          const part = await waitingPart();
          const say = (actor = 'anna') =>
            explainDeparture(app(), { ...ANNA, actor, ...part, purpose });
          return { subject: `departure:${part.departureId}:1`, say };
        },
      ] as const,
  ),
  [
    'custody settle',
    async () => {
      const transferId = await hand.order();
      await hand.show('t1', [elsewhere], { depth: 2 });
      const part = await waitingPart();
      const say = (actor = 'anna') => settlePart(app(), { ...ANNA, actor, ...part, transferId });
      return { subject: `departure:${part.departureId}:1`, say };
    },
  ],
];

const app = () => ({ ...hand.world.app, ...hand.app });
const isRefused = (error: unknown) => error instanceof Refusal && error.code === 'second_person';
const waiting = async () =>
  (await listWaiting(hand.world.app.db, { now: hand.world.clock.now() })).map((one) => one.subject);

for (const [what, prepare] of CASES) {
  test(`${what}: above the limit another person approves it before it is done`, async () => {
    const { subject, say } = await prepare();
    await limit(PAID - 1n);
    const before = await notedActs(hand.world.app.db, 1);
    await assert.rejects(say(), isRefused);
    assert.deepEqual(await notedActs(hand.world.app.db, 1), before, 'nothing was done');
    assert.deepEqual(await waiting(), [subject]);
    // Said again by another one it is still the word of one.
    await assert.rejects(say('bob'), isRefused);
    const give = (approver: string) => approveAct(hand.world.app, subject, { approver });
    await assert.rejects(give(' Anna '), isRefused);
    await give('bob');
    await say();
    assert.deepEqual(await waiting(), []);
  });

  test(`${what}: at the limit one person is enough`, async () => {
    const { say } = await prepare();
    await limit(10_000_000n);
    await say();
  });
}

test('an approval is of what was said, and of nothing else', async () => {
  await hand.show('t1', [elsewhere], { depth: 2 });
  const part = await waitingPart();
  await limit(1n);
  const say = (purpose: 'OUTSIDE' | 'LOST') =>
    explainDeparture(app(), { ...ANNA, ...part, purpose });
  await assert.rejects(say('OUTSIDE'), isRefused);
  const subject = `departure:${part.departureId}:1`;
  await approveAct(hand.world.app, subject, { approver: 'bob' });
  await assert.rejects(say('LOST'), isRefused);
  await assert.rejects(say('OUTSIDE'), isRefused, 'another was asked for since');
  await approveAct(hand.world.app, subject, { approver: 'bob' });
  await say('OUTSIDE');
});

test('what is said to be ours still needs nobody else; what nobody approved is asked anew', async () => {
  await hand.show('t1', [elsewhere], { depth: 2 });
  const part = await waitingPart();
  await limit(1n);
  const say = (purpose: 'OWN' | 'LOST') => explainDeparture(app(), { ...ANNA, ...part, purpose });
  await assert.rejects(say('LOST'), isRefused);
  await hand.world.clock.advance(73 * 3_600_000);
  assert.deepEqual(await waiting(), []);
  await assert.rejects(say('LOST'), isRefused);
  assert.equal((await waiting()).length, 1);
  await say('OWN');
});
