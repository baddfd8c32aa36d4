// Payments by HTTP 402 (x402) on a real EVM node: what a checkout asks for in the words of x402, and
// which signed payments the facilitator calls valid. Payers sign with viem.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Accepts, signedRequest, type Wishes } from '#test/support/sign-transfer.ts';
import type { AnvilNode } from './anvil-node.ts';
import { contractOf, type EvmShop, openEvmShop, USDC, unitsOf } from './evm-shop.ts';

const payer = privateKeyToAccount(generatePrivateKey());
const poor = privateKeyToAccount(generatePrivateKey());

let shop: EvmShop;

before(async () => {
  shop = await openEvmShop({
    async prepare(node: AnvilNode) {
      await node.deploy('AuthorizedToken', 6, contractOf(USDC));
      await node.call(contractOf(USDC), 'mint', [payer.address, unitsOf('100', USDC)]);
      await node.mine(1);
      return {};
    },
  });
});
after(() => shop?.close());

type Told = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

async function ask(path: string, body?: string): Promise<Told> {
  const post = {
    method: 'POST',
    body: body ?? '',
    headers: { 'content-type': 'application/json' },
  };
  const answer = await fetch(`${shop.server.origin}/x402/${path}`, body === undefined ? {} : post);
  return { status: answer.status, body: (await answer.json()) as Told['body'] };
}

async function openAccepts(): Promise<Accepts> {
  const { checkoutId } = await shop.open('1', USDC);
  const { body } = await ask(`requirements/${checkoutId}`);
  const [accepts] = body.accepts as readonly Accepts[];
  assert(accepts !== undefined);
  return accepts;
}

const newNonce = () => `0x${randomBytes(32).toString('hex')}`;

async function verify(accepts: Accepts, wishes: Wishes = {}, from = payer): Promise<Told['body']> {
  const seconds = Math.floor(Date.now() / 1_000);
  const request = await signedRequest(from, accepts, seconds, { nonce: newNonce(), ...wishes });
  return (await ask('verify', JSON.stringify(request))).body;
}

test('what takes signed transfers is supported, in the words of the specification', async () => {
  const { body } = await ask('supported');
  assert.deepEqual(body, {
    kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:31337' }],
    extensions: [],
    signers: {},
  });
});

test('a committed checkout asks for its amount at its own address', async () => {
  const { checkoutId, depositInstructions } = await shop.open('1', USDC);
  const { body } = await ask(`requirements/${checkoutId}`);
  const [{ maxTimeoutSeconds, ...accepts } = { maxTimeoutSeconds: 0 }] =
    body.accepts as readonly Accepts[];
  assert.deepEqual(accepts, {
    scheme: 'exact',
    network: 'eip155:31337',
    asset: contractOf(USDC),
    amount: '1000000',
    payTo: depositInstructions.address,
    extra: { name: 'USD Coin', version: '2', checkoutId },
  });
  assert(maxTimeoutSeconds > 3_500 && maxTimeoutSeconds <= 3_600);
});

test('a checkout that is not committed to such a token cannot be paid so, and says why', async () => {
  const id = await shop.create({ currency: 'USDC', amount: '1' });
  const { status, body } = await ask(`requirements/${id}`);
  assert.equal(status, 409);
  assert.equal(body.error, 'x402_not_possible');
  assert.match(String(body.details), /real EVM chain and a token with EIP-3009/);
  assert.equal((await ask('requirements/abcdefghijkl')).status, 404);
});

test('what is signed as asked is valid', async () => {
  const told = await verify(await openAccepts());
  assert.deepEqual(told, { isValid: true, payer: payer.address.toLowerCase() });
});

test('what is signed in another way is not, and is told why', async () => {
  const accepts = await openAccepts();
  const hostile: readonly (readonly [Wishes, string])[] = [
    [{ name: 'USDC' }, 'invalid_exact_evm_payload_signature'],
    [{ chainId: 1 }, 'invalid_exact_evm_payload_signature'],
    [{ to: poor.address }, 'invalid_exact_evm_payload_recipient_mismatch'],
    [{ value: '999999' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
    [{ validBefore: '1740672154' }, 'invalid_exact_evm_payload_authorization_valid_before'],
    [{ validAfter: '9999999999' }, 'invalid_exact_evm_payload_authorization_valid_after'],
  ];
  for (const [wishes, reason] of hostile) {
    assert.equal((await verify(accepts, wishes)).invalidReason, reason);
  }
  assert.equal((await verify(accepts, {}, poor)).invalidReason, 'insufficient_funds');
  const lower = { ...accepts, amount: '1' };
  assert.equal((await verify(lower)).invalidReason, 'invalid_payment_requirements');
  const stranger = { ...accepts, payTo: poor.address };
  assert.equal((await verify(stranger)).invalidReason, 'invalid_payment_requirements');
  const elsewhere = { ...accepts, network: 'eip155:8453' };
  assert.equal((await verify(elsewhere)).invalidReason, 'invalid_network');
});

test('what is no request is refused: another version, too much, nonsense', async () => {
  const request = await signedRequest(payer, await openAccepts(), Math.floor(Date.now() / 1_000));
  const later = JSON.stringify({ ...request, x402Version: 3 });
  assert.deepEqual(await ask('verify', later), {
    status: 400,
    body: { isValid: false, invalidReason: 'invalid_x402_version' },
  });
  const huge = JSON.stringify({ ...request, more: 'a'.repeat(70_000) });
  assert.equal((await ask('verify', huge)).body.invalidReason, 'invalid_payload');
  const short = { ...request, paymentPayload: { ...request.paymentPayload, payload: {} } };
  assert.equal((await ask('verify', JSON.stringify(short))).body.invalidReason, 'invalid_payload');
  assert.equal((await ask('verify', '{')).status, 400);
  assert.equal((await ask('nothing')).status, 404);
});
