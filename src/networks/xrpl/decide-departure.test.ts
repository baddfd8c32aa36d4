import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_DEFINITIONS } from 'ripple-binary-codec';
import { decideXrpDeparture } from './decide-departure.ts';
import { UnknownField } from './read-blob.ts';
import type { AccountChange } from './read-change.ts';
import { classicAddress } from './xrpl-address.ts';

const [us, them] = [Buffer.alloc(20, 1), Buffer.alloc(20, 2)];
const receiver = classicAddress(them);
const meta = new Map<string, Buffer>();

function number(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

function drops(value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(value | 0x4000_0000_0000_0000n);
  return buffer;
}

/** A payment of 50 drops to somebody with a fee of 10. */
function signed(changed: Readonly<Record<string, Buffer>> = {}) {
  const fields = {
    '1/2': number(2, 0),
    '2/14': number(4, 7),
    '6/1': drops(50n),
    '6/8': drops(10n),
    '8/1': us,
    '8/3': them,
    ...changed,
  };
  return { ledger: 5n, transaction: new Map(Object.entries(fields)), meta };
}

function change(fallen: bigint, changed: Partial<AccountChange> = {}): AccountChange {
  return {
    hash: 'AB'.repeat(32),
    ledger: 5n,
    ledgerHash: '',
    order: 0,
    before: { drops: 1_000n, last: undefined },
    after: { drops: 1_000n - fallen, isDeleted: false },
    isSuccess: true,
    delivered: '50',
    ...changed,
  };
}

const decide = (one: AccountChange, of: Parameters<typeof decideXrpDeparture>[1]) => {
  const left = decideXrpDeparture(one, of, us);
  return left && [left.feeDrops, left.sent?.drops, left.sent?.destination];
};

const failed = { isSuccess: false, delivered: undefined };
for (const [name, one, of, expected] of [
  ['a payment', change(60n), signed(), [10n, 50n, `${receiver}:7`]],
  ['one to tag zero', change(60n), signed({ '2/14': number(4, 0) }), [10n, 50n, `${receiver}:0`]],
  ['one that failed', change(10n, failed), signed(), [10n, undefined, undefined]],
  ['one that took more than it delivered', change(61n), signed(), [10n, 51n, 'Payment']],
  ['one to ourselves by a way', change(60n), signed({ '8/3': us }), [10n, 50n, 'Payment']],
  [
    'one of an issued currency',
    change(60n, { delivered: { value: '50' } }),
    signed({ '6/1': Buffer.alloc(48, 0x80) }),
    [10n, 50n, 'Payment'],
  ],
  ['an escrow', change(60n), signed({ '1/2': number(2, 1) }), [10n, 50n, 'EscrowCreate']],
  [
    'what is not known',
    change(60n),
    signed({ '1/2': number(2, 99) }),
    [10n, 50n, 'transaction type 99'],
  ],
  [
    'an offer that was taken',
    change(50n),
    signed({ '8/1': them, '1/2': number(2, 7) }),
    [0n, 50n, 'OfferCreate'],
  ],
  [
    'what somebody else signed and paid for us',
    change(50n),
    signed({ '8/12': them }),
    [0n, 50n, `${receiver}:7`],
  ],
  [
    'what we signed and paid for others',
    change(10n),
    signed({ '8/1': them, '8/12': us }),
    [10n, undefined, undefined],
  ],
  [
    'what earned a part of its fee',
    change(4n),
    signed({ '1/2': number(2, 17) }),
    [4n, undefined, undefined],
  ],
  [
    'what nobody here can read',
    change(60n),
    { ledger: 5n, transaction: new UnknownField('newer') },
    [undefined, 60n, 'unknown'],
  ],
  [
    'a payment of somebody else that we paid for',
    change(60n),
    signed({ '8/1': them, '8/12': us, '8/3': Buffer.alloc(20, 3) }),
    [10n, 50n, 'Payment'],
  ],
  [
    'a payment with metadata of a newer kind',
    change(60n),
    { ...signed(), meta: new UnknownField('newer') },
    [10n, 50n, `${receiver}:7`],
  ],
  [
    'a payment of less than it asked for, as it said',
    change(60n),
    {
      ...signed({ '2/2': number(4, 0x0002_0000), '6/1': drops(90n) }),
      meta: new Map([['6/18', drops(50n)]]),
    },
    [10n, 50n, `${receiver}:7`],
  ],
  [
    'a partial payment with metadata of a newer kind',
    change(60n),
    { ...signed({ '2/2': number(4, 0x0002_0000) }), meta: new UnknownField('newer') },
    [10n, 50n, 'Payment'],
  ],
] as const) {
  test(`${name}: fee, amount and destination`, () => assert.deepEqual(decide(one, of), expected));
}

for (const [name, one, of, sentence] of [
  ['is in one listing alone', change(60n), undefined, /in one listing/],
  ['is in two ledgers', change(60n), { ...signed(), ledger: 6n }, /two ledgers/],
  ['names no fee', change(60n), signed({ '6/8': Buffer.alloc(48) }), /names no fee/],
  ['delivered two amounts', change(60n, { delivered: '49' }), signed(), /one thing in one listing/],
  ['delivered nobody knows what', change(60n, { delivered: undefined }), signed(), /is not known/],
] as const) {
  test(`what ${name} is a lie`, () => assert.throws(() => decide(one, of), sentence));
}

test('one without a tag goes to the account, and says where it stands', () => {
  const { ledger, transaction, meta: told } = signed();
  transaction.delete('2/14');
  const left = decideXrpDeparture(change(60n), { ledger, transaction, meta: told }, us);
  assert.deepEqual(left, {
    transaction: 'AB'.repeat(32),
    ledger: 5n,
    feeDrops: 10n,
    sent: { destination: receiver, drops: 50n },
  });
  const unread = { ledger, transaction: new UnknownField('newer') };
  const { transaction: hash, ledger: at } = decideXrpDeparture(change(60n), unread, us) ?? {};
  assert.deepEqual([hash, at], ['AB'.repeat(32), 5n]);
});

test('a payment to somebody whose account cannot be read goes nowhere that is known', () => {
  const nowhere = signed({ '8/3': Buffer.alloc(19, 2) });
  assert.deepEqual(decide(change(60n), nowhere), [10n, 50n, 'Payment']);
});

test('what rose or stayed left nothing; what left is fee and amount, whatever was delivered', () => {
  assert.equal(decide(change(0n), undefined), undefined);
  assert.equal(decide(change(-5n), undefined), undefined);
  const units = fc.bigInt({ min: 0n, max: 500n });
  fc.assert(
    fc.property(units, units, units, (fallen, fee, delivered) => {
      const of = signed({ '6/1': drops(delivered), '6/8': drops(fee) });
      const left = decideXrpDeparture(change(fallen, { delivered: `${delivered}` }), of, us);
      assert.equal((left?.feeDrops ?? 0n) + (left?.sent?.drops ?? 0n), fallen);
      const isExact = fallen > 0n && delivered > 0n && fallen === fee + delivered;
      assert.equal(left?.sent?.destination === `${receiver}:7`, isExact);
    }),
  );
});

test('types are called as the definitions of the ledger call them', () => {
  const types = DEFAULT_DEFINITIONS.transactionType;
  let named = 0;
  for (let type = 1; type < 100; type += 1) {
    const name = decide(change(60n), signed({ '1/2': number(2, type) }))?.[2];
    if (name === `transaction type ${type}`) continue;
    named += 1;
    assert.equal(types.from(String(name)).ordinal, type);
  }
  assert.ok(named > 10);
});
