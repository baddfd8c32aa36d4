// What owners of a Safe have signed, carried out by the signer on a real EVM node: our server holds
// no key, the signer that of an account that pays the gas, and two of three owners sign.
// In a long run alone: evm-safe.test.ts tells of the Safe, evm-sent-by-signer.test.ts of the signer.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { getAddress, type Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { sql } from '#db/db.ts';
import { waitUntil } from '#test/support/shop.ts';
import { createSignerProcess, type SignerProcess } from '#test/support/signer-process.ts';
import { contractOf, ETH, type EvmShop, openEvmShop, USDC, unitsOf } from './evm-shop.ts';
import { deploySafe, ownerKeys, type SafeVersion } from './safe-contracts.ts';

const PAYER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const [first, second, third] = ownerKeys(3) as [K, K, K];
type K = PrivateKeyAccount;
const gasSecret = randomBytes(32).toString('hex');
const GAS_ACCOUNT = privateKeyToAccount(`0x${gasSecret}`).address;

const capOf = (asset: string, most: string, more = '') => `
[[cap]]
environment = "live"
asset = "${asset}"
per_transaction = "${most}"
per_day = "10000"
${more}
`;
const rulesOf = (safe: string, mostUsdc = '1000') => `
signatures_per_minute = 10000
${capOf(ETH, '100', 'fee_per_transaction = "0.1"')}${capOf(USDC, mostUsdc)}
[[safe]]
environment = "live"
network = "ETHEREUM"
address = "${safe}"
gas_account = "${GAS_ACCOUNT}"
owners = ["${first.address}", "${second.address}", "${third.address}"]
threshold = 2
`;

type World = { readonly shop: EvmShop; readonly signer: SignerProcess; readonly safe: Hex };

async function openWorld(version: SafeVersion): Promise<World> {
  const chain = { environment: 'live', network: 'ETHEREUM', chain: 'dev' } as const;
  const signer = createSignerProcess([{ name: 'gas', ...chain, secret: gasSecret }]);
  let safe: Hex = '0x';
  const shop = await openEvmShop({
    async prepare(node) {
      safe = await deploySafe(node, version, [first, second, third], 2);
      await signer.start(rulesOf(safe));
      await node.send({ to: safe, value: unitsOf('1', ETH) });
      await node.call(contractOf(USDC), 'transfer', [safe, unitsOf('200', USDC)]);
      await node.mine(3);
      return {
        ETHEREUM_SAFE: getAddress(safe),
        ETHEREUM_COLLECT_TO: getAddress(safe),
        ETHEREUM_GAS_ACCOUNT: GAS_ACCOUNT,
        SIGNER_SOCKET: signer.socket,
        SIGNER_NETWORKS: 'ETHEREUM',
      };
    },
  });
  const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
  await shop.server.command('allow-list', 'add', ...here);
  const world = { shop, signer, safe };
  await takeIn(world);
  return world;
}

/** What the Safe held before, and coins for gas, are the house’s by its word. */
async function takeIn({ shop }: World): Promise<void> {
  await shop.node.send({ to: GAS_ACCOUNT, value: unitsOf('1', ETH) });
  type Listed = { readonly suspense: readonly { readonly id: string }[] };
  await shop.include();
  await shop.finish();
  let found: Listed['suspense'] = [];
  await waitUntil('all three in suspense', async () => {
    const { json } = await shop.server.command('suspense', 'list', '--json');
    found = (json as unknown as Listed).suspense;
    return found.length === 3;
  });
  for (const { id } of found) {
    const said = ['suspense', 'write-off', id, '--reason', 'ours before'];
    assert.equal((await shop.server.command(...said)).exitCode, 0);
  }
}

const seen = new Set<string>();

/** Of a checkout that was paid with 30. */
async function refund({ shop }: World, amount: string, assetId: string): Promise<string> {
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

type Draft = { readonly json: Parameters<K['signTypedData']>[0] };

/** Two owners sign what the command gives them. */
async function signAs({ shop }: World, id: string, ...command: string[]): Promise<string> {
  const { json, stderr } = await shop.server.command(...command, '--json');
  assert('draft' in json, stderr);
  const { draft } = json as unknown as { draft: Draft };
  const signed = [await first.signTypedData(draft.json), await third.signTypedData(draft.json)];
  const file = join(await mkdtemp(join(tmpdir(), 'safe-')), 'signature');
  await writeFile(file, signed.join('\n'));
  const entered = await shop.server.command('send', 'signed', id, file);
  assert.equal(entered.exitCode, 0, entered.stderr);
  return entered.stdout;
}

const sign = (world: World, id: string) => signAs(world, id, 'send', 'draft', id);

type Move = {
  readonly state: string;
  readonly transactions: readonly Hex[];
  readonly isGivenUp: boolean;
  readonly heldUp: string | null;
};

/** What was made of it by the account for gas, the oldest first. */
function movesOf({ shop }: World, id: string): Promise<Move[]> {
  return shop.server.db.query<Move>(sql`
    select m.state, m.transactions, m.is_given_up as "isGivenUp", m.held_up as "heldUp"
    from sweep_move m join attempt a on a.id = m.attempt_id
    where a.transfer_ids @> array[${id}] order by m.planned_at, m.id`);
}

async function waitForSigned(world: World, id: string, times: number): Promise<readonly Hex[]> {
  let transactions: readonly Hex[] = [];
  await waitUntil(`${times} signatures of the signer`, async () => {
    transactions = (await movesOf(world, id)).at(-1)?.transactions ?? [];
    // What is signed is stored before it is sent.
    return transactions.length === times && (await read(world, transactions.at(-1) ?? '')) !== null;
  });
  return transactions;
}

/** As the node has it, in a block or waiting; null where it has it not. */
async function read({ shop }: World, hash: string): Promise<Record<string, string>> {
  return (await shop.node.rpc('eth_getTransactionByHash', hash)) as Record<string, string>;
}

/** Blocks come while it is waited for. */
async function waitForEnd({ shop }: World, id: string, state: string): Promise<string> {
  let transaction = '';
  await waitUntil(`the refund to be ${state}`, async () => {
    await shop.include();
    const [row] = await shop.server.db.query<{ state: string; transaction: string }>(sql`
      select state, transaction from transfer where id = ${id}`);
    transaction = row?.transaction ?? '';
    return row?.state === state;
  });
  return transaction;
}

async function waitForMoves(world: World, id: string, states: readonly string[]): Promise<Move[]> {
  let moves: Move[] = [];
  await waitUntil(`moves that are ${states}`, async () => {
    await world.shop.include();
    moves = await movesOf(world, id);
    return moves.map(({ state }) => state).join() === states.join();
  });
  return moves;
}

async function heldUpOf({ shop }: World, id: string): Promise<string> {
  const { json } = await shop.server.command('send', 'list', '--json');
  type Listed = readonly { readonly id: string; readonly heldUp: string | null }[];
  const { transfers } = json as unknown as { transfers: Listed };
  return transfers.find((one) => one.id === id)?.heldUp ?? '';
}

/** Both are asked what their contract does in safe-versions.test.ts. */
const VERSIONS: readonly SafeVersion[] = ['1.3.0', '1.4.1'];

for (const version of VERSIONS) {
  describe(`a Safe ${version}`, () => {
    let world: World;
    before(async () => {
      world = await openWorld(version);
    });
    after(async () => {
      await world?.shop.close();
      await world?.signer.close();
    });

    test('what two owners have signed is sent by the signer, and booked with its gas', async () => {
      const { shop } = world;
      const [tokens, coins] = [await refund(world, '10', USDC), await refund(world, '0.1', ETH)];
      const said = await sign(world, tokens);
      assert.match(said, new RegExp(`The signer sends this from ${GAS_ACCOUNT.toLowerCase()}`));
      await sign(world, coins);
      for (const id of [tokens, coins]) {
        const hash = await waitForEnd(world, id, 'COMPLETED');
        const { from, to } = await read(world, hash);
        assert.deepEqual([from, to], [GAS_ACCOUNT.toLowerCase(), world.safe]);
        const [move] = await waitForMoves(world, id, ['MOVED']);
        assert.deepEqual([move?.transactions, move?.isGivenUp], [[hash], false]);
      }
      const { json } = await shop.server.command('custody', 'list', '--json');
      assert.deepEqual(json.departures, []);
      await shop.checkBooks();
    });

    // The rest is the same for both: it is ours, and not of the contract.
    if (version === '1.3.0') return;

    test('with a higher fee it has the same nonce, and whoever is killed, one lands', async () => {
      const { shop, signer } = world;
      const id = await refund(world, '5', USDC);
      await signer.kill9();
      await sign(world, id);
      await shop.server.kill9();
      await signer.start(rulesOf(world.safe));
      await shop.server.start();
      const [one = '0x'] = await waitForSigned(world, id, 1);
      const bump = ['send', 'bump', id, '--reason', 'it waits', '--json'];
      const said = await shop.server.command(...bump);
      assert.equal(said.exitCode, 0, said.stderr);
      const [, other = '0x'] = await waitForSigned(world, id, 2);
      const [before, now] = [await read(world, one), await read(world, other)];
      // The node lets go of the one whose place was taken.
      assert.deepEqual([before, now.from], [null, GAS_ACCOUNT.toLowerCase()]);
      assert.equal(await waitForEnd(world, id, 'COMPLETED'), other);
      await waitForMoves(world, id, ['MOVED']);
      await shop.checkBooks();
    });

    test('what is given up on its way is replaced by nothing under both nonces', async () => {
      const { shop } = world;
      const id = await refund(world, '6', USDC);
      await sign(world, id);
      const [paying = '0x'] = await waitForSigned(world, id, 1);
      const before = await read(world, paying);
      await signAs(world, id, 'send', 'cancel', id, '--reason', 'wrong receiver');
      const [, ending = '0x'] = await waitForSigned(world, id, 2);
      const instead = await read(world, ending);
      assert.deepEqual([instead.nonce, instead.to], [before.nonce, world.safe]);
      await waitForEnd(world, id, 'FAILED');
      const [move] = await waitForMoves(world, id, ['MOVED']);
      assert.equal(move?.transactions.length, 2);
      await shop.checkBooks();
    });

    test('what somebody else carried out holds up the account for gas no longer', async () => {
      const { shop } = world;
      const id = await refund(world, '7', USDC);
      await sign(world, id);
      const [ours = '0x'] = await waitForSigned(world, id, 1);
      const { input, nonce } = await read(world, ours);
      await shop.node.rpc('anvil_dropTransaction', ours);
      const theirs = await shop.node.send({ to: world.safe, data: input ?? '' });
      assert.equal(await waitForEnd(world, id, 'COMPLETED'), theirs);
      const [move] = await waitForMoves(world, id, ['GONE']);
      const last = move?.transactions.at(-1) ?? '0x';
      assert.equal((await read(world, last)).nonce, nonce);
      assert.match(move?.heldUp ?? '', /did nothing, and cost its gas/);
      await shop.checkBooks();
    });

    test('what the signer refuses waits with its reason, until its rules say otherwise', async () => {
      const { shop, signer, safe } = world;
      await signer.kill9();
      await signer.start(rulesOf(safe, '4'));
      const id = await refund(world, '8', USDC);
      await sign(world, id);
      await waitUntil('the reason', async () =>
        /above_cap|the cap is 4/.test(await heldUpOf(world, id)),
      );
      await signer.kill9();
      await signer.start(rulesOf(safe));
      await waitForEnd(world, id, 'COMPLETED');
      await shop.checkBooks();
      type Doctor = { chains: { chain: string; holdings: { held: string; custody: string }[] }[] };
      const looked = await shop.server.command('doctor', '--holdings', '--json');
      const { chains } = looked.json as unknown as Doctor;
      const holdings = chains.find(({ chain }) => chain === 'live:ETHEREUM')?.holdings ?? [];
      assert(holdings.length > 0);
      for (const { held, custody } of holdings) assert.equal(held, custody);
    });
  });
}
