// What a run is made in: a real node, PostgreSQL, the service and the signer as processes of their
// own, a proxy wherever two of them speak, and a shop whose customers have paid what leaves.
import assert from 'node:assert/strict';
import { readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from '#db/db.ts';
import {
  openServerProcess,
  type ServerProcess,
  type Settings,
} from '#test/support/server-process.ts';
import { openShop, type Shop, waitForOffer } from '#test/support/shop.ts';
import { createSignerProcess, type SignerProcess } from '#test/support/signer-process.ts';
import { type KillChain, type KillNetwork, startChain } from './chains.ts';
import { openDatabaseProxy } from './database-proxy.ts';
import { SEND } from './failpoints.ts';
import { openNodeProxy } from './node-proxy.ts';
import { openSignerProxy } from './signer-proxy.ts';
import { createTrap, type Failpoint, type Trap } from './trap.ts';

export type KillWorld = {
  readonly chain: KillChain;
  readonly server: ServerProcess;
  readonly signer: SignerProcess;
  readonly shop: Shop;
  readonly trap: Trap;
  /** Paid checkouts, of which every one has more than a world refunds. */
  readonly checkoutIds: readonly string[];
  /** What strangers paid that lies in suspense and is in no order; the oldest first. */
  readonly strangers: string[];
  /** An address of ours that is swept, where the network has such. */
  readonly sweepFrom: string | undefined;
  /** How often the node took what was signed, since the run began or the service last died. */
  sent(): number;
  beginRun(): void;
  /** Whoever was killed. */
  startAgain(failpoint: Failpoint): Promise<void>;
  close(): Promise<void>;
};

const CHECKOUTS = 4;
const PAID = '20';
/** A transfer of more needs two people; a day has room for all of them. */
const LIMITS = [
  ['two-people', '0.1'],
  ['day', '1000'],
] as const;
/** Wide: what is looked at here is who dies, and not what the signer refuses. */
const rulesFor = (assetId: string) => `signatures_per_minute = 10000
[[cap]]
environment = "live"
asset = "${assetId}"
per_transaction = "10"
per_day = "10000"
fee_per_transaction = "0.1"
`;

export async function openKillWorld(network: KillNetwork): Promise<KillWorld> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne().catch(() => undefined);
  };
  const later = <T extends { close(): Promise<unknown> }>(opened: T): T => {
    closers.push(() => opened.close());
    return opened;
  };
  try {
    const chain = await startChain(network);
    closers.push(() => chain.stop());
    const signer = later(createSignerProcess(chain.keys));
    const rules = rulesFor(chain.assetId);
    await signer.start(rules);
    let sent = 0;
    const trap = createTrap(async (failpoint) => {
      if (failpoint.victims.includes('service')) sent = 0;
      await kill(failpoint, server, signer);
    });
    const onTold = (question: string) => {
      if (SEND.test(question)) sent += 1;
    };
    const nodeProxy = later(await openNodeProxy(chain.nodeUrl, trap, onTold));
    const signerPath = join(signer.directory, 'proxy');
    later(await openSignerProxy(signerPath, signer, trap));
    const settings = {
      ...chain.settingsAt(nodeProxy.url),
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
      SANDBOX: 'off',
      RATE_LIMIT_PER_KEY: '0',
      SIGNER_SOCKET: signerPath,
      SIGNER_NETWORKS: chain.network,
      ...nodeOptions(),
    };
    const server = later(await openServerProcess({ settings }));
    const { url } = later(await openDatabaseProxy(server.databaseUrl, trap));
    await chain.watchStrangers?.(server);
    await server.start({ DATABASE_URL: url });
    const shop = later(await openShop(server, 'live'));
    await waitForOffer(shop.client);
    const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
    await server.command('allow-list', 'add', ...here);
    for (const [kind, amount] of LIMITS) {
      const words = [kind, amount, chain.assetId, '--environment', 'live', '--everyone'];
      const done = await server.command(
        'limit',
        'set',
        ...words,
        '--reason',
        'safe',
        '--by',
        'ann',
      );
      assert.equal(done.exitCode, 0, done.stderr);
    }
    const checkoutIds = await sell(chain, shop);
    const sweepFrom = chain.collectTo && (await giveAddress(chain, shop));
    return {
      ...{ chain, server, signer, shop, trap, checkoutIds, sweepFrom, close },
      strangers: [],
      sent: () => sent,
      beginRun() {
        sent = 0;
      },
      async startAgain({ victims }) {
        if (victims.includes('signer')) await signer.start(rules);
        if (!victims.includes('service')) return;
        await endLeases(server);
        await server.start({ DATABASE_URL: url });
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function nodeOptions(): Settings {
  const { NODE_OPTIONS = '', QUITTANCE_TEST_BUG } = process.env;
  const pauses = pathToFileURL(join(import.meta.dirname, 'short-pauses.mjs')).href;
  return {
    NODE_OPTIONS: `${NODE_OPTIONS} --import ${pauses}`.trim(),
    ...(QUITTANCE_TEST_BUG !== undefined && { QUITTANCE_TEST_BUG }),
  };
}

async function sell({ currency, network, fund }: KillChain, shop: Shop): Promise<string[]> {
  const opened = [];
  for (let made = 0; made < CHECKOUTS; made += 1) {
    opened.push(await shop.open({ currency, amount: PAID }, network));
  }
  await fund(opened.map(({ depositInstructions: { address } }) => ({ address, amount: PAID })));
  for (const { checkoutId } of opened) await shop.client.waitForState(checkoutId, 'COMPLETED');
  return opened.map(({ checkoutId }) => checkoutId);
}

async function giveAddress({ network }: KillChain, { client }: Shop): Promise<string> {
  type Made = { readonly depositAddress: { readonly address: string } };
  const { depositAddress } = await client.post<Made>('/deposit-address', { network });
  return depositAddress.address.toLowerCase();
}

async function kill(
  { victims, cutsLog }: Failpoint,
  server: ServerProcess,
  signer: SignerProcess,
): Promise<void> {
  if (victims.includes('signer')) await signer.kill9();
  if (victims.includes('service')) await server.kill9();
  if (cutsLog) cutLastLine(signer.log);
}

/** As the disk has it when the machine goes away while the line is being written. */
function cutLastLine(log: string): void {
  const bytes = readFileSync(log);
  const begin = bytes.subarray(0, -1).lastIndexOf(10) + 1;
  truncateSync(log, begin + Math.floor((statSync(log).size - begin) / 2));
}

/** Whoever is dead holds a transfer for 30 seconds: set back, as if they had passed. */
export async function endLeases({ db }: ServerProcess): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      update transfer set next_step_at = now()
      where next_step_at > now() and state <> 'QUOTED'`),
  );
}
