// Money that lies in a Safe, on a real EVM node with the contracts that Safe has published: our
// server has none of the keys, two of three owners sign, and whoever likes sends it.
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Abi, encodeFunctionData, getAddress, type Hex, hashTypedData } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { sql } from '#db/db.ts';
import { waitUntil } from '#test/support/shop.ts';
import { ABI } from './anvil-node.ts';
import { contractOf, ETH, type EvmShop, openEvmShop, USDC, unitsOf } from './evm-shop.ts';
import { actAsOwners, deploySafe, ownerKeys } from './safe-contracts.ts';

const PAYER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const COLD = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const [first, second, third, stranger] = ownerKeys(4) as [K, K, K, K];
type K = PrivateKeyAccount;

let shop: EvmShop;
let safe: Hex;

before(async () => {
  shop = await openEvmShop({
    async prepare(node) {
      safe = await deploySafe(node, '1.4.1', [first, second, third], 2);
      await node.send({ to: safe, value: unitsOf('1', ETH) });
      await node.call(contractOf(USDC), 'transfer', [safe, unitsOf('50', USDC)]);
      await node.mine(3);
      return { ETHEREUM_SAFE: getAddress(safe), ETHEREUM_COLLECT_TO: getAddress(safe) };
    },
  });
  const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
  await shop.server.command('allow-list', 'add', ...here);
});
after(() => shop?.close());

/** Of a checkout that was paid with 30. */
async function refund(amount: string, assetId: string): Promise<string> {
  const committed = await shop.open('30', assetId);
  await shop.pay(committed, '30', assetId);
  await shop.include();
  await shop.finish();
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  const { checkoutId } = committed;
  await shop.client.post('/refund', { checkoutId, kind: 'amount', amount, address: PAYER });
  let id = '';
  await waitUntil('the refund to wait', async () => {
    const rows = await shop.server.db.query<{ id: string }>(sql`
      select id from transfer where state = 'TO_SEND' order by committed_at desc, id desc limit 1`);
    id = rows[0]?.id ?? '';
    return id !== '' && !seen.has(id);
  });
  seen.add(id);
  return id;
}
const seen = new Set<string>();

type Draft = {
  readonly from: string;
  readonly sequence: string;
  readonly json: Parameters<typeof hashTypedData>[0];
  readonly signers: { readonly digest: Hex; readonly needed: number };
};

async function draft(id: string): Promise<Draft> {
  const { json, stderr } = await shop.server.command('send', 'draft', id, '--json');
  assert('draft' in json, stderr);
  return (json as unknown as { draft: Draft }).draft;
}

const sign = (owner: K, { json }: Draft) =>
  owner.signTypedData(json as Parameters<K['signTypedData']>[0]);

type Entered = {
  readonly transaction: string | null;
  readonly signatures: { readonly signedBy: readonly string[] } | null;
  readonly execution: { readonly call: Record<string, string>; readonly against: string | null };
};

/** `send signed`, with this in the file. */
async function enter(id: string, text: string) {
  const file = join(await mkdtemp(join(tmpdir(), 'safe-')), 'signature');
  await writeFile(file, text);
  const { json, stderr, exitCode } = await shop.server.command(
    'send',
    'signed',
    id,
    file,
    '--json',
  );
  return { entered: json as unknown as Entered, stderr, exitCode };
}

/** Signed by two owners and sent by somebody who has nothing to do with us. Gives its hash. */
async function carryOut(call: Record<string, string>): Promise<string> {
  const hash = await shop.node.send({ to: call.to ?? '', data: call.data ?? '' });
  await shop.include();
  const receipt = (await shop.node.rpc('eth_getTransactionReceipt', hash)) as Record<string, Hex>;
  assert.equal(receipt.status, '0x1');
  return hash;
}

async function signAll(id: string): Promise<Entered> {
  const drafted = await draft(id);
  const both = [await sign(first, drafted), await sign(third, drafted)].join('\n');
  const { entered, stderr } = await enter(id, both);
  assert.equal(entered.transaction, drafted.signers.digest, stderr);
  return entered;
}

async function waitForEnd(id: string, hash: string): Promise<void> {
  await shop.finish();
  await waitUntil('the refund to complete', async () => {
    const [row] = await shop.server.db.query<{ state: string; transaction: string }>(sql`
      select state, transaction from transfer where id = ${id}`);
    return row?.state === 'COMPLETED' && row.transaction === hash;
  });
}

/** Our draft is dead by what the chain shows, and another one may be made. */
async function waitUntilOver(id: string): Promise<void> {
  await shop.finish();
  await shop.waitForTip();
  const again = await draft(id);
  const [row] = await shop.server.db.query<{ over: boolean }>(sql`
    select over_at is not null as over from attempt
    where transfer_ids @> array[${id}] and signed_at is not null order by id limit 1`);
  assert.equal(row?.over, true);
  assert(again.signers.digest !== undefined);
}

async function nonceOf(): Promise<bigint> {
  const nonce = await shop.node.rpc('eth_call', { to: safe, data: '0xaffed0e0' }, 'latest');
  return BigInt(String(nonce));
}

function tokens(to: string, units: bigint): Hex {
  const call = { abi: ABI as Abi, functionName: 'transfer', args: [to, units] };
  return encodeFunctionData(call);
}

test('what the Safe held before is told once, and is the house’s by its word', async () => {
  type Listed = { readonly suspense: readonly { readonly id: string }[] };
  await shop.include();
  await shop.finish();
  let found: Listed['suspense'] = [];
  await waitUntil('both in suspense', async () => {
    const { json } = await shop.server.command('suspense', 'list', '--json');
    found = (json as unknown as Listed).suspense;
    return found.length === 2;
  });
  for (const { id } of found) {
    const { exitCode, stderr } = await shop.server.command(
      ...['suspense', 'write-off', id, '--reason', 'ours before'],
    );
    assert.equal(exitCode, 0, stderr);
  }
  await shop.checkBooks();
});

test('two of three sign a refund, and whoever sends it, it is booked', async () => {
  const id = await refund('0.5', ETH);
  const drafted = await draft(id);
  assert.deepEqual([drafted.from, drafted.sequence], [safe, '0']);
  assert.equal(hashTypedData(drafted.json), drafted.signers.digest);
  const same = await draft(id);
  assert.equal(same.signers.digest, drafted.signers.digest, 'drafted again it is the same');
  const one = await sign(first, drafted);
  for (const [text, sentence] of [
    [await sign(stranger, drafted), /who is no owner of the Safe/],
    [`${one}\n${one}`, /has signed it already/],
    ['0x1234', /0x and 130 digits each/],
  ] as const) {
    const { exitCode, stderr } = await enter(id, text);
    assert.equal(exitCode, 1);
    assert.match(stderr, sentence);
  }
  const { entered } = await enter(id, one);
  assert.deepEqual(
    [entered.transaction, entered.signatures?.signedBy],
    [null, [first.address.toLowerCase()]],
  );
  assert.match((await enter(id, one)).stderr, /has signed it already/);
  const spoken = await second.signMessage({ message: { raw: drafted.signers.digest } });
  const whole = (await enter(id, spoken)).entered;
  assert.equal(whole.transaction, drafted.signers.digest);
  assert.equal(whole.execution.against, null);
  const refused = await shop.server.command('send', 'cancel', id, '--not-sent', '--reason', 'no');
  assert.match(refused.stderr, /can still land/);
  assert.match((await shop.server.command('send', 'draft', id)).stderr, /owners have signed it/);
  const hash = await carryOut(whole.execution.call);
  await waitForEnd(id, hash);
  await shop.checkBooks();
});

test('tokens are paid by the Safe, and two drafts have a nonce each', async () => {
  const [one, other] = [await refund('10', USDC), await refund('0.1', ETH)];
  const [signed, next] = [await signAll(one), await signAll(other)];
  assert.match(next.execution.against ?? '', /carries out nonce 1 first; this one has 2/);
  const hash = await carryOut(signed.execution.call);
  const last = await carryOut(next.execution.call);
  await waitForEnd(one, hash);
  await waitForEnd(other, last);
  await shop.checkBooks();
});

test('what the owners do with the same nonce ends a draft; so does what fails', async () => {
  const id = await refund('0.2', ETH);
  await signAll(id);
  const away = { to: COLD, value: unitsOf('0.05', ETH), nonce: await nonceOf() };
  await actAsOwners(shop.node, safe, [second, third], away);
  await shop.include();
  await waitUntilOver(id);
  await signAll(id);
  const tooMuch = { to: contractOf(USDC), data: tokens(COLD, unitsOf('9999', USDC)) };
  const failing = { ...tooMuch, nonce: await nonceOf(), safeTxGas: 60_000n };
  await actAsOwners(shop.node, safe, [first, third], failing);
  await shop.include();
  await shop.finish();
  await shop.waitForTip();
  const { execution } = await signAll(id);
  const hash = await carryOut(execution.call);
  await waitForEnd(id, hash);
  const { json } = await shop.server.command('custody', 'list', '--json');
  const { departures } = json as unknown as {
    departures: readonly { parts: readonly { id: string; amount: string }[] }[];
  };
  const parts = departures.flatMap((one) => one.parts);
  assert.deepEqual(
    parts.map(({ amount }) => amount),
    ['0.05 ETH'],
  );
  await shop.server.command(
    ...['custody', 'explain', parts[0]?.id ?? '', '--as', 'outside', '--reason', 'cold'],
  );
  await shop.checkBooks();
});

test('what is signed is given up by a payment of nothing with its nonce', async () => {
  const id = await refund('0.1', ETH);
  await signAll(id);
  const { json, stderr } = await shop.server.command(
    ...['send', 'cancel', id, '--reason', 'wrong receiver', '--json'],
  );
  assert('draft' in json, stderr);
  const { draft: drafted } = json as unknown as { draft: Draft };
  const both = [await sign(second, drafted), await sign(third, drafted)].join('\n');
  const { entered } = await enter(id, both);
  assert.equal(entered.transaction, drafted.signers.digest);
  await carryOut(entered.execution.call);
  await shop.finish();
  await waitUntil('the money to go back', async () => {
    const rows = await shop.server.db.query(sql`
      select id from transfer where id = ${id} and state = 'FAILED'`);
    return rows.length === 1;
  });
  await shop.checkBooks();
  type Doctor = { chains: { chain: string; holdings: { held: string; custody: string }[] }[] };
  const looked = await shop.server.command('doctor', '--holdings', '--json');
  const { chains } = looked.json as unknown as Doctor;
  const holdings = chains.find(({ chain }) => chain === 'live:ETHEREUM')?.holdings ?? [];
  assert(holdings.length > 0);
  for (const { held, custody } of holdings) assert.equal(held, custody);
});
