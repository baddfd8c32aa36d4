// Payments on the XRP Ledger that are none, through the real adapter, recording and settlement:
// nobody is ever credited for them. Each names the incident or rule it comes from. After each of
// them the same customer pays honestly and is credited, so that this file can fail.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Outage, Refusal } from '#base/refusal.ts';
import {
  type FakeTransaction,
  type Json,
  PARTIAL_PAYMENT,
  rootIndexOf,
  seededXrplKey,
} from '#test/fakes/xrpl-ledger.ts';
import type { FakeXrplServer, XrplQuestion } from '#test/fakes/xrpl-server.ts';
import { openXrplWorld, XRP, type XrplWorld } from '#test/fakes/xrpl-world.ts';

const DROPS = 25_000_000n;
const THIEF = seededXrplKey(3);
const STRANGER = seededXrplKey(4);
const USD = { currency: 'USD', issuer: THIEF.address, value: '1000000' };
/** A token whose code is the three letters: allowed nowhere, and looks like the native coin. */
const FAKE_XRP = {
  currency: '0158524C00000000000000000000000000000000',
  issuer: THIEF.address,
  value: '1000000',
};

type Forgery = {
  readonly name: string;
  /** Incident, rule or threat (docs/invariants.md) it comes from. */
  readonly source: string;
  /** What the adapter makes of it. */
  readonly ends: 'ignored' | 'suspense' | 'outage' | 'refusal';
  /** What goes to suspense, where it is not the whole amount. */
  readonly suspended?: bigint;
  readonly act: (world: XrplWorld, tag: bigint) => void;
  /** True where the forgery was an honest payment all the time, which the honest server shows. */
  readonly isPaidAfterwards?: boolean;
};

type LieAboutPayment = Pick<Forgery, 'name' | 'source'> & {
  /** An outage unless said otherwise. */
  readonly ends?: 'outage' | 'refusal';
  readonly lie: (world: XrplWorld) => void;
};

function forgeryOf({ lie, ends = 'outage', ...named }: LieAboutPayment): Forgery {
  const act: Forgery['act'] = (world, tag) => {
    world.pay({ drops: DROPS, tag });
    lie(world);
  };
  return { ...named, ends, act, isPaidAfterwards: true };
}

function onResult(command: string, change: (result: Json, question: XrplQuestion) => Json) {
  return ({ server }: XrplWorld): void => {
    server.tamper = (question, result) =>
      question.command === command ? change(result, question) : result;
  };
}

/** In each transaction of the listings, in one form or in both. */
function onTransactions(
  world: XrplWorld,
  change: (record: Json) => Json,
  isBinary?: boolean,
): void {
  onResult('account_tx', (result, { binary }) =>
    isBinary !== undefined && binary !== isBinary
      ? result
      : { ...result, transactions: (result.transactions as Json[]).map(change) },
  )(world);
}

function beHonest({ server }: XrplWorld): void {
  const honest: Partial<FakeXrplServer> = {
    tamper: (_, result) => result,
    tamperAnswer: (_, answer) => answer,
    tamperText: (_, text) => text,
    refuse: () => undefined,
    isSilent: () => false,
    networkId: 0,
    serverState: 'full',
    isAmendmentBlocked: false,
    completeLedgers: undefined,
    lag: 0,
    closesEveryMs: 4_000,
  };
  Object.assign(server, honest);
  server.hidden.clear();
}

/** One drop, of the amount it names. */
function payPartially(world: XrplWorld, tag: bigint): void {
  const fields = { Amount: `${DROPS}`, Flags: PARTIAL_PAYMENT, SendMax: '10' };
  world.pay({ drops: 1n, tag, fields, stated: '1', delivered: '1' });
}

/** Something of another kind that made the balance rise. */
function gain(world: XrplWorld, fields: Json, more: Json = {}): void {
  world.xrpl.send({
    from: THIEF,
    fields,
    moves: { [THIEF.address]: -DROPS, [world.account]: DROPS },
    ...more,
  });
  world.xrpl.close();
}

/** Something that names the customer and pays nothing yet. */
function promise(world: XrplWorld, tag: bigint, fields: Json, more: Json = {}): void {
  const named = { Destination: world.account, DestinationTag: Number(tag) };
  world.xrpl.send({
    from: THIEF,
    fields: { ...fields, ...named },
    threads: [world.account],
    ...more,
  });
  world.xrpl.close();
}

function lastTransaction({ xrpl }: XrplWorld): FakeTransaction {
  const last = xrpl.ledgers.flatMap(({ transactions }) => transactions).at(-1);
  assert(last !== undefined);
  return last;
}

const PAYMENTS: readonly Forgery[] = [
  {
    name: 'a partial payment that delivers one drop of the million it names',
    source: 'A1: Beaxy 2019, JustCoin 2014; partial payments warning, xrpl.org',
    ends: 'ignored',
    act: payPartially,
  },
  {
    name: 'a partial payment whose deliver amount nobody can say',
    source: 'A1: delivered_amount is `unavailable` (partial payments before 2014)',
    ends: 'outage',
    act: (world, tag) => {
      payPartially(world, tag);
      onTransactions(world, (record) => delivered(record, 'unavailable'), false);
    },
  },
  {
    name: 'a partial payment that a server shows as whole',
    source: 'A1: Bitfinex, January 2024, 25 billion XRP named and a fraction delivered',
    ends: 'outage',
    act: (world, tag) => {
      payPartially(world, tag);
      onTransactions(world, (record) => delivered(record, `${DROPS}`), false);
    },
  },
  {
    name: 'an issued currency, to the tag of a customer',
    source: 'A6: XRP is text in drops, an issued currency an object',
    ends: 'ignored',
    act: (world, tag) =>
      world.pay({ drops: 0n, tag, fields: { Amount: USD }, moves: {}, delivered: USD }),
  },
  {
    name: 'a token whose code looks like that of the native coin',
    source: 'A6: look-alike currency codes (currency formats, xrpl.org: XRP is not allowed)',
    ends: 'ignored',
    act: (world, tag) =>
      world.pay({ drops: 0n, tag, fields: { Amount: FAKE_XRP }, moves: {}, delivered: FAKE_XRP }),
  },
  {
    name: 'an issued currency whose value is the number of drops',
    source: 'A6: a type mismatch is never coerced',
    ends: 'ignored',
    act: (world, tag) => {
      const token = { ...USD, value: `${DROPS}` };
      world.pay({ drops: 0n, tag, fields: { Amount: token }, moves: {}, delivered: token });
      onTransactions(world, (record) => delivered(record, `${DROPS}`), false);
    },
  },
  {
    name: 'a payment that failed and took its fee',
    source: 'A7: tec codes are in ledgers (transaction results, xrpl.org)',
    ends: 'ignored',
    act: (world, tag) => world.pay({ drops: DROPS, tag, result: 'tecPATH_DRY' }),
  },
  {
    name: 'a payment that failed and is shown as a success',
    source: 'A7: the result is part of the metadata, the balance does not move',
    ends: 'ignored',
    act: (world, tag) => {
      world.pay({ drops: DROPS, tag, result: 'tecUNFUNDED_PAYMENT' });
      onTransactions(world, (record) => ({
        ...delivered(record, `${DROPS}`),
        meta: { ...(record.meta as Json), TransactionResult: 'tesSUCCESS' },
      }));
    },
  },
  {
    name: 'the tag of a customer, to another account',
    source: 'A10: matched by account and tag',
    ends: 'ignored',
    act: (world, tag) => world.pay({ drops: DROPS, tag, to: STRANGER.address }),
  },
  {
    name: 'our own account sends with the tag of a customer',
    source: 'money.md: our own change is never credited',
    ends: 'ignored',
    act: (world, tag) => world.pay({ from: world.key, drops: DROPS, tag, to: STRANGER.address }),
  },
  {
    name: 'our own account trades with itself under the tag of a customer',
    source: 'cross-currency payments to oneself (Payment, xrpl.org)',
    ends: 'suspense',
    suspended: DROPS - 12n,
    act: (world, tag) =>
      world.pay({
        from: world.key,
        drops: DROPS,
        tag,
        fields: { SendMax: USD },
        moves: { [THIEF.address]: -DROPS, [world.account]: DROPS },
      }),
  },
  {
    name: 'XRP that comes out of an offer of our own on the way',
    source: 'money.md: a credit needs a balance increase that covers it',
    ends: 'ignored',
    act: (world, tag) =>
      world.pay({ drops: DROPS, tag, fields: { SendMax: USD }, moves: { [world.account]: 0n } }),
  },
  {
    name: 'XRP of which an offer of our own gave the half',
    source: 'money.md: a credit needs a balance increase that covers it',
    ends: 'suspense',
    suspended: DROPS / 2n,
    act: (world, tag) =>
      world.pay({
        drops: DROPS,
        tag,
        fields: { SendMax: USD },
        moves: { [THIEF.address]: -DROPS / 2n, [world.account]: DROPS / 2n },
      }),
  },
];

const UNNAMED: readonly Forgery[] = [
  {
    name: 'a payment without a tag',
    source: 'A10: never matched by its amount',
    ends: 'suspense',
    act: (world) => world.pay({ drops: DROPS }),
  },
  {
    name: 'a payment with a tag that is off by one',
    source: 'A10: tags are compared, not guessed',
    ends: 'suspense',
    act: (world, tag) => world.pay({ drops: DROPS, tag: (tag + 1n) % 2n ** 32n }),
  },
  {
    name: 'a payment with tag 0',
    source: 'A10: 0 is a tag like any other, and nobody has it',
    ends: 'suspense',
    act: (world) => world.pay({ drops: DROPS, tag: 0n }),
  },
  {
    name: 'a payment with the greatest tag',
    source: 'A10: 2^32-1',
    ends: 'suspense',
    act: (world) => world.pay({ drops: DROPS, tag: 2n ** 32n - 1n }),
  },
  {
    name: 'the tag in a memo and as the tag of the sender',
    source: 'source and destination tags (xrpl.org): only the destination tag counts',
    ends: 'suspense',
    act: (world, tag) => {
      const MemoData = Buffer.from(`${tag}`).toString('hex').toUpperCase();
      const fields = { SourceTag: Number(tag), Memos: [{ Memo: { MemoData } }] };
      world.pay({ drops: DROPS, fields });
    },
  },
  {
    name: 'an escrow that is finished, with the tag of a customer',
    source: 'A15: money that came by something else than a payment',
    ends: 'suspense',
    act: (world, tag) =>
      gain(world, {
        TransactionType: 'EscrowFinish',
        Owner: STRANGER.address,
        OfferSequence: 7,
        SourceTag: Number(tag),
      }),
  },
  {
    name: 'an escrow that was only created',
    source: 'A15: promised is not received',
    ends: 'ignored',
    act: (world, tag) => {
      const fields = { Amount: `${DROPS}`, FinishAfter: 900_000_000 };
      const moves = { [THIEF.address]: -DROPS };
      promise(world, tag, { TransactionType: 'EscrowCreate', ...fields }, { moves });
    },
  },
  {
    name: 'a check that nobody has cashed',
    source: 'A15: a check is a promise (Checks, xrpl.org)',
    ends: 'ignored',
    act: (world, tag) =>
      promise(world, tag, { TransactionType: 'CheckCreate', SendMax: `${DROPS}` }),
  },
  {
    name: 'a payment channel that was claimed',
    source: 'A15: PaymentChannelClaim pays without a Payment',
    ends: 'suspense',
    act: (world) =>
      gain(world, {
        TransactionType: 'PaymentChannelClaim',
        Channel: 'C1'.repeat(32),
        Balance: `${DROPS}`,
      }),
  },
  {
    name: 'what an account that was deleted left, with the tag of a customer',
    source: 'A15: AccountDelete sends the rest to anybody',
    ends: 'suspense',
    suspended: DROPS - 200_000n,
    act: (world, tag) => {
      const gone = seededXrplKey(9);
      world.xrpl.addAccount(gone, DROPS);
      world.xrpl.send({
        from: gone,
        fee: 200_000n,
        fields: {
          TransactionType: 'AccountDelete',
          Destination: world.account,
          DestinationTag: Number(tag),
        },
        moves: {
          [gone.address]: -(DROPS - 200_000n),
          [world.account]: DROPS - 200_000n,
        },
        stated: `${DROPS - 200_000n}`,
        delivered: `${DROPS - 200_000n}`,
        deletes: gone.address,
      });
      world.xrpl.close();
    },
  },
  {
    name: 'XRP that a trade on the exchange brought',
    source: 'A15: OfferCreate of somebody takes an offer of ours',
    ends: 'suspense',
    act: (world) =>
      gain(world, { TransactionType: 'OfferCreate', TakerGets: `${DROPS}`, TakerPays: USD }),
  },
];

const LIES: readonly Forgery[] = [
  {
    name: 'a payment that the server made up',
    source: 'A19: the account does not hold it',
    ends: 'outage',
    act: (world) => {
      world.pay({ drops: 1n, tag: 1n });
      const honest = lastTransaction(world);
      onTransactions(
        world,
        (record) => ({
          ...delivered(record, `${DROPS}`),
          hash: honest.hash.replace(/^../, 'EE'),
        }),
        false,
      );
    },
  },
  {
    name: 'the amount of a payment, with the balance it would leave',
    source: 'A19: balances are held against the account at the end of the ledger',
    ends: 'outage',
    act: (world) => {
      world.pay({ drops: 1n, tag: 1n });
      onTransactions(world, (record) => inflate(record, world.account), false);
    },
  },
  {
    name: 'the tag of a customer on the payment of another',
    source: 'A19: tags are read from what was signed, not from what is shown',
    ends: 'suspense',
    act: (world, tag) => {
      world.pay({ drops: DROPS, tag: 1n });
      onTransactions(
        world,
        (record) => ({
          ...record,
          tx_json: { ...(record.tx_json as Json), DestinationTag: Number(tag) },
        }),
        false,
      );
    },
  },
  {
    name: 'the signed transaction with another tag in it',
    source: 'A19: a hash is computed, never believed',
    ends: 'outage',
    act: (world, tag) => {
      world.pay({ drops: DROPS, tag: 1n });
      const hex = Number(tag).toString(16).padStart(8, '0').toUpperCase();
      onTransactions(
        world,
        (record) => ({
          ...record,
          tx_blob: String(record.tx_blob).replace('2E00000001', `2E${hex}`),
        }),
        true,
      );
    },
  },
  {
    name: 'a server that stands still',
    source: 'B9: what is paid meanwhile would look unpaid',
    ends: 'outage',
    act: (world) => {
      world.server.closesEveryMs = Number.POSITIVE_INFINITY;
    },
  },
];

/** An honest payment about which the server lies. */
const LIES_ABOUT_PAYMENTS: readonly LieAboutPayment[] = [
  {
    name: 'a payment that is in no validated ledger',
    source: 'B9: provisional results (finality of results, xrpl.org)',
    lie: (world) => onTransactions(world, (record) => ({ ...record, validated: false })),
  },
  {
    name: 'a payment that is listed twice',
    source: 'B1: the same transaction is one credit',
    lie: onResult('account_tx', (result) => {
      const transactions = result.transactions as Json[];
      return { ...result, transactions: [...transactions, ...transactions] };
    }),
  },
  {
    name: 'a ledger that does not follow the one before',
    source: 'B9: contiguous by the hash of the parent',
    lie: onResult('ledger', (result) => ({
      ...result,
      ledger: { ...(result.ledger as Json), parent_hash: 'AA'.repeat(32) },
    })),
  },
  {
    name: 'a ledger that is closed and not validated',
    source: 'B9: closed is not final',
    lie: onResult('ledger', (result) => ({ ...result, validated: false })),
  },
  {
    name: 'a server with a gap in its history',
    source: 'B9: complete_ledgers says which ledgers are had whole',
    lie: (world) => {
      const last = world.xrpl.ledgers.at(-1)?.index ?? 0;
      world.server.completeLedgers = `32570-${last - 2},${last + 50}-${last + 99}`;
    },
  },
  {
    name: 'a listing over fewer ledgers than were asked for',
    source: 'account_tx, xrpl.org: the server may search another range than asked for',
    lie: onResult('account_tx', (result) => ({
      ...result,
      ledger_index_max: Number(result.ledger_index_max) - 1,
      transactions: [],
    })),
  },
  {
    name: 'a server that is amendment blocked',
    source: 'B9: it no longer understands the ledgers it has',
    lie: (world) => {
      world.server.isAmendmentBlocked = true;
    },
  },
  {
    name: 'a server that has lost the network',
    source: 'B9: server_state is neither full nor validating',
    lie: (world) => {
      world.server.serverState = 'connected';
    },
  },
  {
    name: 'a payment on the test network',
    source: 'B12: test XRP has no value, the network id is compared',
    ends: 'refusal',
    lie: (world) => {
      world.server.networkId = 1;
    },
  },
  {
    name: 'a server that does not say of which network it is, and has another past',
    source: 'B12: what is not stated is not assumed',
    ends: 'refusal',
    lie: (world) => {
      world.server.networkId = undefined;
    },
  },
  {
    name: 'the account of somebody else',
    source: 'A19: an answer belongs to what was asked',
    lie: onResult('account_info', (result) => ({
      ...result,
      account_data: { ...(result.account_data as Json), Account: STRANGER.address },
    })),
  },
  {
    name: 'an answer that is larger than any can be',
    source: 'A19: hostile input is bounded',
    lie: (world) => {
      world.server.tamperText = ({ command }, text) =>
        command === 'account_tx' ? `${text}${' '.repeat(3_000_000)}` : text;
    },
  },
];

/** With another `delivered_amount`, where the record is in JSON. */
function delivered(record: Json, delivered_amount: string): Json {
  return { ...record, meta: { ...(record.meta as Json), delivered_amount } };
}

/** The balance after it, and what was delivered, as if much more had come. */
function inflate(record: Json, account: string): Json {
  const meta = record.meta as { AffectedNodes: Json[] };
  const index = rootIndexOf(account);
  const nodes = meta.AffectedNodes.map((node) => {
    const inner = node.ModifiedNode as { LedgerIndex: string; FinalFields: Json } | undefined;
    if (inner?.LedgerIndex !== index) return node;
    const Balance = `${BigInt(String(inner.FinalFields.Balance)) + DROPS - 1n}`;
    return { ModifiedNode: { ...inner, FinalFields: { ...inner.FinalFields, Balance } } };
  });
  return { ...record, meta: { ...meta, AffectedNodes: nodes, delivered_amount: `${DROPS}` } };
}

describe('forged deposits on the XRP Ledger', () => {
  let world: XrplWorld;
  before(async () => {
    world = await openXrplWorld();
    world.xrpl.addAccount(THIEF);
    world.xrpl.addAccount(STRANGER);
    world.xrpl.close();
    assert.deepEqual(await world.observe(), []);
  });
  after(() => world?.close());

  for (const forgery of [...PAYMENTS, ...UNNAMED, ...LIES, ...LIES_ABOUT_PAYMENTS.map(forgeryOf)]) {
    test(`${forgery.name} is credited to nobody (${forgery.source})`, async () => {
      const { ends, suspended: expected = DROPS } = forgery;
      const { instruction } = await world.createAndCommit('XRP_LEDGER', XRP, DROPS);
      const tag = instruction.destinationTag;
      assert(tag !== undefined);
      const [credited, suspended] = [await world.credited(), await world.suspended()];
      forgery.act(world, tag);
      // A server may stand still for two minutes, and a gap of some ledgers is none.
      if (ends === 'outage' || ends === 'refusal') await world.time.advance(600_000);
      const failures = await world.observe();
      await world.settle();
      const small = (await world.credited()) - credited;
      // What was really delivered is credited, and never more.
      assert(small <= 1n, `${small} drops were credited`);
      const risen = (await world.suspended()) - suspended;
      assert.equal(risen, ends === 'suspense' ? expected : 0n);
      const kinds = failures.map((failure) =>
        failure instanceof Outage ? 'outage' : failure instanceof Refusal ? 'refusal' : 'bug',
      );
      assert.deepEqual(
        kinds,
        ends === 'outage' || ends === 'refusal' ? [ends] : [],
        failures.map(String).join(),
      );

      beHonest(world);
      if (forgery.isPaidAfterwards !== true) world.pay({ drops: DROPS, tag });
      assert.deepEqual((await world.observe()).map(String), []);
      await world.settle();
      const paid = (await world.credited()) - credited;
      assert(paid === DROPS || paid === DROPS + 1n, `${paid} drops were credited`);
      assert.deepEqual(await world.brokenInvariants(), []);
    });
  }
});

describe('with a second server', () => {
  let world: XrplWorld;
  before(async () => {
    world = await openXrplWorld({ withSecond: true });
    assert.deepEqual(await world.observe(), []);
  });
  after(() => world?.close());

  for (const [name, lie] of [
    [
      'has not',
      () => {
        const { second, account, xrpl } = world;
        const root = xrpl.ledgers.at(-2)?.roots.get(account);
        assert(second !== undefined && root !== undefined);
        second.tamper = ({ command }, result) => {
          if (command !== 'account_info') return result;
          const last = { PreviousTxnID: root.last?.hash, PreviousTxnLgrSeq: root.last?.ledger };
          const data = result.account_data as Json;
          return { ...result, account_data: { ...data, ...last, Balance: `${root.balance}` } };
        };
      },
    ],
    [
      'has in another ledger',
      () => {
        assert(world.second !== undefined);
        world.second.tamper = ({ command }, result) =>
          command === 'account_info' ? { ...result, ledger_hash: 'BB'.repeat(32) } : result;
      },
    ],
  ] as const) {
    test(`a payment that the second ${name} is credited to nobody (money.md: two sources)`, async () => {
      const { instruction } = await world.createAndCommit('XRP_LEDGER', XRP, DROPS);
      const credited = await world.credited();
      world.pay({ drops: DROPS, tag: instruction.destinationTag });
      lie();
      // Neither asked first nor asked second.
      for (let round = 0; round < 2; round += 1) {
        const [failure] = await world.observe();
        assert(failure instanceof Outage);
        await world.settle();
        assert.equal(await world.credited(), credited);
      }
      assert(world.second !== undefined);
      world.second.tamper = (_, result) => result;
      assert.deepEqual((await world.observe()).map(String), []);
      await world.settle();
      assert.equal(await world.credited(), credited + DROPS);
    });
  }
});
