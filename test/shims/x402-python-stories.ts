// An agent with x402 of PyPI, unmodified, pays for a route of a shop behind the middleware of our library
// for Python: with the real service, its signer and an EVM node.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { USDC } from '#test/nodes/evm-shop.ts';
import { openX402Shop, type X402Shop } from '#test/nodes/x402-shop.ts';
import { packageFolder } from './package-of.ts';

type Answer = {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
  readonly settled: Readonly<Record<string, unknown>> | null;
  readonly signature: string | null;
};

const payer = generatePrivateKey();
const poor = generatePrivateKey();
let shop: X402Shop;
let server: ChildProcess | undefined;
let origin: string;
let beat: NodeJS.Timeout | undefined;

/** Not one after the other: the chain goes on while a client waits. */
function startPython(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const script = join(import.meta.dirname, 'x402_agent.py');
  return spawn(join(packageFolder(), 'bin', 'python'), [script, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function pay(url: string, key: string): Promise<Answer> {
  const client = startPython(['pay', url, key]);
  return JSON.parse(await text(client.stdout)) as Answer;
}

before(async () => {
  shop = await openX402Shop(privateKeyToAccount(payer).address);
  const started = startPython(['serve'], {
    QUITTANCE_URL: shop.server.origin,
    QUITTANCE_KEY: shop.key.key,
    QUITTANCE_SECRET: shop.key.secret,
    SHOP_ASSET: USDC,
    SHOP_WEBHOOK: `${shop.receiver.origin}/hooks/agents`,
  });
  server = started;
  const ended = once(started, 'exit').then(() => assert.fail('the shop does not start'));
  const [line] = (await Promise.race([once(started.stdout, 'data'), ended])) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { readonly port: number };
  origin = `http://127.0.0.1:${port}`;
  // A chain goes on by itself.
  beat = setInterval(() => void shop.include().catch(() => undefined), 250);
});
after(async () => {
  clearInterval(beat);
  if (server?.exitCode === null) {
    server.kill();
    await once(server, 'exit');
  }
  await shop?.close();
});

test('an agent in Python pays for a route in Python, and the sale is in the books', async () => {
  const { status, body, settled } = await pay(`${origin}/weather/monday`, payer);
  assert.equal(status, 200, JSON.stringify(body));
  const { checkoutId = '', weather } = body;
  assert.equal(weather, 'rain');
  assert.equal(settled?.success, true);
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  const [transaction] = await shop.transactionsOf(checkoutId);
  assert.equal(transaction?.tx, settled?.transaction);
  await shop.waitForEvent(checkoutId, 'CHECKOUT_COMPLETED');
});

test('what the client signed pays for its own route, again too, and for no other', async () => {
  const paid = await pay(`${origin}/weather/tuesday`, payer);
  const again = (url: string) =>
    fetch(url, { headers: { 'payment-signature': paid.signature ?? '' } });
  const same = await again(`${origin}/weather/tuesday`);
  assert.deepEqual([same.status, await same.json()], [200, paid.body]);
  const other = await again(`${origin}/weather/wednesday`);
  assert.equal(other.status, 402);
  const { error } = (await other.json()) as { readonly error: string };
  assert.equal(error, 'this was signed for another resource');
});

test('a client without the money is told so', async () => {
  const { status, body, settled } = await pay(`${origin}/weather/friday`, poor);
  assert.deepEqual([status, body.error], [402, 'insufficient_funds']);
  assert.deepEqual([settled?.success, settled?.errorReason], [false, 'insufficient_funds']);
});

test('the books agree with the chain', async () => {
  clearInterval(beat);
  await shop.finish();
  await shop.checkBooks();
});
