import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceivingAccount } from '#people/account-fields.ts';
import { againstReserve, decideXrplDelivery } from './decide-delivery.ts';
import { NO_ACCOUNT_ROOT } from './read-account-root.ts';

const ACCOUNT = { account: 'rLNaPoKeeBjZe2qs6x52yVPZpZ8td4dc6w' };
const there = { ...NO_ACCOUNT_ROOT, exists: true };
const tagged = { ...ACCOUNT, destinationTag: '0' };

const cases: readonly (readonly [
  what: string,
  receiver: typeof NO_ACCOUNT_ROOT,
  units: bigint,
  account: ReceivingAccount,
  refused: RegExp | undefined,
])[] = [
  ['to an account', there, 1n, ACCOUNT, undefined],
  ['that begins an account', NO_ACCOUNT_ROOT, 1_000_000n, ACCOUNT, undefined],
  [
    'that is too little for one',
    NO_ACCOUNT_ROOT,
    999_999n,
    ACCOUNT,
    /takes at least 1 XRP to begin one/,
  ],
  [
    'without a tag where one is demanded',
    { ...there, requiresTag: true },
    1n,
    ACCOUNT,
    /demands a destination tag/,
  ],
  ['with tag 0 where one is demanded', { ...there, requiresTag: true }, 1n, tagged, undefined],
  [
    'to one that authorises senders',
    { ...there, refusesDeposits: true },
    1n,
    ACCOUNT,
    /that it has authorised/,
  ],
  ['to one that wants no XRP', { ...there, disallowsXrp: true }, 1n, ACCOUNT, /DisallowXRP/],
];

for (const [what, receiver, units, account, refused] of cases) {
  test(`a payment of XRP ${what} is ${refused === undefined ? 'made' : 'refused'}`, () => {
    const payment = { network: 'XRP_LEDGER', assetId: 'XRP:NATIVE', units, account };
    const decided = decideXrplDelivery({ payment, receiver, reserveUnits: 1_000_000n });
    if (refused === undefined) return assert.equal(decided, 'payment');
    assert(typeof decided === 'object');
    assert.match(decided.refused, refused);
  });
}

for (const [what, units, refused] of [
  ['all but reserve and fee', 8_799_988n, undefined],
  ['a drop of the reserve', 8_799_989n, /at most 8\.799988 XRP: 1\.2 XRP are its reserve/],
  ['more than there is', 10_000_000n, /at most 8\.799988 XRP/],
] as const) {
  test(`our own reserve stays: ${what} is ${refused === undefined ? 'sent' : 'refused'}`, () => {
    const payment = { network: 'XRP_LEDGER', assetId: 'XRP:NATIVE', account: ACCOUNT, units };
    const held = { feeUnits: 12n, heldUnits: 10_000_000n, reserveUnits: 1_200_000n };
    const said = againstReserve({ payment, ...held });
    if (refused === undefined) assert.equal(said, undefined);
    else assert.match(said ?? '', refused);
  });
}

test('an account below its reserve can pay nothing', () => {
  const payment = { network: 'XRP_LEDGER', assetId: 'XRP:NATIVE', account: ACCOUNT, units: 1n };
  const held = { feeUnits: 12n, heldUnits: 1_000_000n, reserveUnits: 1_200_000n };
  assert.match(againstReserve({ payment, ...held }) ?? '', /at most 0 XRP/);
});
