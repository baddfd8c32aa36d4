// Money that the signer sends on a real EVM node: our server asks a signer process over its socket,
// and has no key itself.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { sql } from '#db/db.ts';
import { byLength } from '#test/support/run-length.ts';
import { waitUntil } from '#test/support/shop.ts';
import { createSignerProcess, type SignerProcess } from '#test/support/signer-process.ts';
import { ETH, type EvmShop, openEvmShop, unitsOf } from './evm-shop.ts';
import { passHalfAMinute } from './pass-half-a-minute.ts';

const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'");
const PAYER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const capOf = (most: string) => `signatures_per_minute = 10000
[[cap]]
environment = "live"
asset = "ETH:NATIVE"
per_transaction = "${most}"
per_day = "1000"
fee_per_transaction = "0.1"
`;

let shop: EvmShop;
let signer: SignerProcess;

before(async () => {
  const secret = account.privateExtendedKey;
  signer = createSignerProcess([
    { name: 'hot', environment: 'live', network: 'ETHEREUM', chain: 'dev', secret },
  ]);
  await signer.start(capOf('0.5'));
  shop = await openEvmShop({
    settings: {
      ETHEREUM_XPUB: account.publicExtendedKey,
      SIGNER_SOCKET: signer.socket,
      SIGNER_NETWORKS: 'ETHEREUM',
    },
  });
  const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
  await shop.server.command('allow-list', 'add', ...here);
});
after(async () => {
  await shop?.close();
  await signer?.close();
});

async function paidCheckout(amount: string): Promise<string> {
  const committed = await shop.open(amount, ETH);
  await shop.pay(committed, amount, ETH);
  await shop.include();
  await shop.finish();
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  return committed.checkoutId;
}

type Refund = { readonly checkoutId: string; readonly state: string; readonly tx: string };

/** Blocks come while it is waited for. */
async function waitForRefunds(checkoutIds: readonly string[]): Promise<void> {
  await waitUntil('the refunds to complete', async () => {
    await shop.include();
    const { refunds } = await shop.client.get<{ refunds: readonly Refund[] }>('/refunds');
    const done = refunds.filter(({ state }) => state === 'COMPLETED');
    return checkoutIds.every((id) => done.some(({ checkoutId }) => checkoutId === id));
  });
}

/** To the unit, however it was sent: what the payer of these tests has got. */
async function receivedUnits(): Promise<bigint> {
  return BigInt((await shop.node.rpc('eth_getBalance', PAYER, 'latest')) as string);
}

type Waiting = { readonly state: string; readonly heldUp: string | null };

async function heldUp(): Promise<string> {
  const { json } = await shop.server.command('send', 'list', '--json');
  const { transfers } = json as unknown as { transfers: readonly Waiting[] };
  return transfers.find(({ state }) => state === 'TO_SEND')?.heldUp ?? '';
}

function refund(checkoutId: string, amount: string) {
  return shop.client.post('/refund', { checkoutId, kind: 'amount', amount, address: PAYER });
}

test('a refund is signed by the signer, sent, seen, and booked with its gas', async () => {
  const checkoutId = await paidCheckout('0.5');
  const before = await receivedUnits();
  await refund(checkoutId, '0.2');
  await waitForRefunds([checkoutId]);
  assert.equal((await receivedUnits()) - before, unitsOf('0.2', ETH));
  await shop.checkBooks();
});

test('what the signer refuses waits with its reason, and goes when it may', async () => {
  const checkoutId = await paidCheckout('0.9');
  const before = await receivedUnits();
  await refund(checkoutId, '0.8');
  await waitUntil('the reason', async () => /the signer refuses it: .*0\.5/.test(await heldUp()));
  await signer.kill9();
  await signer.start(capOf('1'));
  await passHalfAMinute(shop.server);
  await waitForRefunds([checkoutId]);
  assert.equal((await receivedUnits()) - before, unitsOf('0.8', ETH));
  await shop.checkBooks();
});

test('whoever is killed whenever, each refund is paid once', async () => {
  const pausesMs = byLength({ short: [300, 1_500], long: [300, 1_500, 3_000, 700] });
  const checkoutIds: string[] = [];
  for (let made = 0; made < 4; made += 1) checkoutIds.push(await paidCheckout('0.1'));
  const before = await receivedUnits();
  for (const checkoutId of checkoutIds) await refund(checkoutId, '0.05');
  for (const pauseMs of pausesMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await signer.kill9();
    await signer.start(capOf('1'));
    await shop.server.kill9();
    await shop.server.start();
    await shop.include();
  }
  await waitForRefunds(checkoutIds);
  assert.equal((await receivedUnits()) - before, 4n * unitsOf('0.05', ETH));
  const live = await shop.server.db.query(sql`
    select t.id from transfer t where state = 'COMPLETED' and (select count(distinct transaction)
      from attempt where transfer_ids @> array[t.id] and signed_at is not null) <> 1`);
  assert.deepEqual(live, [], 'nothing was signed twice');
  await shop.checkBooks();
});
