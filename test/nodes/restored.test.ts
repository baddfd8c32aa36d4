// A backup is restored while customers still hold what was given out after it was made: none of it is
// given out a second time, and money that comes to it lies in suspense with its reason.

import assert from 'node:assert/strict';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import { custodyBalance } from '#ledger/account.ts';
import { type FakeStatement, statementXml } from '#test/fakes/bank-statement.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { byLength } from '#test/support/run-length.ts';
import type { ServerProcess } from '#test/support/server-process.ts';
import { type Shop, waitForLiveChains, waitUntil } from '#test/support/shop.ts';
import { ETH, openEvmShop } from './evm-shop.ts';
import { LTC, openLitecoinShop } from './litecoin-shop.ts';
import { openLiveShop } from './open-live-shop.ts';
import { openStellarShop, XLM } from './stellar-shop.ts';
import { openXrplShop } from './xrpl-shop.ts';

type Way = {
  readonly server: ServerProcess;
  readonly client: Shop['client'];
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  commit(): Promise<Committed>;
  /** The whole of it, and makes it final. */
  pay(committed: Committed): Promise<void>;
  close(): Promise<void>;
};

const OPENERS = {
  async 'Litecoin Core'() {
    const shop = await openLitecoinShop();
    const { server, client, close } = shop;
    return {
      ...{ server, client, close, network: 'LITECOIN', assetId: LTC, units: 10_000_000n },
      commit: () => shop.open('0.1'),
      async pay({ depositInstructions }) {
        await shop.node.send(depositInstructions.address, '0.1');
        await shop.node.mine(2);
      },
    };
  },
  async anvil() {
    const shop = await openEvmShop();
    const { server, client, close } = shop;
    return {
      ...{ server, client, close, network: 'ETHEREUM', assetId: ETH, units: 10n ** 17n },
      commit: () => shop.open('0.1', ETH),
      async pay(committed) {
        await shop.pay(committed, '0.1', ETH);
        await shop.include();
        await shop.finish();
      },
    };
  },
  async 'Stellar memos'() {
    const shop = await openStellarShop();
    const { server, client, close } = shop;
    return {
      ...{ server, client, close, network: 'STELLAR', assetId: XLM, units: 10_0000000n },
      commit: () => shop.open('10', XLM),
      pay: async (committed) => void shop.pay(committed, '10'),
    };
  },
  async 'XRP tags'() {
    const shop = await openXrplShop();
    const { server, client, close } = shop;
    return {
      ...{
        server,
        client,
        close,
        network: 'XRP_LEDGER',
        assetId: 'XRP:NATIVE',
        units: 10_000_000n,
      },
      commit: () => shop.open('10'),
      pay: async (committed) => void shop.pay(committed, '10'),
    };
  },
  async 'a bank'() {
    const { server, shop, close } = await openLiveShop(async ({ startShop }) =>
      startShop({
        SEPA_IBAN: 'DE89 3704 0044 0532 0130 00',
        SEPA_BIC: 'COBADEFFXXX',
        SEPA_HOLDER: 'Fern & Folio GmbH',
        PRICE_SOURCES: 'off',
      }),
    );
    let opening = 0n;
    let number = 0;
    return {
      ...{ server, client: shop.client, close, network: 'SEPA', assetId: 'EUR:FIAT', units: 1990n },
      commit: () => shop.open({ currency: 'EUR', amount: '19.90' }, 'SEPA'),
      async pay({ depositInstructions }) {
        number += 1;
        const transactions = [{ structured: depositInstructions.memo ?? '' }];
        const entry = { cents: 1990n, servicerReference: `B-${number}`, transactions };
        const statement: FakeStatement = { id: `S-${number}`, opening, entries: [entry] };
        const path = join(server.dataDirectory, `statement-${number}.xml`);
        await writeFile(path, statementXml(statement));
        const { exitCode, stderr } = await server.command('bank', 'import', path, '--json');
        assert.equal(exitCode, 0, stderr);
        opening += 1990n;
      },
    };
  },
} satisfies Readonly<Record<string, () => Promise<Way>>>;

const MANY = byLength({ short: 4, long: 10 });
const nameOf = ({ depositInstructions: { address, memo, destinationTag } }: Committed) =>
  [address, memo, destinationTag].join(' ');

async function commitMany(way: Way): Promise<Committed[]> {
  const committed: Committed[] = [];
  while (committed.length < MANY) committed.push(await way.commit());
  return committed;
}

const recordOf = ({ keyFile }: ServerProcess) => join(dirname(keyFile), 'given-out.log');

async function suspendedOf({ server, network }: Way): Promise<bigint> {
  const [row] = await server.db.query<{ units: bigint }>(sql`
    select coalesce(-sum(p.units), 0)::bigint as units
    from ledger_posting p join ledger_account a on a.id = p.account_id
    where a.code = ${`suspense:${network}`}`);
  return row?.units ?? 0n;
}

/** `lost`: the record is gone; `backup`: it came from the backup as well. */
type RecordState = 'there' | 'lost' | 'backup';

async function tellStory(t: TestContext, way: Way, record: RecordState): Promise<void> {
  t.after(() => way.close());
  const { server } = way;
  const known = await way.commit();
  await server.stop();
  await server.backUp();
  const copy = `${recordOf(server)}.backup`;
  await copyFile(recordOf(server), copy);
  await server.start();
  const before = await commitMany(way);

  await server.stop();
  await server.restoreBackup();
  if (record === 'lost') await rm(recordOf(server));
  if (record === 'backup') {
    await copyFile(copy, recordOf(server));
    const { json, stderr } = await server.command('restored', '--json');
    assert.deepEqual(
      (json.networks as { chain: string }[]).map(({ chain }) => chain),
      [chainOf('live', way.network)],
      stderr,
    );
  }
  await server.start();
  await waitForLiveChains(server);
  await waitUntil('it to be offered again', () => way.commit().then(Boolean, () => false));
  const after = await commitMany(way);
  const names = [known, ...before, ...after].map(nameOf);
  assert.equal(new Set(names).size, names.length, 'nothing was given out twice');

  for (const lost of before) await way.pay(lost);
  await waitUntil('all of them to lie in suspense', async () => {
    return (await suspendedOf(way)) === BigInt(MANY) * way.units;
  });
  const chain = chainOf('live', way.network);
  assert.equal(await custodyBalance(server.db, chain, way.assetId), BigInt(MANY) * way.units);
  const { json, stderr } = await server.command('suspense', 'list', '--json');
  const listed = json.suspense as { reason: string; detail: string | null }[];
  assert.equal(listed.filter(({ reason }) => reason !== '').length, MANY, stderr);
  if (record === 'there') {
    const reason = 'address given out before a restore';
    await waitUntil('all of them to be told with their reason', () => {
      return server.errors().filter((one) => one.reason === reason).length === MANY;
    });
    assert.deepEqual(
      listed.map(({ detail }) => detail),
      before.map(() => reason),
      stderr,
    );
  }
  await way.pay(known);
  await way.client.waitForState(known.checkoutId, 'COMPLETED');
  const last = after[MANY - 1];
  assert(last !== undefined);
  await way.pay(last);
  await way.client.waitForState(last.checkoutId, 'COMPLETED');
}

type Name = keyof typeof OPENERS;

/**
 * A short run tells each state of the record of one network, and of each kind of name: addresses of an
 * account, memos, and references of a bank.
 */
const THERE = byLength<readonly Name[]>({
  short: ['anvil'],
  long: Object.keys(OPENERS) as Name[],
});
const LOST = byLength<readonly Name[]>({
  short: ['Stellar memos'],
  long: ['Litecoin Core', 'Stellar memos'],
});
const BACKUP = byLength<readonly Name[]>({ short: ['a bank'], long: ['anvil', 'a bank'] });

for (const name of THERE) {
  test(`what ${name} gave out is not given out again: the record says how far`, async (t) => {
    await tellStory(t, await OPENERS[name](), 'there');
  });
}

for (const name of LOST) {
  test(`nor what ${name} gave out when the record is lost`, async (t) => {
    await tellStory(t, await OPENERS[name](), 'lost');
  });
}

for (const name of BACKUP) {
  test(`nor what ${name} gave out, after \`quittance restored\``, async (t) => {
    await tellStory(t, await OPENERS[name](), 'backup');
  });
}
