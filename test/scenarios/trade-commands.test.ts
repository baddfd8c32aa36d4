// npx quittance trade: what an operator types (docs/operate/trader.md), and the trader as the process
// that it is, killed between an order and its answer.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { compiledOnce } from '#test/support/compiled-once.ts';
import { openKrakenServer } from '#test/support/kraken-server.ts';
import { ROOT } from '#test/support/read-source.ts';
import { runLength } from '#test/support/run-length.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { WEAK_SEAL } from '#test/support/signer-world.ts';
import { openTraderClient } from '#trader/client.ts';
import { addAccount, setUpTrader } from '#trader/key-file.ts';

const PASSPHRASE = 'correct horse battery';
const USDT = 'USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7';
const RULES = `
passphrase_file = "passphrase"
[[cap]]
provider = "kraken"
asset = "BTC:NATIVE"
per_order = "1"
per_day = "1"
`;
const folder = mkdtempSync(join(tmpdir(), 'quittance-trade-'));
let running: ChildProcess | undefined;
const kill = () => running?.kill('SIGKILL');
process.once('exit', kill);
after(() => {
  kill();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
  return join(folder, name);
};

function start(directory: string, words: readonly string[]): ChildProcess {
  const program = join(ROOT, 'src', 'cli', 'trade-main.ts');
  return spawn(process.execPath, [program, 'trade', ...words], {
    env: { ...compiledOnce(), PATH: process.env.PATH, TRADER_DIRECTORY: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function trade(directory: string, words: readonly string[]) {
  const child = start(directory, words);
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (bytes) => (said.stdout += bytes));
  child.stderr?.on('data', (bytes) => (said.stderr += bytes));
  const [code] = (await once(child, 'close')) as [number | null];
  return { ...said, code };
}

/** Resolves when it listens. */
async function run(directory: string): Promise<void> {
  const child = start(directory, []);
  running = child;
  let output = '';
  child.stderr?.on('data', (bytes) => (output += bytes));
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (bytes) => {
      if (String(bytes).includes('trading at')) resolve();
    });
    child.once('close', () => reject(new Error(output)));
  });
}

test('a trader is made, and gets an account whose key nobody reads', async () => {
  const directory = join(folder, 'made');
  const opened = ['--passphrase-file', file('phrase', PASSPHRASE)];
  const none = await trade(directory, ['account', 'list']);
  assert.match(none.stderr, /cannot be read: quittance trade init --directory .* makes one/);
  assert.equal((await trade(directory, ['init', ...opened])).code, 0);
  const secrets = ['--api-key-file', file('key', 'the-api-key'), '--secret-file'];
  const kraken = ['account', 'add', 'kraken', '--exchange', 'kraken', ...secrets];
  const added = await trade(directory, [...kraken, file('secret', 'dGhlIHNlY3JldA=='), ...opened]);
  assert.equal(added.code, 0, added.stderr);
  const listed = await trade(directory, ['account', 'list', '--json', ...opened]);
  assert.deepEqual(JSON.parse(listed.stdout), {
    accounts: [{ name: 'kraken', exchange: 'kraken', url: null }],
  });
  const path = join(directory, 'keys.json');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.doesNotMatch(readFileSync(path, 'utf8'), /the-api-key|dGhlIHNlY3JldA/);
  // Each opens what is sealed, which costs a second by intent.
  if (runLength === 'short') return;
  const removed = await trade(directory, ['account', 'remove', 'kraken', ...opened]);
  assert.equal(removed.code, 0, removed.stderr);
  const left = await trade(directory, ['account', 'list', '--json', ...opened]);
  assert.deepEqual(JSON.parse(left.stdout), { accounts: [] });
});

test('killed between an order and its answer, it finds the order again and sends none', async () => {
  const kraken = await openKrakenServer();
  const directory = join(folder, 'killed');
  const { apiKey, secret, url } = kraken;
  const opened = { directory, passphrase: PASSPHRASE, random: seededRandom(1), cost: WEAK_SEAL };
  setUpTrader(opened);
  addAccount(opened, { provider: 'kraken', exchange: 'kraken', apiKey, secret, url });
  writeFileSync(join(directory, 'trader.toml'), RULES);
  writeFileSync(join(directory, 'passphrase'), PASSPHRASE, { mode: 0o600 });
  kraken.parts = [{ volume: '0.5', price: '73380.6' }];
  kraken.breaks = 'silent';
  await run(directory);
  const client = openTraderClient(join(directory, 'socket'));
  const order = {
    ...{ provider: 'kraken', clientOrderId: 'qtkilled', giveAssetId: 'BTC:NATIVE' },
    ...{ getAssetId: USDT, giveAmount: '0.5', limit: '73000' },
    notAfter: systemClock.now().add({ minutes: 5 }).toString(),
  };
  const asked = client.place(order);
  while (kraken.sent.length === 0) await systemClock.sleep(20);
  running?.kill('SIGKILL');
  const away = await asked;
  assert(away.answer === 'away' && away.isHeard);
  kraken.breaks = undefined;
  await run(directory);
  const told = await client.place(order);
  assert(told.answer === 'order' && told.state === 'ENDED');
  assert.deepEqual(
    told.fills.map(({ soldAmount, gotAmount }) => [soldAmount, gotAmount]),
    [['0.5', '36690.3']],
  );
  assert.equal(kraken.sent.length, 1);
  const log = await trade(directory, ['log']);
  assert.match(log.stdout, /placed {2}qtkilled[\s\S]*started[\s\S]*placing {2}qtkilled/);
  const closed = once(running ?? assert.fail(), 'close');
  running?.kill('SIGTERM');
  assert.deepEqual(await closed, [0, null]);
  await kraken.close();
});
