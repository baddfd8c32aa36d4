import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstructionMatch } from '#deposit/deposit-instruction.ts';
import type { Arrival, Block, Observation } from '#deposit/network.ts';
import { policyAsked } from './chain-policy.ts';
import { affectedPurposes, decideReceipts, type ReceiptDecision } from './decide-receipts.ts';
import type { KnownReceipt } from './receipt.ts';
import type { ObservedFacts } from './receipt-draft.ts';

const CHAIN = 'test:BITCOIN';
const SEEN = Temporal.Instant.from('2026-01-01T11:00:00Z');
const NOW = Temporal.Instant.from('2026-01-01T12:00:00Z');
const MINED = Temporal.Instant.from('2026-01-01T11:55:00Z');
const HEIGHT = 100n;

const MATCH: InstructionMatch = {
  instructionId: 'i1',
  merchantId: 'm1',
  purpose: 'checkout',
  purposeId: 'c1',
};

function arrival(changes: Partial<Arrival> = {}): Arrival {
  return {
    creditKey: 't1:0',
    transaction: 't1',
    destination: 'ours',
    assetId: 'BTC:NATIVE',
    units: 1000n,
    spends: ['theirs:0'],
    ours: false,
    ...changes,
  };
}

/** Seen, unconfirmed, and nobody credited it. */
function known(changes: Partial<KnownReceipt> = {}): KnownReceipt {
  return {
    id: 7n,
    chain: CHAIN,
    creditKey: 't1:0',
    ...MATCH,
    assetId: 'BTC:NATIVE',
    units: 1000n,
    transaction: 't1',
    destination: 'ours',
    spends: ['theirs:0'],
    status: 'SEEN',
    generation: 1,
    seenAt: SEEN,
    blockHeight: undefined,
    blockHash: undefined,
    minedAt: undefined,
    confirmationsRequired: undefined,
    heldAt: undefined,
    finalAt: undefined,
    goneAt: undefined,
    goneHeight: undefined,
    replacedBy: undefined,
    conflictHeight: undefined,
    creditedGeneration: undefined,
    reversedGeneration: undefined,
    unaskedSettlementAssetId: undefined,
    ...changes,
  };
}

const INCLUDED = {
  status: 'INCLUDED',
  blockHeight: 99n,
  blockHash: 'h99',
  minedAt: MINED,
  confirmationsRequired: 3,
} as const;
const FINAL = { ...INCLUDED, status: 'FINAL', finalAt: SEEN, creditedGeneration: 1 } as const;

function block(height: bigint, ...arrivals: Arrival[]): Block {
  const [hash, parentHash] = [`h${height}`, `h${height - 1n}`];
  return { height, hash, parentHash, minedAt: MINED, arrivals };
}

type Story = Partial<Omit<Observation, 'brake'>> & Partial<Omit<ObservedFacts, 'observation'>>;

function decide(story: Story): ReceiptDecision {
  const { rollbackTo, blocks = [], unconfirmed = [], gone = [], spends = [], correctsSeen } = story;
  return decideReceipts({
    chain: CHAIN,
    now: NOW,
    heightBefore: HEIGHT - 1n,
    height: HEIGHT,
    known: [],
    instructionOf: (destination) => (destination === 'ours' ? MATCH : undefined),
    income: [],
    policy: { requiredConfirmations: () => 3, isHeldByBrake: () => false },
    brake: undefined,
    ...story,
    observation: { rollbackTo, blocks, unconfirmed, gone, spends, correctsSeen },
  });
}

/** The one receipt that changed, and nothing that was left as it was. */
function changed(story: Story): Partial<KnownReceipt> {
  const { changes } = decide(story);
  assert.equal(changes.length, 1);
  return differences(changes[0]?.receipt);
}

/** What is not as in known(): moments as text, because two moments are alike for deepEqual. */
function differences(receipt: object | undefined): Partial<KnownReceipt> {
  const textOf = (value: unknown) => (value instanceof Temporal.Instant ? String(value) : value);
  const before: Readonly<Record<string, unknown>> = known();
  const kept = Object.entries(receipt ?? {})
    .map(([name, value]) => [name, textOf(value)] as const)
    .filter(
      ([name, value]) =>
        JSON.stringify([textOf(before[name])], big) !== JSON.stringify([value], big),
    );
  return Object.fromEntries(kept);
}

const big = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
const [now, mined] = [String(NOW), String(MINED)];

test('what is seen for an instruction is a receipt of it, unconfirmed', () => {
  const { changes, alarms, ownMoves, income } = decide({ unconfirmed: [arrival()] });
  assert.deepEqual([alarms, ownMoves, income], [[], [], []]);
  assert.equal(changes.length, 1);
  const [change] = changes;
  assert.deepEqual(
    { ...change, receipt: differences(change?.receipt) },
    {
      id: undefined,
      receipt: { seenAt: now },
      wasGone: false,
      appears: true,
      missingSince: undefined,
    },
  );
  assert.equal(Object.keys(change?.receipt ?? {}).length, Object.keys(known()).length - 1);
});

test('what is for nobody is no receipt, unless the destination is ours or was left out', () => {
  const elsewhere = arrival({ destination: 'elsewhere' });
  for (const place of [{ unconfirmed: [elsewhere] }, { blocks: [block(100n, elsewhere)] }]) {
    assert.deepEqual(decide(place).changes, []);
    assert.deepEqual(decide({ ...place, isLeftOut: (one) => one === 'ours' }).changes, []);
    const [leftOut] = decide({ ...place, isLeftOut: (one) => one === 'elsewhere' }).changes;
    assert.equal(leftOut?.receipt.destination, 'elsewhere');
  }
  const [stranger] = decide({ unconfirmed: [{ ...elsewhere, ours: true }] }).changes;
  const { instructionId, merchantId, purpose, purposeId } = stranger?.receipt ?? {};
  assert.deepEqual([instructionId, merchantId, purpose, purposeId], Array(4).fill(undefined));
});

test('what stands in a block is included, and not final before it is as deep as it has to be', () => {
  const story = { known: [known()], blocks: [block(100n, arrival())] };
  const there = { blockHeight: 100n, blockHash: 'h100', minedAt: mined, confirmationsRequired: 3 };
  assert.deepEqual(changed(story), { status: 'INCLUDED', ...there });
  const { changes, income } = decide(story);
  assert.deepEqual([changes[0]?.id, changes[0]?.appears, changes[0]?.wasGone], [7n, true, false]);
  const told = { merchantId: 'm1', assetId: 'BTC:NATIVE', units: 1000n, blockHeight: 100n };
  assert.deepEqual(income, [told]);
  assert.equal(changed({ ...story, height: 101n }).status, 'INCLUDED');
  const deep = changed({ ...story, height: 102n });
  assert.deepEqual(deep, { status: 'FINAL', ...there, finalAt: now });
});

test('money that nobody was seen to send is included as well', () => {
  const [change] = decide({ blocks: [block(100n, arrival())] }).changes;
  assert.deepEqual(
    [change?.id, change?.receipt.status, change?.appears],
    [undefined, 'INCLUDED', true],
  );
});

test('what was included becomes final by depth alone, and what is final stays as it is', () => {
  const three = { known: [known(INCLUDED)], height: 101n };
  const { status, finalAt } = changed(three) as { status: string; finalAt: unknown };
  assert.deepEqual([status, finalAt], ['FINAL', now]);
  assert.deepEqual(decide({ known: [known(INCLUDED)] }).changes, []);
  assert.deepEqual(decide({ known: [known(FINAL)], height: 200n }).changes, []);
  const again = { known: [known(FINAL)], unconfirmed: [arrival()], gone: ['t1'] };
  assert.deepEqual(decide(again).changes, []);
  const still = { known: [known(INCLUDED)], unconfirmed: [arrival()], gone: ['t1'] };
  assert.deepEqual(decide(still).changes, []);
});

test('what is required may rise with what stands around it, and never falls', () => {
  const requires = (required: number) => ({
    known: [known(INCLUDED)],
    policy: { requiredConfirmations: () => required, isHeldByBrake: () => false },
    income: [{ merchantId: 'm1', assetId: 'BTC:NATIVE', units: 1000n, blockHeight: 99n }],
  });
  assert.equal(changed(requires(6)).confirmationsRequired, 6);
  assert.deepEqual(decide(requires(2)).changes, []);
  const peggedOut = { blocks: [block(100n, arrival({ leastConfirmations: 102 }))] };
  assert.equal(decide(peggedOut).changes[0]?.receipt.confirmationsRequired, 102);
  const little = { blocks: [block(100n, arrival({ leastConfirmations: 2 }))] };
  assert.equal(decide(little).changes[0]?.receipt.confirmationsRequired, 3);
  const before = { known: [known({ confirmationsRequired: 12 })] };
  assert.equal(changed({ ...before, ...little }).confirmationsRequired, 12);
});

test('what merchants ask is handed on with who is paid, and nobody else is asked about', () => {
  const seen: unknown[] = [];
  const policy = {
    requiredConfirmations: (...asked: readonly unknown[]) => {
      seen.push(asked[3]);
      return 3;
    },
    isHeldByBrake: () => false,
  };
  const income = [{ merchantId: 'm1', assetId: 'BTC:NATIVE', units: 1000n, blockHeight: 99n }];
  const story = (merchantId: string) =>
    decide({
      known: [known(INCLUDED)],
      income,
      policy: policyAsked(policy, new Map([[merchantId, [4, 5, 6] as const]])),
    });
  story('m1');
  story('m2');
  assert.deepEqual(seen, [[4, 5, 6], undefined]);
});

test('under the brake it has to be deeper, and what is large is held until it ends', () => {
  const deep = { known: [known(INCLUDED)], height: 101n };
  const brake = { olderIncome: [], isReleased: () => false };
  assert.deepEqual(decide({ ...deep, brake }).changes, []);
  assert.equal(changed({ ...deep, height: 104n, brake }).status, 'FINAL');
  const held = (units: bigint) => ({
    requiredConfirmations: () => 3,
    isHeldByBrake: (_: string, amounts: readonly { units: bigint }[]) =>
      amounts.reduce((sum, amount) => sum + amount.units, 0n) >= units,
  });
  const stands = { merchantId: 'm1', assetId: 'BTC:NATIVE', units: 1000n, blockHeight: 99n };
  const both = { ...deep, height: 104n, income: [stands] };
  assert.equal(changed({ ...both, brake, policy: held(1001n) }).status, 'FINAL');
  const large = changed({ ...both, brake, policy: held(1000n) });
  assert.deepEqual([large.status, large.heldAt], ['INCLUDED', now]);
  const older = { ...brake, olderIncome: [{ ...stands, blockHeight: 98n }] };
  assert.equal(changed({ ...both, brake: older, policy: held(2000n) }).heldAt, now);
  assert.equal(changed({ ...both, policy: held(1n) }).status, 'FINAL');
  const letGo = {
    ...brake,
    isReleased: ({ id = 0n, blockHash = '' }) => `${id} ${blockHash}` === '7 h99',
  };
  assert.equal(changed({ ...both, brake: letGo, policy: held(1n) }).status, 'FINAL');
  const early = { ...both, height: 103n, brake: letGo, policy: held(1n) };
  assert.deepEqual(decide(early).changes, [], 'let go, it still needs the double depth');
  // It is held since the first time, and not any more when the brake ends too early for it.
  const since = [known({ ...INCLUDED, heldAt: SEEN })];
  assert.deepEqual(decide({ ...both, known: since, brake, policy: held(1n) }).changes, []);
  assert.equal(changed({ ...both, known: since, height: 100n }).heldAt, undefined);
});

test('one credit key is one fact: another amount, asset or receiver is an alarm and no payment', () => {
  const others = [{ units: 999n }, { assetId: 'BTC:OTHER' }, { destination: 'elsewhere' }];
  for (const other of others) {
    const said = { ...arrival(), ...other };
    const observed = `${said.units} ${said.assetId} to ${said.destination}`;
    const recorded = '1000 BTC:NATIVE to ours';
    const alarm = { reason: 'changed', creditKey: 't1:0', recorded, observed };
    for (const place of [{ unconfirmed: [said] }, { blocks: [block(100n, said)] }]) {
      const story = { known: [known()], ...place };
      assert.deepEqual(decide(story).alarms, [alarm]);
      assert.deepEqual(changed(story), { status: 'GONE', goneAt: now, goneHeight: 100n });
    }
    const included = { known: [known(INCLUDED)], blocks: [block(100n, said)] };
    assert.deepEqual([decide(included).alarms, decide(included).changes], [[alarm], []]);
  }
});

test('a block corrects what was only seen, where the adapter says so and nobody was credited', () => {
  const said = arrival({ units: 900n, spends: ['other:1'] });
  const story = { known: [known()], blocks: [block(100n, said)], correctsSeen: true };
  const right = { status: 'INCLUDED', units: 900n, spends: ['other:1'], blockHeight: 100n };
  const there = { blockHash: 'h100', minedAt: mined, confirmationsRequired: 3 };
  assert.deepEqual(changed(story), { ...right, ...there });
  assert.equal(decide(story).alarms.length, 1);
  assert.deepEqual(decide(story).changes[0]?.wasGone, false);
  assert.equal(
    changed({ ...story, known: [known({ status: 'GONE', goneHeight: 90n })] }).units,
    900n,
  );
  const credited = { ...story, known: [known({ creditedGeneration: 1 })] };
  assert.equal(changed(credited).status, 'GONE');
  assert.deepEqual(decide({ ...story, known: [known(INCLUDED)] }).changes, []);
  const unconfirmed = { known: [known()], unconfirmed: [said], correctsSeen: true };
  assert.equal(changed(unconfirmed).status, 'GONE');
});

test('what a block says of another receiver is for that one, from now on', () => {
  const others: InstructionMatch = { ...MATCH, instructionId: 'i2', purposeId: 'c2' };
  const instructionOf = (one: string) => ({ ours: MATCH, next: others })[one];
  const story = (changes: Partial<Arrival>) => ({
    known: [known()],
    instructionOf,
    blocks: [block(100n, arrival({ destination: 'next', ...changes }))],
    correctsSeen: true,
  });
  const { instructionId, purposeId, seenAt, destination, status } = changed(story({}));
  const is = { instructionId, purposeId, seenAt, destination, status };
  const next = { instructionId: 'i2', purposeId: 'c2', seenAt: now, destination: 'next' };
  assert.deepEqual(is, { ...next, status: 'INCLUDED' });
  assert.equal(changed(story({ destination: 'nobody' })).status, 'GONE');
  const stranger = changed(story({ destination: 'nobody', ours: true }));
  assert.deepEqual([stranger.status, stranger.destination], ['INCLUDED', 'nobody']);
  assert(Object.hasOwn(stranger, 'merchantId') && stranger.merchantId === undefined);
  assert(Object.hasOwn(stranger, 'purpose') && stranger.purpose === undefined);
});

test('told again in its block nothing changes; in another block it is an alarm', () => {
  const again = { known: [known(INCLUDED)], blocks: [block(99n, arrival())] };
  assert.deepEqual([decide(again).changes, decide(again).alarms], [[], []]);
  const twice = { known: [known(INCLUDED)], blocks: [block(100n, arrival())] };
  assert.deepEqual(decide(twice).changes, []);
  const alarm = { reason: 'twice-in-chain', creditKey: 't1:0' };
  assert.deepEqual(decide(twice).alarms, [{ ...alarm, recorded: '99 h99', observed: '100 h100' }]);
  const branch = [{ ...block(99n, arrival()), hash: 'other' }];
  assert.deepEqual(decide({ known: [known(INCLUDED)], blocks: branch }).alarms, [
    { ...alarm, recorded: '99 h99', observed: '99 other' },
  ]);
});

test('what was undone stands unconfirmed and missing, and counts from its first block again', () => {
  const at = (height: bigint) => ({ height, hash: `h${height}` });
  const undone = { goneAt: now, goneHeight: 99n, confirmationsRequired: 3 };
  const held = known({ ...INCLUDED, heldAt: SEEN });
  assert.deepEqual(changed({ known: [held], rollbackTo: at(98n) }), undone);
  const { status, finalAt, ...rest } = changed({ known: [known(FINAL)], rollbackTo: at(98n) });
  assert.deepEqual(
    [status, finalAt, rest],
    [undefined, undefined, { ...undone, creditedGeneration: 1 }],
  );
  assert.deepEqual(decide({ known: [known(INCLUDED)], rollbackTo: at(99n) }).changes, []);
  const first = known({ ...INCLUDED, goneAt: SEEN, goneHeight: 80n });
  assert.equal(changed({ known: [first], rollbackTo: at(98n) }).goneHeight, 80n);
  const back = { known: [known(INCLUDED)], rollbackTo: at(98n), blocks: [block(100n, arrival())] };
  const there = { blockHeight: 100n, blockHash: 'h100', minedAt: mined, confirmationsRequired: 3 };
  assert.deepEqual(changed(back), { status: 'INCLUDED', ...there });
  const conflict = known({
    status: 'GONE',
    replacedBy: 't9',
    conflictHeight: 99n,
    goneHeight: 98n,
  });
  assert.deepEqual(changed({ known: [conflict], rollbackTo: at(98n) }), {
    status: 'GONE',
    goneHeight: 98n,
  });
  assert.deepEqual(decide({ known: [conflict], rollbackTo: at(99n) }).changes, []);
});

test('what was gone and is here again has been gone, and is missing no more', () => {
  const gone = { status: 'GONE', goneAt: SEEN, goneHeight: 90n, replacedBy: 't9' } as const;
  const seen = { known: [known({ ...gone, conflictHeight: 91n })], unconfirmed: [arrival()] };
  assert.deepEqual(changed(seen), {});
  const [again] = decide(seen).changes;
  assert.deepEqual([again?.wasGone, again?.appears], [true, true]);
  assert.equal(String(again?.missingSince?.at), String(SEEN));
  assert.equal(again?.missingSince?.height, 90n);
  const mined99 = {
    known: [known({ ...gone, conflictHeight: 91n })],
    blocks: [block(100n, arrival())],
  };
  const { goneAt, goneHeight, replacedBy, conflictHeight, status } = changed(mined99);
  assert.deepEqual([goneAt, goneHeight, replacedBy, conflictHeight], Array(4).fill(undefined));
  assert.equal(status, 'INCLUDED');
  assert.equal(decide(mined99).changes[0]?.wasGone, true);
});

test('what was credited is missing until a block holds it, whoever sees it meanwhile', () => {
  const facts = { status: 'GONE', goneAt: SEEN, goneHeight: 90n, creditedGeneration: 1 } as const;
  const [change] = decide({ known: [known(facts)], unconfirmed: [arrival()] }).changes;
  assert.deepEqual([change?.receipt.status, change?.receipt.goneHeight], ['SEEN', 90n]);
  assert.equal(change?.missingSince, undefined);
  const reversed = known({ ...facts, reversedGeneration: 1 });
  const [free] = decide({ known: [reversed], unconfirmed: [arrival()] }).changes;
  assert.equal(free?.receipt.goneHeight, undefined);
});

test('what stands in the mempool already is told once', () => {
  const { changes } = decide({ known: [known()], unconfirmed: [arrival()] });
  assert.deepEqual(changes, []);
  // It was undone and stands unconfirmed since: it is missing no more, and does not appear again.
  const undone = known({ goneAt: SEEN, goneHeight: 90n });
  const [still] = decide({ known: [undone], unconfirmed: [arrival()] }).changes;
  assert.deepEqual([still?.receipt.goneHeight, still?.appears], [undefined, false]);
});

test('a transaction that the node no longer has is gone, unless it is told in the same breath', () => {
  const left = { status: 'GONE', goneAt: now, goneHeight: 100n };
  assert.deepEqual(changed({ known: [known()], gone: ['t1'] }), left);
  const [change] = decide({ known: [known()], gone: ['t1'] }).changes;
  assert.deepEqual([change?.wasGone, change?.appears], [false, false]);
  assert.deepEqual(decide({ known: [known()], gone: ['t2'] }).changes, []);
  assert.deepEqual(
    decide({ known: [known()], gone: ['t1'], unconfirmed: [arrival()] }).changes,
    [],
  );
  const before = known({ status: 'GONE', goneAt: SEEN, goneHeight: 90n });
  assert.deepEqual(decide({ known: [before], gone: ['t1'] }).changes, []);
  const included = { known: [known()], gone: ['t1'], blocks: [block(100n, arrival())] };
  assert.equal(changed(included).status, 'INCLUDED');
});

test('who spends the same coins replaces it: in a block for good, else while it does not stand', () => {
  const rival = { transaction: 't2', spends: ['more:1', 'theirs:0'] };
  const left = { status: 'GONE', goneAt: now, goneHeight: 100n, replacedBy: 't2' };
  assert.deepEqual(changed({ known: [known()], spends: [rival] }), left);
  const mined100 = { ...rival, height: 100n };
  const lost = { ...left, conflictHeight: 100n };
  assert.deepEqual(changed({ known: [known()], spends: [mined100] }), lost);
  const standing = { known: [known()], unconfirmed: [arrival()] };
  assert.deepEqual(decide({ ...standing, spends: [rival] }).changes, []);
  assert.deepEqual(changed({ ...standing, spends: [mined100] }), lost);
  const third = { transaction: 't3', spends: ['theirs:0'] };
  assert.equal(changed({ known: [known()], spends: [third, mined100] }).replacedBy, 't2');
  // What conflicts in the mempool says nothing new of what is lost to a block.
  const before = known({ status: 'GONE', goneHeight: 90n, replacedBy: 't9', conflictHeight: 90n });
  assert.deepEqual(decide({ known: [before], spends: [rival] }).changes, []);
  assert.equal(changed({ known: [before], spends: [mined100] }).conflictHeight, 100n);
});

test('neither itself, nor who spends other coins, nor what comes after its block replaces it', () => {
  for (const spend of [
    { transaction: 't1', spends: ['theirs:0'] },
    { transaction: 't2', spends: ['theirs:1'] },
  ]) {
    assert.deepEqual(decide({ known: [known()], spends: [spend] }).changes, []);
  }
  const late = { transaction: 't2', spends: ['theirs:0'], height: 100n };
  for (const stands of [INCLUDED, FINAL]) {
    assert.deepEqual(decide({ known: [known(stands)], spends: [late] }).changes, []);
  }
});

test('what spends money that we were paid is no income, in a block or before it', () => {
  const change = arrival({ creditKey: 't2:1', transaction: 't2', spends: ['x:0', 't1:0'] });
  for (const place of [{ unconfirmed: [change] }, { blocks: [block(100n, change)] }]) {
    const story = { known: [known(FINAL)], ...place };
    const { changes, ownMoves, income } = decide(story);
    assert.deepEqual([changes, ownMoves, income], [[], ['t2:1'], []]);
    // Money that nobody asked for is ours as well, but whoever paid it may have kept the key.
    const suspense = known({ ...FINAL, instructionId: undefined });
    assert.deepEqual(decide({ ...story, known: [suspense] }).ownMoves, []);
    const elsewhere = { ...story, instructionOf: () => undefined };
    assert.deepEqual(decide(elsewhere).ownMoves, []);
    const theirs = { ...story, known: [known({ ...FINAL, creditKey: 't0:0' })] };
    assert.deepEqual(decide(theirs).ownMoves, []);
    // Recorded as income before its parent was known.
    const early = known({ id: 8n, creditKey: 't2:1', transaction: 't2', spends: change.spends });
    const after = decide({ ...story, known: [known(FINAL), early] });
    assert.deepEqual(
      after.changes.map(({ id, receipt }) => [id, receipt.status]),
      [[8n, 'GONE']],
    );
    const counted = { ...early, ...INCLUDED };
    assert.deepEqual(decide({ ...story, known: [known(FINAL), counted] }).changes, []);
  }
});

test('a chain of two transactions of ours within one block is a move each', () => {
  const first = arrival({ creditKey: 't2:0', transaction: 't2', spends: ['t1:0'] });
  const income = arrival({ creditKey: 't3:0', transaction: 't3' });
  const second = arrival({ creditKey: 't4:0', transaction: 't4', spends: ['t3:0'] });
  const { ownMoves, changes } = decide({
    known: [known(FINAL)],
    blocks: [block(99n, first, income), block(100n, second)],
  });
  assert.deepEqual(ownMoves, ['t2:0', 't4:0']);
  assert.deepEqual(
    changes.map(({ receipt }) => receipt.creditKey),
    ['t3:0'],
  );
});

const purposesOf = (story: Story, height = HEIGHT) => {
  const { changes } = decide(story);
  return affectedPurposes(changes, story.known ?? [], height).map(
    ({ purpose, purposeId }) => `${purpose}/${purposeId}`,
  );
};

test('who has to settle: whose receipt changed, or whose credit is to be taken back, each once', () => {
  assert.deepEqual(purposesOf({ known: [known()] }), []);
  assert.deepEqual(purposesOf({ unconfirmed: [arrival()] }), ['checkout/c1']);
  const two = [arrival(), arrival({ creditKey: 't1:1' })];
  assert.deepEqual(purposesOf({ unconfirmed: two }), ['checkout/c1']);
  const missing = { status: 'GONE', creditedGeneration: 1, confirmationsRequired: 3 } as const;
  const due = { known: [known({ ...missing, goneHeight: 94n })] };
  assert.deepEqual(purposesOf(due, 99n), []);
  assert.deepEqual(purposesOf(due, 100n), ['checkout/c1']);
  const stranger = arrival({ destination: 'elsewhere', ours: true });
  assert.deepEqual(purposesOf({ unconfirmed: [stranger] }), []);
});

test('who has to settle is said in one order, and whoever loses the money is among them', () => {
  const next: InstructionMatch = { ...MATCH, instructionId: 'i0', purposeId: 'c0' };
  const story = {
    known: [known()],
    instructionOf: (one: string) => ({ ours: MATCH, next })[one],
    blocks: [block(100n, arrival({ destination: 'next' }))],
    correctsSeen: true,
  };
  assert.deepEqual(purposesOf(story), ['checkout/c0', 'checkout/c1']);
  // A credit that is due is not, once its receipt is back in a block.
  const missing = { status: 'GONE', creditedGeneration: 1, goneHeight: 10n } as const;
  const kept = known({ ...missing, id: 9n, creditKey: 't9:0', transaction: 't9', purposeId: 'c9' });
  assert.deepEqual(purposesOf({ ...story, known: [known(), kept] }), [
    'checkout/c0',
    'checkout/c1',
    'checkout/c9',
  ]);
});
