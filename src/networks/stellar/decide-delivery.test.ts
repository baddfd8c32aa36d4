import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-base';
import type { ReceivingAccount } from '#people/account-fields.ts';
import { decideStellarDelivery } from './decide-delivery.ts';
import { type AccountState, NO_ACCOUNT } from './read-account.ts';

const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const USDC = `USDC:${ISSUER}`;
const account = Keypair.random().publicKey();
const reclaimableAt = Temporal.Instant.from('2030-02-01T00:00:00Z');

const balance = (isReceivable: boolean) => ({ units: 1n, isReceivable, canBeClawedBack: false });
function receiver(usdc?: boolean, requiresMemo = false): AccountState {
  const balances = new Map([['XLM:NATIVE', balance(true)]]);
  if (usdc !== undefined) balances.set(USDC, balance(usdc));
  return { balances, requiresMemo, signers: [] };
}

type Given = {
  readonly assetId?: string;
  readonly units?: bigint;
  readonly memo?: string;
  readonly to?: string;
  readonly reclaims?: boolean;
};

function decide(state: AccountState, { memo, to = account, reclaims = true, ...given }: Given) {
  const memoParts: ReceivingAccount = memo === undefined ? {} : { memo, memoType: 'text' };
  return decideStellarDelivery({
    payment: {
      network: 'STELLAR',
      assetId: USDC,
      units: 10n,
      ...given,
      account: { account: to, ...memoParts },
    },
    receiver: state,
    reserveUnits: 10_000_000n,
    reclaimableAt: reclaims ? reclaimableAt : undefined,
  });
}

const lumens = { assetId: 'XLM:NATIVE' };
const payment = { by: 'payment' };
const cases: readonly (readonly [string, AccountState, Given, object | RegExp])[] = [
  ['lumens to an account', receiver(), lumens, payment],
  ['a token to a trust line', receiver(true), {}, payment],
  ['a token to its issuer', receiver(), { to: ISSUER }, payment],
  ['lumens to no account', NO_ACCOUNT, { ...lumens, units: 10_000_000n }, { by: 'create-account' }],
  [
    'too few lumens to no account',
    NO_ACCOUNT,
    { ...lumens, units: 9_999_999n },
    /does not exist; it takes at least 1 XLM/,
  ],
  ['a token to no account', NO_ACCOUNT, {}, /does not exist, so it cannot receive USDC/],
  ['a token without a trust line', receiver(), {}, { by: 'claimable-balance', reclaimableAt }],
  [
    'the same where it is not wanted',
    receiver(),
    { reclaims: false },
    /has no trust line for USDC$/,
  ],
  ['the same with a memo', receiver(), { memo: '7' }, /would not find a claimable balance/],
  ['a token to a trust line that is shut', receiver(false), {}, /not authorised, or is full/],
  ['no memo where one is demanded', receiver(true, true), {}, /demands a memo \(SEP-29\)/],
  ['a memo where one is demanded', receiver(true, true), { memo: '7' }, payment],
];

for (const [what, state, given, expected] of cases) {
  test(`Stellar delivers ${what} as the network can take it`, () => {
    const decided = decide(state, given);
    if (!(expected instanceof RegExp)) return assert.deepEqual(decided, expected);
    assert('refused' in decided);
    assert.match(decided.refused, expected);
  });
}
