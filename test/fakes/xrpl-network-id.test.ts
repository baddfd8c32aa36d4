// Servers that state no network id (rippled without [network_id], Clio before one of them): the
// right network is read all the same, and another one never.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { Network } from '#deposit/network.ts';
import { openXrplNetworks } from '#networks/xrpl/open-xrpl-networks.ts';
import type { XrplChainName } from '#networks/xrpl/xrpl-chain.ts';
import { mainNetworkPastToday } from '#test/fixtures/main-network-past.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { type FakeXrpl, fakeXrpl, type Json, seededXrplKey } from './xrpl-ledger.ts';
import { type FakeXrplServer, startFakeXrplServer } from './xrpl-server.ts';

const ACCOUNT = seededXrplKey(1);
const MAIN_PAST = mainNetworkPastToday();
const OTHER_PAST = {
  ...MAIN_PAST,
  Hashes: MAIN_PAST.Hashes.map((hash) =>
    hash.replace(/^./, (first) => (first === '0' ? '1' : '0')),
  ),
};

type Shown = {
  readonly networkId?: number;
  readonly past?: Json | undefined;
  /** Another history than the first server's. */
  readonly isApart?: boolean;
  readonly refuses?: string;
};
type Row = {
  readonly name: string;
  readonly chain: XrplChainName;
  readonly servers: readonly [Shown, ...Shown[]];
  readonly outcome: 'read' | typeof Refusal | typeof Outage;
  readonly advice?: RegExp;
};

const BY_HISTORY = /states no network id; its network is known by ledger 39936 in its history/;
const BY_SIBLING = /states no network id; its network is known by a server that states it/;

const TABLE: readonly Row[] = [
  { name: 'main, stated', chain: 'main', servers: [{ networkId: 0 }], outcome: 'read' },
  { name: 'test, stated', chain: 'test', servers: [{ networkId: 1 }], outcome: 'read' },
  {
    name: 'main, shown by its history',
    chain: 'main',
    servers: [{ past: MAIN_PAST }],
    outcome: 'read',
    advice: BY_HISTORY,
  },
  {
    name: 'a network that began a while ago, for main',
    chain: 'main',
    servers: [{ past: undefined }],
    outcome: Refusal,
  },
  {
    name: 'another network with a past, for main',
    chain: 'main',
    servers: [{ past: OTHER_PAST }],
    outcome: Refusal,
  },
  {
    name: 'a network that began a while ago beside one that states main, for main',
    chain: 'main',
    servers: [{ past: undefined, isApart: true }, { networkId: 0 }],
    outcome: Refusal,
  },
  {
    name: 'main without a network id, for test',
    chain: 'test',
    servers: [{ past: MAIN_PAST }],
    outcome: Refusal,
  },
  { name: 'test without a network id, alone', chain: 'test', servers: [{}], outcome: Outage },
  {
    name: 'test without a network id, beside a server that states it and has the same ledger',
    chain: 'test',
    servers: [{}, { networkId: 1 }],
    outcome: 'read',
    advice: BY_SIBLING,
  },
  {
    name: 'another network without a network id beside one that states test',
    chain: 'test',
    servers: [{}, { networkId: 1, isApart: true }],
    outcome: Refusal,
  },
  {
    name: 'test without a network id beside another that states none either',
    chain: 'test',
    servers: [{}, {}],
    outcome: Outage,
  },
  {
    name: 'one that states main before one that states nothing, for test',
    chain: 'test',
    servers: [{ networkId: 0 }, {}],
    outcome: Refusal,
  },
  {
    name: 'one that answers no question about its state',
    chain: 'main',
    servers: [{ past: MAIN_PAST, refuses: 'ledger_entry' }],
    outcome: Outage,
  },
];

let database: TestDatabase;
let time: ManualClock;
before(async () => {
  database = await openTestDatabase();
  time = manualClock('2026-01-01T12:00:00Z');
});
after(() => database?.close());

function history(): FakeXrpl {
  const xrpl = fakeXrpl(() => time.now());
  xrpl.addAccount(ACCOUNT, 1_000_000_000n);
  xrpl.close();
  return xrpl;
}

async function start({ isApart, refuses, ...shown }: Shown, xrpl: FakeXrpl) {
  if (isApart) await time.advance(10_000);
  const server = await startFakeXrplServer(isApart ? history() : xrpl, () => time.now());
  server.networkId = shown.networkId;
  server.past = shown.past;
  server.refuse = ({ command }) => (command === refuses ? 'unknownCmd' : undefined);
  return server;
}

async function withServers(
  { chain, servers }: Row,
  act: (network: Network, started: readonly FakeXrplServer[]) => Promise<void>,
): Promise<void> {
  const xrpl = history();
  const started: FakeXrplServer[] = [];
  for (const shown of servers) started.push(await start(shown, xrpl));
  const settings = {
    urls: started.map(({ url }) => url),
    account: ACCOUNT.address,
    chainName: chain,
  };
  const parts = { db: database.db, clock: time, log: silentLog };
  const [opened] = openXrplNetworks(settings, parts);
  assert(opened !== undefined);
  try {
    await act(opened.network, started);
  } finally {
    await opened.network.close();
    for (const server of started) await server.close();
  }
}

const NOTHING_READ = { cursor: undefined, recent: [], unconfirmed: [] };

for (const row of TABLE) {
  const { name, outcome, advice } = row;
  const what = outcome === 'read' ? 'is read' : `is no server to read (${outcome.name})`;
  test(`${name}: ${what}`, () =>
    withServers(row, async (network) => {
      for (const look of [() => network.checkIdentity(), () => network.observe(NOTHING_READ)]) {
        if (outcome === 'read') await look();
        else await assert.rejects(look, (error) => error instanceof outcome);
      }
      const said = String(network.health().advice);
      if (advice !== undefined) assert.match(said, advice);
      else assert.doesNotMatch(said, /network id/);
    }));
}

test('once a ledger is recorded, what follows it is of its network, stated or not', () =>
  withServers(
    { name: '', chain: 'main', servers: [{ past: MAIN_PAST }], outcome: 'read' },
    async (network, [server]) => {
      assert(server !== undefined);
      const { tip: cursor } = await network.observe(NOTHING_READ);
      const asked = server.asked.length;
      await network.observe({ ...NOTHING_READ, cursor });
      const more = server.asked.slice(asked).map(({ command }) => command);
      assert(!more.includes('ledger_entry'), 'the history is not asked for at every step');
      const stranger = { ...cursor, hash: 'CD'.repeat(32) };
      await assert.rejects(network.observe({ ...NOTHING_READ, cursor: stranger }), Outage);
    },
  ));
