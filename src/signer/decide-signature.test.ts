import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { askedOrders, decideSignature, feeAssetOf } from './decide-signature.ts';
import { addToHistory, type History, newHistory } from './history.ts';
import { factOf, signedEntry } from './log-entry.ts';
import type { ReviewedOrder } from './open-key.ts';
import { readSignerSettings } from './rules.ts';
import { type OrderedPayment, purposeDigest, type SignOrder } from './sign-order.ts';

const NOW = Temporal.Instant.from('2030-01-01T00:00:00Z');
const BTC = 'BTC:NATIVE';
const USDC = 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
/** Caps in units: 1,000 a transaction, 2,500 a day, 1,500 a receiver, two people above 500. */
const RULES = `
signatures_per_minute = 5
[[cap]]
environment = "live"
asset = "BTC:NATIVE"
per_transaction = "0.00001"
per_day = "0.000025"
per_receiver_per_day = "0.000015"
second_person_above = "0.000005"
fee_per_transaction = "0.000001"
[[cap]]
environment = "live"
asset = "ETH:NATIVE"
per_transaction = "0"
per_day = "0.000000000000001"
fee_per_transaction = "0.000000000000000500"
[[cap]]
environment = "live"
asset = "${USDC}"
per_transaction = "1000000"
per_day = "1000000"
`;

type Case = {
  readonly id?: string;
  readonly beside?: readonly string[];
  readonly kind?: SignOrder['kind'];
  readonly environment?: SignOrder['environment'];
  readonly network?: string;
  readonly assetId?: string;
  /** Each to a receiver of its own, r0, r1 ... unless named. */
  readonly paid?: readonly (bigint | readonly [bigint, string])[];
  readonly feeUnits?: bigint;
  readonly turns?: readonly string[];
  readonly coins?: Readonly<Record<string, bigint>>;
  readonly isTurnForOneOrder?: boolean;
  readonly unsigned?: string;
  readonly isAnew?: boolean;
  readonly isSweep?: boolean;
  /** Receivers whose keys the signer has. */
  readonly own?: readonly string[];
};

function asked({ paid = [400n], assetId = BTC, ...one }: Case) {
  const pairs = paid.map((each, at) =>
    typeof each === 'bigint' ? ([each, `r${at}`] as const) : each,
  );
  const payments: OrderedPayment[] = pairs.map(([units, address]) => {
    return { assetId, units, account: { address } };
  });
  const { id = 'one', kind = 'PAY', environment = 'live', network = 'BITCOIN' } = one;
  const { feeUnits = 10n, unsigned = 'bytes' } = one;
  const order: SignOrder = {
    id,
    beside: one.beside,
    kind,
    environment,
    network,
    payments,
    feeUnits,
    facts: { isAnew: one.isAnew, isSweep: one.isSweep },
    unsigned,
  };
  const reviewed: ReviewedOrder = {
    feeUnits,
    receivers: pairs.map(([, address]) => address),
    turns: one.turns ?? [`coin of ${id}`],
    coins: new Map(Object.entries(one.coins ?? {})),
    isTurnForOneOrder: one.isTurnForOneOrder ?? false,
    sign: () => ({ signedTransaction: 'signed', transaction: 'id' }),
  };
  return { order, reviewed };
}

function world(rulesText = RULES) {
  const history = newHistory();
  const { rules } = readSignerSettings(rulesText);
  const decide = (one: Case, now = NOW) => {
    const { order, reviewed } = asked(one);
    const isOwn = reviewed.receivers.map((receiver) => one.own?.includes(receiver) === true);
    const orders = askedOrders(order, history);
    return decideSignature({ order, asked: orders, reviewed, isOwn, history, rules, now });
  };
  return {
    history,
    decide,
    approve: (one: Case, at = NOW) => history.approvedAt.set(purposeDigest(asked(one).order), at),
    /** Decides, and writes down what was signed, as the log would. */
    sign(one: Case, now = NOW) {
      const { order, reviewed } = asked(one);
      const decided = decide(one, now);
      if (decided.decision === 'sign') {
        const bytes = { signedTransaction: 's', transaction: 't' };
        const digests = askedOrders(order, history).map(({ digest }) => digest);
        const entry = signedEntry(order, digests, 'key', reviewed, bytes, decided);
        addToHistory(history, factOf(entry), now, { start: 0, bytes: 0 });
      }
      return decided.decision === 'refuse' ? decided.code : decided.decision;
    },
  };
}

/** What is decided after others were signed. */
function after(signed: readonly Case[], one: Case, rules = RULES) {
  const { sign, decide } = world(rules);
  for (const before of signed) assert.equal(sign(before), 'sign');
  const decided = decide(one);
  return decided.decision === 'refuse'
    ? `${decided.code}: ${decided.reasons.join('; ')}`
    : decided.decision;
}

test('what can land beside an order that was signed waits for a person, whatever the service says', () => {
  const { sign, decide, history } = world();
  const anew = { turns: ['nonce 6'], isAnew: true, unsigned: 'other bytes' };
  assert.equal(sign({ turns: ['nonce 5'] }), 'sign');
  assert.equal(sign({ ...anew, isAnew: false }), 'one_order_one_payment');
  assert.equal(sign({ ...anew, paid: [401n] }), 'one_order_one_payment');
  const before = ['t (nonce 5)'];
  const { order } = asked(anew);
  const { id, environment, network, payments } = order;
  const purpose = { id, environment, network, payments, before };
  assert.deepEqual(decide(anew), { decision: 'approve', purpose });
  // That the order itself was approved once is another thing.
  history.approvedAt.set(purposeDigest(order), NOW);
  assert.equal(sign(anew), 'approve');
  history.approvedAt.set(purposeDigest({ ...order, before }), NOW.subtract({ hours: 25 }));
  assert.equal(sign(anew), 'approve');
  history.approvedAt.set(purposeDigest({ ...order, before }), NOW);
  const decided = decide(anew);
  assert.equal(decided.decision, 'sign');
  const units = decided.decision === 'sign' ? decided.spendings.map((one) => one.units) : [];
  assert.deepEqual(units, [400n, 10n], 'it counts like a new one');
  assert.equal(sign(anew), 'sign');
  // From now on it is the one that replacements take the place of.
  assert.equal(sign({ turns: ['nonce 6'], feeUnits: 20n, unsigned: 'more' }), 'sign');
  assert.equal(sign({ turns: ['nonce 5'], unsigned: 'old again' }), 'one_order_one_payment');
  assert.equal(sign({ turns: ['nonce 7'], isAnew: true, unsigned: 'third' }), 'approve');
});

test('an order signed anew is held against the caps once more', () => {
  const { sign, history } = world();
  assert.equal(sign({ turns: ['nonce 5'] }), 'sign');
  for (const [at, nonce] of [6, 7, 8].entries()) {
    const anew = { turns: [`nonce ${nonce}`], isAnew: true, unsigned: `bytes ${nonce}` };
    const before = [`t (nonce ${nonce - 1})`];
    history.approvedAt.set(purposeDigest({ ...asked(anew).order, before }), NOW);
    // 1,500 a day for one receiver.
    assert.equal(sign(anew), at < 2 ? 'sign' : 'above_cap');
  }
});

const WIDE = RULES.replaceAll(/= "0\.0000\d+"/g, '= "1"').replace('= 5', '= 1000');
const same = { turns: ['coin of one'] };
const nonce = { isTurnForOneOrder: true, turns: ['nonce 5'] };
const LISTED = `only_listed_receivers = true\n${RULES}
[[receiver]]
environment = "live"
network = "BITCOIN"
address = "r0"
`;

const TABLE: readonly (readonly [
  what: string,
  signed: readonly Case[],
  one: Case,
  decided: RegExp,
])[] = [
  ['within all caps', [], {}, /^sign$/],
  ['at the cap of a transaction and above two people', [], { paid: [500n, 500n] }, /^approve$/],
  [
    'above the cap of a transaction',
    [],
    { paid: [1_001n] },
    /^above_cap: .*of one transaction would be 0.00001001 BTC, the cap is 0.00001 BTC/,
  ],
  [
    'several payments above it together',
    [],
    { paid: [500n, 501n] },
    /^above_cap: the sum of one tr/,
  ],
  ['a fee at its cap', [], { feeUnits: 100n }, /^sign$/],
  ['a fee above its cap', [], { feeUnits: 101n }, /^above_cap: its fee is up to 0.00000101 BTC/],
  [
    'an asset without a cap',
    [],
    { assetId: 'LTC:NATIVE', network: 'LITECOIN' },
    /no fee_per_transaction is set for LTC:NATIVE \(live\); there is no cap for LTC/,
  ],
  ['caps are of one environment', [], { environment: 'test' }, /^above_cap: .*\(test\)/],
  [
    'the fee of a token counts in the coin',
    [],
    { network: 'ETHEREUM', assetId: USDC, feeUnits: 501n },
    /its fee is up to 0.000000000000000501 ETH/,
  ],
  [
    'and over a day',
    [
      { network: 'ETHEREUM', assetId: USDC, feeUnits: 500n },
      { id: 'two', network: 'ETHEREUM', assetId: USDC, feeUnits: 500n },
    ],
    { id: 'three', network: 'ETHEREUM', assetId: USDC, feeUnits: 1n },
    /^above_cap: the sum of 24 hours/,
  ],
  [
    'a receiver below its cap',
    [{ paid: [[490n, 'a']] }, { id: 'two', paid: [[490n, 'a']] }],
    { id: 'three', paid: [[490n, 'a']] },
    /^sign$/,
  ],
  [
    'a receiver above its cap',
    [{ paid: [[500n, 'a']] }, { id: 'two', paid: [[500n, 'a']] }, { id: '3', paid: [[500n, 'a']] }],
    { id: '4', paid: [[1n, 'a']] },
    /^above_cap: .*of 24 hours for a would/,
  ],
  [
    'too fast',
    ['1', '2', '3', '4', '5'].map((id) => ({ id, paid: [1n] })),
    { id: '6', paid: [1n] },
    /^too_fast/,
  ],
  [
    'the same order for somebody else',
    [{}],
    { ...same, paid: [[400n, 'b']] },
    /^one_order_one_payment: .*pay something else/,
  ],
  ['the same order for another amount', [{}], { ...same, paid: [401n] }, /^one_order_one_payment/],
  [
    'the same order beside the first',
    [{}],
    { turns: ['another coin'] },
    /^one_order_one_payment: .*could land beside/,
  ],
  ['the same order in the place of the first', [{}], { ...same, feeUnits: 20n }, /^sign$/],
  [
    'a replacement that conflicts with the second alone',
    [{ turns: ['x', 'y'] }, { turns: ['y', 'z'] }],
    { turns: ['z'] },
    /^one_order_one_payment/,
  ],
  [
    'a replacement that conflicts with both',
    [{ turns: ['x', 'y'] }, { turns: ['y', 'z'] }],
    { turns: ['x', 'z'] },
    /^sign$/,
  ],
  ['a replacement above the cap of fees', [{}], { ...same, feeUnits: 101n }, /^above_cap/],
  [
    'a cancel of nothing',
    [],
    { kind: 'CANCEL', paid: [] },
    /^one_order_one_payment: nothing was signed/,
  ],
  [
    'a cancel that pays',
    [{}],
    { kind: 'CANCEL', ...same },
    /^one_order_one_payment: .*pays nobody/,
  ],
  ['an order that pays nobody', [], { paid: [] }, /^one_order_one_payment/],
  ['a cancel in the place of the first', [{}], { kind: 'CANCEL', paid: [], ...same }, /^sign$/],
  [
    'a cancel beside the first',
    [{}],
    { kind: 'CANCEL', paid: [], turns: ['q'] },
    /^one_order_one_payment/,
  ],
  [
    'the nonce of another order',
    [nonce],
    { id: 'two', ...nonce },
    /^one_order_one_payment: the nonce is that of the order one/,
  ],
  ['the coins of another order', [{ turns: ['c'] }], { id: 'two', turns: ['c'] }, /^sign$/],
  [
    'a coin that is worth something else now',
    [{ coins: { 'a:0': 5n } }],
    { id: 'two', coins: { 'a:0': 6n } },
    /^coin_differs: a:0 was said to be worth 5 units, and now 6/,
  ],
  [
    'a coin that is worth the same',
    [{ coins: { 'a:0': 5n } }],
    { id: 'two', coins: { 'a:0': 5n } },
    /^sign$/,
  ],
];

for (const [what, signed, one, decided] of TABLE) {
  test(what, () => assert.match(after(signed, one), decided));
}

const ETH_CAP = `[[cap]]
environment = "live"
asset = "ETH:NATIVE"
per_transaction = "1"
per_day = "1"
fee_per_transaction = "1"
`;
const collectTo = (environment: string, network: string) => `[[collect_to]]
environment = "${environment}"
network = "${network}"
address = "cold"
`;
const SWEPT = `${ETH_CAP}${collectTo('live', 'ETHEREUM')}`;
const SWEPT_LISTED = `only_listed_receivers = true\n${SWEPT}
[[receiver]]
environment = "live"
network = "ETHEREUM"
address = "r0"
`;
const ELSEWHERE = LISTED.replaceAll('BTC:NATIVE', 'LTC:NATIVE');
const eth = { network: 'ETHEREUM', assetId: 'ETH:NATIVE' };
const sweepTo = (to: string) => ({ ...eth, isSweep: true, paid: [[400n, to] as const] });

const RECEIVERS: readonly (readonly [what: string, one: Case, rules: string, decided: RegExp])[] = [
  ['who is listed', {}, LISTED, /^sign$/],
  ['a stranger', { paid: [[400n, 'b']] }, LISTED, /^receiver_not_listed: b is not/],
  ['a stranger beside', { paid: [200n, 200n] }, LISTED, /^receiver_not_listed: r1 is not/],
  // An exchange has one address for everybody: another memo is another receiver.
  ['another memo', { paid: [[400n, 'r0 7']] }, LISTED, /^receiver_not_listed/],
  ['listed elsewhere', { network: 'LITECOIN', assetId: 'LTC:NATIVE' }, ELSEWHERE, /^receiver_not/],
  ['an address of ours', { paid: [[400n, 'b']], own: ['b'] }, LISTED, /^sign$/],
  ['ours and a stranger', { paid: [100n, 100n, 100n], own: ['r1'] }, LISTED, /: r2 is not [^;]*$/],
  ['coins for gas', { ...eth, paid: [[400n, 'b']], own: ['b'] }, SWEPT_LISTED, /^sign$/],
  ['a sweep to where it is collected', sweepTo('cold'), SWEPT_LISTED, /^sign$/],
  ['the same without a list', sweepTo('cold'), SWEPT, /^sign$/],
  [
    'a sweep elsewhere',
    sweepTo('b'),
    SWEPT,
    /^sweep_elsewhere: it sweeps to b, and collect_to of the signer is cold$/,
  ],
  ['a sweep to who may be paid', sweepTo('r0'), SWEPT_LISTED, /^sweep_elsewhere/],
  ['a sweep to another address of ours', { ...sweepTo('b'), own: ['b'] }, SWEPT, /^sweep_elsewh/],
  ['a sweep that is not said to be one', { ...sweepTo('b'), isSweep: false }, SWEPT, /^sign$/],
  [
    'the same where a list is kept',
    { ...sweepTo('b'), isSweep: false },
    SWEPT_LISTED,
    /^receiver_not_listed/,
  ],
  ['a sweep where nothing says where to', sweepTo('b'), ETH_CAP, /^sign$/],
  [
    'and where only others are listed',
    sweepTo('b'),
    `only_listed_receivers = true\n${ETH_CAP}`,
    /^receiver_not_listed/,
  ],
  [
    'where another network collects',
    sweepTo('cold'),
    `only_listed_receivers = true\n${ETH_CAP}${collectTo('live', 'BASE')}`,
    /^receiver_not_listed/,
  ],
  [
    'where the other environment collects',
    sweepTo('cold'),
    `only_listed_receivers = true\n${ETH_CAP}${collectTo('test', 'ETHEREUM')}`,
    /^receiver_not_listed/,
  ],
];

for (const [what, one, rules, decided] of RECEIVERS) {
  test(`receivers: ${what}`, () => assert.match(after([], one, rules), decided));
}

const AB = { id: 'a', beside: ['b'], turns: ['c1'], paid: [400n, 300n], unsigned: 'both' };
const ABC = { ...AB, beside: ['b', 'c'], paid: [400n, 300n, 200n], unsigned: 'all three' };
const justA = { id: 'a', turns: ['c1'], paid: [400n] };
const justB = { id: 'b', turns: ['c1'], paid: [[300n, 'r1'] as const] };
const cancelled = { kind: 'CANCEL' as const, paid: [], unsigned: 'back' };

const TOGETHER: readonly (readonly [what: string, signed: Case[], one: Case, decided: RegExp])[] = [
  ['two that fit', [], AB, /^sign$/],
  [
    'a sum above the cap of a transaction',
    [],
    { ...ABC, paid: [400n, 400n, 400n] },
    /^above_cap: the/,
  ],
  [
    'a sum above that of one receiver',
    [
      { id: '1', paid: [[500n, 'x']] },
      { id: '2', paid: [[400n, 'x']] },
    ],
    { ...AB, paid: [[400n, 'x'] as const, [300n, 'x'] as const] },
    /^above_cap: .*of 24 hours for x/,
  ],
  ['each below the limit of one person, not the sum', [], { ...AB, paid: [500n, 500n] }, /^sign$/],
  ['one of them above it', [], { ...AB, paid: [400n, 501n] }, /^approve$/],
  ['one was signed for somebody else', [justB], { ...AB, paid: [400n, 301n] }, /the order b was s/],
  [
    'one was signed with another coin',
    [{ ...justB, turns: ['c2'] }],
    AB,
    /the order b was signed al/,
  ],
  ['one was signed with the same coin', [justB], AB, /^sign$/],
  ['one of them alone, beside both', [AB], { ...justB, turns: ['c2'] }, /^one_order_one_payment/],
  ['one of them alone, in the place of both', [AB], justB, /^sign$/],
  ['one more, in the place of both', [AB], ABC, /^sign$/],
  ['both, one of them with another amount', [AB], { ...AB, paid: [400n, 299n] }, /^one_order_one/],
  ['the two payments exchanged', [AB], { ...AB, paid: [300n, 400n] }, /^one_order_one_payment/],
  ['cancelled together', [AB], { ...AB, ...cancelled }, /^sign$/],
  [
    'cancelled with one that was never signed',
    [justA],
    { ...AB, ...cancelled },
    /signed for the order b/,
  ],
  ['cancelled beside', [AB], { ...AB, ...cancelled, turns: ['c2'] }, /^one_order_one_payment/],
  // A person looks at one order at a time.
  ['signed anew together', [AB], { ...AB, turns: ['c2'], isAnew: true }, /^one_order_one_payment/],
];

for (const [what, signed, one, decided] of TOGETHER) {
  test(`together: ${what}`, () => assert.match(after(signed, one), decided));
}

test('what is said to be several orders has as many payments, and no order twice', () => {
  const cases: readonly Case[] = [
    { ...AB, paid: [400n] },
    { ...AB, paid: [400n, 300n, 1n] },
    { ...AB, beside: ['a'] },
    { ...ABC, beside: ['b', 'b'] },
    { ...AB, kind: 'CANCEL' },
  ];
  for (const one of cases) {
    assert.throws(() => world().decide(one), { code: 'order_incomplete' });
  }
});

test('of several orders the second person agrees to the one that is large', () => {
  const { decide, sign, approve } = world();
  const both = { ...AB, paid: [400n, 600n] };
  const decided = decide(both);
  assert(decided.decision === 'approve');
  assert.deepEqual([decided.purpose.id, decided.purpose.payments.length], ['b', 1]);
  approve({ id: 'b', paid: [[600n, 'r1']] });
  assert.equal(sign(both), 'sign');
});

test('what replaces several counts its higher fee once, and what it pays more', () => {
  const { sign, history } = world();
  assert.equal(sign({ ...AB, feeUnits: 10n }), 'sign');
  assert.equal(sign({ ...AB, feeUnits: 30n, unsigned: 'dearer' }), 'sign');
  assert.equal(sign({ ...ABC, feeUnits: 50n }), 'sign');
  const units = history.counted.map((one) => one.units);
  assert.deepEqual(units, [400n, 300n, 10n, 20n, 200n, 20n]);
});

test('above the limit a second person agrees to what is paid, whatever it costs and for a day', () => {
  const large = { paid: [900n] };
  const { sign, approve } = world();
  assert.equal(sign(large), 'approve');
  approve({ ...large, paid: [901n] });
  assert.equal(sign(large), 'approve', 'to another amount somebody else agreed');
  approve({ ...large, id: 'two' });
  assert.equal(sign(large), 'approve', 'and to another order');
  approve(large, NOW.subtract({ hours: 24, seconds: 1 }));
  assert.equal(sign(large), 'approve', 'too long ago');
  approve(large, NOW.subtract({ hours: 24 }));
  assert.equal(sign({ ...large, feeUnits: 50n }), 'sign');
  const dearer = { ...large, feeUnits: 60n };
  assert.equal(sign(dearer, NOW.add({ hours: 30 })), 'sign', 'a replacement needs nobody again');
});

test('an approval does not open a cap', () => {
  const { sign, approve } = world();
  approve({ paid: [1_001n] });
  assert.equal(sign({ paid: [1_001n] }), 'above_cap');
});

test('what a replacement adds is its higher fee, and a cheaper one adds nothing', () => {
  const { sign, history } = world();
  for (const feeUnits of [10n, 30n, 20n, 40n]) assert.equal(sign({ feeUnits }), 'sign');
  const units = history.counted.map((one) => one.units);
  assert.deepEqual(units, [400n, 10n, 20n, 10n]);
});

/** The dearest 24 hours that there ever were, counted on its own. */
function mostWithinDay(counted: History['counted'], receiver?: string): bigint {
  const own = counted.filter((one) => receiver === undefined || one.receiver === receiver);
  const day = 24n * 3_600n * 10n ** 9n;
  return own.reduce((most, { at: end }) => {
    const within = own.filter(({ at }) => {
      const before = end.epochNanoseconds - at.epochNanoseconds;
      return before >= 0n && before < day;
    });
    const total = within.reduce((sum, { units }) => sum + units, 0n);
    return total > most ? total : most;
  }, 0n);
}

const step = fc.record({
  id: fc.integer({ min: 0, max: 30 }).map(String),
  paid: fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 700n }), fc.constantFrom('a', 'b', 'c')), {
    minLength: 1,
    maxLength: 3,
  }),
  feeUnits: fc.bigInt({ min: 0n, max: 120n }),
  isCancel: fc.boolean(),
  // The clock of a machine may be put back.
  minutes: fc.integer({ min: -200, max: 600 }),
});

test('in no 24 hours more is given away than the caps say, whatever is asked in which order', () => {
  let signatures = 0;
  let refusals = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 60 }), (steps) => {
      const { sign, history } = world(RULES.replaceAll(/second_person_above.*/g, ''));
      let now = NOW;
      for (const { id, paid, feeUnits, isCancel, minutes } of steps) {
        now = now.add({ minutes });
        const one = { id, feeUnits, paid: isCancel ? [] : paid };
        const kind = isCancel ? 'CANCEL' : 'PAY';
        const decided = sign({ ...one, kind }, now);
        if (decided === 'sign') signatures += 1;
        if (decided === 'above_cap') refusals += 1;
      }
      assert(mostWithinDay(history.counted) <= 2_500n);
      for (const receiver of ['a', 'b', 'c']) {
        assert(mostWithinDay(history.counted, receiver) <= 1_500n);
      }
    }),
    { numRuns: 100 },
  );
  assert(signatures > 500, `only ${signatures} were signed`);
  assert(refusals > 100, `only ${refusals} were above a cap`);
});

test('whatever is signed for which orders together, no two of one order can land side by side', () => {
  const units = { a: 300n, b: 200n, c: 100n };
  const attempt = fc.record({
    ids: fc.shuffledSubarray(['a', 'b', 'c'] as const, { minLength: 1 }),
    turns: fc.uniqueArray(fc.constantFrom('1', '2', '3', '4'), { minLength: 1, maxLength: 3 }),
    isCancel: fc.boolean(),
  });
  let together = 0;
  fc.assert(
    fc.property(fc.array(attempt, { minLength: 2, maxLength: 8 }), (attempts) => {
      const { sign, history } = world(WIDE);
      for (const [at, { ids, turns, isCancel }] of attempts.entries()) {
        const [id = '', ...beside] = ids;
        const paid = isCancel ? [] : ids.map((one) => [units[one], one] as const);
        const kind = isCancel ? 'CANCEL' : 'PAY';
        const one = { id, beside, kind, paid, turns, unsigned: `${at}` } as const;
        if (sign(one) === 'sign' && ids.length > 1) together += 1;
      }
      for (const { attempts: signed } of history.orders.values()) {
        for (const one of signed) {
          for (const other of signed) {
            assert(one.turns.some((turn) => other.turns.includes(turn)));
          }
        }
      }
      const counted = history.counted.filter(({ receiver }) => receiver !== undefined);
      assert.equal(counted.length, history.orders.size, 'each is counted once');
    }),
  );
  assert(together > 50, `only ${together} were signed together`);
});

test('whatever is signed for one order, no two of it can land side by side', () => {
  const attempt = fc.record({
    turns: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 }),
    feeUnits: fc.bigInt({ min: 0n, max: 90n }),
  });
  fc.assert(
    fc.property(fc.array(attempt, { minLength: 2, maxLength: 8 }), (attempts) => {
      const { sign, history } = world();
      for (const one of attempts) sign(one);
      const signed = history.orders.get('one')?.attempts ?? [];
      for (const one of signed) {
        for (const other of signed) {
          assert(one.turns.some((turn) => other.turns.includes(turn)));
        }
      }
    }),
  );
});

test('fees are paid in the coin of the network', () => {
  const coins = ['BITCOIN', 'LITECOIN', 'BASE', 'POLYGON', 'STELLAR', 'XRP_LEDGER'].map(feeAssetOf);
  assert.deepEqual(
    coins.map((id) => id.split(':')[0]),
    ['BTC', 'LTC', 'ETH', 'POL', 'XLM', 'XRP'],
  );
});
