// Nodes whose answers are damaged by chance (left out, doubled, reordered, cut off, of another chain,
// a second endpoint that lies): while it lasts nothing wrong is credited, and afterwards everything
// that was paid is credited exactly once, and everything that was sent away is told exactly once.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Random, randomInteger } from '#base/random.ts';
import { sql } from '#db/db.ts';
import { createFakeEvmNode, type FakeEvmNode, hashOf } from '#test/fakes/evm-node.ts';
import { contractOf, deployTokens, ETH, openFakeEvm, USDC } from '#test/fakes/evm-world.ts';
import { byLength } from '#test/support/run-length.ts';
import { pick, seededRandom } from '#test/support/seeded-random.ts';
import { type ForgedWorld, openForgedWorld } from './forged-world.ts';
import { mutateAnswer, mutateText } from './mutate-answer.ts';

const SEEDS = byLength({ short: 12, long: 170 });
/** Looks at the damaged nodes in one schedule. */
const DAMAGED_LOOKS = 4;
const ether = 10n ** 17n;
const usdc = 5_000_000n;
const STRANGER = '0x00000000000000000000000000000000000000ee';
/** Not the number of the chain, which is changed where a node says that it is of another one. */
const fee = 1_021n;

let node: FakeEvmNode;
let world: ForgedWorld;
/** Paid in the schedule before: it sends a part away in this one. */
let spender: string | undefined;
type Answered = { readonly endpoint: number; readonly asked: string; readonly text: string };
let damage: ((answered: Answered) => { status: number; text: string }) | undefined;

before(async () => {
  node = createFakeEvmNode();
  deployTokens(node);
  node.mineEmpty(3);
  const posts = [0, 1].map((endpoint) => async (body: string) => {
    const { status, text } = await node.post(body);
    return damage?.({ endpoint, asked: body, text }) ?? { status, text };
  });
  world = await openForgedWorld({ networks: (parts) => [openFakeEvm({ posts }, parts)] });
  await world.observe();
});
after(() => world?.close());

type Schedule = {
  readonly chance: number;
  readonly endpoints: readonly number[];
  readonly how: How;
};
type How = 'json' | 'text' | 'other-chain' | 'errors' | 'stale';

function scheduleOf(random: Random): Schedule {
  return {
    chance: pick(random, [5, 15, 40]),
    endpoints: pick(random, [[0], [1], [0, 1]]),
    how: pick(random, ['json', 'json', 'json', 'text', 'other-chain', 'errors', 'stale'] as const),
  };
}

/** What is damaged hangs on who was asked what, how often: not on who happened to answer first. */
function damaging(seed: number, { chance, endpoints, how }: Schedule): typeof damage {
  const answered: string[] = [];
  const times = new Map<string, number>();
  return ({ endpoint, asked, text }) => {
    answered.push(text);
    const question = `${seed} ${endpoint} ${asked.replaceAll(/"id":\d+/g, '')}`;
    const time = times.get(question) ?? 0;
    times.set(question, time + 1);
    const random = seededRandom(
      createHash('sha256').update(`${time} ${question}`).digest().readUInt32BE(),
    );
    if (!endpoints.includes(endpoint) || randomInteger(random, 100) >= chance) {
      return { status: 200, text };
    }
    switch (how) {
      case 'json': {
        const { value } = mutateAnswer(random, JSON.parse(text));
        return { status: 200, text: JSON.stringify(value) ?? '' };
      }
      case 'text':
        return { status: 200, text: mutateText(random, text).text };
      case 'other-chain':
        return { status: 200, text: text.replaceAll('0x7a69', '0x89') };
      case 'errors':
        return { status: pick(random, [429, 500, 503, 200]), text: pick(random, ['', '{}', '[]']) };
      case 'stale':
        // An answer given before, to whatever was asked then.
        return { status: 200, text: pick(random, answered) };
    }
  };
}

let lastDeparture = 0n;
/** What was told since the schedule before; sums as text. */
async function leftSince() {
  const rows = await world.app.db.query<{ id: bigint; [field: string]: unknown }>(sql`
    select d.id, d.transaction, d.fee_units::text as fee, p.units::text
    from departure d left join departure_part p on p.departure_id = d.id
    where d.id > ${lastDeparture} order by d.id, p.number`);
  lastDeparture = rows.at(-1)?.id ?? lastDeparture;
  return rows.map(({ id: _, ...departure }) => departure);
}

for (let seed = 1; seed <= SEEDS; seed += 1) {
  test(`seed ${seed}: nothing is lost and nothing doubled`, async () => {
    const random = seededRandom(seed);
    const schedule = scheduleOf(random);
    const what = JSON.stringify(schedule);
    damage = undefined;
    assert.deepEqual(await world.observe(), []);
    const credited = { eth: await world.credited(ETH), usdc: await world.credited(USDC) };
    const coin = await world.createAndCommit('ETHEREUM', ETH, ether);
    const token = await world.createAndCommit('ETHEREUM', USDC, usdc);
    await world.observe();
    damage = damaging(seed, schedule);
    const sent = hashOf(`sent in ${seed}`);
    const payments = [
      node.pay(coin.instruction.address, ether),
      node.pay(token.instruction.address, usdc, contractOf(USDC)),
      ...(spender === undefined
        ? []
        : [{ from: spender, to: STRANGER, value: ether / 10n, fee, hash: sent }]),
    ];
    if (randomInteger(random, 2) === 0) {
      node.mine(...payments);
      node.mineEmpty(1);
    } else {
      for (const payment of payments) node.mine(payment);
    }
    for (let look = 0; look < DAMAGED_LOOKS; look += 1) {
      await world.observe();
      await world.settle();
      const [eth, held] = [await world.credited(ETH), await world.credited(USDC)];
      assert(eth <= credited.eth + ether && held <= credited.usdc + usdc, `too much: ${what}`);
      if (look === 1) node.mineEmpty(3);
    }
    damage = undefined;
    node.mineEmpty(3);
    assert.deepEqual(await world.observe(), [], what);
    await world.settle();
    assert.equal(await world.credited(ETH), credited.eth + ether, `coins, ${what}`);
    assert.equal(await world.credited(USDC), credited.usdc + usdc, `tokens, ${what}`);
    assert.equal((await world.read(coin.checkoutId)).state, 'COMPLETED');
    assert.equal((await world.read(token.checkoutId)).state, 'COMPLETED');
    const left = { transaction: sent, fee: `${fee}`, units: `${ether / 10n}` };
    assert.deepEqual(await leftSince(), spender === undefined ? [] : [left], what);
    spender = coin.instruction.address.toLowerCase();
  });
}

test('after all of it the books are in order', async () => {
  assert.deepEqual(await world.brokenInvariants(), []);
  assert.equal(await world.suspended(), 0n);
});
