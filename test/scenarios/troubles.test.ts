// A service whose node, mail server, receiver and database are away again and again: what its log
// says of that, how often, and what it never says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { findFreePort } from '#test/support/free-port.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

const DESCRIPTOR =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const WORDS = {
  node: 'canary-of-the-node',
  mail: 'canary-of-the-mail',
  hook: 'canary-of-the-hook',
};
const FAILURES = 4;

type Line = Readonly<Record<string, unknown>>;

let server: ServerProcess;
let shop: Shop;

before(async () => {
  const away = await findFreePort();
  server = await openServerProcess({
    settings: {
      LITECOIN_RPC_URL: `http://node:${WORDS.node}@127.0.0.1:${away}`,
      LITECOIN_DESCRIPTOR: DESCRIPTOR,
      SMTP_URL: `smtp://shop:${WORDS.mail}@127.0.0.1:${away}`,
      MAIL_FROM: 'The Shop <pay@shop.test>',
      PRICE_SOURCES: 'off',
    },
  });
  await server.start();
  shop = await openShop(server, 'test');
});
after(async () => {
  await shop?.close();
  await server?.close();
});

const lines = () =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

/** Of the loop that follows the node. */
const outages = () =>
  lines().filter(
    ({ message, loop }) =>
      message === 'loop step met an outage' && /^watch .*live:LITECOIN/.test(String(loop)),
  );

async function failuresOfNode(): Promise<number> {
  const { body } = await server.health();
  const chain = body.chains.find((one) => one.chain === 'live:LITECOIN');
  return chain?.error === null ? 0 : outages().length;
}

/** Every connection of the service is cut, as by a database that starts again. */
async function cutDatabase(): Promise<void> {
  await server.db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
}

test('a trouble that repeats is said once, and at the end how often it was there', async () => {
  shop.behave((response) => void response.writeHead(500).end(WORDS.hook));
  const id = await shop.create({ currency: 'EUR', amount: '19.90' });
  await shop.client.post('/checkout/cancel', { checkoutId: id });
  await server.command('mail', 'test', 'ann@customers.test', '--by', 'ann');
  for (let times = 0; times < FAILURES; times += 1) {
    await cutDatabase();
    await waitUntil('it to be ready again', async () => (await fetch(`${server.origin}/ready`)).ok);
  }
  await waitUntil('the node to be known as away', async () => (await failuresOfNode()) > 0);
  await waitUntil('some more looks', async () => {
    const told = await fetch(`${server.origin}/health`);
    const { failing } = (await told.json()) as { failing: string[] };
    return failing.some((name) => name.includes('live:LITECOIN'));
  });
  assert.equal(outages().length, 1, 'three and more looks, and one line');
  assert.equal(await server.stop(), 0);
  const [first, sum] = outages();
  assert.equal(outages().length, 2);
  assert.equal(first?.times, undefined);
  assert.ok(Number(sum?.times) >= 2, JSON.stringify(sum));
  assert.match(String(sum?.since), /^\d{4}-\d\d-\d\dT/);

  const lost = lines().filter(({ message }) => message === 'database connection lost');
  const unsummed = lost.filter(({ times }) => times === undefined);
  const told = new Set(unsummed.map((line) => JSON.stringify({ ...line, at: '' })));
  assert.equal(unsummed.length, told.size, 'each is said once');
  const count = lost.reduce((sum, { times }) => sum + Number(times ?? 1), 0);
  assert.ok(count >= FAILURES, `${count} are known`);
});

test('no word that opens anything is in the log of such a day', () => {
  const output = server.output();
  const secrets = [WORDS.node, WORDS.mail, WORDS.hook, shop.key.secret, DESCRIPTOR];
  for (const word of secrets) assert.ok(!output.includes(word), word);
});
