// npx quittance over HTTP: a developer, his key and an installation that he reaches by its address alone.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { TRIGGERS } from '#remote/trigger.ts';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { openRemoteTerminal, type RemoteTerminal } from '#test/support/remote-terminal.ts';
import { byLength } from '#test/support/run-length.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { answer, openWebhookReceiver } from '#test/support/webhook-receiver.ts';

let server: ServerProcess;
let shop: Shop;
let terminal: RemoteTerminal;

before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  shop = await openShop(server, 'test');
  const keys = {
    QUITTANCE_URL: server.origin,
    QUITTANCE_KEY: shop.key.key,
    QUITTANCE_SECRET: shop.key.secret,
  };
  terminal = openRemoteTerminal(keys, {
    'request.json':
      '{"charge":{"billingCurrency":"EUR",' +
      '"lineItems":[{"description":"Book","netAmount":19.90}]},"meta":{"order":1.50}}',
  });
});
after(async () => {
  terminal?.close();
  await shop?.close();
  await server?.close();
});

async function ok(...words: string[]) {
  const ended = await terminal.run(...words);
  assert.equal(ended.exitCode, 0, `${words.join(' ')}: ${ended.stderr}`);
  return ended;
}

test('login asks whether a key is right, and keeps it where nobody else may read', async () => {
  const own = openRemoteTerminal();
  try {
    own.type(`${server.origin}/api/v1/`, shop.key.key, 'wrong');
    const refused = await own.run('login');
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /does not know this key with this secret.*under Keys/);
    own.type(shop.key.secret);
    const kept = await own.run('login', '--url', server.origin, '--key', shop.key.key);
    assert.equal(kept.exitCode, 0, kept.stderr);
    const file = join(own.home, '.config', 'quittance', 'profiles.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    own.type(shop.key.secret);
    await own.run('login', '--url', server.origin, '--key', shop.key.key, '--profile', 'second');
    const { json, stdout } = await own.run('profiles', '--json');
    assert.deepEqual(json, {
      profiles: [
        { name: 'default', url: server.origin, key: shop.key.key, chosen: true },
        { name: 'second', url: server.origin, key: shop.key.key, chosen: false },
      ],
    });
    for (const said of [stdout, kept.stdout, kept.stderr, refused.stderr]) {
      assert.equal(said.includes(shop.key.secret), false, 'the secret is not printed');
    }
    await own.run('profiles', 'use', 'second');
    await own.run('logout');
    assert.match((await own.run('profiles')).stdout, /^\* default/);
    assert.equal((await own.run('open', 'docs')).stdout, `${server.origin}/docs`);
    assert.equal((await own.run('logout', '--profile', 'second')).exitCode, 1);
    await own.run('logout');
    assert.match((await own.run('logs')).stderr, /no installation is known: npx quittance login/);
  } finally {
    own.close();
  }
});

test('a key does not go over plain http to another machine', async () => {
  const own = openRemoteTerminal();
  try {
    const refused = await own.run('login', '--url', 'http://pay.example', '--key', shop.key.key);
    assert.match(refused.stderr, /must begin with https:\/\/ unless it is local/);
  } finally {
    own.close();
  }
});

test('a silent address and one of something else say what may be wrong', async () => {
  const own = openRemoteTerminal({ QUITTANCE_KEY: 'key', QUITTANCE_SECRET: 'secret' });
  try {
    const silent = await own.run('login', '--url', 'http://localhost:1', '--key', 'key');
    assert.match(silent.stderr, /localhost:1: does not answer \(.+\): is it running/);
    const other = await own.run('login', '--url', `${server.origin}/docs`, '--key', 'key');
    assert.match(other.stderr, /answered 404 and no JSON: is this the address/);
  } finally {
    own.close();
  }
});

test('help lists the commands of every program, and what nobody knows is told what is near', async () => {
  const { stdout } = await ok('--help');
  for (const words of [/^ {2}listen +print events/m, /^ {2}merchant +create, list/m]) {
    assert.match(stdout, words);
  }
  assert.equal(stdout.split('\n').length < 80, true, 'it fits a few screens');
  const group = (await ok('sandbox', '-h')).stdout;
  assert.deepEqual(
    [...group.matchAll(/^ {2}sandbox (\w+)/gm)].map(([, verb]) => verb),
    ['pay', 'mine', 'expire', 'advance', 'replace', 'reorg', 'freeze'],
  );
  assert.match((await ok('listen', '--help')).stdout, /^ {2}--forward URL +\S/m);
  for (const [typed, near] of [
    ['listn', 'listen'],
    ['checkout creat', 'checkout create'],
    ['merchnt list', 'merchant list'],
  ] as const) {
    const unknown = await terminal.run(...typed.split(' '));
    assert.equal(unknown.exitCode, 2);
    assert.match(unknown.stderr, new RegExp(`no such command: ${typed}; nearest are: ${near},`));
  }
});

test('a simulated payer of an installation elsewhere pays, blocks confirm it, a window ends', async () => {
  const id = await shop.create({ currency: 'EUR', amount: '23' });
  assert.match(
    (await ok('sandbox', 'pay', id, '--method', 'LITECOIN')).stdout,
    /^sent [\d.]+ on LITECOIN in \w+$/,
  );
  assert.match(
    (await ok('sandbox', 'mine', '--network', 'LITECOIN', '--blocks', '12')).stdout,
    /^LITECOIN is at block \d+$/,
  );
  await waitUntil(
    'the checkout to complete',
    async () => (await shop.client.findCheckout(id)).state === 'COMPLETED',
  );
  const late = await shop.create({ currency: 'EUR', amount: '23' });
  await shop.client.post('/checkout/commit', { checkoutId: late, network: 'LITECOIN' });
  assert.equal((await ok('sandbox', 'expire', late)).stdout, `the window of ${late} is over`);
  await waitUntil(
    'its window to end',
    async () => (await shop.client.findCheckout(late)).state === 'EXPIRED',
  );
  const many = await terminal.run('sandbox', 'pay', id, '--parts', '50');
  assert.match(many.stderr, /--parts: must be a whole number from 1 to 20/);
});

test('a checkout is made by options or by JSON, and shown', async () => {
  const options = ['--amount', '19.90', '--currency', 'EUR', '--meta', 'order=7'];
  const made = await ok('checkout', 'create', ...options, '--return-url', 'https://shop.example/');
  const [, id = ''] = /^Checkout (\w{12})$/m.exec(made.stdout) ?? [];
  const found = await shop.client.findCheckout(id);
  assert.deepEqual(found.meta, { order: '7' });
  assert.match(made.stdout, new RegExp(`page +${found.hostedCheckoutUrl}`));
  assert.equal((await ok('open', 'checkout', id)).stdout, found.hostedCheckoutUrl);
  assert.match((await ok('checkout', 'show', id)).stdout, /total +19\.90? EUR/);
  const { json } = await ok(
    'checkout',
    'create',
    '--from',
    'request.json',
    '--self-hosted',
    '--json',
  );
  assert.equal(Array.isArray(json.paymentMethods), true);
  const shown = await ok('checkout', 'show', String(json.id), '--json');
  assert.equal((shown.json.checkout as { state: string }).state, 'NEW');
  await ok('open', 'dashboard', '--browser');
  assert.deepEqual(terminal.shown, [`${server.origin}/dashboard`]);
});

test('events are heard while they happen and sent on, signed as the secret that is printed says', async () => {
  const receiver = await openWebhookReceiver(answer(200));
  const hook = `${receiver.origin}/hook`;
  const listening = terminal.start('listen', '--forward', hook, '--events', 'CHECKOUT_CANCELLED');
  await waitUntil('it to listen', () => listening.complained.length > 0);
  const [, secret = ''] = /(whsec_\S+)/.exec(listening.complained[0] ?? '') ?? [];
  const id = await shop.create({ currency: 'EUR', amount: '23' });
  await shop.client.post('/checkout/cancel', { checkoutId: id });
  await waitUntil('the event to be sent on', () => listening.said.length > 0);
  assert.match(
    listening.said[0] ?? '',
    /CHECKOUT_CANCELLED +\w{12} {2}checkout \w{12} {2}-> 200 in \d+ ms$/,
  );
  const [webhook] = receiver.received;
  assert.equal(webhook?.path, '/hook');
  const headers = webhook?.headers as Record<string, string>;
  assert.doesNotThrow(() => new Webhook(secret).verify(webhook?.body ?? '', headers));
  // Its own delivery to the shop and what is sent on here are beside each other.
  await shop.waitForEvent(id, 'CHECKOUT_CANCELLED');
  const sent = shop.webhooksOf(id)[0];
  assert.deepEqual(
    [webhook?.body, headers['x-webhook-auth']],
    [sent?.body, sent?.headers['x-webhook-auth']],
  );
  const ended = await listening.end();
  assert.equal(ended.stdout.endsWith('1 heard.'), true);

  const again = await ok('listen', '--replay', webhook?.id ?? '', '--forward', hook);
  assert.match(again.stdout, /-> 200 in/);
  assert.equal(receiver.received[1]?.body, webhook?.body);
  await receiver.close();
  const nobody = await terminal.run('listen', '--replay', webhook?.id ?? '', '--forward', hook);
  assert.deepEqual([nobody.exitCode, /ECONNREFUSED/.test(nobody.stdout)], [1, true]);
});

test('a break of the connection loses no event and doubles none', async () => {
  const own = openRemoteTerminal();
  try {
    own.type(shop.key.secret);
    await own.run('login', '--url', server.origin, '--key', shop.key.key);
    const listening = own.start('listen', '--json');
    await waitUntil('it to listen', () => listening.complained.length > 0);
    const cancel = async () => {
      const id = await shop.create({ currency: 'EUR', amount: '23' });
      await shop.client.post('/checkout/cancel', { checkoutId: id });
      return id;
    };
    const ids = [await cancel()];
    await waitUntil('the first', () => listening.said.length === 1);
    await server.kill9();
    await waitUntil('it to notice', () => /lost/.test(listening.complained.at(-1) ?? ''));
    await server.start({ PUBLIC_URL: server.origin });
    // Nothing has happened meanwhile, and it is told all the same.
    await waitUntil('it to be back', () =>
      /again; nothing/.test(listening.complained.at(-1) ?? ''),
    );
    ids.push(await cancel(), await cancel());
    await waitUntil('the rest', () => listening.said.length === 3);
    await listening.end();
    // What happened while nobody listened comes with --resume.
    ids.push(await cancel());
    const resumed = await own.run('listen', '--resume', '--json', '--most', '1');
    const heard = [...listening.said.slice(0, 3), ...resumed.stdout.split('\n').slice(0, 1)].map(
      (line) => JSON.parse(JSON.parse(line).body).data.checkout.id,
    );
    assert.deepEqual(heard, ids);
  } finally {
    own.close();
  }
});

test('the log of requests is shown, followed and looked into', async () => {
  await shop.client.call('GET', '/checkout', { query: { id: 'nothing' } });
  const following = terminal.start('logs', '--follow', '--status', '404', '--json');
  await waitUntil('the refusal', () => following.said.length > 0);
  const { id, path, errorCode } = JSON.parse(following.said[0] ?? '{}');
  assert.deepEqual([path, errorCode], ['/api/v1/checkout', 'checkout_missing']);
  await following.end();
  // What stands before the last one is no news, also when the log is read again.
  const path404 = ['--path', '/api/v1/checkout', '--status', '404'];
  await shop.client.call('GET', '/checkout', { query: { id: 'another' } });
  await waitUntil(
    'both to be in the log',
    async () => (await ok('logs', ...path404)).stdout.split('\n').length > 1,
  );
  assert.equal((await ok('logs', '--limit', '1', ...path404)).stdout.split('\n').length, 1);
  const last = terminal.start('logs', '--follow', '--limit', '1', ...path404);
  await waitUntil('the last one', () => last.said.length > 0);
  await shop.client.call('GET', '/checkout', { query: { id: 'a third' } });
  await waitUntil('the news', () => last.said.length > 1);
  assert.equal((await last.end()).stdout.endsWith('2 shown.'), true, last.said.join('\n'));
  assert.match((await ok('logs', '--status', '404')).stdout, / 404 {2}GET \/api\/v1\/checkout +/);
  // A key that is answered in the first version has another name for the time.
  const { stdout } = await ok('logs', '--status', '404');
  assert.equal((await server.command('key', 'version', shop.key.key, '2026-11-24')).exitCode, 0);
  assert.equal((await ok('logs', '--status', '404')).stdout, stdout);
  assert.match(stdout, /^\d{4}-/);
  assert.equal((await server.command('key', 'version', shop.key.key, '2026-11-25')).exitCode, 0);
  assert.match((await ok('logs', '--id', id)).stdout, /"errors":\["Not found/);
});

/** Each is a process that sells, pays and waits: a few of both kinds in a short run. */
const TRIGGERED = Object.keys(TRIGGERS).filter(
  (_name, index) => index % byLength({ short: 5, long: 1 }) === 0,
);

test(`${TRIGGERED.length} triggers make their events happen`, async () => {
  await holdBlocks(server.db);
  await server.command(
    'allow-list',
    'add',
    '127.0.0.1',
    '--environment',
    'test',
    '--for',
    'withdrawals',
  );
  const names = TRIGGERED;
  // Those mine whatever of the account waits; the others touch what they made alone.
  const alone = names.filter((name) => /REVERSED|RESTORED|WITHDRAWN|REFUND/.test(name));
  const trigger = (eventType: string) => ok('trigger', eventType, '--json');
  const ended = await Promise.all(names.filter((name) => !alone.includes(name)).map(trigger));
  for (const eventType of alone) ended.push(await trigger(eventType));
  const told = ended.map(({ json }) => String(json.eventType));
  assert.deepEqual(told.sort(), [...names].sort());
  assert.equal(
    (await ok('trigger', 'checkout_cancelled', '--json')).json.eventType,
    'CHECKOUT_CANCELLED',
  );
  assert.match(
    (await terminal.run('trigger', 'PAID')).stderr,
    /the sandbox causes no PAID; nearest are/,
  );
});

test('a live key triggers and listens to nothing unless it is allowed', async () => {
  const made = await server.command('key', 'create', '--environment', 'live', '--json');
  const { key, secret } = made.json as { key: string; secret: string };
  const live = openRemoteTerminal({
    ...{ QUITTANCE_URL: server.origin, QUITTANCE_KEY: key, QUITTANCE_SECRET: secret },
  });
  try {
    for (const words of [['trigger', 'CHECKOUT_PENDING'], ['listen']]) {
      assert.match((await live.run(...words)).stderr, /this is a live key/, words.join(' '));
    }
    const allowed = live.start('listen', '--allow-live');
    await waitUntil('it to listen', () => /^Listening/.test(allowed.complained[0] ?? ''));
    await allowed.end();
  } finally {
    live.close();
  }
});

test('bash completes commands and options by what is generated for it', async () => {
  const { stdout: script } = await ok('completion', 'bash');
  const complete = (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    const run = `${script}\nCOMP_WORDS=(quittance ${typed}); COMP_CWORD=${words.length}; _quittance
      echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['--norc', '-c', run], { encoding: 'utf8' }).trim();
  };
  assert.equal(complete('lis'), 'listen');
  assert.equal(complete('sandbox', 'a'), 'advance');
  assert.equal(complete('merchant', 'settle-rule', 'p'), 'pause');
  assert.equal(complete('sign', 'log', '--j', ''), complete('sign', 'log', ''));
  assert.equal(complete('listen', '--f'), '--forward');
  assert.match(complete('trade', ''), /account/);
  assert.equal(complete('trigger', 'CHECKOUT_CO'), 'CHECKOUT_COMPLETED');
  assert.match(complete('open', ''), /dashboard/);
  const run = `${script}\ntype -t quittance; complete -p quittance`;
  const known = execFileSync('bash', ['--norc', '-c', run], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  });
  assert.match(known, /^function\ncomplete .*_quittance quittance/, 'npx needs no installation');
  for (const shell of ['zsh', 'fish']) {
    assert.match((await ok('completion', shell)).stdout, /settle-rule/);
  }
});
