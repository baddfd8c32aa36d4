// Each part of the service in a process of its own over one database, on a real Litecoin Core: serve,
// watch (twice, of which one leads), settle, deliver and sign. A watcher is killed and one is frozen.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { sql } from '#db/db.ts';
import { descriptorChecksum } from '#networks/utxo/parse-address-source.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitForOffer, waitUntil } from '#test/support/shop.ts';
import { createSignerProcess, type SignerProcess } from '#test/support/signer-process.ts';
import { type LitecoinNode, startLitecoinNode } from './litecoin-node.ts';
import { settingsFor } from './litecoin-shop.ts';

const VERSIONS = { public: 0x043587cf, private: 0x04358394 };
const account = HDKey.fromMasterSeed(randomBytes(32), VERSIONS).derive("m/84'/1'/0'");
const RULES = `[[cap]]
environment = "live"
asset = "LTC:NATIVE"
per_transaction = "1"
per_day = "10"
fee_per_transaction = "0.01"
`;
const LEASE = 'watch live:LITECOIN';

let node: LitecoinNode;
let signer: SignerProcess;
let serve: ServerProcess;
let shop: Shop;
let watchers: readonly ServerProcess[];
const processes: ServerProcess[] = [];

before(async () => {
  const secret = account.privateExtendedKey;
  signer = createSignerProcess([
    { name: 'hot', environment: 'live', network: 'LITECOIN', chain: 'regtest', secret },
  ]);
  await signer.start(RULES);
  node = await startLitecoinNode();
  const text = `wpkh(${account.publicExtendedKey}/0/*)`;
  const shared = {
    ...settingsFor(node, `${text}#${descriptorChecksum(text)}`),
    LITECOIN_FEE_RATE: '2',
    SIGNER_SOCKET: signer.socket,
    SIGNER_NETWORKS: 'LITECOIN',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    SANDBOX: 'off',
  };
  serve = await openServerProcess({ settings: { ...shared, ROLES: 'serve' } });
  processes.push(serve);
  await serve.start();
  const open = async (role: string) => {
    const settings = { ...shared, ROLES: role };
    const place = { DATABASE_URL: serve.databaseUrl, KEY_FILE: serve.keyFile };
    const one = await openServerProcess({ isEmbedded: true, settings: { ...settings, ...place } });
    processes.push(one);
    await one.start();
    return one;
  };
  const [first, second] = await Promise.all(['watch', 'watch', 'settle', 'deliver'].map(open));
  assert.ok(first !== undefined && second !== undefined);
  watchers = [first, second];
  shop = await openShop(serve, 'live');
  await waitForOffer(shop.client);
  const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
  await serve.command('allow-list', 'add', ...here);
});
after(async () => {
  await shop?.close();
  for (const one of processes) one.wake();
  await Promise.all(processes.map((one) => one.close()));
  await signer?.close();
  await node?.stop();
});

type Led = { readonly pid: number; readonly epoch: bigint };

/** The number of the process stands second in its name. */
async function findLeader(): Promise<Led> {
  const [row] = await serve.db.query<{ pid: string; epoch: bigint }>(sql`
    select split_part(holder, ' ', 2) as pid, epoch from lease where name = ${LEASE}`);
  assert.ok(row !== undefined, 'a chain that is watched has a leader');
  return { pid: Number(row.pid), epoch: row.epoch };
}

async function leaderAndOther(): Promise<readonly [leader: ServerProcess, other: ServerProcess]> {
  const { pid } = await findLeader();
  const leader = watchers.find((one) => one.pid() === pid);
  const other = watchers.find((one) => one !== leader);
  assert.ok(leader !== undefined && other !== undefined, `${pid} is one of the watchers`);
  return [leader, other];
}

async function payOne(amount: string): Promise<string> {
  const { checkoutId, depositInstructions } = await shop.open(
    { currency: 'LTC', amount },
    'LITECOIN',
  );
  await node.send(depositInstructions.address, amount);
  await node.mine(2);
  await shop.waitForEvent(checkoutId, 'CHECKOUT_COMPLETED');
  return checkoutId;
}

test('a payment goes from checkout to webhook, and a refund by the signer, through six processes', async () => {
  const asked = await shop.open({ currency: 'LTC', amount: '0.5' }, 'LITECOIN');
  const { checkoutId } = asked;
  await node.send(asked.depositInstructions.address, '0.5');
  await shop.waitForEvent(checkoutId, 'CHECKOUT_PENDING');
  await node.mine(2);
  await shop.waitForEvent(checkoutId, 'CHECKOUT_COMPLETED');
  const told = ['CHECKOUT_PENDING', 'CHECKOUT_COMPLETED'];
  assert.deepEqual(await shop.typesOf(checkoutId), told);
  const address = await node.newAddress();
  await shop.client.post('/refund', { checkoutId, kind: 'amount', amount: '0.2', address });
  await waitUntil('the refund to complete', async () => {
    await node.mine(1);
    const { refunds } = await shop.client.get<{ refunds: readonly { state: string }[] }>(
      '/refunds',
    );
    return refunds.some(({ state }) => state === 'COMPLETED');
  });
  assert.equal(String(await node.rpc('getreceivedbyaddress', address)), '0.2');
  // Each did its part alone: the other ones do not even have the loops.
  for (const one of processes) assert.deepEqual(one.errors(), [], one.said());
});

test('a watcher that is killed is followed by the other one, which finds what came meanwhile', async (t) => {
  const [leader] = await leaderAndOther();
  const { epoch } = await findLeader();
  await leader.kill9();
  const startedMs = performance.now();
  await waitUntil('another leader', async () => (await findLeader()).epoch !== epoch);
  t.diagnostic(`${Math.round(performance.now() - startedMs)} ms without a leader after SIGKILL`);
  assert.equal((await findLeader()).epoch, epoch + 1n);
  await payOne('0.3');
  await leader.start();
});

test('a watcher that is frozen is followed too, and leads no more when it is woken', async (t) => {
  const [leader, other] = await leaderAndOther();
  const { epoch } = await findLeader();
  leader.freeze();
  const startedMs = performance.now();
  await waitUntil('another leader', async () => (await findLeader()).epoch !== epoch);
  t.diagnostic(`${Math.round(performance.now() - startedMs)} ms without a leader after SIGSTOP`);
  assert.deepEqual(await findLeader(), { pid: other.pid(), epoch: epoch + 1n });
  await payOne('0.25');
  leader.wake();
  await waitUntil('it to know', () => leader.output().includes('another process leads now'));
  await payOne('0.15');
  assert.deepEqual(await findLeader(), { pid: other.pid(), epoch: epoch + 1n });
  await shop.checkBooks();
});
