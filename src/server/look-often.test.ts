// What answers slowly is looked at by the service itself, and what it found stays for whoever reads.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ChainId } from '#catalog/chain.ts';
import { listLooks } from '#checkup/last-look.ts';
import type { Network } from '#deposit/network.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import type { App } from './app.ts';
import { listLookLines, lookOnce } from './look-often.ts';

const CHAIN: ChainId = 'live:ETHEREUM';
const ETH = 10n ** 18n;

let world: TestApp;
let folder: string;
before(async () => {
  world = await openTestApp();
  folder = mkdtempSync(join(tmpdir(), 'looks-'));
});
after(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

/** With a signer, a gas account and a place of backups. */
function withAll(survey: () => Promise<object>): App {
  const { app } = world;
  const sweeper = { collectTo: '0x2', gasAccount: '0x1', above: new Map(), survey };
  return {
    ...app,
    networks: new Map([[CHAIN, { sweeper } as unknown as Network]]),
    config: {
      ...app.config,
      signer: { place: join(folder, 'no.sock'), networks: ['BITCOIN'] },
      backup: { ...app.config.backup, to: folder },
    },
  } as App;
}

const holds = (heldUnits: bigint) => async () => ({
  ...{ coinAssetId: 'ETH:NATIVE', holdings: [], topUpCostUnits: ETH / 1000n },
  gas: { heldUnits, tokenCostUnits: (4n * ETH) / 1000n },
});

async function look(survey: () => Promise<object>) {
  const app = withAll(survey);
  await lookOnce(app);
  const lines = await listLookLines(app);
  return new Map(lines.map(({ kind, found }) => [kind, found]));
}

test('what was found of each is kept, in words, with when it was in order last', async () => {
  const { clock } = world;
  assert.deepEqual(await listLookLines(world.app), [], 'the settings name nothing');
  const before = await listLookLines(withAll(holds(ETH)));
  assert.deepEqual(
    before.map(({ kind, chain, found }) => [kind, chain, found]),
    [
      ['signer', 'live:BITCOIN', undefined],
      ['gas', CHAIN, undefined],
      ['backup', undefined, undefined],
    ],
  );
  const well = await look(holds(ETH));
  const at = clock.now();
  assert.equal(well.get('signer')?.ok, false);
  assert.match(well.get('signer')?.detail ?? '', /signer/);
  assert.equal(well.get('signer')?.wellAt, undefined);
  assert.equal(well.get('backup')?.ok, false);
  assert.match(well.get('backup')?.detail ?? '', /there is none in/);
  const gas = well.get('gas');
  assert.equal(gas?.ok, true);
  assert.equal(
    gas?.detail,
    '0x1 holds 1 ETH; each address with tokens takes at most 0.006 ETH at the fees of now, ' +
      'so it is enough for 166 addresses',
  );
  await clock.advance(60_000);
  const low = (await look(holds(ETH / 1000n))).get('gas');
  assert.equal(low?.ok, false);
  assert.match(low?.detail ?? '', /it is enough for 0 addresses: send it 0\.005 ETH or more$/);
  assert.deepEqual(low?.wellAt, at, 'when it was in order last');
  const away = (await look(() => Promise.reject(new Error('no node answers')))).get('gas');
  assert.deepEqual([away?.ok, away?.detail], [false, 'no node answers']);
  assert.deepEqual(away?.wellAt, at);
});

test('increments are looked at where the service makes them, and when one was made is kept', async () => {
  const app = withAll(holds(ETH));
  const backup = { ...app.config.backup, to: folder, walMinutes: 15 };
  const making = { ...app, config: { ...app.config, backup } } as App;
  const chain = 'quittance-wal-20261128T120000Z';
  const link = {
    ...{ format: 1, chain, number: 0, createdAt: world.clock.now().toString(), postgres: 18 },
    ...{ systemId: '7', timeline: 1, segmentBytes: 16_777_216, database: 'q', role: 'q' },
    ...{ from: '0', to: '0', consistentAt: '5', previous: null, bytes: 1, sha256: '0'.repeat(64) },
  };
  writeFileSync(join(folder, `${chain}.00000.age`), '');
  writeFileSync(join(folder, `${chain}.00000.json`), JSON.stringify(link));
  await lookOnce(making);
  const lines = (await listLookLines(making)).filter(({ kind }) => kind === 'backup');
  assert.deepEqual(
    lines.map(({ found }) => [found?.ok, found?.detail]),
    [
      [false, `there is none in ${folder}`],
      // No server of this test keeps a log for it.
      [false, `the server keeps no log for ${chain}: the next one begins a new chain`],
    ],
  );
  const known = (await listLooks(world.app.db)).filter(({ kind }) => kind === 'backup');
  assert.deepEqual(
    known.map(({ subject, madeAt }) => [subject, madeAt]),
    [
      ['increments', world.clock.now()],
      ['place', undefined],
    ],
  );
});

test('what the settings name no more is forgotten', async () => {
  await look(holds(ETH));
  await lookOnce(world.app);
  const lines = await listLookLines(withAll(holds(ETH)));
  assert.deepEqual(
    lines.map(({ found }) => found),
    [undefined, undefined, undefined],
  );
});
