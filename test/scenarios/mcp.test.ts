// npx quittance mcp: lines of JSON-RPC in, lines out, over a real installation. The same with the
// protocol's own client: npm run test:shims -- mcp.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { openRemoteTerminal, type RemoteTerminal } from '#test/support/remote-terminal.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

let server: ServerProcess;
let shop: Shop;
let terminal: RemoteTerminal;

before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  shop = await openShop(server, 'test');
  terminal = openRemoteTerminal({
    QUITTANCE_URL: server.origin,
    QUITTANCE_KEY: shop.key.key,
    QUITTANCE_SECRET: shop.key.secret,
  });
});
after(async () => {
  terminal?.close();
  await shop?.close();
  await server?.close();
});

type Answer = {
  readonly id: number | null;
  readonly result?: {
    readonly protocolVersion?: string;
    readonly tools?: readonly {
      readonly name: string;
      readonly annotations: { readonly readOnlyHint: boolean };
    }[];
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number; readonly message: string };
};

/** Each line is asked at once; gives what was answered, by its id. */
async function speak(words: readonly string[], lines: readonly string[]) {
  terminal.feed(...lines);
  const { exitCode, stdout, stderr } = await terminal.run('mcp', ...words);
  assert.equal(exitCode, 0, stderr);
  const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
  return new Map(answers.map((line) => JSON.parse(line) as Answer).map((one) => [one.id, one]));
}

const ask = (id: number, method: string, params?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const call = (id: number, name: string, given: unknown = {}) =>
  ask(id, 'tools/call', { name, arguments: given });
const textOf = (answer: Answer | undefined) => answer?.result?.content?.[0]?.text ?? '';

const WRITING = [
  'create_checkout',
  'pay_test_checkout',
  'mine_test_blocks',
  'expire_test_checkout',
];

test('without --allow-write a program reads, and nothing is made or changed', async () => {
  const checkoutId = await shop.create({ currency: 'EUR', amount: '23' });
  // The log of requests is written behind them.
  await waitUntil('the log to have it', async () => (await counted())[0]?.writes === 1n);
  const [before] = await counted();
  const answers = await speak(
    [],
    [
      ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} }),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      ask(2, 'tools/list'),
      call(3, 'get_checkout', { id: checkoutId }),
      call(4, 'list_checkouts', { limit: 5 }),
      call(5, 'list_events'),
      call(6, 'list_requests', { status: '2xx' }),
      call(7, 'list_payment_methods'),
      call(8, 'search_manual', { words: 'verify webhook signature' }),
      ...WRITING.map((name, at) =>
        call(20 + at, name, { checkoutId, amount: '1', currency: 'EUR' }),
      ),
    ],
  );
  assert.equal(answers.get(1)?.result?.protocolVersion, '2025-06-18');
  const tools = answers.get(2)?.result?.tools ?? [];
  assert.ok(tools.length > 5 && tools.every(({ annotations }) => annotations.readOnlyHint));
  assert.ok(tools.every(({ name }) => !WRITING.includes(name)));
  assert.equal(JSON.parse(textOf(answers.get(3))).checkout.id, checkoutId);
  assert.match(textOf(answers.get(4)), new RegExp(checkoutId));
  for (const id of [5, 6, 7]) assert.ok(JSON.parse(textOf(answers.get(id))), String(id));
  assert.match(textOf(answers.get(8)), /webhook-signature/);
  for (const at of WRITING.keys()) {
    assert.match(answers.get(20 + at)?.error?.message ?? '', /there is no tool/);
  }
  const [afterwards] = await counted();
  assert.deepEqual(afterwards, before);
});

/** What the account has, and how many requests that write were made. */
function counted() {
  return server.db.query<{ readonly writes: bigint }>(sql`
    select (select count(*) from checkout) as checkouts, (select count(*) from event) as events,
      (select count(*) from commitment) as commitments,
      (select count(*) from api_request where method <> 'GET') as writes`);
}

test('with --allow-write it makes a checkout and pays it with simulated money', async () => {
  const made = await speak(
    ['--allow-write'],
    [call(1, 'create_checkout', { amount: '23', currency: 'EUR', description: 'A book' })],
  );
  const { id } = JSON.parse(textOf(made.get(1))) as { id: string };
  await speak(
    ['--allow-write'],
    [call(1, 'pay_test_checkout', { checkoutId: id, network: 'LIGHTNING' })],
  );
  await shop.client.waitForState(id, 'COMPLETED');
  const events = await speak([], [call(1, 'list_events', { type: 'CHECKOUT_COMPLETED' })]);
  assert.match(textOf(events.get(1)), new RegExp(id));
});

test('what is no request of the protocol is answered as the standard says, and ends nothing', async () => {
  const answers = await speak(
    [],
    [
      'no JSON',
      '[]',
      '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}',
      ask(1, 'resources/list'),
      call(2, 'get_checkout', { id: 'nothing00000' }),
      call(3, 'get_checkout', {}),
      call(4, 'get_checkout', { id: 'nothing00000', constructor: 1 }),
      call(5, 'get_checkout', 'a text'),
      ask(6, 'tools/call', { name: { a: 1 } }),
      ask(7, 'ping'),
    ],
  );
  assert.equal(answers.get(1)?.error?.code, -32_601);
  assert.match(textOf(answers.get(2)), /no checkout|not found|There is/i);
  assert.deepEqual(
    [2, 3, 4, 5].map((id) => answers.get(id)?.result?.isError),
    [true, true, true, true],
  );
  assert.match(textOf(answers.get(3)), /missing: id/);
  assert.match(textOf(answers.get(4)), /not known: constructor/);
  assert.equal(answers.get(6)?.error?.code, -32_602);
  assert.deepEqual(answers.get(7)?.result, {});
  assert.equal(answers.get(null)?.error !== undefined, true);
});

test('the secret of the key is in no answer, and a live key is refused unless it is allowed', async () => {
  const answers = await speak([], [call(1, 'list_requests', { limit: 20 }), ask(2, 'tools/list')]);
  assert.ok(!JSON.stringify([...answers]).includes(shop.key.secret));
  const made = await server.command('key', 'create', '--environment', 'live', '--json');
  const { key, secret } = made.json as { key: string; secret: string };
  const live = openRemoteTerminal({
    ...{ QUITTANCE_URL: server.origin, QUITTANCE_KEY: key, QUITTANCE_SECRET: secret },
  });
  try {
    assert.match((await live.run('mcp')).stderr, /this is a live key/);
    live.feed(ask(1, 'ping'));
    assert.equal((await live.run('mcp', '--allow-live')).exitCode, 0);
  } finally {
    live.close();
  }
});
