// Payments on Stellar that are none, through the real adapter, recording and settlement: nobody is
// ever credited for them. Each names the incident or rule it comes from. After each of them the same
// customer pays honestly and is credited, so that this file can fail.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  Asset,
  Claimant,
  FeeBumpTransaction,
  Keypair,
  Memo,
  Networks,
  nativeToScVal,
  Operation,
  StrKey,
  TransactionBuilder,
} from '@stellar/stellar-base';
import { Outage, Refusal } from '#base/refusal.ts';
import { fromTheFuture } from '#test/fakes/stellar-future.ts';
import type { HorizonRequest } from '#test/fakes/stellar-horizon.ts';
import { assetOf, type FakeRecord, fakeStellar, unitsText } from '#test/fakes/stellar-ledger.ts';
import {
  muxed,
  openStellarWorld,
  type StellarWorld,
  seededKey,
  USDC,
  XLM,
} from '#test/fakes/stellar-world.ts';

const UNITS = 25_000_0000n;
const THIEF = seededKey(3);
const STRANGER = seededKey(4).publicKey();
/** The same code, issued by nobody in particular; our account trusts it by mistake. */
const FAKE_USDC = `USDC:${THIEF.publicKey()}`;
const LOOKALIKES = [`USDCOIN:${THIEF.publicKey()}`, `usdc:${THIEF.publicKey()}`];

type Act = { readonly memo: string; readonly assetId: string };
type Forgery = {
  readonly name: string;
  /** Incident, rule or threat (docs/invariants.md) it comes from. */
  readonly source: string;
  /** What the adapter makes of it. */
  readonly ends: 'ignored' | 'suspense' | 'outage' | 'refusal';
  readonly assetId?: string;
  readonly act: (world: StellarWorld, paid: Act) => void;
  /** Makes the Horizon honest again. */
  readonly undo?: (world: StellarWorld) => void;
};

/** Records of a listing whose path ends so. */
function onRecords(
  world: StellarWorld,
  ending: string,
  change: (records: FakeRecord[]) => unknown[],
) {
  world.horizon.tamper = ({ path }: HorizonRequest, json) => {
    const page = json as { _embedded?: { records: FakeRecord[] } };
    if (!path.endsWith(ending) || page._embedded === undefined) return json;
    return { ...page, _embedded: { records: change(page._embedded.records) } };
  };
}

function onEach(world: StellarWorld, ending: string, change: (record: FakeRecord) => FakeRecord) {
  onRecords(world, ending, (records) => records.map(change));
}

/** In the record of a payment, or in the transaction that comes with it. */
function onTransaction(world: StellarWorld, change: (transaction: FakeRecord) => FakeRecord) {
  onEach(world, '/payments', (record) => ({
    ...record,
    transaction: change(record.transaction as FakeRecord),
  }));
}

/** As if the transfers of the last ledger had never been, for those who look at this Horizon. */
function undoLast(world: StellarWorld, units: bigint): void {
  const operations = world.stellar.ledgers.flatMap(({ transactions }) =>
    transactions.flatMap((transaction) => transaction.operations),
  );
  const last = operations.at(-1);
  assert(last !== undefined);
  world.horizon.hidden.add(last.id);
  world.second?.hidden.add(last.id);
  const line = world.stellar.accounts.get(world.account)?.lines.get(XLM);
  assert(line !== undefined);
  line.units -= units;
}

function send(
  world: StellarWorld,
  operation: ReturnType<typeof Operation.payment>,
  memo?: Memo,
  more = {},
) {
  world.stellar.send([operation], {
    from: world.customer,
    ...(memo === undefined ? {} : { memo }),
    ...more,
  });
  world.stellar.close();
}

function contractCall(argument: bigint) {
  return Operation.invokeContractFunction({
    contract: StrKey.encodeContract(Buffer.alloc(32, 5)),
    function: 'transfer',
    args: [nativeToScVal(argument, { type: 'u64' })],
  });
}

const ACCOUNTS: readonly Forgery[] = [
  {
    name: 'a transaction that failed',
    source: 'A7; Horizon shows failed transactions to whoever asks for them',
    ends: 'ignored',
    act: (world, { memo }) => world.pay({ units: UNITS, memo: Memo.text(memo), fails: true }),
  },
  {
    name: 'a fee bump whose inner transaction failed',
    source: 'A7, CAP-15: the outer one is charged, the inner one does nothing',
    ends: 'ignored',
    act: (world, { memo }) =>
      world.pay({ units: UNITS, memo: Memo.text(memo), fails: true, bumpedBy: THIEF }),
  },
  {
    name: 'the same code of another issuer',
    source: 'A6; asset = code and issuer (Stellar docs, Assets)',
    ends: 'ignored',
    assetId: USDC,
    act: (world, { memo }) =>
      world.pay({ units: UNITS, assetId: FAKE_USDC, memo: Memo.text(memo), from: THIEF }),
  },
  ...LOOKALIKES.map(
    (assetId): Forgery => ({
      name: `an asset that looks alike: ${assetId.split(':')[0]}`,
      source: 'A6; codes are compared byte for byte',
      ends: 'ignored',
      assetId: USDC,
      act: (world, { memo }) =>
        world.pay({ units: UNITS, assetId, memo: Memo.text(memo), from: THIEF }),
    }),
  ),
  {
    name: 'the memo of a customer, to another account',
    source: 'A10; matched by account and memo',
    ends: 'ignored',
    act: (world, { memo }) => world.pay({ units: UNITS, to: STRANGER, memo: Memo.text(memo) }),
  },
  {
    name: 'a claimable balance that nobody has claimed',
    source: 'CAP-23: created is not received; a predicate may keep it for ever',
    ends: 'ignored',
    act: (world, { memo }) =>
      send(
        world,
        Operation.createClaimableBalance({
          asset: Asset.native(),
          amount: unitsText(UNITS),
          claimants: [new Claimant(world.account)],
        }),
        Memo.text(memo),
      ),
  },
  {
    name: 'a data entry that has the memo as its name',
    source: 'zulucrypto/stellar-api #6: operations of other types come along',
    ends: 'ignored',
    act: (world, { memo }) =>
      send(world, Operation.manageData({ name: memo, value: unitsText(UNITS) }), Memo.text(memo)),
  },
  {
    name: 'a new account of somebody else, with the memo',
    source: 'zulucrypto/stellar-api #6: create_account has another receiver field',
    ends: 'ignored',
    act: (world, { memo }) => {
      const destination = Keypair.random().publicKey();
      const startingBalance = unitsText(UNITS);
      send(world, Operation.createAccount({ destination, startingBalance }), Memo.text(memo));
    },
  },
  {
    name: 'our own account pays itself with the memo of a customer',
    source: 'money.md: our own change is never credited',
    ends: 'ignored',
    act: (world, { memo }) => {
      const from = world.stellar.accounts.get(world.account)?.key;
      assert(from !== undefined);
      world.pay({ units: UNITS, from, memo: Memo.text(memo) });
    },
  },
  {
    name: 'somebody claws money back from a third party',
    source: 'A17, CAP-35',
    ends: 'ignored',
    act: (world, { memo }) => {
      const asset = assetOf(FAKE_USDC);
      const operation = Operation.clawback({ asset, from: STRANGER, amount: unitsText(UNITS) });
      send(world, operation, Memo.text(memo), { from: THIEF });
    },
  },
  {
    name: 'a contract moves a worthless asset with the number of a customer',
    source: 'A9, CAP-67: anybody may deploy a contract of the same code',
    ends: 'ignored',
    act: (world, { memo }) =>
      send(world, contractCall(BigInt(memo)), undefined, {
        contractMoves: [
          {
            from: STRANGER,
            to: world.account,
            assetId: FAKE_USDC,
            units: UNITS,
            muxedId: BigInt(memo),
          },
        ],
      }),
  },
];

const MEMOS: readonly (readonly [name: string, memo: (memo: string) => Memo | undefined])[] = [
  ['no memo at all', () => undefined],
  ['a leading zero', (memo) => Memo.text(`0${memo}`)],
  ['a space behind', (memo) => Memo.text(`${memo} `)],
  ['a sign before', (memo) => Memo.text(`+${memo}`)],
  ['a fraction behind', (memo) => Memo.text(`${memo}.0`)],
  ['an exponent', (memo) => Memo.text(`${memo}e0`)],
  ['hexadecimal digits', (memo) => Memo.text(`0x${BigInt(memo).toString(16)}`)],
  ['digits of another script', (memo) => Memo.text(arabicDigits(memo))],
  ['a zero byte behind', (memo) => Memo.text(`${memo}\0`)],
  ['the number in a hash memo', (memo) => Memo.hash(numberBytes(memo))],
  ['the number in a return memo', (memo) => Memo.return(numberBytes(memo).toString('hex'))],
  ['one digit mistyped', (memo) => Memo.text(otherLastDigit(memo))],
  ['two digits swapped', (memo) => Memo.id(swappedDigits(memo))],
  ['the id memo 0', () => Memo.id('0')],
  ['a number beyond 63 bits', (memo) => Memo.id(((1n << 63n) | BigInt(memo)).toString())],
];

const UNNAMED: readonly Forgery[] = [
  ...MEMOS.map(
    ([name, memoOf]): Forgery => ({
      name: `a memo with ${name}`,
      source: 'A9, A10: only the number itself names a customer; nothing is matched by amount',
      ends: 'suspense',
      act: (world, { memo }) => {
        const made = memoOf(memo);
        world.pay({ units: UNITS, ...(made === undefined ? {} : { memo: made }) });
      },
    }),
  ),
  {
    name: 'a muxed account that names one customer, and a memo that names another',
    source: 'SEP-23: a payment names one destination; two that differ name none',
    ends: 'suspense',
    act: (world, { memo }) =>
      world.pay({ units: UNITS, to: muxed(world.account, memo), memo: Memo.text('1000007') }),
  },
  {
    name: 'a muxed account of a customer, and a text beside it',
    source: 'SEP-23',
    ends: 'suspense',
    act: (world, { memo }) =>
      world.pay({ units: UNITS, to: muxed(world.account, memo), memo: Memo.text('thanks') }),
  },
  {
    name: 'a balance we claimed ourselves in a transaction with the memo',
    source: 'CAP-23: who claims says nothing about who paid',
    ends: 'suspense',
    act: (world, { memo }) => {
      const from = world.stellar.accounts.get(world.account)?.key;
      const balanceId = '00'.repeat(36);
      send(world, Operation.claimClaimableBalance({ balanceId }), Memo.text(memo), {
        from,
        claims: { assetId: XLM, units: UNITS },
      });
    },
  },
  {
    name: 'a contract whose number of a customer is in nothing that was signed',
    source: 'A9, CAP-67: the event is the word of Horizon alone',
    ends: 'suspense',
    act: (world, { memo }) =>
      send(world, contractCall(7n), undefined, {
        contractMoves: [
          {
            from: world.customer.publicKey(),
            to: world.account,
            assetId: XLM,
            units: UNITS,
            muxedId: BigInt(memo),
          },
        ],
      }),
  },
];

const honest = (world: StellarWorld) => {
  world.horizon.tamper = (_, json) => json;
};

const LIES: readonly Forgery[] = [
  {
    name: 'a payment that is written in a way nobody here can read yet',
    source: 'C21, zulucrypto/stellar-api #6: an unknown shape must not stop everything',
    ends: 'suspense',
    act: (world, { memo }) => {
      world.pay({ units: UNITS, memo: Memo.text(memo) });
      onEach(world, '/payments', fromTheFuture);
    },
    undo: honest,
  },
  {
    name: 'an account merged into ours in a way that nobody here can read yet',
    source: 'C21; its amount stands in its effect alone',
    ends: 'suspense',
    act: (world, { memo }) => {
      const merged = seededKey(90);
      world.stellar.addAccount(merged, UNITS + 100n);
      const merge = Operation.accountMerge({ destination: world.account });
      world.stellar.send([merge], { from: merged, memo: Memo.text(memo) });
      world.stellar.close();
      onEach(world, '/payments', fromTheFuture);
    },
    undo: honest,
  },
  {
    name: 'the same, under a hash that is not its own',
    source: 'C21, B9',
    ends: 'outage',
    act: (world) => {
      world.pay({ units: UNITS, memo: Memo.text('900000000000007') });
      onTransaction(world, (transaction) => {
        const future = fromTheFuture({ transaction });
        const { envelope_xdr: envelope } = future.transaction as FakeRecord;
        return { ...transaction, envelope_xdr: envelope };
      });
    },
    undo: honest,
  },
  {
    name: 'a small payment with a large amount in JSON',
    source: 'A8; what was signed is what was paid',
    ends: 'outage',
    act: (world) => {
      world.pay({ units: 1n, memo: Memo.text('5') });
      onEach(world, '/payments', (record) => ({ ...record, amount: unitsText(UNITS) }));
    },
    undo: honest,
  },
  {
    name: 'a payment to somebody else, listed as ours',
    source: 'A10, B9',
    ends: 'outage',
    act: (world, { memo }) => {
      world.pay({ units: UNITS, memo: Memo.text(memo), to: STRANGER });
      const { stellar, account } = world;
      const operation = stellar.ledgers.at(-1)?.transactions[0]?.operations[0];
      operation?.accounts.add(account);
      stellar.ledgers.at(-1)?.transactions[0]?.accounts.add(account);
      onEach(world, '/payments', (record) => ({ ...record, to: account }));
    },
    undo: honest,
  },
  {
    name: 'a payment without memo, with the memo of a customer in JSON',
    source: 'A10; the memo that counts is the one that was signed',
    ends: 'suspense',
    act: (world, { memo }) => {
      world.pay({ units: UNITS });
      onTransaction(world, (transaction) => ({ ...transaction, memo_type: 'text', memo }));
    },
    undo: honest,
  },
  {
    name: 'an envelope with another memo under the old hash',
    source: 'B9; SHA-256 over the envelope and the passphrase',
    ends: 'outage',
    act: (world, { memo }) => {
      world.pay({ units: UNITS });
      onTransaction(world, (transaction) => ({
        ...transaction,
        envelope_xdr: signedWithMemo(String(transaction.envelope_xdr), memo, Networks.PUBLIC),
      }));
    },
    undo: honest,
  },
  {
    name: 'a transaction that was signed for the test network',
    source: 'B9; the passphrase is part of every hash',
    ends: 'outage',
    act: (world, { memo }) => {
      world.pay({ units: UNITS });
      onEach(world, '/payments', (record) => {
        const transaction = record.transaction as FakeRecord;
        const envelope = signedWithMemo(String(transaction.envelope_xdr), memo, Networks.TESTNET);
        const hash = TransactionBuilder.fromXDR(envelope, Networks.TESTNET).hash().toString('hex');
        const changed = { ...transaction, envelope_xdr: envelope, hash };
        return { ...record, transaction_hash: hash, transaction: changed };
      });
    },
    undo: honest,
  },
  {
    name: 'a failed transaction, listed as successful',
    source: 'A7',
    ends: 'outage',
    act: (world, { memo }) => {
      world.pay({ units: UNITS, memo: Memo.text(memo), fails: true });
      const failed = world.stellar.ledgers.at(-1)?.transactions[0];
      assert(failed !== undefined);
      failed.isSuccessful = true;
      failed.record.successful = true;
    },
    undo: (world) => {
      const failed = world.stellar.ledgers.findLast(({ transactions }) => transactions.length > 0);
      const [transaction] = failed?.transactions ?? [];
      assert(transaction !== undefined);
      transaction.isSuccessful = false;
      transaction.record.successful = false;
    },
  },
  {
    name: 'a payment whose result is not shown',
    source: 'A7: a flag that is absent means not credited',
    ends: 'outage',
    act: (world) => {
      world.pay({ units: UNITS });
      onEach(world, '/payments', ({ transaction_successful: _, ...record }) => record);
    },
    undo: honest,
  },
  {
    name: 'a payment that is listed twice',
    source: 'I7, stellar/horizon #267: streams repeat themselves',
    ends: 'outage',
    act: (world) => {
      world.pay({ units: UNITS });
      onRecords(world, '/payments', (records) => records.flatMap((record) => [record, record]));
    },
    undo: honest,
  },
  {
    name: 'a payment that is listed again as the next operation',
    source: 'R1: the credit key is the operation id',
    ends: 'outage',
    act: (world) => {
      world.pay({ units: UNITS });
      onRecords(world, '/payments', (records) =>
        records.flatMap((record) => {
          const id = (BigInt(String(record.id)) + 1n).toString();
          return [record, { ...record, id, paging_token: id }];
        }),
      );
    },
    undo: honest,
  },
  {
    name: 'effects that tell of twice as much',
    source: 'A8, go-stellar-sdk #744 and #788: effects were wrong or doubled',
    ends: 'outage',
    act: (world) => {
      world.pay({ units: UNITS });
      onEach(world, '/effects', (record) =>
        record.type === 'account_credited' ? { ...record, amount: unitsText(2n * UNITS) } : record,
      );
    },
    undo: honest,
  },
  {
    name: 'an effect without its payment',
    source: 'A8: one listing is held against the other',
    ends: 'outage',
    act: (world) => {
      world.pay({ units: UNITS });
      onRecords(world, '/payments', () => []);
    },
    undo: honest,
  },
  {
    name: 'a payment that is in every listing and not in the balance',
    source: 'money.md: an observed balance increase covers it; horizon-importer #73',
    ends: 'outage',
    act: (world, { memo }) => {
      world.pay({ units: UNITS, memo: Memo.text(memo) });
      const line = world.stellar.accounts.get(world.account)?.lines.get(XLM);
      assert(line !== undefined);
      line.units -= UNITS;
    },
    undo: (world) => {
      const line = world.stellar.accounts.get(world.account)?.lines.get(XLM);
      assert(line !== undefined);
      line.units += UNITS;
      undoLast(world, UNITS);
    },
  },
  {
    name: 'a worthless asset that is native in JSON',
    source: 'A6: a mismatch of types is never coerced',
    ends: 'outage',
    act: (world, { memo }) => {
      world.pay({ units: UNITS, assetId: FAKE_USDC, memo: Memo.text(memo), from: THIEF });
      const nativeFields = ({ asset_code: _, asset_issuer: __, ...record }: FakeRecord) => ({
        ...record,
        asset_type: 'native',
      });
      world.horizon.tamper = (request, json) => {
        const page = json as { _embedded?: { records: FakeRecord[] } };
        if (!/payments|effects/.test(request.path) || page._embedded === undefined) return json;
        return { _embedded: { records: page._embedded.records.map(nativeFields) } };
      };
    },
    undo: honest,
  },
  {
    name: 'the state of another account',
    source: 'B9',
    ends: 'outage',
    act: (world) => {
      world.pay({ units: UNITS });
      world.horizon.tamper = ({ path }, json) =>
        path.endsWith(world.account) ? { ...(json as object), account_id: STRANGER } : json;
    },
    undo: honest,
  },
  {
    name: 'a ledger that is left out',
    source: 'B9: contiguous by number and by hash',
    ends: 'outage',
    act: (world) => {
      world.pay({ units: UNITS });
      world.stellar.close();
      onRecords(world, '/ledgers', (records) => records.toSpliced(1, 1));
    },
    undo: honest,
  },
  {
    name: 'a ledger with a header that is not its own',
    source: 'B9: SHA-256 over the header',
    ends: 'outage',
    act: (world) => {
      world.pay({ units: UNITS });
      onRecords(world, '/ledgers', (records) =>
        records.map((record) => ({ ...record, header_xdr: records[0]?.header_xdr })),
      );
    },
    undo: honest,
  },
  {
    name: 'another history under the same address',
    source: 'B9; the test network begins anew every few months',
    ends: 'outage',
    act: (world) => {
      world.pay({ units: UNITS });
      const other = fakeStellar(Networks.PUBLIC, () => world.time.now());
      while (other.ledgers.length < world.stellar.ledgers.length) other.close();
      onRecords(world, '/ledgers', (records) => {
        const shown = new Set(records.map(({ sequence }) => sequence));
        return other.ledgers
          .map(({ record }) => record)
          .filter(({ sequence }) => shown.has(sequence));
      });
    },
    undo: honest,
  },
  {
    name: 'a Horizon of the test network',
    source: 'B9, F2: the passphrase in the root document',
    ends: 'refusal',
    act: (world) => {
      world.pay({ units: UNITS });
      world.horizon.passphrase = Networks.TESTNET;
    },
    undo: (world) => {
      world.horizon.passphrase = Networks.PUBLIC;
    },
  },
  {
    name: 'a Horizon that stands still',
    source: 'B9: what is paid meanwhile would look unpaid',
    ends: 'outage',
    act: (world) => {
      world.horizon.closesEveryMs = Number.POSITIVE_INFINITY;
    },
    undo: (world) => {
      world.horizon.closesEveryMs = 5_000;
    },
  },
];

describe('forged deposits on Stellar', () => {
  let world: StellarWorld;
  before(async () => {
    world = await openStellarWorld();
    const { stellar, account } = world;
    stellar.addAccount(THIEF);
    stellar.addAccount(seededKey(4));
    for (const assetId of [FAKE_USDC, ...LOOKALIKES]) stellar.addLine(account, assetId);
    stellar.addLine(STRANGER, FAKE_USDC, { units: 10n ** 12n });
    assert.deepEqual(await world.observe(), []);
  });
  after(() => world?.close());

  for (const forgery of [...ACCOUNTS, ...UNNAMED, ...LIES]) {
    test(`${forgery.name} is credited to nobody (${forgery.source})`, async () => {
      const { ends, assetId = XLM } = forgery;
      const { instruction } = await world.createAndCommit('STELLAR', assetId, UNITS);
      const memo = String(instruction.memo);
      const [credited, suspended] = [await world.credited(), await world.suspended()];
      forgery.act(world, { memo, assetId });
      // The identity is looked at every ten minutes, and Horizon may stand still for two.
      if (ends === 'refusal' || ends === 'outage') await world.time.advance(600_000);
      const failures = await world.observe();
      await world.settle();
      assert.equal(await world.credited(), credited);
      assert.equal(await world.suspended(), suspended + (ends === 'suspense' ? UNITS : 0n));
      const kinds = failures.map((failure) =>
        failure instanceof Outage ? 'outage' : failure instanceof Refusal ? 'refusal' : 'bug',
      );
      assert.deepEqual(kinds, ends === 'outage' || ends === 'refusal' ? [ends] : []);

      forgery.undo?.(world);
      world.pay({ units: UNITS, assetId, memo: Memo.text(memo) });
      assert.deepEqual((await world.observe()).map(String), []);
      await world.settle();
      assert.equal(await world.credited(), credited + UNITS);
      assert.deepEqual(await world.brokenInvariants(), []);
    });
  }
});

describe('with a second Horizon', () => {
  let world: StellarWorld;
  before(async () => {
    world = await openStellarWorld({ withSecond: true });
    assert.deepEqual(await world.observe(), []);
  });
  after(() => world?.close());

  for (const [name, lie, undo] of [
    [
      'does not know',
      () => {
        const last = world.stellar.ledgers.at(-1)?.transactions[0]?.operations[0];
        assert(last !== undefined);
        world.second?.hidden.add(last.id);
      },
      () => undoLast(world, UNITS),
    ],
    [
      'has in another ledger',
      () => {
        if (world.second === undefined) return;
        world.second.tamper = (_, json) => {
          const page = json as { _embedded?: { records: FakeRecord[] } };
          const records = page._embedded?.records.map((record) => ({ ...record, hash: '00' }));
          return records === undefined ? json : { _embedded: { records } };
        };
      },
      () => undoLast(world, UNITS),
    ],
  ] as const) {
    test(`a payment that the second ${name} is credited to nobody (money.md: two sources)`, async () => {
      const { instruction } = await world.createAndCommit('STELLAR', XLM, UNITS);
      const memo = Memo.text(String(instruction.memo));
      const credited = await world.credited();
      world.pay({ units: UNITS, memo });
      lie();
      // Neither asked first nor asked second.
      for (let round = 0; round < 2; round += 1) {
        const [failure] = await world.observe();
        assert(failure instanceof Outage);
        await world.settle();
        assert.equal(await world.credited(), credited);
      }
      undo();
      if (world.second !== undefined) world.second.tamper = (_, json) => json;
      world.pay({ units: UNITS, memo });
      assert.deepEqual((await world.observe()).map(String), []);
      await world.settle();
      assert.equal(await world.credited(), credited + UNITS);
    });
  }
});

/** Of two bytes each, and 28 bytes are all that a memo holds: the last four digits. */
function arabicDigits(text: string): string {
  const start = 0x0660;
  return text.replace(/\d(?=\d{0,3}$)/g, (digit) => String.fromCodePoint(start + Number(digit)));
}

function numberBytes(memo: string): Buffer {
  return Buffer.from(BigInt(memo).toString(16).padStart(64, '0'), 'hex');
}

function otherLastDigit(memo: string): string {
  return `${memo.slice(0, -1)}${(Number(memo.at(-1)) + 1) % 10}`;
}

/** The last two digits that differ. */
function swappedDigits(memo: string): string {
  const digits = [...memo];
  for (let at = digits.length - 1; at > 0; at -= 1) {
    const [left = '', right = ''] = [digits[at - 1], digits[at]];
    if (left === right) continue;
    return digits
      .with(at - 1, right)
      .with(at, left)
      .join('');
  }
  return `${memo}1`;
}

function signedWithMemo(envelope: string, memo: string, passphrase: string): string {
  const original = TransactionBuilder.fromXDR(envelope, Networks.PUBLIC);
  assert(!(original instanceof FeeBumpTransaction));
  const builder = TransactionBuilder.cloneFrom(original, {
    networkPassphrase: passphrase,
    fee: '100',
  });
  const changed = builder.addMemo(Memo.text(memo)).build();
  changed.sign(THIEF);
  return changed.toXDR();
}
