// What the signer refuses of payments that a payer has signed (x402), one by one: each order is the
// right one with a single thing changed, and nothing of it is signed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { Refusal } from '#base/refusal.ts';
import { openEvmAccount } from '#networks/evm/derive-address.ts';
import { authorizedCall } from '#networks/evm/transfer-authorization.ts';
import { signableEvm } from '#networks/evm/unsigned-transaction.ts';
import type { ListedRelay } from '#signer/open-key.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { EVM_ADDRESS, evmOrder, KEYS, START, USDC } from '#test/support/signer-world.ts';

const NOW = Temporal.Instant.from(START);
const CONTRACT = USDC.slice(5).toLowerCase();
const [ours, theirs] = [7, 8].map((byte) => {
  return HDKey.fromMasterSeed(Buffer.alloc(32, byte)).derive("m/44'/60'/0'").publicExtendedKey;
});
const addressAt = (index: bigint, key = ours) =>
  openEvmAccount(key ?? '')
    .addressAt(index)
    .toLowerCase();

const RELAY: ListedRelay = {
  ...{ environment: 'live', network: 'ETHEREUM', receiversBelow: ours ?? '' },
  account: EVM_ADDRESS.toLowerCase(),
};
const INDEX = 3n;
const UNITS = 1_000_000n;
const TRANSFER = {
  ...{ assetId: USDC, from: `0x${'11'.repeat(20)}`, to: addressAt(INDEX), units: UNITS },
  ...{ validAfter: 0n, validBefore: 1_900_000_000n, nonce: `0x${'22'.repeat(32)}` },
  signature: `0x${'33'.repeat(32)}${'44'.repeat(32)}1b`,
};

type Change = {
  readonly order?: Partial<SignOrder>;
  readonly payment?: Partial<SignOrder['payments'][number]>;
  readonly transfer?: Partial<typeof TRANSFER>;
  readonly call?: { readonly to?: string; readonly value?: bigint; readonly data?: string };
  readonly relay?: Partial<ListedRelay>;
};

/** What the signer says of the right order with this changed. */
function review({ order, payment, transfer, call, relay }: Change = {}) {
  const { facts, ...usual } = evmOrder();
  const [gasLimit, maxFeePerGas, maxPriorityFeePerGas] = [90_000n, 10n ** 10n, 10n ** 9n];
  const turn = { sender: EVM_ADDRESS, nonce: 5n, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
  const data = authorizedCall({ ...TRANSFER, ...transfer });
  const { unsignedTransaction } = signableEvm({
    ...{ ...turn, chainId: 1n, payment: undefined },
    call: { to: CONTRACT, value: 0n, data, ...call },
  });
  const paid = { assetId: USDC, units: UNITS, account: { address: TRANSFER.to }, index: INDEX };
  const asked: SignOrder = {
    ...{ ...usual, kind: 'RELAY', environment: 'live', facts },
    payments: [{ ...paid, ...payment }],
    feeUnits: gasLimit * maxFeePerGas,
    unsigned: unsignedTransaction,
    ...order,
  };
  const key = KEYS.find((one) => one.shown.network === 'ETHEREUM' && one.isFor(asked));
  assert(key !== undefined, 'there is a key for it');
  return key.review(asked, NOW, { safes: [], relays: [{ ...RELAY, ...relay }] });
}

test('what a payer signed, to an address of ours, of what was ordered, is signed', () => {
  const { feeUnits } = review();
  assert.equal(feeUnits, 90_000n * 10n ** 10n);
});

const OTHER = `0x${'55'.repeat(20)}`;
const DIFFERS = /it is no transferWithAuthorization of what was ordered/;
const NOT_BELOW = /is no address below the extended key of the relay/;

const REFUSED: readonly (readonly [what: string, change: Change, said: RegExp])[] = [
  ['more than was ordered', { transfer: { units: UNITS + 1n } }, DIFFERS],
  ['less than was ordered', { transfer: { units: 1n } }, DIFFERS],
  ['to another address', { transfer: { to: OTHER } }, DIFFERS],
  ['to the next address of ours', { transfer: { to: addressAt(INDEX + 1n) } }, DIFFERS],
  ['a call of another contract', { call: { to: OTHER } }, DIFFERS],
  ['coins beside it', { call: { value: 1n } }, DIFFERS],
  ['a call that is longer', { call: { data: `${authorizedCall(TRANSFER)}00` } }, DIFFERS],
  [
    'transfer(address,uint256)',
    { call: { data: authorizedCall(TRANSFER).replace(/^0x.{8}/, '0xa9059cbb') } },
    DIFFERS,
  ],
  ['an order to an address of nobody', { payment: { account: { address: OTHER } } }, NOT_BELOW],
  ['an order under another number', { payment: { index: INDEX + 1n } }, NOT_BELOW],
  ['an order without a number', { payment: { index: undefined } }, NOT_BELOW],
  ['a number that is never found again', { payment: { index: 2n ** 31n } }, NOT_BELOW],
  ['addresses below another key', { relay: { receiversBelow: theirs ?? '' } }, NOT_BELOW],
  ['coins as what is ordered', { payment: { assetId: 'ETH:NATIVE' } }, /is no token there/],
  ['an account that no relay names', { relay: { account: OTHER } }, /no relay of the rules names/],
  ['a relay of another network', { relay: { network: 'BASE' } }, /no relay of the rules names/],
  [
    'a relay of the other environment',
    { relay: { environment: 'test' } },
    /no relay of the rules names/,
  ],
  [
    'the same as an ordinary payment',
    { order: { kind: 'PAY' } },
    /is listed under relay, and pays nobody/,
  ],
];

for (const [what, change, said] of REFUSED) {
  test(`a relay is refused: ${what}`, () => {
    assert.throws(
      () => review(change),
      (error) => error instanceof Refusal && said.test(error.message),
    );
  });
}
