// Payments by HTTP 402 (x402) on a real EVM node: what a checkout asks for in the words of x402, and
// which signed payments the facilitator calls valid. Payers sign with viem.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Abi, encodeFunctionData, parseAbi, parseSignature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { sql } from '#db/db.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type Accepts, signedRequest, type Wishes } from '#test/support/sign-transfer.ts';
import { contractOf, USDC } from './evm-shop.ts';
import { openX402Shop, type X402Shop } from './x402-shop.ts';

const payer = privateKeyToAccount(generatePrivateKey());
const poor = privateKeyToAccount(generatePrivateKey());
let shop: X402Shop;

before(async () => {
  shop = await openX402Shop(payer.address);
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
    signers: { 'eip155:*': [shop.gasAccount.toLowerCase()] },
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

type Signed = Awaited<ReturnType<typeof signedRequest>>;

function sign(accepts: Accepts, wishes: Wishes = {}): Promise<Signed> {
  const seconds = Math.floor(Date.now() / 1_000);
  return signedRequest(payer, accepts, seconds, { nonce: newNonce(), ...wishes });
}

function settle(request: Signed): Promise<Told['body']> {
  return mineUntil(ask('settle', JSON.stringify(request)));
}

/** Blocks come while it is waited for. */
async function mineUntil(answered: Promise<Told>): Promise<Told['body']> {
  let isOver = false;
  const over = answered.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await shop.include();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return (await over).body;
}

function checkoutOf(request: Signed): string {
  return request.paymentRequirements.extra.checkoutId ?? '';
}

test('what is settled completes the checkout like each payment, and its payer paid no gas', async () => {
  const request = await sign(await openAccepts());
  const told = await settle(request);
  assert.equal(told.success, true, JSON.stringify(told));
  assert.equal(told.payer, payer.address.toLowerCase());
  assert.equal(told.network, 'eip155:31337');
  await shop.finish();
  await shop.client.waitForState(checkoutOf(request), 'COMPLETED');
  const [transaction] = await shop.transactionsOf(checkoutOf(request));
  assert.equal(transaction?.tx, told.transaction);
  await shop.waitForEvent(checkoutOf(request), 'CHECKOUT_COMPLETED');
  assert.equal(await shop.node.rpc('eth_getBalance', payer.address, 'latest'), '0x0');
  assert.deepEqual(await settle(request), told, 'settled again it is the same transaction');
  const verified = await ask('verify', JSON.stringify(request));
  assert.equal(verified.body.isValid, false, 'and it pays for nothing else');
  await shop.checkBooks();
});

test('two who settle the same at once are told of one transaction', async () => {
  const request = await sign(await openAccepts());
  const [one, other] = await Promise.all([settle(request), settle(request)]);
  assert.equal(one.success, true, JSON.stringify(one));
  assert.deepEqual(other, one);
});

test('several at once each have a number of the account, and all are carried out', async () => {
  const requests = await Promise.all([1, 2, 3].map(async () => sign(await openAccepts())));
  const told = await Promise.all(requests.map(settle));
  assert.deepEqual(
    told.map(({ success }) => success),
    [true, true, true],
  );
});

test('what somebody else sent first has paid all the same, and his transaction is told', async () => {
  const request = await sign(await openAccepts());
  const { signature, authorization } = request.paymentPayload.payload;
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const { r, s, yParity } = parseSignature(signature);
  const args = [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s];
  const data = encodeFunctionData({
    abi: parseAbi([
      'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
    ]) as Abi,
    args,
  });
  const settling = ask('settle', JSON.stringify(request));
  await waitUntil('our transaction to wait', async () => {
    const pool = (await shop.node.rpc('txpool_status')) as { pending: string };
    return BigInt(pool.pending) > 0n;
  });
  await shop.node.rpc('anvil_dropAllTransactions');
  const theirs = await shop.node.send({ to: contractOf(USDC), data });
  await shop.include();
  const { body } = await settling;
  assert.equal(body.success, true, JSON.stringify(body));
  assert.equal(body.transaction, theirs);
});

test('a transfer that a block took back keeps nobody from paying the checkout in another way', async () => {
  const { rpc } = shop.node;
  const accepts = await openAccepts();
  const request = await sign(accepts);
  const settling = ask('settle', JSON.stringify(request));
  let sent: readonly string[] = [];
  await waitUntil('our transaction to wait', async () => {
    const rows = await shop.server.db.query<{ id: string; raw: string }>(sql`
      select checkout_id as id, signed_transaction as raw from x402_settlement order by sequence`);
    const isSigned = rows.some(({ id, raw }) => id === checkoutOf(request) && raw !== null);
    sent = rows.map(({ raw }) => raw);
    return isSigned;
  });
  // The payer spends what he has in a block before the one that ours is in.
  await rpc('anvil_dropAllTransactions');
  const taken = await moveTokens(payer.address, poor.address);
  for (const raw of sent) await shop.node.sendRaw(raw).catch(() => undefined);
  const body = await mineUntil(settling);
  assert.deepEqual([body.success, body.errorReason], [false, 'invalid_transaction_state']);
  await moveTokens(poor.address, payer.address, taken);
  const second = await settle(await sign(accepts));
  assert.equal(second.success, true, JSON.stringify(second));
  assert.notEqual(second.transaction, body.transaction);
  const again = await settle(request);
  assert.deepEqual([again.success, again.errorReason], [false, 'invalid_transaction_state']);
});

/** All of them unless so many; he pays gas for this once. Gives how many. */
async function moveTokens(from: string, to: string, units?: bigint): Promise<bigint> {
  const { rpc } = shop.node;
  const token = contractOf(USDC);
  const abi = parseAbi([
    'function transfer(address,uint256)',
    'function balanceOf(address) view returns (uint256)',
  ]) as Abi;
  const asked = encodeFunctionData({ abi, functionName: 'balanceOf', args: [from] });
  const held = BigInt(String(await rpc('eth_call', { to: token, data: asked }, 'latest')));
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, units ?? held] });
  await rpc('anvil_impersonateAccount', from);
  await rpc('anvil_setBalance', from, '0xde0b6b3a7640000');
  await rpc('eth_sendTransaction', { from, to: token, data, gas: '0x30d40' });
  await shop.include();
  await rpc('anvil_setBalance', from, '0x0');
  return units ?? held;
}

test('what is not valid is not sent, and a second payment of one checkout neither', async () => {
  const accepts = await openAccepts();
  const short = await settle(await sign(accepts, { value: '1' }));
  assert.deepEqual(
    [short.success, short.errorReason, short.transaction],
    [false, 'invalid_exact_evm_payload_authorization_value_mismatch', ''],
  );
  assert.equal((await settle(await sign(accepts))).success, true);
  assert.equal((await settle(await sign(accepts))).success, false);
});
