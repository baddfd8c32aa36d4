// The edges of settling that no story comes near: what stands, what is worth what, when to look
// again. Each is one sentence of docs/money.md or of the specification.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Credit, evidenceText } from '#checkout/credit.ts';
import {
  at,
  decide,
  LOCK,
  NO_RATE,
  pendingCredit,
  rateOf,
  receipt,
  SAME_PRICE,
  seen,
} from '#test/support/settlement-facts.ts';
import { isInTime, isSameWay, lockOfReceipt, unaskedName } from './lock-of-receipt.ts';
import { createShareSum, WHOLE_SHARE } from './paid-share.ts';
import type { LockFacts, ReceiptFacts, SettlementFacts } from './settlement-facts.ts';
import { currentValue } from './value-receipts.ts';

const EURO: LockFacts = {
  ...LOCK,
  settlementAssetId: 'EUR:FIAT',
  settlementUnits: 5000n,
  netUnits: 4950n,
};
const BITCOIN: LockFacts = {
  ...LOCK,
  instructionId: 'bitcoin',
  network: 'BITCOIN',
  assetId: 'BTC:NATIVE',
  arrivingUnits: 10n,
  settlementAssetId: 'BTC:NATIVE',
  settlementUnits: 10n,
  netUnits: 10n,
};

/** A person assigned receipt 9 to the checkout, which never asked for it. */
const UNASKED: LockFacts = {
  ...BITCOIN,
  instructionId: 'assigned:9',
  arrivingUnits: 0n,
  settlementUnits: 0n,
  netUnits: 0n,
  openedAt: at(-1000),
  expiresAt: at(-1000),
  isUnasked: true,
};

const credited = { creditedGeneration: 1 } as const;
const late = { seenAt: at(61), minedAt: at(62) } as const;
/** Seen before the lock ended, in a block more than a window after it. */
const slow = { seenAt: at(59), minedAt: at(121) } as const;
const btc = { instructionId: 'bitcoin', assetId: 'BTC:NATIVE' } as const;

describe('what completes a checkout', () => {
  test('nothing is not enough, however much less is tolerated', () => {
    const nothing = decide({ underpaidTolerancePartsPerMillion: 1_000_000 });
    assert.deepEqual([nothing.state, nothing.waitsForRate], ['AWAITING_PAYMENT', false]);
  });

  test('who tolerates more than prices may fall tolerates it of late money as well', () => {
    const facts = { now: at(90), receipts: [receipt(1, late)] };
    assert.equal(decide(facts, rateOf(1n, 1176n)).state, 'UNDERPAID');
    const lenient = { ...facts, underpaidTolerancePartsPerMillion: 200_000 };
    assert.equal(decide(lenient, rateOf(1n, 1176n)).state, 'COMPLETED');
  });

  test('money seen at the very end of the window is in time, and keeps its price for ever', () => {
    const facts = { locks: [EURO], now: at(90) };
    const last = { seenAt: at(60), minedAt: at(61) };
    const paid = decide({ ...facts, receipts: [receipt(1, last)] }, rateOf(1n, 9000n));
    assert.deepEqual([paid.state, paid.lateAt], ['COMPLETED', undefined]);
    assert.equal(paid.credited[0]?.rateBasis, 'LOCKED');
  });

  test('money whose block came too late pays what it was worth when it became final', () => {
    const facts = { locks: [EURO], now: at(130), receipts: [receipt(1, slow)] };
    assert.equal(decide(facts, rateOf(1n, 2000n)).state, 'UNDERPAID');
    assert.equal(decide(facts, rateOf(1n, 1000n)).state, 'COMPLETED');
  });

  test('late money counts by what it was worth when it came, also when it is decided again', () => {
    const facts = {
      state: 'UNDERPAID',
      now: at(90),
      receipts: [receipt(1, { ...late, ...credited, units: 500n })],
    } as const;
    const worth = (requiredNowUnits: bigint) =>
      pendingCredit(1, 0n, { rateBasis: 'CURRENT', requiredNowUnits });
    const rate = rateOf(1n, 500n);
    assert.equal(decide({ ...facts, credits: [worth(500n)] }, rate).state, 'COMPLETED');
    assert.equal(decide({ ...facts, credits: [worth(600n)] }, rate).state, 'UNDERPAID');
  });

  test('a window that is open holds its price, though late money of another way was worth less', () => {
    const open = { ...BITCOIN, openedAt: at(80), expiresAt: at(140) };
    const facts = {
      locks: [LOCK, open],
      now: at(100),
      receipts: [
        receipt(1, { ...late, ...credited, units: 500n }),
        receipt(2, { ...btc, units: 5n, seenAt: at(90), minedAt: at(91) }),
      ],
      credits: [pendingCredit(1, 0n, { rateBasis: 'CURRENT', requiredNowUnits: 2000n })],
    };
    const rate = (lock: LockFacts) => (lock === open ? rateOf(1n, 100_000n) : SAME_PRICE)();
    assert.equal(decide(facts, rate).state, 'COMPLETED');
  });

  test('money of a window that ended unpaid counts at the price of the window that was paid', () => {
    const second = { ...EURO, arrivingUnits: 500n, openedAt: at(100), expiresAt: at(160) };
    const rest = receipt(2, { units: 100n, seenAt: at(120), minedAt: at(121) });
    const facts = {
      locks: [EURO, second],
      lateFloorPartsPerMillion: 1_000_000,
      now: at(130),
      receipts: [receipt(1, { ...credited, units: 400n }), rest],
      credits: [pendingCredit(1, 400n)],
    };
    assert.equal(decide(facts, rateOf(10n, 505n)).state, 'COMPLETED');
  });

  test('but never at the price of another way to pay', () => {
    const other = { ...BITCOIN, openedAt: at(100), expiresAt: at(160) };
    const facts = {
      locks: [LOCK, other],
      now: at(130),
      receipts: [
        receipt(1, { ...credited, units: 400n }),
        receipt(2, { ...btc, units: 6n, seenAt: at(120), minedAt: at(121) }),
      ],
      credits: [pendingCredit(1, 400n)],
    };
    assert.equal(decide(facts, rateOf(1n, 100_000n)).state, 'UNDERPAID');
  });

  test('what is enough waits for no rate of what came besides; what may be enough does', () => {
    const besides = receipt(2, { ...late, ...credited, units: 500n });
    const credits = [pendingCredit(2, 0n, { rateBasis: 'CURRENT', requiredNowUnits: 1000n })];
    const whole = { now: at(90), credits, receipts: [receipt(1), besides] };
    const enough = decide(whole, NO_RATE);
    assert.deepEqual([enough.state, enough.waitsForRate], ['COMPLETED', false]);
    const half = receipt(1, { ...credited, units: 500n });
    const both = {
      ...whole,
      credits: [pendingCredit(1, 500n), ...credits],
      receipts: [half, besides],
    };
    const maybe = decide(both, NO_RATE);
    assert.deepEqual([maybe.state, maybe.waitsForRate], ['PENDING', true]);
  });

  test('what is enough completes; what nobody can value now is released when there is a rate', () => {
    const before = { openedAt: at(-90), expiresAt: at(-30) };
    const early = { seenAt: at(-20), minedAt: at(-19) };
    const facts: Partial<SettlementFacts> = {
      locks: [{ ...BITCOIN, ...before, settlementAssetId: 'EUR:FIAT' }, EURO],
      receipts: [receipt(1), receipt(2, { ...btc, ...early, ...credited, units: 5n })],
      credits: [pendingCredit(2, 5n, { settlementAssetId: 'EUR:FIAT', requiredNowUnits: 10n })],
    };
    const enough = decide(facts, NO_RATE);
    assert.deepEqual(
      [enough.state, enough.released, enough.credited.map(({ account }) => account)],
      ['COMPLETED', [], ['available']],
    );
    assert.deepEqual([enough.waitsForRate, enough.decideAgainAt !== undefined], [true, true]);
    const whole = receipt(1, credited);
    const known = pendingCredit(1, 1000n, { settlementAssetId: 'EUR:FIAT', account: 'available' });
    const later: Partial<SettlementFacts> = {
      ...facts,
      state: 'COMPLETED',
      receipts: [whole, ...(facts.receipts ?? []).slice(1)],
      credits: [known, ...(facts.credits ?? [])],
    };
    assert.deepEqual(
      decide(later, rateOf(3n, 1000n)).released.map(({ receiptId, settlementUnits }) => [
        receiptId,
        settlementUnits,
      ]),
      [[2n, 15n]],
    );
    assert.deepEqual(decide(later, NO_RATE).released, []);
  });
});

describe('money that nobody asked for', () => {
  const assigned = (units: bigint, changes: Partial<ReceiptFacts> = {}) =>
    receipt(9, { instructionId: undefined, assetId: 'BTC:NATIVE', units, ...changes });
  const decideWith = (receipts: readonly ReceiptFacts[], requiredUnits = 10n) =>
    decide({ locks: [LOCK, UNASKED], receipts }, (lock) =>
      lock.isUnasked ? rateOf(1n, requiredUnits)() : SAME_PRICE(),
    );

  test('pays its share of what all cost in it when it is credited', () => {
    assert.equal(decideWith([assigned(10n)]).state, 'COMPLETED');
    assert.equal(decideWith([assigned(9n)]).state, 'UNDERPAID');
    assert.equal(decideWith([assigned(10n)], 11n).state, 'UNDERPAID');
    assert.equal(decideWith([assigned(5n), receipt(1, { units: 500n })]).state, 'COMPLETED');
    assert.equal(decideWith([assigned(5n), receipt(1, { units: 499n })]).state, 'UNDERPAID');
  });

  test('is neither late nor too much: nobody was told when or how much', () => {
    const { state, overpaid, lateAt } = decideWith([assigned(50n)]);
    assert.deepEqual([state, overpaid, lateAt], ['COMPLETED', undefined, undefined]);
    const both = decideWith([assigned(1n), receipt(1, { units: 1001n })]);
    assert.deepEqual(both.overpaid, { assetId: 'LTC:NATIVE', units: 1n });
  });
});

describe('what is no payment', () => {
  const counted: readonly [what: string, changes: Partial<ReceiptFacts>][] = [
    ['money of an instruction that is none of ours', { instructionId: 'unknown' }],
    ['money whose credit was taken back', { ...credited, reversedGeneration: 1 }],
    ['money that is gone', { status: 'GONE' }],
    ['money of another asset that is not final', { ...seen, assetId: 'BTC:NATIVE' }],
  ];
  for (const [what, changes] of counted) {
    test(`${what} pays nothing, credits nothing and moves no window`, () => {
      const decision = decide({ receipts: [receipt(1, changes)] });
      const { state, credited: found, paidLock } = decision;
      assert.deepEqual([state, found, paidLock], ['AWAITING_PAYMENT', [], undefined]);
    });
  }

  test('refunded money that no lock knows is a bug of ours', () => {
    const facts = {
      receipts: [receipt(1, { instructionId: 'unknown' })],
      credits: [pendingCredit(1, 1000n, { account: 'refunded' })],
    };
    assert.throws(() => decide(facts), /what was refunded was paid under a lock/);
  });

  test('refunded money that comes back pays a debt only where there is one', () => {
    const again = receipt(1, { generation: 2, ...credited, reversedGeneration: 1 });
    const credits = [pendingCredit(1, 1000n, { account: 'refunded', reversedAt: at(0) })];
    const back = decide({ receipts: [again], credits });
    assert.deepEqual(
      back.credited.map(({ account, paysDebt }) => [account, paysDebt]),
      [['refunded', false]],
    );
  });

  test('refunded money that comes back is of the last refund that took it', () => {
    const again = receipt(1, { generation: 3, creditedGeneration: 2, reversedGeneration: 2 });
    const gone = { account: 'refunded', reversedAt: at(0) } as const;
    const refundOf = (...refunds: readonly (string | undefined)[]) => {
      const credits = refunds.map((refundId, index) =>
        pendingCredit(1, 1000n, { ...gone, generation: index + 1, refundId }),
      );
      return decide({ receipts: [again], credits }).credited.map(({ refundId }) => refundId);
    };
    assert.deepEqual(refundOf('first', 'second'), ['second']);
    assert.deepEqual(refundOf('first', undefined), ['first']);
    assert.deepEqual(refundOf(undefined, undefined), [undefined]);
  });

  test('refunded money that comes back is released in the asset of its lock if the refund fails', () => {
    const again = receipt(1, { units: 200n, generation: 2, ...credited, reversedGeneration: 1 });
    const before = [pendingCredit(1, 200n, { account: 'refunded', reversedAt: at(0) })];
    const [back] = decide({ locks: [EURO], receipts: [again], credits: before }).credited;
    assert.equal(back?.settlementAssetId, 'EUR:FIAT');
    const credits = [{ ...back, account: 'pending', acceptedAt: at(0) } as const];
    const receipts = [{ ...again, creditedGeneration: 2 }];
    const [release] = decide({ locks: [EURO], receipts, credits }, rateOf(4n, 1000n)).released;
    assert.deepEqual([release?.settlementAssetId, release?.settlementUnits], ['EUR:FIAT', 800n]);
  });
});

describe('what a payment is worth', () => {
  test('under its lock: what was guaranteed, by no rate of now', () => {
    const [first] = decide({ locks: [EURO], receipts: [receipt(1)] }, SAME_PRICE).credited;
    assert.ok(first);
    assert.deepEqual(
      { ...first, evidence: evidenceText(first) },
      pendingCredit(1, 1000n, {
        settlementAssetId: 'EUR:FIAT',
        settlementUnits: 5000n,
        netUnits: 4950n,
        feeUnits: 50n,
        evidence: JSON.stringify({
          basis: 'LOCKED',
          lockedUnits: '1000',
          settlementUnits: '5000',
          lockOpenedAt: at(0).toString(),
        }),
        account: 'available',
        creditedAt: at(20),
      }),
    );
  });

  test('late: the rate of now, with the rows of every rate that was used', () => {
    const facts = { locks: [EURO], now: at(90), receipts: [receipt(1, late)] };
    const [only] = decide(facts, rateOf(4n, 1000n)).credited;
    assert.equal(only?.requiredNowUnits, 1000n);
    assert.deepEqual([only?.settlementUnits, only?.netUnits, only?.feeUnits], [4000n, 3960n, 40n]);
    assert.deepEqual(JSON.parse(evidenceText(only)), {
      basis: 'CURRENT',
      lockedUnits: '0',
      settlementUnits: '4000',
      current: { rateIds: ['7'], numerator: '4', denominator: '1' },
      required: { units: '1000', rateIds: ['8'] },
    });
  });

  test('too much: both parts, and the fee of both', () => {
    const facts = { locks: [EURO], receipts: [receipt(1, { units: 1500n })] };
    const [mixed] = decide(facts, rateOf(4n, 1000n)).credited;
    assert.deepEqual(
      [mixed?.settlementUnits, mixed?.netUnits, mixed?.feeUnits],
      [7000n, 6930n, 70n],
    );
    assert.ok(mixed);
    assert.deepEqual(JSON.parse(evidenceText(mixed)), {
      basis: 'MIXED',
      lockedUnits: '1000',
      settlementUnits: '7000',
      current: { rateIds: ['7'], numerator: '4', denominator: '1' },
      lockOpenedAt: at(0).toString(),
    });
    const unknown = decide(facts, NO_RATE);
    assert.deepEqual([unknown.state, unknown.credited], ['PENDING', []]);
  });

  test('of another asset: nothing, it waits in suspense as it is', () => {
    const other = receipt(1, { assetId: 'BTC:NATIVE', units: 7n });
    const [suspended] = decide({ receipts: [other] }).credited;
    assert.ok(suspended);
    assert.deepEqual(
      { ...suspended, evidence: evidenceText(suspended) },
      pendingCredit(1, 7n, {
        assetId: 'BTC:NATIVE',
        lockedUnits: 0n,
        rateBasis: 'NONE',
        settlementAssetId: 'BTC:NATIVE',
        settlementUnits: 0n,
        netUnits: 0n,
        evidence: JSON.stringify({ basis: 'NONE', lockedUnits: '0', settlementUnits: '0' }),
        account: 'suspense',
        creditedAt: at(20),
      }),
    );
  });

  test('late money that nobody can value is not credited, not even in its own asset', () => {
    const waiting = decide({ now: at(90), receipts: [receipt(1, late)] }, NO_RATE);
    assert.deepEqual([waiting.credited, waiting.waitsForRate], [[], true]);
    const extra = { state: 'COMPLETED', now: at(130), receipts: [receipt(1, slow)] } as const;
    const [kept] = decide(extra, NO_RATE).credited;
    assert.equal(kept?.account, 'available');
    assert.equal(JSON.parse(evidenceText(kept)).required, undefined);
  });

  const gone: readonly [what: string, ReceiptFacts, Credit][] = [
    [
      'was taken back',
      receipt(1, { ...credited, status: 'GONE', reversedGeneration: 1 }),
      pendingCredit(1, 1000n, { reversedAt: at(0) }),
    ],
    [
      'is to be taken back now',
      receipt(1, { ...credited, status: 'GONE', reversalDue: true }),
      pendingCredit(1, 1000n),
    ],
    [
      'was of an earlier generation',
      receipt(1, { status: 'GONE', generation: 2 }),
      pendingCredit(1, 1000n),
    ],
  ];
  for (const [what, lost, before] of gone) {
    test(`a lock is free again for what replaces money whose credit ${what}`, () => {
      const facts = { locks: [EURO], receipts: [lost, receipt(2)], credits: [before] };
      const [instead] = decide(facts, NO_RATE).credited;
      assert.deepEqual([instead?.rateBasis, instead?.settlementUnits], ['LOCKED', 5000n]);
    });
  }

  test('nothing is left of a lock that more was counted under than it covers', () => {
    const facts = {
      locks: [EURO],
      receipts: [receipt(1, { ...credited, units: 1200n }), receipt(2)],
      credits: [pendingCredit(1, 1200n)],
    };
    const [next] = decide(facts, rateOf(2n, 1000n)).credited;
    assert.deepEqual(
      [next?.rateBasis, next?.lockedUnits, next?.settlementUnits],
      ['CURRENT', 0n, 2000n],
    );
  });

  test('at the rate of the moment each amount is rounded down, and the fee is the difference', () => {
    const rate = { ...SAME_PRICE(), toSettlement: { numerator: 1n, denominator: 2n } };
    const value = currentValue(399n, EURO, rate, 10_000);
    assert.deepEqual([value?.settlementUnits, value?.netUnits, value?.feeUnits], [199n, 197n, 2n]);
    const own = currentValue(330n, LOCK, rate, 10_000);
    assert.deepEqual([own?.settlementUnits, own?.netUnits, own?.feeUnits], [330n, 326n, 4n]);
    const evidence = { lock: LOCK, rate };
    const credit = pendingCredit(1, 330n, { lockedUnits: 0n, rateBasis: 'CURRENT', evidence });
    assert.deepEqual(JSON.parse(evidenceText(credit)).current.rateIds, []);
  });

  test('nothing is worth nothing, whether there is a rate or none', () => {
    assert.equal(currentValue(0n, EURO, NO_RATE(), 10_000)?.settlementUnits, 0n);
    assert.equal(currentValue(1n, EURO, NO_RATE(), 10_000), undefined);
  });

  test('the rates of a way to pay are asked for once, however many payments it has', () => {
    let asked = 0;
    const counting = () => {
      asked += 1;
      return SAME_PRICE();
    };
    decide({ now: at(90), receipts: [receipt(1, late), receipt(2, late)] }, counting);
    assert.equal(asked, 1);
  });
});

describe('what becomes of pending money', () => {
  const one = receipt(1, { ...credited, units: 1n });

  test('a completed checkout releases it, however little stands now', () => {
    const completed = decide({
      state: 'COMPLETED',
      receipts: [one],
      credits: [pendingCredit(1, 1n)],
    });
    assert.deepEqual(completed.released, [pendingCredit(1, 1n, { releasedAt: at(20) })]);
  });

  test('a checkout that is completed stays so while a rate is missing', () => {
    const facts = { locks: [EURO], now: at(90), receipts: [one], credits: [pendingCredit(1, 1n)] };
    const waiting = decide({ ...facts, state: 'COMPLETED' }, NO_RATE);
    assert.deepEqual([waiting.state, waiting.released], ['COMPLETED', []]);
    assert.equal(waiting.waitsForRate, true);
  });

  test('in the asset that is credited it is worth itself, also after its lock ended', () => {
    const credits = [pendingCredit(1, 1n, { acceptedAt: at(0) })];
    const { released } = decide({ now: at(61), receipts: [one], credits }, NO_RATE);
    assert.deepEqual(released, [{ ...credits[0], releasedAt: at(61) }]);
  });

  test('what was never valued is valued when it is released', () => {
    const credits = [pendingCredit(1, 0n, { acceptedAt: at(0), rateBasis: 'NONE' })];
    const [release] = decide({ receipts: [{ ...one, units: 200n }], credits }).released;
    assert.deepEqual([release?.settlementUnits, release?.netUnits], [200n, 198n]);
  });

  const kept: readonly [what: string, ReceiptFacts, Credit][] = [
    [
      'was never placed',
      receipt(1, { ...credited, instructionId: 'unknown' }),
      pendingCredit(1, 1000n),
    ],
    [
      'is to be taken back',
      receipt(1, { ...credited, status: 'GONE', reversalDue: true }),
      pendingCredit(1, 1000n),
    ],
    [
      'is no longer final',
      receipt(1, { ...credited, status: 'INCLUDED' }),
      pendingCredit(1, 1000n),
    ],
    ['is of an earlier generation', receipt(1, { generation: 2 }), pendingCredit(1, 1000n)],
    ['was released', receipt(1, credited), pendingCredit(1, 1000n, { releasedAt: at(0) })],
    ['was taken back', receipt(1, credited), pendingCredit(1, 1000n, { reversedAt: at(0) })],
  ];
  for (const [what, before, standing] of kept) {
    test(`what ${what} is not released with the rest`, () => {
      const paid = decide({ receipts: [before, receipt(2)], credits: [standing] });
      assert.deepEqual([paid.state, paid.released], ['COMPLETED', []]);
    });
  }

  test('owed money whose refund failed pays that debt, unless it came back on the chain', () => {
    const owed = pendingCredit(1, 1n, { owedAt: at(0) });
    const returned = (...credits: Credit[]) => decide({ credits }).returned;
    assert.deepEqual(returned(owed), [{ ...owed, returnedAt: at(20) }]);
    assert.deepEqual(returned({ ...owed, account: 'refunded' }), []);
    assert.deepEqual(returned({ ...owed, owedAt: undefined }), []);
    assert.deepEqual(returned(owed, pendingCredit(1, 1n, { generation: 2 })), []);
    assert.deepEqual(returned(owed, pendingCredit(2, 1n, { generation: 2 })), [
      { ...owed, returnedAt: at(20) },
    ]);
  });
});

describe('what is told of the money', () => {
  test('exactly what was asked for, by one way or by two, is not too much', () => {
    const whole = decide({ receipts: [receipt(1)] });
    assert.deepEqual([whole.overpaid, whole.extraReceipts], [undefined, 0]);
    const both = [receipt(1), receipt(2, { ...btc, units: 10n })];
    assert.equal(decide({ locks: [LOCK, BITCOIN], receipts: both }).overpaid, undefined);
  });

  test('late since the first that was late, in whatever order they are listed', () => {
    const first = receipt(2, { ...late, units: 1n });
    const second = receipt(3, { units: 1n, seenAt: at(70), minedAt: at(71) });
    const inTime = receipt(1, { units: 1n });
    for (const receipts of [
      [inTime, first, second],
      [second, first, inTime],
    ]) {
      assert.equal(decide({ now: at(90), receipts }).lateAt?.toString(), at(61).toString());
    }
    assert.equal(decide({ receipts: [inTime] }).lateAt, undefined);
  });

  test('the window that was paid last is that of the last money, the newer of two at once', () => {
    const locks = [LOCK, BITCOIN];
    const lock = (...receipts: ReceiptFacts[]) => decide({ locks, receipts }).paidLock?.network;
    const first = receipt(1, { units: 1n });
    const other = receipt(2, { ...btc, units: 1n });
    const later = { seenAt: at(11) };
    assert.equal(lock(), undefined);
    for (const inOrder of [
      (list: ReceiptFacts[]) => list,
      (list: ReceiptFacts[]) => list.reverse(),
    ]) {
      assert.equal(lock(...inOrder([first, other])), 'BITCOIN');
      assert.equal(lock(...inOrder([{ ...first, ...later }, other])), 'LITECOIN');
      assert.equal(lock(...inOrder([first, { ...other, ...later }])), 'BITCOIN');
    }
  });

  test('expired stays expired while its network is unheard, until a new window opens', () => {
    const expired = { state: 'EXPIRED', networkBehind: true } as const;
    assert.equal(decide({ ...expired, now: at(60) }).state, 'EXPIRED');
    assert.equal(decide({ ...expired, now: at(59) }).state, 'AWAITING_PAYMENT');
  });
});

describe('when time alone can change the answer', () => {
  const again = (changes: Partial<SettlementFacts>) => decide(changes).decideAgainAt?.toString();

  test('at the end of the window while nothing came', () => {
    assert.equal(again({ state: 'NEW', locks: [] }), at(60).toString());
    assert.equal(again({}), at(60).toString());
  });

  test('soon when the window is over and its network unheard', () => {
    const soon = at(60).add({ seconds: 3 }).toString();
    assert.equal(again({ now: at(60), networkBehind: true }), soon);
  });

  test('one window after the end, or after it was seen, while money is unconfirmed', () => {
    const one = { units: 1n, ...seen };
    assert.equal(again({ receipts: [receipt(1, one)] }), at(120).toString());
    const three = [
      receipt(1, { ...one, seenAt: at(80) }),
      receipt(2, { ...one, seenAt: at(70) }),
      receipt(3, one),
    ];
    assert.equal(again({ now: at(100), receipts: three }), at(120).toString());
    assert.equal(again({ now: at(120), receipts: three }), at(130).toString());
  });

  test('never while money is in a block: that block is told', () => {
    const included = receipt(1, { status: 'INCLUDED', units: 1n });
    assert.equal(again({ receipts: [included] }), undefined);
    const unconfirmed = receipt(2, { ...seen, units: 1n, seenAt: at(80) });
    const both = { now: at(90), receipts: [included, unconfirmed] };
    assert.equal(again(both), at(140).toString());
  });

  test('never when it is decided', () => {
    assert.equal(again({ receipts: [receipt(1)] }), undefined);
    const extra = receipt(2, { ...seen, units: 1n });
    assert.equal(again({ receipts: [receipt(1), extra] }), undefined);
    assert.equal(again({ receipts: [receipt(1, { units: 1n })] }), undefined);
    assert.equal(again({ now: at(60) }), undefined);
    assert.equal(again({ cancelled: true }), undefined);
  });
});

describe('a payment and its window', () => {
  test('it may come into a block one more window after the end, and not later', () => {
    const inTime = (minedAt: Temporal.Instant | undefined, seenAt = at(60)) =>
      isInTime({ seenAt, minedAt }, LOCK);
    assert.deepEqual(
      [undefined, at(60), at(120)].map((mined) => inTime(mined)),
      [true, true, true],
    );
    assert.equal(inTime(at(120).add({ milliseconds: 1 })), false);
    assert.equal(inTime(undefined, at(60).add({ milliseconds: 1 })), false);
  });

  test('two windows are of the same way when network and asset are the same', () => {
    assert.equal(isSameWay(LOCK, { ...EURO, openedAt: at(100) }), true);
    assert.equal(isSameWay(LOCK, { ...LOCK, network: 'BITCOIN' }), false);
    assert.equal(isSameWay(LOCK, { ...LOCK, assetId: 'BTC:NATIVE' }), false);
  });

  test('money that nobody asked for has no way to pay, and a window of its own', () => {
    assert.equal(isSameWay(LOCK, { ...UNASKED, ...LOCK, isUnasked: true }), false);
    assert.equal(isSameWay({ ...LOCK, isUnasked: true }, LOCK), false);
    assert.equal(unaskedName(9n), 'assigned:9');
    const lockOf = lockOfReceipt([LOCK, { ...UNASKED, instructionId: 'assigned:8' }, UNASKED], []);
    const name = (id: bigint) =>
      lockOf({ id, generation: 1, instructionId: undefined, seenAt: at(10) })?.instructionId;
    assert.deepEqual([name(8n), name(9n), name(10n)], ['assigned:8', 'assigned:9', undefined]);
  });

  test('shares of one price are exact together, each price rounded up', () => {
    const thirds = createShareSum();
    thirds.add(1n, 3n);
    assert.equal(thirds.total(), WHOLE_SHARE / 3n + 1n);
    thirds.add(2n, 3n);
    assert.equal(thirds.total(), WHOLE_SHARE);
    thirds.add(1n, 2n);
    assert.equal(thirds.total(), WHOLE_SHARE + WHOLE_SHARE / 2n);
  });
});
