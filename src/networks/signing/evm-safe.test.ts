// A Safe's transaction that the signer carries out: signed only as it was ordered, by owners that
// its own file names, and counted like every payment.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { concatHex, type Hex, parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { joinSignatures, readOwnerSignatures } from '#networks/evm/safe-signatures.ts';
import { executeCall, safeTransactionHash } from '#networks/evm/safe-transaction.ts';
import { type EvmCall, evmCallOf, unsignedBytes } from '#networks/evm/unsigned-transaction.ts';
import type { SignerAnswer } from '#signer/protocol.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import {
  EVM_ADDRESS,
  EVM_RECEIVER,
  openSignerWorld,
  USDC,
  WIDE_RULES,
} from '#test/support/signer-world.ts';

const SAFE = '0x5afe000000000000000000000000000000000001';
const OTHER = '0x8ba1f109551bd432803012645ac136ddd64dba72';
const OWNERS = ['01', '02', '03', '04'].map((two) => privateKeyToAccount(`0x${two.repeat(32)}`));
const [first, second, third, stranger] = OWNERS as [K, K, K, K];
type K = (typeof OWNERS)[number];
const lower = ({ address }: K) => address.toLowerCase();

const listed = (address: string, gas = EVM_ADDRESS.toLowerCase()) => `
[[safe]]
environment = "live"
network = "ETHEREUM"
address = "${address}"
gas_account = "${gas}"
owners = [${[first, second, third].map((one) => `"${lower(one)}"`).join(', ')}]
threshold = 2
`;
const world = openSignerWorld(`${WIDE_RULES}${listed(SAFE)}`);
after(() => world.close());

type Wish = {
  readonly id?: string;
  readonly units?: bigint;
  readonly assetId?: string;
  readonly kind?: SignOrder['kind'];
  readonly nonce?: bigint;
  readonly safeNonce?: bigint;
  /** Wei for each gas. */
  readonly fee?: bigint;
  readonly owners?: readonly K[];
  /** What the Safe is made to do in the place of what was ordered. */
  readonly inner?: Partial<EvmCall>;
  readonly change?: (data: string) => string;
  readonly value?: bigint;
  readonly to?: string;
};

/** As the service asks it; changed as the wish says. */
async function carried(wish: Wish = {}): Promise<SignOrder> {
  const { id = 'safe-1', units = 10n ** 15n, assetId = 'ETH:NATIVE', kind = 'PAY' } = wish;
  const { nonce = 7n, safeNonce = 3n, fee = 10n ** 10n, owners = [first, third] } = wish;
  const account = { address: EVM_RECEIVER };
  const payment = { network: 'ETHEREUM', assetId, account, units };
  const isPaying = kind === 'PAY';
  const ordered = isPaying ? evmCallOf(payment) : { to: SAFE, value: 0n, data: '0x' };
  const inner = { ...ordered, ...wish.inner };
  const hash = safeTransactionHash(inner, { safe: SAFE, chainId: 1n, nonce: safeNonce }) as Hex;
  const signed = concatHex(await Promise.all(owners.map((one) => one.sign({ hash }))));
  const known = { owners: OWNERS.map(lower) };
  const joined = joinSignatures(readOwnerSignatures(signed, hash, known));
  const data = (wish.change ?? ((same: string) => same))(executeCall(inner, joined));
  const call = { to: wish.to ?? SAFE, value: wish.value ?? 0n, data };
  const caps = { maxFeePerGas: fee, maxPriorityFeePerGas: 10n ** 9n, gasLimit: 150_000n };
  const bytes = unsignedBytes({ ...caps, chainId: 1n, sender: EVM_ADDRESS, nonce }, call);
  return {
    ...{ id, environment: 'live', network: 'ETHEREUM', kind },
    payments: isPaying ? [{ assetId, units, account }] : [],
    feeUnits: caps.gasLimit * fee,
    facts: { source: EVM_ADDRESS, sequence: nonce, spends: [`${SAFE}/${safeNonce}`] },
    unsigned: `0x${bytes.toString('hex')}`,
  };
}

function refusal(answer: SignerAnswer): string {
  return answer.answer === 'refused'
    ? `${answer.code}: ${answer.reasons.join('; ')}`
    : JSON.stringify(answer);
}

const wordAt = (at: number, word: string) => (data: string) =>
  `${data.slice(0, 10 + at * 64)}${word.padStart(64, '0')}${data.slice(10 + (at + 1) * 64)}`;

test('what is not exactly what was ordered of the Safe is refused, each with its reason', async () => {
  const cases: readonly (readonly [string, Wish, RegExp])[] = [
    ['another receiver', { inner: { to: OTHER } }, /what the Safe calls is 0x8ba1/],
    ['another amount', { inner: { value: 5n } }, /what the Safe pays in wei is 5;/],
    ['data beside it', { inner: { data: '0x01' } }, /the data of the call of the Safe is 0x01/],
    ['another token', { assetId: USDC, inner: { to: OTHER } }, /what the Safe calls is 0x8ba1/],
    ['a delegate call', { change: wordAt(3, '1') }, /a delegate call/],
    ['another operation', { change: wordAt(3, '2') }, /a delegate call/],
    ['gas of its own', { change: wordAt(4, 'ffff') }, /gives back gas, or has more/],
    ['gas given back', { change: wordAt(6, '1') }, /gives back gas/],
    ['gas given back in a token', { change: wordAt(7, OTHER.slice(2)) }, /gives back gas/],
    ['gas given to somebody', { change: wordAt(8, OTHER.slice(2)) }, /gives back gas/],
    ['another call', { change: () => '0xa9059cbb' }, /does not call execTransaction/],
    ['cut off', { change: (data) => data.slice(0, -64) }, /needed|differs|more in it|130 digits/],
    ['more at the end', { change: (data) => `${data}00` }, /the data of the call is/],
    ['one owner', { owners: [first] }, /1 owners have signed it; needed are 2/],
    ['no owner', { owners: [first, stranger] }, /who is no owner of the Safe/],
    ['coins beside it', { value: 1n }, /the amount in wei is 1/],
    ['another contract', { to: OTHER }, /what is called is 0x8ba1/],
    ['a cancellation of nothing', { kind: 'CANCEL' }, /nothing was signed for the order/],
  ];
  for (const [what, wish, pattern] of cases) {
    const answer = world.sign(await carried({ id: 'refused', ...wish }));
    assert.match(refusal(answer), pattern, what);
  }
  const good = await carried();
  const otherNonce = { ...good.facts, spends: [`${SAFE}/4`] };
  assert.match(refusal(world.sign({ ...good, facts: otherNonce })), /over something else, or by/);
  for (const spends of [[], ['x'], [`${SAFE}/`], [`${SAFE}/1`, `${SAFE}/1`], [`${SAFE} /1`]]) {
    const answer = world.sign({ ...good, facts: { ...good.facts, spends } });
    assert.match(refusal(answer), /order_incomplete: facts.spends: on an EVM chain/);
  }
  const twice = await carried({
    id: 'twice',
    change: (data) => {
      const signature = data.slice(-64 * 5 + 4).slice(0, 130);
      return data.replace(new RegExp(`${signature}.{130}`), signature.repeat(2));
    },
  });
  assert.match(refusal(world.sign(twice)), /order_differs/);
});

test('only a Safe of its own file, and only by the account that pays for it', async () => {
  const order = await carried({ id: 'listed' });
  const cases = [
    [WIDE_RULES, /safe_not_listed: 0x5afe.* is no \[\[safe\]\] of the signer/],
    [`${WIDE_RULES}${listed(OTHER)}`, /safe_not_listed/],
    [
      `${WIDE_RULES}${listed(SAFE, OTHER)}`,
      /the gas of 0x5afe.* is paid by 0x8ba1.*, not by 0xb7e2/,
    ],
  ] as const;
  for (const [rules, pattern] of cases) {
    const other = openSignerWorld(rules);
    assert.match(refusal(other.sign(order)), pattern);
    other.close();
  }
  // Without saying that it is of a Safe it is a call that nobody ordered.
  const { spends: _, ...facts } = order.facts;
  assert.match(refusal(world.sign({ ...order, facts })), /what is called is 0x5afe/);
});

test('what was signed is sent to the Safe, and another transaction of the order takes its place', async () => {
  const paid = { id: 'paid', units: 7n * 10n ** 17n, nonce: 20n, safeNonce: 8n };
  const order = await carried(paid);
  const answer = world.sign(order);
  assert(answer.answer === 'signed', refusal(answer));
  const read = parseTransaction(answer.signedTransaction as `0x02${string}`);
  assert.deepEqual([read.to, read.nonce], [SAFE, 20]);
  assert.deepEqual(world.sign(order), answer, 'asked again it is the same');
  const dearer = await carried({ ...paid, fee: 2n * 10n ** 10n });
  assert.equal(world.sign(dearer).answer, 'signed', 'a higher fee under the same nonce');
  const moved = await carried({ ...paid, nonce: 21n });
  assert.equal(world.sign(moved).answer, 'signed', 'the Safe has the nonce once');
  const beside = await carried({ ...paid, safeNonce: 9n, nonce: 22n });
  assert.match(refusal(world.sign(beside)), /could land beside that/);
  const another = await carried({ id: 'another', safeNonce: 10n, nonce: 21n });
  assert.match(refusal(world.sign(another)), /the nonce is that of the order paid/);
  const ended = await carried({ ...paid, kind: 'CANCEL', nonce: 23n });
  assert.equal(world.sign(ended).answer, 'signed', 'nothing to itself under the same nonce');
});

test('it counts in the caps as every payment, and each gas by itself', async () => {
  const cap = (most: string) => `
signatures_per_minute = 100
only_listed_receivers = true
[[receiver]]
environment = "live"
network = "ETHEREUM"
address = "${EVM_RECEIVER.toLowerCase()}"
[[cap]]
environment = "live"
asset = "ETH:NATIVE"
per_transaction = "${most}"
per_day = "1.004"
fee_per_transaction = "0.002"
${listed(SAFE)}`;
  const small = openSignerWorld(cap('1'));
  const units = 10n ** 18n;
  const fee = 10n ** 10n;
  assert.equal(small.sign(await carried({ units })).answer, 'signed');
  // 150,000 gas at 10 gwei is 0.0015: the second fits in 0.004 of the day, the third does not.
  assert.equal(small.sign(await carried({ units, nonce: 8n })).answer, 'signed');
  assert.match(refusal(small.sign(await carried({ units, nonce: 9n }))), /above_cap.*1.0045 ETH/);
  assert.match(
    refusal(
      small.sign(
        await carried({ id: 'dear', units: 1n, fee: 2n * fee, nonce: 30n, safeNonce: 30n }),
      ),
    ),
    /above_cap: its fee is up to 0.003 ETH, the cap 0.002 ETH/,
  );
  small.close();
  const smaller = openSignerWorld(cap('0.5'));
  assert.match(refusal(smaller.sign(await carried({ units }))), /above_cap: the sum of one/);
  smaller.close();
  const others = openSignerWorld(cap('1').replace(EVM_RECEIVER.toLowerCase(), OTHER));
  assert.match(refusal(others.sign(await carried({ units }))), /receiver_not_listed/);
  others.close();
});
