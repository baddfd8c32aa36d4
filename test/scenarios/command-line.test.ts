// npx quittance beside a running server over the same database.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  assertSameCheckout,
  type MerchantKey,
  openMerchantClient,
  type WireCheckout,
} from '#test/support/merchant-client.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

let server: ServerProcess;
let shop: Shop;

before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  shop = await openShop(server, 'test');
});
after(async () => {
  await shop?.close();
  await server?.close();
});

async function run(...words: string[]): Promise<Readonly<Record<string, unknown>>> {
  const { exitCode, json, stderr } = await server.command(...words, '--json');
  assert.equal(exitCode, 0, `${words.join(' ')}: ${stderr}`);
  return json;
}

test('a merchant and keys made by the command line work at the server at once', async () => {
  const merchant = await run('merchant', 'create', '--name', 'Second shop');
  assert.equal(merchant.name, 'Second shop');
  const id = String(merchant.id);
  for (const environment of ['test', 'live']) {
    const key = await run('key', 'create', '--environment', environment, '--merchant', id);
    assert.deepEqual(Object.keys(key), ['key', 'secret']);
    const client = openMerchantClient(server.origin, key as MerchantKey);
    const answer = await client.get<{ environment: string }>('/auth-test');
    assert.equal(answer.environment, environment);
  }
});

test('a link made beside the server leads to where the server serves', async () => {
  const made = await run('person', 'invite', 'zoe@shop.example', '--operator');
  const begin = `${server.origin}/dashboard/invitation/`;
  assert.ok(
    String(made.link).startsWith(begin),
    `PUBLIC_URL is told to the server alone: ${made.link}`,
  );
  assert.equal((await fetch(String(made.link))).status, 200);
});

test('a key is rotated, limited to digest and revoked', async () => {
  const made = (await run(
    'key',
    'create',
    '--environment',
    'test',
    '--scopes',
    'read',
  )) as MerchantKey;
  const works = (key: MerchantKey) =>
    openMerchantClient(server.origin, key)
      .get('/auth-test')
      .then(
        () => true,
        () => false,
      );
  const next = (await run('key', 'rotate', made.key, '--overlap-hours', '1')) as MerchantKey;
  assert.deepEqual([await works(made), await works(next)], [true, true]);
  const last = (await run('key', 'rotate', made.key)) as MerchantKey;
  // A server that remembers keys hears of it some milliseconds later.
  const isRefused = (key: MerchantKey) =>
    waitUntil('the key to be refused', async () => !(await works(key)));
  await isRefused(made);
  await isRefused(next);
  assert.equal(await works(last), true);
  await run('key', 'basic', made.key, 'off');
  await run('key', 'revoke', made.key);
  await isRefused(last);
  const { keys } = await run('key', 'list');
  const listed = (keys as Record<string, unknown>[]).find(({ key }) => key === made.key);
  assert.deepEqual([listed?.basicAllowed, listed?.scopes], [false, ['read']]);
  assert.match(String(listed?.revokedAt), /^2/);
});

test('the IP allow-list has two settings, filled and emptied apart', async () => {
  const list = async (...words: string[]) => {
    const { calls, withdrawals } = await run('allow-list', ...words, '--environment', 'live');
    return [calls, withdrawals];
  };
  const [money, calls] = [
    ['--for', 'withdrawals'],
    ['--for', 'calls'],
  ] as const;
  const [lan, one] = ['192.0.2.0/24', '198.51.100.1/32'];
  assert.deepEqual(await list('list'), ['any', []]);
  assert.deepEqual(await list('add', '192.0.2.9/24', ...money), ['any', [lan]]);
  assert.deepEqual(await list('add', '192.0.2.0/24', ...money), ['any', [lan]]);
  assert.deepEqual(await list('add', '::ffff:198.51.100.1', ...calls), [[one], [lan]]);
  assert.deepEqual(await list('remove', '198.51.100.1', ...calls), [[], [lan]]);
  assert.deepEqual(await list('any'), ['any', [lan]]);
  assert.deepEqual(await list('remove', '192.0.2.0/24', ...money), ['any', []]);
});

test('a checkout is paid in parts and shown', async () => {
  const id = await shop.create({ currency: 'EUR', amount: '23' });
  const { payments } = await run('sandbox', 'pay', id, '--parts', '3', '--method', 'LITECOIN');
  assert(Array.isArray(payments));
  assert.equal(payments.length, 3);
  await shop.client.waitFor(id, ({ blockchainTransactions: list }) => list.length === 3);
  await run('sandbox', 'mine', '--network', 'LITECOIN', '--blocks', '4');
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.equal(completed.sourceAmountReceived, '0.2645');
  const { checkout } = await run('checkout', 'show', id);
  assertSameCheckout(checkout as WireCheckout, await shop.client.findCheckout(id));
  const shown = await server.command('checkout', 'show', id);
  assert.match(shown.stdout, new RegExp(`Checkout ${id} {2}COMPLETED`));
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  await shop.checkBooks();
});

test('a window is ended and a network silenced from the command line', async () => {
  const { checkoutId: id } = await shop.open({ currency: 'EUR', amount: '23' }, 'LITECOIN');
  shop.noteExpired(id);
  await run('sandbox', 'expire', id);
  await shop.client.waitForState(id, 'EXPIRED');
  await run('sandbox', 'freeze', '--network', 'STELLAR', '--seconds', '1');
  await run('sandbox', 'freeze', '--network', 'STELLAR', '--seconds', '0');
});

test('the ledger verifies and the doctor finds nothing', async () => {
  const ledger = await run('ledger', 'verify');
  assert.equal(ledger.ok, true);
  assert.deepEqual(ledger.faults, []);
  const doctor = await run('doctor');
  assert.equal(doctor.ok, true, JSON.stringify(doctor));
  const looked = (doctor.findings as { what: string }[]).map(({ what }) => what);
  for (const what of [
    ...['database', 'key file', 'proxy', 'public address', 'prices', 'disk', 'permissions'],
    ...['mail', 'clock of database', 'versions', 'backups'],
  ]) {
    assert.ok(looked.includes(what), what);
  }
});

test('a wrong command line says what is wrong, also as JSON', async () => {
  const cases = [
    { words: ['checkout', 'show', 'aaaaaaaaaaaa'], exitCode: 1, code: 'checkout_missing' },
    { words: ['sandbox', 'pay', 'aaaaaaaaaaaa'], exitCode: 1, code: 'checkout_missing' },
    { words: ['key', 'create', '--environment', 'moon'], exitCode: 2, code: 'usage' },
    { words: ['key', 'create', '--colour', 'blue'], exitCode: 2, code: 'usage' },
    { words: ['report', 'export', '--format', 'table'], exitCode: 2, code: 'usage' },
    {
      words:
        'report table gains --environment test --currency EUR --from 2026-02-01 --to 2026-01-01'.split(
          ' ',
        ),
      exitCode: 2,
      code: 'usage',
    },
  ];
  for (const { words, exitCode, code } of cases) {
    const ended = await server.command(...words, '--json');
    assert.equal(ended.exitCode, exitCode, words.join(' '));
    assert.equal((ended.json.error as { code?: string } | undefined)?.code, code, ended.stdout);
  }
  const unknown = await server.command('make', 'coffee');
  assert.equal(unknown.exitCode, 2);
  assert.match(unknown.stderr, /no such command: make coffee/);
});

test('the program answers on its own streams and ends with the exit code', async () => {
  const list = await server.commandProcess('key', 'list', '--json');
  assert.deepEqual([list.exitCode, list.stderr], [0, '']);
  assert.deepEqual(list.json, await run('key', 'list'));
  const wrong = await server.commandProcess('key', 'create', '--environment', 'moon');
  assert.deepEqual([wrong.exitCode, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /^quittance key create: /);
});

test('the ledger is written for a program of accounting', async () => {
  const words = ['report', 'export', '--environment', 'test', '--format'];
  const { stdout } = await server.command(...words, 'beancount');
  assert.match(stdout, /^plugin "beancount/);
  const { text, format } = await run(...words, 'hledger');
  assert.equal(format, 'hledger');
  assert.match(String(text), /^decimal-mark/);
  const folder = mkdtempSync(join(tmpdir(), 'quittance-report-'));
  const out = join(folder, 'euros.xml');
  const camt = [...words, 'camt053', '--asset', 'EUR:FIAT', '--out', out];
  assert.deepEqual(await run(...camt), { format: 'camt053', out, files: [out] });
  assert.match(readFileSync(out, 'utf8'), /camt\.053\.001\.08/);
  const journal = join(folder, 'ledger.journal');
  assert.deepEqual((await run(...words, 'hledger', '--out', journal)).files, [journal]);
  assert.equal(readFileSync(journal, 'utf8'), text);
  rmSync(folder, { recursive: true });
});

test('a file for DATEV is written in its own letters; where nothing can be written is said', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-report-'));
  const out = join(folder, 'bookings.csv');
  const words = ['report', 'export', '--environment', 'test', '--format', 'datev'];
  const settings = ['--consultant', '1001', '--client', '1', '--fiscal-year', '2026-01-01'];
  const datev = [...words, ...settings, '--chart', 'SKR03', '--asset', 'EUR:FIAT'];
  assert.deepEqual(await run(...datev, '--out', out), { format: 'datev', out });
  const bytes = readFileSync(out);
  assert.match(bytes.toString('latin1'), /^"EXTF";700;21;"Buchungsstapel"/);
  assert.match(bytes.toString('latin1'), /Gegenkonto \(ohne BU-Schl\u00fcssel\)/);
  rmSync(folder, { recursive: true });
  const nowhere = await server.command(...datev, '--out', out, '--json');
  assert.equal(nowhere.exitCode, 2, nowhere.stderr);
  assert.match(JSON.stringify(nowhere.json.error), /--out: .*bookings\.csv cannot be written/);
  const without = await server.command(...words, '--json');
  assert.equal(without.exitCode, 1);
  assert.match(JSON.stringify(without.json.error), /--consultant/);
});

test('every report is a table, also a file that is written piece by piece', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-report-'));
  const words = ['report', 'table'];
  const rest = ['--environment', 'test'];
  for (const name of ['balances', 'ledger', 'settlements', 'fees', 'taxes']) {
    const told = await run(...words, name, ...rest, '--format', 'json');
    const rows = told.rows as readonly object[];
    assert(name === 'fees' || rows.length > 0, `the checkouts of this shop were paid: ${name}`);
    const out = join(folder, name);
    assert.deepEqual(await run(...words, name, ...rest, '--out', out), { report: name, out });
    const lines = readFileSync(out, 'utf8').split('\r\n');
    assert.equal(lines.length, rows.length + 2, name);
  }
  rmSync(folder, { recursive: true });
  const nowhere = await server.command(
    ...words,
    'ledger',
    ...rest,
    '--out',
    join(folder, 'x'),
    '--json',
  );
  assert.equal(nowhere.exitCode, 2, nowhere.stderr);
  const none = await server.command(...words, 'profits', ...rest, '--json');
  assert.match(JSON.stringify(none.json.error), /profits is none of balances, ledger/);
});

test('the books of the house are tables, journals, and a statement of each account of a bank', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-house-'));
  const words = ['report', 'house'];
  const rest = ['--environment', 'test'];
  const told = await run(...words, 'balances', ...rest, '--format', 'json');
  const rows = told.rows as readonly { readonly group: string; readonly closing: string }[];
  assert.ok(rows.some(({ group, closing }) => group === 'HOT' && closing !== '0'));
  const out = join(folder, 'house.journal');
  const format = 'hledger';
  const said = await run(...words, 'ledger', ...rest, '--format', format, '--out', out);
  assert.deepEqual(said, { report: 'house ledger', format, out });
  assert.match(readFileSync(out, 'utf8'), / Liabilities:Quittance:Merchants:Available /);
  const csv = await run(...words, 'ledger', ...rest);
  assert.match(String(csv.text), /^time,entry,kind,subjectId,merchantId,group,account,/);
  const statements = await run(...words, 'statements', ...rest, '--out', join(folder, 'a.xml'));
  for (const file of statements.files as readonly string[]) {
    assert.match(readFileSync(file, 'utf8'), /camt\.053\.001\.08/);
  }
  const without = await server.command(...words, 'statements', ...rest, '--json');
  assert.match(JSON.stringify(without.json.error), /--out: is needed/);
  rmSync(folder, { recursive: true });
});

test('gains and conversions are told in one currency, as a table or as JSON', async () => {
  const words = ['report', 'table', 'gains', '--environment', 'test', '--currency'];
  const told = await run(...words, 'EUR', '--method', 'average', '--format', 'json');
  assert.deepEqual([told.method, told.currency], ['average', 'EUR']);
  const rows = told.rows as readonly { readonly event: string; readonly gain: unknown }[];
  assert.deepEqual(
    rows.map(({ event, gain }) => [event, gain]),
    rows.map(() => ['RECEIVED', null]),
  );
  assert(rows.length > 0, 'the checkouts of this shop were paid');
  const { stdout } = await server.command(...words, 'EUR');
  assert.match(stdout, /^[a-z]+(?:[A-Z][a-z]+)*,/);
  const coin = await server.command(...words, 'BTC', '--json');
  assert.equal(coin.exitCode, 2);
  assert.match(JSON.stringify(coin.json.error), /--currency: the code of a currency/);
});

test('every command has a help text', async () => {
  const { stdout } = await server.command('--help');
  const names = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)*) {2,}/gm)].map(
    ([, name = '']) => name,
  );
  assert(names.includes('ledger verify') && names.includes('key create'), stdout);
  const check = async (name: string) => {
    const help = await server.command(...name.split(' '), '--help');
    assert.equal(help.exitCode, 0);
    assert.match(help.stdout, new RegExp(`npx quittance ${name}`));
  };
  await Promise.all(names.map(check));
});
