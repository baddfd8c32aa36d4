// Money in another asset than asked, from the webhook to the command line: the real server in a
// process of its own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { systemRandom } from '#base/random.ts';
import { sql } from '#db/db.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const USDC = `USDC:${ISSUER}`;
let server: ServerProcess;
let shop: Shop;
before(async () => {
  server = await openServerProcess();
  await server.start();
  shop = await openShop(server, 'test');
});
after(async () => {
  await shop?.close();
  await server?.close();
});

type Paid = {
  readonly checkout: {
    readonly state: string;
    readonly hostedCheckoutUrl: string;
    readonly blockchainTransactions: readonly Readonly<Record<string, string | null>>[];
  };
};
type Listed = { readonly suspense: readonly Readonly<Record<string, string | null>>[] };

async function payWrongAsset(units = 50_000_000n): Promise<string> {
  const { checkoutId } = await shop.open(
    { currency: 'EUR', amount: '23' },
    'STELLAR',
    'XLM:NATIVE',
  );
  const [asked] = await server.db.query<{ destination: string }>(
    sql`select destination from deposit_instruction where purpose_id = ${checkoutId}`,
  );
  const app = { db: server.db, clock: systemClock, random: systemRandom };
  const outputs = [{ destination: asked?.destination ?? '', assetId: USDC, units }];
  await paySandbox(app, { chain: 'test:STELLAR', outputs });
  await shop.client.post('/sandbox/mine', { network: 'STELLAR', blocks: 2 });
  const told = await shop.waitForEvent(checkoutId, 'CHECKOUT_MISDIRECTED');
  assert.match(JSON.stringify(told.data.checkout.flags), /"reason":"WRONG_ASSET"/);
  return checkoutId;
}

test('a shop sees what came in the wrong asset, and the operator assigns it: the sale is completed', async () => {
  const checkoutId = await payWrongAsset(500_000_000n);
  const listed = await shop.client.get<Listed>('/suspense');
  const [one] = listed.suspense;
  assert.deepEqual(
    [one?.state, one?.reason, one?.amount, one?.checkoutId],
    ['OPEN', 'WRONG_ASSET', '50', checkoutId],
  );
  const id = String(one?.id);
  const bare = await server.command('suspense', 'list');
  assert.match(bare.stdout, new RegExp(`${id}  OPEN  50 USDC on test:STELLAR  WRONG_ASSET`));
  const without = await server.command('suspense', 'assign', id, '--checkout', checkoutId);
  assert.equal(without.exitCode, 2);
  assert.match(without.stderr, /--reason: say why/);
  const words = ['--reason', 'the customer wrote', '--by', 'ann', '--json'];
  const assigned = await server.command(
    'suspense',
    'assign',
    id,
    '--checkout',
    checkoutId,
    ...words,
  );
  assert.equal(assigned.exitCode, 0, assigned.stderr);
  const { acts } = JSON.parse(assigned.stdout).suspense;
  assert.deepEqual([acts.length, acts[0].by, acts[0].isPayment], [1, 'ann', true]);
  const trail = await server.command('audit', 'list', '--about', `suspense:${id}`, '--json');
  const [noted] = trail.json.acts as readonly { verb: string; actor: string; details: unknown }[];
  assert.deepEqual([noted?.verb, noted?.actor], ['suspense-assign', 'ann']);
  const told = await shop.waitForEvent(checkoutId, 'CHECKOUT_COMPLETED');
  assert.equal((told.data.checkout as { state: string }).state, 'COMPLETED');
  const paid = await shop.client.get<Paid>('/checkout', { id: checkoutId });
  const [payment] = paid.checkout.blockchainTransactions;
  assert.deepEqual(
    [paid.checkout.state, payment?.amount, payment?.amountAssetCode, payment?.exception],
    ['COMPLETED', '50', 'USDC', null],
  );
  const page = await fetch(paid.checkout.hostedCheckoutUrl);
  assert.equal(page.status, 200);
  assert.ok((await page.text()).includes(payment?.tx ?? 'a hash'));
  const [credit] = await server.db.query<{ net: bigint }>(
    sql`select net_units as net from receipt_credit where checkout_id = ${checkoutId}
      and account = 'available'`,
  );
  assert.equal(await shop.balance(USDC), credit?.net);
  assert.deepEqual((await shop.client.get<Listed>('/suspense')).suspense[0]?.state, 'ASSIGNED');
  const again = await server.command('suspense', 'write-off', id, ...words);
  assert.equal(again.exitCode, 1);
  assert.match(again.stderr, /is ASSIGNED: only what is OPEN/);
  const { flags } = await shop.client.waitFor(
    checkoutId,
    (seen) => seen.flags.manual !== undefined,
  );
  assert.ok(flags.manual);
  await shop.checkBooks();
});

test('what came in the wrong asset goes back to the customer', async () => {
  await payWrongAsset();
  const [one] = (await shop.client.get<Listed>('/suspense')).suspense;
  const words = ['--reason', 'sent by mistake', '--by', 'ann', '--json'];
  const sent = await server.command(
    'suspense',
    'return',
    String(one?.id),
    '--address',
    ISSUER,
    ...words,
  );
  assert.equal(sent.exitCode, 0, sent.stderr);
  for (let block = 0; ; block += 1) {
    const [now] = (await shop.client.get<Listed>('/suspense')).suspense;
    if (now?.state === 'RETURNED') {
      assert.ok(now.returnTx);
      break;
    }
    assert.ok(block < 200, 'it is returned within 200 blocks');
    await shop.client.post('/sandbox/mine', { network: 'STELLAR', blocks: 1 });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await shop.checkBooks();
});
