// Whatever anybody can write into a transaction on Stellar or into the call of a contract: nothing
// of it stops the network, delays the payments beside it, or is credited beyond what arrived. A
// Horizon that contradicts itself is another matter (stellar-mutations.test.ts): here it is honest.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  Address,
  Claimant,
  Keypair,
  Memo,
  nativeToScVal,
  Operation,
  StrKey,
  type xdr,
} from '@stellar/stellar-base';
import fc from 'fast-check';
import { fromTheFuture } from '#test/fakes/stellar-future.ts';
import {
  assetOf,
  type ContractMove,
  type FakeRecord,
  unitsText,
} from '#test/fakes/stellar-ledger.ts';
import {
  muxed,
  openStellarWorld,
  type StellarWorld,
  seededKey,
  USDC,
  XLM,
} from '#test/fakes/stellar-world.ts';
import { byLength } from '#test/support/run-length.ts';

const UNITS = 25_000_0000n;
const RUNS = byLength({ short: 4, long: 60 });
const THIEF = seededKey(3);
const STRANGER = seededKey(4).publicKey();
const ORDINARY = seededKey(5).publicKey();
const CONTRACT = StrKey.encodeContract(Buffer.alloc(32, 8));
/** Our account trusts it, by mistake or for another business. */
const WORTHLESS = `USDC:${THIEF.publicKey()}`;
const LONG = `x1Y2z3A4b5C6:${THIEF.publicKey()}`;

/** What somebody did, given the number of a customer who was asked to pay. */
type Deed = (world: StellarWorld, number: string) => void;

const assetId = fc.constantFrom(XLM, USDC, WORTHLESS, LONG);
const units = fc.oneof(fc.constantFrom(1n, UNITS), fc.bigInt(1n, 10n ** 13n));
const uint64 = fc.oneof(
  fc.constantFrom(0n, 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n),
  fc.bigInt(0n, 2n ** 64n - 1n),
);
/** A number of the payer's own, or that of the customer. */
const number = fc.oneof(uint64.map(String), fc.constant('asked'));
const numberOf = (named: string, asked: string) => (named === 'asked' ? asked : named);
const textBytes = fc.uint8Array({ maxLength: 28 }).map((bytes) => Buffer.from(bytes));
const memo: fc.Arbitrary<(asked: string) => Memo> = fc.oneof(
  fc.constant(() => Memo.none()),
  textBytes.map((bytes) => () => Memo.text(bytes as unknown as string)),
  number.map((named) => (asked: string) => Memo.text(numberOf(named, asked))),
  number.map((named) => (asked: string) => Memo.id(numberOf(named, asked))),
  fc.constantFrom(Memo.hash, Memo.return).map((kind) => () => kind('ab'.repeat(32))),
);
const receiver: fc.Arbitrary<(world: StellarWorld, asked: string) => string> = fc.oneof(
  fc.constant((world: StellarWorld) => world.account),
  fc.constant(() => STRANGER),
  number.map(
    (named) => (world: StellarWorld, asked: string) => muxed(world.account, numberOf(named, asked)),
  ),
);

const payments: fc.Arbitrary<(world: StellarWorld, asked: string) => xdr.Operation> = fc.oneof(
  fc.record({ to: receiver, assetId, units }).map(
    ({ to, assetId: id, units: amount }) =>
      (world: StellarWorld, asked: string) =>
        Operation.payment({
          destination: to(world, asked),
          asset: assetOf(id),
          amount: unitsText(amount),
        }),
  ),
  fc
    .record({ to: receiver, assetId, units, isStrict: fc.boolean() })
    .map(({ to, assetId: id, units: amount, isStrict }) => (world: StellarWorld, asked: string) => {
      const sides = {
        destination: to(world, asked),
        sendAsset: assetOf(XLM),
        destAsset: assetOf(id),
      };
      return isStrict
        ? Operation.pathPaymentStrictReceive({
            ...sides,
            sendMax: unitsText(10n ** 13n),
            destAmount: unitsText(amount),
          })
        : Operation.pathPaymentStrictSend({
            ...sides,
            sendAmount: unitsText(10n ** 13n),
            destMin: unitsText(amount),
          });
    }),
  fc.record({ assetId, units }).map(
    ({ assetId: id, units: amount }) =>
      (world: StellarWorld) =>
        Operation.createClaimableBalance({
          asset: assetOf(id),
          amount: unitsText(amount),
          claimants: [new Claimant(world.account)],
        }),
  ),
  fc.constant(() => Operation.manageData({ name: 'config.memo_required', value: 'x' })),
);

const classic: fc.Arbitrary<Deed> = fc
  .record({
    operations: fc.array(payments, { minLength: 1, maxLength: 8 }),
    memo,
    isBumped: fc.boolean(),
    fails: fc.boolean(),
  })
  .map(({ operations, memo: memoOf, isBumped, fails }) => (world, asked) => {
    const made = operations.map((one) => one(world, asked));
    const bumped = isBumped ? { bumpedBy: THIEF } : {};
    world.stellar.send(made, { from: world.customer, memo: memoOf(asked), fails, ...bumped });
  });

/** A contract may say anything of the number: 64 bits, bytes, a text (CAP-67). */
const eventNumber = fc.oneof(
  fc.constant(undefined),
  number,
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('', '-1', '00', '1e3', '18446744073709551616', '9'.repeat(400)),
);
const moves = fc.array(
  fc.record({
    from: fc.constantFrom(CONTRACT, ORDINARY),
    isOurs: fc.boolean(),
    assetId,
    units: fc.oneof(fc.constant(0n), units),
    eventNumber,
    kind: fc.constantFrom('transfer', 'mint', 'burn', 'clawback', 'anything'),
  }),
  { maxLength: 5 },
);
const calls: fc.Arbitrary<Deed> = fc
  .record({ moves, signed: uint64, memo })
  .map(({ moves: list, signed, memo: memoOf }) => (world, asked) => {
    const contractMoves = list.map((move): ContractMove => {
      const { from, assetId: id, units: amount, kind } = move;
      const isArrival = kind === 'transfer' || kind === 'mint';
      const to = move.isOurs && isArrival ? world.account : STRANGER;
      const named = move.eventNumber === 'asked' ? asked : move.eventNumber;
      return {
        from,
        to,
        assetId: id,
        units: amount,
        kind,
        ...(named === undefined ? {} : { muxedId: named }),
      };
    });
    const call = contractCall(signed);
    world.stellar.send([call], { from: world.customer, memo: memoOf(asked), contractMoves });
  });

let births = 0;
/** An account that holds something, or nothing, is merged into ours. */
const merges: fc.Arbitrary<Deed> = fc
  .record({ held: fc.oneof(fc.constant(0n), units), to: receiver, memo })
  .map(({ held, to, memo: memoOf }) => (world, asked) => {
    births += 1;
    const from = keyOf(births);
    // It pays the fee out of what it has.
    world.stellar.addAccount(from, held + 100n);
    const destination = to(world, asked);
    if (destination === STRANGER) return;
    const merge = Operation.accountMerge({ destination });
    world.stellar.send([merge], { from, memo: memoOf(asked) });
  });

/** Hashes of what Horizon shows as written in a way that nobody here can read yet. */
const unreadable = new Set<unknown>();
/** A payment or a merge of tomorrow's protocol, which may name a customer: nobody can tell. */
const tomorrow: fc.Arbitrary<Deed> = fc
  .record({ named: number, to: receiver, assetId, units, isMerge: fc.boolean() })
  .map(({ named, to, assetId: id, units: amount, isMerge }) => (world, asked) => {
    births += 1;
    const from = isMerge ? keyOf(births) : world.customer;
    if (isMerge) world.stellar.addAccount(from, amount + 100n);
    const destination = isMerge ? world.account : to(world, asked);
    const operation = isMerge
      ? Operation.accountMerge({ destination })
      : Operation.payment({ destination, asset: assetOf(id), amount: unitsText(amount) });
    const memoText = Memo.text(numberOf(named, asked));
    unreadable.add(world.stellar.send([operation], { from, memo: memoText }));
  });

const deeds = fc.oneof(classic, calls, merges, tomorrow);
const schedule = fc.record({
  before: fc.array(deeds, { maxLength: 4 }),
  after: fc.array(deeds, { maxLength: 4 }),
  way: fc.constantFrom('text', 'id', 'muxed', 'contract'),
  assetId: fc.constantFrom(XLM, USDC),
  isOneLedger: fc.boolean(),
});

let world: StellarWorld;
let held: { readonly lumens: bigint; readonly dollars: bigint };

before(async () => {
  world = await openStellarWorld();
  world.horizon.tamper = ({ path }, json) => (path.endsWith('/payments') ? shown(json) : json);
  for (const key of [THIEF]) world.stellar.addAccount(key);
  for (const id of [WORTHLESS, LONG]) world.stellar.addLine(world.account, id);
  assert.deepEqual(await world.observe(), []);
  held = holdings();
});
after(() => world?.close());

function holdings() {
  const lines = world.stellar.accounts.get(world.account)?.lines;
  return { lumens: lines?.get(XLM)?.units ?? 0n, dollars: lines?.get(USDC)?.units ?? 0n };
}

function shown(json: unknown): unknown {
  const { _embedded: page } = json as { _embedded: { records: FakeRecord[] } };
  const records = page.records.map((record) =>
    unreadable.has(record.transaction_hash) ? fromTheFuture(record) : record,
  );
  return { ...(json as object), _embedded: { records } };
}

function payHonestly(way: string, asset: string, asked: string): void {
  const { stellar, customer, account } = world;
  if (way === 'contract') {
    const contractMoves = [
      { from: customer.publicKey(), to: account, assetId: asset, units: UNITS, muxedId: asked },
    ];
    stellar.send([contractCall(BigInt(asked))], { from: customer, contractMoves });
    return;
  }
  const destination = way === 'muxed' ? muxed(account, asked) : account;
  const payment = { destination, asset: assetOf(asset), amount: unitsText(UNITS) };
  const named = way === 'text' ? { memo: Memo.text(asked) } : { memo: Memo.id(asked) };
  const options = { from: customer, ...(way === 'muxed' ? {} : named) };
  stellar.send([Operation.payment(payment)], options);
}

test('nothing a payer can send on Stellar stops, delays or fakes anything', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async ({ before: first, after: last, way, ...rest }) => {
      const { checkoutId, instruction } = await world.createAndCommit(
        'STELLAR',
        rest.assetId,
        UNITS,
      );
      const asked = String(instruction.memo);
      const honest = () => payHonestly(way, rest.assetId, asked);
      for (const act of [...first.map(bound), honest, ...last.map(bound)]) {
        act();
        if (!rest.isOneLedger) world.stellar.close();
      }
      world.stellar.close();
      assert.deepEqual(await world.observe(), []);
      await world.settle();
      assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
      const now = holdings();
      assert.deepEqual(
        {
          lumens: await world.custody('STELLAR', XLM),
          dollars: await world.custody('STELLAR', USDC),
        },
        { lumens: now.lumens - held.lumens, dollars: now.dollars - held.dollars },
        'in the books is what the account received',
      );

      function bound(deed: Deed): () => void {
        return () => deed(world, asked);
      }
    }),
    { numRuns: RUNS },
  );
  assert.deepEqual(await world.brokenInvariants(), []);
});

/** A call in whose signed part the number stands. */
function contractCall(signed: bigint): xdr.Operation {
  return Operation.invokeContractFunction({
    contract: CONTRACT,
    function: 'transfer',
    args: [new Address(CONTRACT).toScVal(), nativeToScVal(signed, { type: 'u64' })],
  });
}

function keyOf(serial: number): Keypair {
  const seed = Buffer.alloc(32, 77);
  seed.writeUInt32BE(serial);
  return Keypair.fromRawEd25519Seed(seed);
}
