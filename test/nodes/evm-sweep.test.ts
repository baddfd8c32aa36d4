// Deposit addresses that are swept on a real EVM node: the signer has their keys and that of the
// account that pays for gas; what is collected goes to an address that nobody here watches.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { privateKeyToAccount } from 'viem/accounts';
import { sql } from '#db/db.ts';
import { balanceCall } from '#networks/evm/evm-tokens.ts';
import { byLength } from '#test/support/run-length.ts';
import { waitUntil } from '#test/support/shop.ts';
import { createSignerProcess, type SignerProcess } from '#test/support/signer-process.ts';
import { contractOf, ETH, type EvmShop, openEvmShop, USDC, unitsOf } from './evm-shop.ts';

const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'");
const gasSecret = randomBytes(32).toString('hex');
const GAS_ACCOUNT = privateKeyToAccount(`0x${gasSecret}`).address;
const COLD = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

const capOf = (asset: string, more: string) => `
[[cap]]
environment = "live"
asset = "${asset}"
per_transaction = "1000"
per_day = "10000"
${more}
`;
const RULES = `only_listed_receivers = true
signatures_per_minute = 10000
${capOf(ETH, 'fee_per_transaction = "0.1"')}${capOf(USDC, '')}
[[collect_to]]
environment = "live"
network = "ETHEREUM"
address = "${COLD}"
`;

let shop: EvmShop;
let signer: SignerProcess;

before(async () => {
  const chain = { environment: 'live', network: 'ETHEREUM', chain: 'dev' } as const;
  signer = createSignerProcess([
    { name: 'hot', ...chain, secret: account.privateExtendedKey },
    { name: 'gas', ...chain, secret: gasSecret },
  ]);
  await signer.start(RULES);
  shop = await openEvmShop({
    settings: {
      ETHEREUM_XPUB: account.publicExtendedKey,
      ETHEREUM_COLLECT_TO: COLD,
      ETHEREUM_GAS_ACCOUNT: GAS_ACCOUNT,
      ETHEREUM_SWEEP_ABOVE: '20 USDC, 0.2 ETH',
      SIGNER_SOCKET: signer.socket,
      SIGNER_NETWORKS: 'ETHEREUM',
    },
  });
});
after(async () => {
  await shop?.close();
  await signer?.close();
});

async function paid(amount: string, assetId: string): Promise<string> {
  const committed = await shop.open(amount, assetId);
  await shop.pay(committed, amount, assetId);
  await shop.include();
  await shop.finish();
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  return committed.depositInstructions.address.toLowerCase();
}

async function heldAt(address: string, assetId: string): Promise<bigint> {
  const held =
    assetId === ETH
      ? await shop.node.rpc('eth_getBalance', address, 'latest')
      : await shop.node.rpc('eth_call', balanceCall(contractOf(assetId), address), 'latest');
  return BigInt(String(held));
}

type Sweep = {
  readonly moves: readonly { readonly address: string; readonly coinsFirst: string | null }[];
  readonly left: readonly { readonly address: string; readonly reason: string }[];
};

async function sweep(...args: string[]): Promise<Sweep> {
  const { json, stderr } = await shop.server.command(
    'custody',
    'sweep',
    'ETHEREUM',
    ...args,
    '--json',
  );
  assert('sweep' in json, stderr);
  return (json as unknown as { sweep: Sweep }).sweep;
}

/** Blocks come while it is waited for. */
async function waitForEnd(): Promise<void> {
  await waitUntil('every move to end', async () => {
    await shop.include();
    const open = await shop.server.db.query(sql`select id from sweep_move where ended_at is null`);
    return open.length === 0;
  });
}

const movesOf = (kind: string) =>
  shop.server.db.query<{ receiver: string; state: string; signed: number }>(sql`
    select receiver, state, cardinality(transactions) as signed from sweep_move
    where kind = ${kind} order by receiver`);

test('coins for the gas account lie in suspense, and are the house’s by its word', async () => {
  await shop.node.send({ to: GAS_ACCOUNT, value: unitsOf('1', ETH) });
  await shop.include();
  await shop.finish();
  type Listed = { readonly suspense: readonly { readonly id: string }[] };
  let id = '';
  await waitUntil('the coins in suspense', async () => {
    const { json } = await shop.server.command('suspense', 'list', '--json');
    id = String((json as unknown as Listed).suspense[0]?.id ?? '');
    return id !== '';
  });
  const kept = await shop.server.command('suspense', 'write-off', id, '--reason', 'gas of ours');
  assert.equal(kept.exitCode, 0, kept.stderr);
  await shop.checkBooks();
});

test('tokens and coins are collected, gas is given first, and dust stays where it is', async () => {
  const [one, two] = [await paid('30', USDC), await paid('40', USDC)];
  const coins = await paid('0.5', ETH);
  const dust = await paid('0.00005', ETH);
  await shop.node.rpc('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00');
  await shop.include();
  const { moves, left } = await sweep();
  assert.deepEqual(
    new Map(moves.map(({ address, coinsFirst }) => [address, coinsFirst === null])),
    new Map([
      [one, false],
      [two, false],
      [coins, true],
    ]),
  );
  assert.deepEqual(
    left.map(({ address, reason }) => [address, /costs more than it is worth/.test(reason)]),
    [[dust, true]],
  );
  await waitForEnd();
  assert.equal(await heldAt(COLD, USDC), unitsOf('70', USDC));
  const collected = await heldAt(COLD, ETH);
  assert(collected < unitsOf('0.5', ETH) && collected > unitsOf('0.49', ETH));
  assert.deepEqual(
    (await movesOf('TOP_UP')).map(({ receiver, state }) => [receiver, state]),
    [one, two].sort().map((address) => [address, 'MOVED']),
  );
  const { json } = await shop.server.command('custody', 'list', '--json');
  assert.deepEqual(json.departures, []);
  // Coins for gas were nobody's payment.
  const strangers = await shop.server.db.query(sql`
    select id from receipt where destination = any(${[one, two]}::text[]) and asset_id = ${ETH}`);
  assert.deepEqual(strangers, []);
  await shop.checkBooks();
});

test('whoever is killed whenever, each address is emptied once, without being asked', async () => {
  const before = await heldAt(COLD, USDC);
  const addresses = [await paid('25', USDC), await paid('25', USDC), await paid('25', USDC)];
  const small = await paid('19', USDC);
  for (const pauseMs of byLength({ short: [600], long: [2_000, 600, 1_500] })) {
    await shop.server.kill9();
    await shop.server.start();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await signer.kill9();
    await signer.start(RULES);
    await shop.include();
  }
  await waitUntil('the three to be collected', async () => {
    await shop.include();
    return (await heldAt(COLD, USDC)) - before === unitsOf('75', USDC);
  });
  await waitForEnd();
  const topUps = await movesOf('TOP_UP');
  for (const address of addresses) {
    assert.equal(topUps.filter(({ receiver }) => receiver === address).length, 1);
  }
  assert.equal(await heldAt(small, USDC), unitsOf('19', USDC));
  assert.deepEqual(
    [...topUps, ...(await movesOf('SWEEP'))].filter(
      ({ signed, state }) => signed > 1 || state !== 'MOVED',
    ),
    [],
  );
  await shop.checkBooks();
});
