// What was traded in the account at an exchange without an order of the house, as an operator lists
// and books it (docs/operate/trader.md): the command line beside a running server, through the
// trader's real socket, at a Kraken on loopback that answers what Kraken published.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { type KrakenServer, openKrakenServer } from '#test/support/kraken-server.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openServerProcess, runCommand, type ServerProcess } from '#test/support/server-process.ts';
import { WEAK_SEAL } from '#test/support/signer-world.ts';
import { addAccount, setUpTrader } from '#trader/key-file.ts';
import { runTrader } from '#trader/run-trader.ts';

const BTC = 'BTC:NATIVE';
const MARKET = 'BTC/USDT';
const PASSPHRASE = 'correct horse battery';
const SAID = ['--by', 'june', '--reason', 'sold on the page of kraken'] as const;
const [SOLD, BOUGHT, LARGE, OLD] = [1, 2, 3, 4].map((one) => `THAND${one}-AAAAA-CCCCCC`) as [
  string,
  string,
  string,
  string,
];

let server: ServerProcess;
let kraken: KrakenServer;
let directory: string;
let stopTrader: () => Promise<void>;

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quittance-trades-'));
  kraken = await openKrakenServer();
  const opened = { directory, passphrase: PASSPHRASE, random: seededRandom(1), cost: WEAK_SEAL };
  setUpTrader(opened);
  const { apiKey, secret, url } = kraken;
  addAccount(opened, { provider: 'kraken', exchange: 'kraken', apiKey, secret, url });
  const settings = { TRADER_SOCKET: join(directory, 'socket'), TRADER_PROVIDERS: 'kraken' };
  server = await openServerProcess({ settings });
  await server.start();
});
after(async () => {
  await stopTrader?.();
  await server?.close();
  await kraken?.close();
  rmSync(directory, { recursive: true, force: true });
});

async function startTrader(): Promise<void> {
  const [ended, ready] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const running = runTrader({
    ...{ directory, passphrase: PASSPHRASE, clock: systemClock, log: silentLog, isPaced: false },
    ...{ ended: ended.promise, onReady: () => ready.resolve() },
  });
  await Promise.race([ready.promise, running]);
  stopTrader = async () => {
    ended.resolve();
    await running;
  };
}

const run = (...words: string[]) => server.command(...words, '--json');

async function done(...words: string[]): Promise<Readonly<Record<string, unknown>>> {
  const { exitCode, json, stderr } = await run(...words);
  assert.equal(exitCode, 0, `${words.join(' ')}: ${stderr}`);
  return json;
}

/** With this code, and a sentence that says what is wrong. */
async function refused(code: string, sentence: RegExp, ...words: string[]): Promise<void> {
  const { exitCode, json, stderr } = await run('treasury', ...words);
  assert.notEqual(exitCode, 0, words.join(' '));
  assert.equal((json.error as { code: string } | undefined)?.code, code, words.join(' '));
  assert.match(stderr, sentence, words.join(' '));
}

type Listed = { readonly id: string; readonly symbol: string };

async function listed(...words: string[]): Promise<readonly string[]> {
  const { exitCode, json, stderr } = await run('treasury', 'trades', 'kraken', ...words);
  assert('trades' in json, stderr);
  const trades = json.trades as readonly Listed[];
  assert.equal(exitCode, trades.length === 0 ? 0 : 1);
  return trades.map(({ id }) => id);
}

/** Of what is held at Kraken, of its fees and of what was won, with live keys. */
async function accounts(): Promise<Readonly<Record<string, string>>> {
  const { accounts: all } = (await done('treasury', 'position', '--environment', 'live')) as {
    accounts: { account: string; asset: string; amount: string }[];
  };
  const entries = all.map((one) => [`${one.account} ${one.asset.split(':')[0]}`, one.amount]);
  return Object.fromEntries(entries);
}

const daysAgo = (days: number) =>
  systemClock.now().subtract({ hours: 24 * days }).epochMilliseconds;

test('without a trader it says which setting is missing, and while it is away that it is', async () => {
  const settings = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.dataDirectory };
  const without = await runCommand(['treasury', 'trades', 'kraken'], settings, directory);
  assert.equal(without.exitCode, 1);
  assert.match(without.stderr, /TRADER_SOCKET is not set: docs\/operate\/trader\.md/);
  const away = /nobody listens at .*socket: is npx quittance trade running/;
  await refused('outage', away, 'trades', 'kraken');
  const explain = ['explain', 'kraken', MARKET, SOLD, '--as', 'converted', ...SAID];
  await refused('outage', away, ...explain);
  await startTrader();
});

test('what was traded by hand is listed, oldest first, and the exit says that there is some', async () => {
  assert.deepEqual(await listed(), []);
  const nothing = await server.command('treasury', 'trades', 'kraken');
  assert.equal(nothing.stdout.trim(), 'All trades there are parts of orders, or explained.');
  kraken.byHand = [
    { id: BOUGHT, type: 'buy', volume: '0.02', price: '72000.5', at: daysAgo(1) },
    { id: SOLD, type: 'sell', volume: '0.1', price: '73000.1', at: daysAgo(3) },
    { id: OLD, type: 'sell', volume: '0.3', price: '70000', at: daysAgo(40) },
  ];
  const { exitCode, stdout } = await server.command('treasury', 'trades', 'kraken');
  assert.equal(exitCode, 1);
  const [first = '', second = '', ...more] = stdout.trim().split('\n');
  assert.match(first, /BTC\/USDT {2}THAND1.* 0\.1 BTC for 7300\.01 USDT, fee 18\.98003 USDT$/);
  assert.match(second, /BTC\/USDT {2}THAND2.* 1440\.01 USDT for 0\.02 BTC, fee 3\.74403 USDT$/);
  assert.deepEqual(more, []);
  assert.deepEqual(await listed('--days', '2'), [BOUGHT]);
  assert.deepEqual(await listed('--days', '60'), [OLD, SOLD, BOUGHT]);
});

test('what is typed wrongly is refused with what to type, and nothing is booked', async () => {
  const before = await accounts();
  const trade = ['explain', 'kraken', MARKET, SOLD] as const;
  const converted = [...trade, '--as', 'converted'] as const;
  for (const [code, sentence, words] of [
    ['usage', /the provider/, ['trades']],
    ['usage', /small letters, digits and dashes, such as kraken/, ['trades', 'Kraken']],
    ['usage', /--days: .*1.*365/, ['trades', 'kraken', '--days', '0']],
    ['usage', /--days: .*1.*365/, ['trades', 'kraken', '--days', '366']],
    ['usage', /--days: .*1.*365/, ['trades', 'kraken', '--days', 'week']],
    ['no_account', /there is no account binance/, ['trades', 'binance']],
    ['usage', /which trade, as npx quittance treasury trades names it/, ['explain', 'kraken']],
    ['usage', /which trade/, ['explain', 'kraken', MARKET, '--as', 'converted', ...SAID]],
    ['usage', /which trade/, [...converted.slice(0, 4), 'more', '--as', 'converted', ...SAID]],
    ['usage', /--as: must be converted/, [...trade, ...SAID]],
    ['usage', /--as: must be converted/, [...trade, '--as', 'lost', ...SAID]],
    ['usage', /--reason/, [...converted, '--by', 'june']],
    ['usage', /small letters/, ['explain', 'KRAKEN', MARKET, SOLD, '--as', 'converted', ...SAID]],
    ['usage', /--fee-asset: must be an asset/, [...converted, ...SAID, '--fee', '1']],
    [
      'usage',
      /--fee-asset: must be an asset such as BTC:NATIVE/,
      [...converted, ...SAID, '--fee', '1', '--fee-asset', 'BTC'],
    ],
    [
      'usage',
      /--fee: must be an amount of BTC:NATIVE above zero/,
      [...converted, ...SAID, '--fee', 'some', '--fee-asset', BTC],
    ],
    ['usage', /--fee: must be an amount/, [...converted, ...SAID, '--fee=', '--fee-asset', BTC]],
    ['usage', /--fee: say how much/, [...converted, ...SAID, '--fee-asset', BTC]],
    [
      'no_account',
      /there is no account binance/,
      ['explain', 'binance', MARKET, SOLD, '--as', 'converted', ...SAID],
    ],
    [
      'trade_missing',
      /npx quittance treasury trades kraken lists no such trade/,
      ['explain', 'kraken', MARKET, 'THAND9-AAAAA-CCCCCC', '--as', 'converted', ...SAID],
    ],
    [
      'trade_missing',
      /LTC\/USDT: npx quittance treasury trades kraken lists no such trade/,
      ['explain', 'kraken', 'LTC/USDT', SOLD, '--as', 'converted', ...SAID],
    ],
    [
      'trade_missing',
      /of the last 30 days: --days looks further back/,
      ['explain', 'kraken', MARKET, OLD, '--as', 'converted', ...SAID],
    ],
  ] as const) {
    await refused(code, sentence, ...words);
  }
  assert.deepEqual(await accounts(), before);
  assert.deepEqual(await listed(), [SOLD, BOUGHT]);
});

test('a trade is booked with what the exchange says, once, however often that is asked', async () => {
  const explain = ['treasury', 'explain', 'kraken', MARKET, SOLD, '--as', 'converted', ...SAID];
  const twice = await Promise.all([run(...explain), run(...explain)]);
  assert.deepEqual(twice.map(({ exitCode }) => `${exitCode}`).toSorted(), ['0', '1']);
  const again = /is booked already, by june: nothing is to be done/;
  await refused('trade_explained', again, ...explain.slice(1));
  const { stderr } = twice.find(({ exitCode }) => exitCode === 1) ?? assert.fail();
  assert.match(stderr, /is booked already/);
  assert.deepEqual(await accounts(), {
    'conversion-result BTC': '-0.1',
    'conversion-result USDT': '7300.01',
    'custody:kraken BTC': '-0.1',
    'custody:kraken USDT': '7281.02997',
    'provider-fees USDT': '18.98003',
  });
  assert.deepEqual(await listed(), [BOUGHT]);
  const { acts } = (await done('audit', 'list', '--about', `trade:kraken:${MARKET}:${SOLD}`)) as {
    acts: { verb: string; actor: string }[];
  };
  assert.deepEqual(
    acts.map(({ verb, actor }) => [verb, actor]),
    [['treasury-explain', 'june']],
  );
  assert.equal((await done('ledger', 'verify')).ok, true);
});

test('a fee that was really another one is booked as that, and then the account agrees', async () => {
  const fee = ['--fee', '0.00005', '--fee-asset', BTC];
  const explain = ['treasury', 'explain', 'kraken', MARKET, BOUGHT, '--as', 'converted', ...SAID];
  await done(...explain, ...fee);
  const held = await accounts();
  assert.deepEqual(
    ['custody:kraken BTC', 'custody:kraken USDT', 'provider-fees BTC', 'provider-fees USDT'].map(
      (name) => held[name],
    ),
    ['-0.08005', '5841.01997', '0.00005', '18.98003'],
  );
  assert.deepEqual(await listed(), []);
  // What Kraken holds in what it published, less what these trades came to.
  const { exitCode, json } = await run('treasury', 'reconcile', 'kraken');
  assert.equal(exitCode, 1);
  assert.deepEqual(
    (json.balances as { code: string; booked: string }[]).map(({ code, booked }) => [code, booked]),
    [
      ['BTC', '-0.08005'],
      ['USDT', '5841.01997'],
    ],
  );
  assert.equal((await done('ledger', 'verify')).ok, true);
});

test('above the limit of one person a second one says yes to exactly this trade, and it is booked once', async () => {
  kraken.byHand = [
    ...kraken.byHand,
    { id: LARGE, type: 'sell', volume: '0.6', price: '73000', at: daysAgo(2) },
  ];
  const limit = ['two-people', '0.5', BTC, '--everyone', '--environment', 'live'];
  await done('limit', 'set', ...limit, ...SAID);
  const explain = ['explain', 'kraken', MARKET, LARGE, '--as', 'converted', ...SAID];
  const subject = `trade:kraken:${MARKET}:${LARGE}`;
  await refused('second_person', /approval give trade:kraken:BTC\/USDT:THAND3/, ...explain);
  const own = await run('approval', 'give', subject, '--by', 'june');
  assert.equal((own.json.error as { code: string }).code, 'second_person');
  assert.deepEqual(await listed(), [LARGE]);
  await done('approval', 'give', subject, '--by', 'bob');
  await done('treasury', ...explain);
  await refused('trade_explained', /is booked already/, ...explain);
  assert.equal((await accounts())['custody:kraken BTC'], '-0.68005');
  assert.deepEqual([await listed(), server.errors()], [[], []]);
  assert.equal((await done('ledger', 'verify')).ok, true);
});
