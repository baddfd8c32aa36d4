import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { keepFees } from './keep-fees.ts';

const chain = 'live:LITECOIN';
const noCoins = async () => [];

function open(answers: readonly (bigint | Error)[]) {
  const clock = manualClock('2026-11-22T10:00:00Z');
  const left = [...answers];
  let asked = 0;
  const fees = keepFees<bigint>({
    chain,
    clock,
    log: silentLog,
    async read() {
      asked += 1;
      const answer = left.shift() ?? new Outage('no answer is left');
      if (typeof answer === 'bigint') return answer;
      throw answer;
    },
    feeOf: (rate, assetId, units) => ({ assetId, units: rate * units }),
  });
  const most = () => fees.most('LTC:NATIVE', 3n)?.units;
  return { clock, fees, most, asked: () => asked };
}

const away = new Outage('live:LITECOIN');
const tooDear = new Refusal('conflict', 'draft_refused', 'it is too dear now: wait');
const unknown = { kind: 'unavailable', code: 'network_fee_unknown' };

test('what the node said last is answered from memory', async () => {
  const { fees, most, asked } = open([7n, 9n]);
  await fees.read(noCoins);
  assert.equal(most(), 21n);
  assert.equal(most(), 21n);
  assert.equal(asked(), 1);
  await fees.read(noCoins);
  assert.equal(most(), 27n);
});

test('nothing is made up before a node has answered, nor where none answers', async () => {
  const { fees, most } = open([away]);
  assert.throws(most, unknown);
  await fees.read(noCoins);
  assert.throws(most, unknown);
});

test('what was said counts for a quarter of an hour while the node is away', async () => {
  const { clock, fees, most } = open([7n, away, 8n]);
  await fees.read(noCoins);
  await clock.advance(15 * 60_000);
  await fees.read(noCoins);
  assert.equal(most(), 21n);
  await clock.advance(1);
  assert.throws(most, unknown);
  await fees.read(noCoins);
  assert.equal(most(), 24n);
});

test('what is too dear now was not cheaper a minute ago, and the reason is told', async () => {
  const { fees, most } = open([7n, tooDear]);
  await fees.read(noCoins);
  await fees.read(noCoins);
  assert.throws(most, (error) => {
    assert(error instanceof Refusal);
    assert.match(error.details.join(), /LITECOIN.*too dear now: wait.*nothing was moved/);
    return error.code === 'network_fee_unknown';
  });
});

test('who asks at once asks the node once', async () => {
  const { fees, asked } = open([7n]);
  await Promise.all([fees.read(noCoins), fees.read(noCoins), fees.read(noCoins)]);
  assert.equal(asked(), 1);
});
