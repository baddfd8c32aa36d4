// Whatever anybody can write into a transaction on the XRP Ledger: nothing of it stops the network,
// delays the payments beside it, or is credited beyond what arrived. A server that contradicts
// itself is another matter (xrpl-mutations.test.ts): here it is honest.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  type Json,
  PARTIAL_PAYMENT,
  type SendOptions,
  seededXrplKey,
} from '#test/fakes/xrpl-ledger.ts';
import { openXrplWorld, XRP, type XrplWorld } from '#test/fakes/xrpl-world.ts';
import { byLength } from '#test/support/run-length.ts';

const DROPS = 25_000_000n;
const RUNS = byLength({ short: 4, long: 60 });
const THIEF = seededXrplKey(3);
const STRANGER = seededXrplKey(4);

/** What somebody did, given the tag of a customer who was asked to pay. */
type Deed = (world: XrplWorld, asked: number) => void;

const drops = fc.oneof(fc.constantFrom(1n, DROPS), fc.bigInt(1n, 10n ** 11n));
const uint32 = fc.oneof(fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1), fc.nat(2 ** 32 - 1));
const tag: fc.Arbitrary<(asked: number) => Json> = fc.oneof(
  fc.constant(() => ({})),
  fc.constant((asked: number) => ({ DestinationTag: asked })),
  uint32.map((DestinationTag) => () => ({ DestinationTag })),
);
const hex = (maxLength: number) =>
  fc.uint8Array({ minLength: 1, maxLength }).map((bytes) => bytes.toHex().toUpperCase());
/** Any bytes in each part of a memo, as many memos as there is room for. */
const memos: fc.Arbitrary<Json> = fc.oneof(
  fc.constant({}),
  fc
    .array(
      fc.record(
        { MemoType: hex(60), MemoData: hex(300), MemoFormat: hex(40) },
        { requiredKeys: ['MemoData'], noNullPrototype: true },
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((list) => ({ Memos: list.map((Memo) => ({ Memo })) })),
);
const other: fc.Arbitrary<Json> = fc.record(
  { SourceTag: uint32, InvoiceID: fc.constantFrom('00'.repeat(32), 'FF'.repeat(32)) },
  { requiredKeys: [], noNullPrototype: true },
);
const issued: fc.Arbitrary<Json> = fc.record(
  {
    currency: fc.constantFrom(
      'USD',
      'xrp',
      '0158524C00000000000000000000000000000000',
      'FF'.repeat(20),
    ),
    issuer: fc.constantFrom(THIEF.address, STRANGER.address),
    value: fc.constantFrom(
      '1',
      '25',
      '1e-81',
      '9999999999999999e80',
      '0.000000000000001',
      '1000000',
    ),
  },
  { noNullPrototype: true },
);
const paths = fc.array(
  fc.array(
    fc.oneof(
      fc.constantFrom<Json>({ account: THIEF.address }, { currency: 'XRP' }),
      issued.map(({ currency, issuer }) => ({ currency, issuer })),
    ),
    { minLength: 1, maxLength: 8 },
  ),
  { minLength: 1, maxLength: 6 },
);
const result = fc.constantFrom(
  undefined,
  'tecPATH_DRY',
  'tecUNFUNDED_PAYMENT',
  'tecNO_DST_INSUF_XRP',
);
const extras = fc.record({ tag, memos, other });
type Extras = typeof extras extends fc.Arbitrary<infer Value> ? Value : never;
const fieldsOf = ({ tag: tagOf, memos: all, other: more }: Extras, asked: number): Json => ({
  ...all,
  ...more,
  ...tagOf(asked),
});

/** From anybody to us or to somebody else. */
function payment(
  { account }: XrplWorld,
  fields: Json,
  gained: bigint,
  more: Partial<SendOptions> = {},
): SendOptions {
  const moves: Record<string, bigint> = gained === 0n ? {} : { [account]: gained };
  if (gained > 0n) moves[THIEF.address] = -gained;
  const sent = { TransactionType: 'Payment', Destination: account, ...fields };
  return { from: THIEF, fields: sent, moves, ...more };
}

const plain: fc.Arbitrary<Deed> = fc
  .record({ drops, extras, result })
  .map(({ drops: amount, extras: more, result: outcome }) => (world, asked) => {
    const fields = { ...fieldsOf(more, asked), Amount: `${amount}` };
    if (outcome === undefined) world.xrpl.send(payment(world, fields, amount));
    else world.xrpl.send(payment(world, fields, 0n, { result: outcome, delivered: undefined }));
  });

/** Less than it names arrives, bought with anything on any way. */
const partial: fc.Arbitrary<Deed> = fc
  .record({ names: drops, arrives: drops, extras, paths, issued, isPartial: fc.boolean() })
  .map(
    ({ names, arrives, extras: more, paths: way, issued: sent, isPartial }) =>
      (world, asked) => {
        const got = isPartial ? (arrives < names ? arrives : names) : names;
        const stated = isPartial ? { stated: `${got}`, delivered: `${got}` } : {};
        const fields = {
          ...fieldsOf(more, asked),
          Amount: `${names}`,
          SendMax: sent,
          Paths: way,
          ...(isPartial ? { Flags: PARTIAL_PAYMENT, DeliverMin: '1' } : {}),
        };
        world.xrpl.send(payment(world, fields, got, stated));
      },
  );

/** Something else than XRP, which changes nothing in the account but the thread, if that. */
const issuedDeed: fc.Arbitrary<Deed> = fc
  .record({ issued, extras, isPartial: fc.boolean(), isThreaded: fc.boolean() })
  .map(({ issued: amount, extras: more, isPartial, isThreaded }) => (world, asked) => {
    const part = { ...amount, value: '1e-81' };
    world.xrpl.send(
      payment(
        world,
        {
          ...fieldsOf(more, asked),
          Amount: amount,
          ...(isPartial ? { Flags: PARTIAL_PAYMENT, SendMax: amount } : {}),
        },
        0n,
        {
          ...(isPartial ? { stated: part, delivered: part } : {}),
          threads: isThreaded ? [world.account] : [],
        },
      ),
    );
  });

const KINDS: readonly ((account: string) => Json)[] = [
  () => ({ TransactionType: 'EscrowFinish', Owner: THIEF.address, OfferSequence: 7 }),
  () => ({ TransactionType: 'EscrowCancel', Owner: THIEF.address, OfferSequence: 7 }),
  () => ({ TransactionType: 'PaymentChannelClaim', Channel: 'AB'.repeat(32) }),
  () => ({ TransactionType: 'CheckCash', CheckID: 'CD'.repeat(32), Amount: '1' }),
  () => ({
    TransactionType: 'OfferCreate',
    TakerGets: '1',
    TakerPays: { currency: 'USD', issuer: THIEF.address, value: '1' },
  }),
  () => ({ TransactionType: 'NFTokenAcceptOffer', NFTokenSellOffer: 'EF'.repeat(32) }),
];
/** Something that makes the balance rise and is no payment. */
const gains: fc.Arbitrary<Deed> = fc
  .record({ kind: fc.constantFrom(...KINDS), drops, memos })
  .map(({ kind, drops: amount, memos: all }) => (world) => {
    const { account } = world;
    world.xrpl.send({
      from: THIEF,
      fields: { ...kind(account), ...all },
      moves: { [THIEF.address]: -amount, [account]: amount },
    });
  });

/** Something that names us and pays nothing yet, or never. */
const promises: fc.Arbitrary<Deed> = fc
  .record({
    kind: fc.constantFrom<Json>(
      { TransactionType: 'EscrowCreate', Amount: `${DROPS}`, FinishAfter: 1 },
      { TransactionType: 'CheckCreate', SendMax: `${DROPS}` },
      {
        TransactionType: 'PaymentChannelCreate',
        Amount: `${DROPS}`,
        SettleDelay: 1,
        PublicKey: THIEF.publicKey,
      },
    ),
    extras,
    isThreaded: fc.boolean(),
  })
  .map(({ kind, extras: more, isThreaded }) => (world, asked) => {
    const { account } = world;
    const { InvoiceID: _, ...fields } = fieldsOf(more, asked);
    world.xrpl.send({
      from: THIEF,
      fields: { ...fields, ...kind, Destination: account },
      threads: isThreaded ? [account] : [],
    });
  });

let births = 0;
/** An account that goes away leaves us what it had. */
const deletions: fc.Arbitrary<Deed> = fc
  .record({ drops, tag, memos })
  .map(({ drops: held, tag: tagOf, memos: all }) => (world, asked) => {
    births += 1;
    const from = seededXrplKey(100 + (births % 150));
    world.xrpl.addAccount(from, held + 2_000_000n);
    world.xrpl.send({
      from,
      fee: 2_000_000n,
      fields: {
        TransactionType: 'AccountDelete',
        Destination: world.account,
        ...tagOf(asked),
        ...all,
      },
      moves: { [from.address]: -held, [world.account]: held },
      deletes: from.address,
      stated: `${held}`,
      delivered: `${held}`,
    });
  });

/** A field of a kind that comes with some later version: of transactions, or of metadata. */
const later: fc.Arbitrary<Deed> = fc
  .record({
    drops,
    extras,
    kind: fc.constantFrom('C1', 'D1', '011B', '0164', '01FF'),
    value: hex(40),
    isMeta: fc.boolean(),
  })
  .map(({ drops: amount, extras: more, kind, value, isMeta }) => (world, asked) => {
    const fields = { ...fieldsOf(more, asked), Amount: `${amount}` };
    const added = isMeta ? { newMeta: `${kind}${value}` } : { newFields: `${kind}${value}` };
    world.xrpl.send(payment(world, fields, amount, added));
  });

const deeds = fc.oneof(plain, partial, issuedDeed, gains, promises, deletions, later);
const schedule = fc.record({
  before: fc.array(deeds, { maxLength: 4 }),
  after: fc.array(deeds, { maxLength: 4 }),
  memos,
  isOneLedger: fc.boolean(),
});

let world: XrplWorld;
let held = 0n;
const balance = () => world.xrpl.roots.get(world.account)?.balance ?? 0n;

before(async () => {
  world = await openXrplWorld({ timeoutMs: 20_000 });
  for (const key of [THIEF, STRANGER]) world.xrpl.addAccount(key, 10n ** 15n);
  world.xrpl.close();
  assert.deepEqual(await world.observe(), []);
  held = balance();
});
after(() => world?.close());

test('nothing a payer can send on the XRP Ledger stops, delays or fakes anything', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async ({ before: first, after: last, memos: own, isOneLedger }) => {
      const commitment = await world.createAndCommit('XRP_LEDGER', XRP, DROPS);
      const asked = Number(commitment.instruction.destinationTag);
      const { customer: from, account: to } = world;
      const honest = () => world.xrpl.pay({ from, to, drops: DROPS, tag: asked, fields: own });
      const bound = (deed: Deed) => () => deed(world, asked);
      for (const act of [...first.map(bound), honest, ...last.map(bound)]) {
        act();
        if (!isOneLedger) world.xrpl.close();
      }
      world.xrpl.close();
      assert.deepEqual(await world.observe(), []);
      await world.settle();
      assert.equal((await world.read(commitment.checkoutId)).state, 'COMPLETED');
      assert.equal(
        await world.custody('XRP_LEDGER', XRP),
        balance() - held,
        'in the books is what the account received',
      );
    }),
    { numRuns: RUNS },
  );
  assert.deepEqual(await world.brokenInvariants(), []);
});
