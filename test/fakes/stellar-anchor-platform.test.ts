// An anchor that says where to pay only later, as SDF's Anchor Platform does: its answer to a deposit
// is a sentence and an id, the instructions come in /transaction (SEP-6, `instructions`).
// Alone in its process: it announces anchored assets, and no process forgets them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Outage, Refusal } from '#base/refusal.ts';
import { customersOf } from './anchor-customers.ts';
import { type AnchorWorld, openAnchorWorld } from './anchor-world.ts';
import type { FakeRecord } from './stellar-ledger.ts';

const UNITS = 250_0000n;
/** An address of nobody: the first test vector of BIP-173. */
const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

type PlatformDocument = {
  readonly source: string;
  readonly info: FakeRecord;
  readonly fee: FakeRecord;
  readonly deposit: FakeRecord;
  readonly states: readonly FakeRecord[];
  readonly refusal: FakeRecord;
};
const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/stellar/anchor-platform.json'), 'utf8'),
) as PlatformDocument;
const [INCOMPLETE = {}, WANTS = {}, TELLS = {}] = recorded.states;
/** The form is the recorded one, the account is one of our network. */
const TOLD = { ...TELLS, amount_in: '0.25', amount_out: '0.25', instructions: payTo(ADDRESS) };

let world: AnchorWorld;
/** What /transaction answers one after another; the last again and again. */
let states: FakeRecord[] = [];
let asked = 0;
let askedAtMs: number[] = [];
const byNumber = (one: number, other: number) => one - other;

before(async () => {
  world = await openAnchorWorld({ network: 'BITCOIN', code: 'BTC', address: ADDRESS });
});
after(async () => {
  await world?.close();
});
beforeEach(async () => {
  asked = 0;
  world.anchor.change = (path, json) => {
    if (path === '/sep6/info') {
      const methods = { funding_methods: ['SEPA', 'crypto'] };
      return { ...json, deposit: { BTC: { ...recorded.info, ...methods } }, fee: recorded.fee };
    }
    if (json.httpStatus !== undefined) return json;
    if (path === '/sep6/deposit') return { ...recorded.deposit, id: lastId() };
    if (path !== '/sep6/transaction') return json;
    const answer = states[Math.min(asked, states.length - 1)] ?? {};
    asked += 1;
    askedAtMs.push(world.time.monotonicMs());
    return 'httpStatus' in answer ? answer : { transaction: { ...answer, id: lastId() } };
  };
  await world.time.advance(61 * 60_000);
  await world.look();
  asked = 0;
  askedAtMs = [];
});
afterEach(() => {
  world.anchor.customers = undefined;
});

const lastId = () => world.anchor.transfers.at(-1)?.id;

function payTo(value: string): FakeRecord {
  return { 'organization.crypto_address': { value, description: 'Bitcoin address' } };
}

const commit = () => settled(world.commit(UNITS));

test('the recorded document names its source', () => {
  assert.match(recorded.source, /stellar\/java-stellar-anchor-sdk/);
});

test('where to pay is read when the anchor says it, and the customer is shown that', async () => {
  states = [INCOMPLETE, INCOMPLETE, INCOMPLETE, TOLD];
  const { instruction, paymentUri } = await commit();
  assert.equal(instruction.address, ADDRESS);
  assert.equal(paymentUri, `bitcoin:${ADDRESS}?amount=0.25`);
  assert.equal(asked, 4);
  assert.equal(world.anchor.transfers.at(-1)?.query.funding_method, 'crypto');
});

test('between two questions it waits, and longer each time', async () => {
  states = [INCOMPLETE, INCOMPLETE, INCOMPLETE, INCOMPLETE, TOLD];
  await commit();
  // What it wants to know in a state is settled first, and asked about at once.
  const waitedMs = askedAtMs.slice(2).map((ms, index) => ms - (askedAtMs[index + 1] ?? 0));
  assert.equal(waitedMs.length, 3);
  assert(waitedMs[0] !== undefined && waitedMs[0] >= 500, String(waitedMs));
  assert.deepEqual(waitedMs.toSorted(byNumber), waitedMs);
  assert(new Set(waitedMs).size > 1, String(waitedMs));
});

test('what it wants to know meanwhile it is told, for that transfer', async () => {
  const wanted = { 'organization.name': { type: 'string', description: 'who' } };
  const told = await openAnchorWorld({
    network: 'BITCOIN',
    code: 'BTC',
    address: ADDRESS,
    settings: { anchorCustomer: { 'organization.name': 'A shop' } },
  });
  try {
    await told.look();
    const customers = customersOf(wanted);
    customers.gate = 'transfer';
    told.anchor.customers = customers;
    told.anchor.change = (path, json) => {
      if (path !== '/sep6/transaction' && path !== '/sep6/deposit') return json;
      const id = told.anchor.transfers.at(-1)?.id;
      if (path === '/sep6/deposit') return { ...recorded.deposit, id };
      return { transaction: { ...(customers.told.length > 0 ? TOLD : WANTS), id } };
    };
    const { instruction } = await told.commit(UNITS);
    assert.equal(instruction.address, ADDRESS);
    assert.equal(customers.told[0]?.transaction_id, told.anchor.transfers.at(-1)?.id);
  } finally {
    await told.close();
  }
});

describe('an anchor that does not say it in time', () => {
  test('is no fault of the network: who asks is told to ask again', async () => {
    states = [INCOMPLETE];
    await assert.rejects(commit(), (error) => {
      assert(error instanceof Refusal);
      assert.deepEqual([error.kind, error.code], ['unavailable', 'payee_pending']);
      assert.match(error.details.join(), /has not said yet where to pay/);
      assert.equal(error.retryAfterSeconds, 5);
      return true;
    });
    assert(asked > 4 && asked < 20, `asked ${asked} times`);
  });

  test('is asked about the same transfer again, and not for another one', async () => {
    states = [INCOMPLETE];
    const { id } = await world.checkoutOf(UNITS);
    await assert.rejects(settled(world.commitAgain(id)), Refusal);
    const transfers = world.anchor.transfers.length;
    states = [TOLD];
    const { instruction } = await settled(world.commitAgain(id));
    assert.equal(instruction.address, ADDRESS);
    assert.equal(world.anchor.transfers.length, transfers);
  });

  test('gets another transfer when that one came to nothing', async () => {
    states = [INCOMPLETE];
    const { id } = await world.checkoutOf(UNITS);
    await assert.rejects(settled(world.commitAgain(id)), Refusal);
    const transfers = world.anchor.transfers.length;
    states = [{ ...INCOMPLETE, status: 'expired' }];
    await assert.rejects(settled(world.commitAgain(id)), Outage);
    states = [TOLD];
    await settled(world.commitAgain(id));
    assert.equal(world.anchor.transfers.length, transfers + 1);
  });
});

describe('a deposit is not opened', () => {
  const cases: readonly (readonly [string, FakeRecord, RegExp])[] = [
    [
      'at the account of a bank',
      { ...TELLS, amount_in: '0.25', amount_out: '0.25' },
      /no address of the network/,
    ],
    [
      'by an anchor that says nowhere where to pay',
      {
        ...TOLD,
        instructions: undefined,
      },
      /no address of the network/,
    ],
    ['whose transfer is over', { ...TOLD, instructions: undefined, status: 'error' }, /error/],
    ['for more than the customer was told to send', { ...TOLD, amount_in: '0.2600000' }, /wants/],
    ['of which too little arrives', { ...TOLD, amount_out: '0.2499999' }, /keeps more/],
    [
      'of which a fee is kept that nobody told',
      {
        ...TOLD,
        amount_in: undefined,
        amount_out: undefined,
        fee_details: { total: '0.01', asset: 'stellar:BTC' },
      },
      /keeps more/,
    ],
    ['by an anchor that answers about another', { httpStatus: 404, error: 'none' }, /not answer/],
  ];
  for (const [name, last, sentence] of cases) {
    test(name, async () => {
      states = [INCOMPLETE, last];
      await assert.rejects(commit(), (error) => {
        return error instanceof Outage && sentence.test(String(error));
      });
    });
  }

  test('that the anchor refuses: its reason is for the operator', async () => {
    world.anchor.change = (path, json) =>
      path === '/sep6/deposit' ? { httpStatus: 400, ...recorded.refusal } : json;
    await assert.rejects(commit(), (error) => {
      return error instanceof Outage && /significant decimals is 2/.test(String(error));
    });
  });
});

/** Time goes on while somebody waits. */
async function settled<Result>(committing: Promise<Result>): Promise<Result> {
  let isOver = false;
  const watched = committing.finally(() => {
    isOver = true;
  });
  watched.catch(() => undefined);
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (world.time.sleepers() > 0) await world.time.advance(100);
  }
  return watched;
}
