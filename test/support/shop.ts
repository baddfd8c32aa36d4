// A shop at a server process: a key of the command line, a client, a webhook receiver that checks
// every signature, and a look at the books. `checkBooks` is to be called after every story.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { systemRandom } from '#base/random.ts';
import { sql } from '#db/db.ts';
import { openKeyring } from '#installation/keyring.ts';
import { balancesOf, type MerchantAccountCode } from '#ledger/account.ts';
import { webhookSecrets } from '#merchant/merchant-secret.ts';
import { checkInvariants } from './check-invariants.ts';
import {
  type Committed,
  type MerchantClient,
  type MerchantKey,
  openMerchantClient,
  verifyWebhook,
  type WireEvent,
} from './merchant-client.ts';
import type { ServerProcess } from './server-process.ts';
import {
  type Behave,
  ok,
  openWebhookReceiver,
  type ReceivedWebhook,
  type WebhookReceiver,
} from './webhook-receiver.ts';

export type Shop = {
  readonly client: MerchantClient;
  readonly key: MerchantKey;
  readonly merchantId: string;
  readonly receiver: WebhookReceiver;
  /** What the receiver answers from now on; well-behaved at first. */
  behave(behave: Behave): void;
  /** A checkout with a webhook, of a charge in this currency; gives its id. */
  create(charge: Charge, more?: object): Promise<string>;
  /** Created and committed. */
  open(charge: Charge, network: string, asset?: string): Promise<Committed>;
  /** Every webhook of the checkout that has come, repeats included, both signatures checked. */
  webhooksOf(checkoutId: string): readonly ReceivedWebhook[];
  /** Events of the checkout that have come, each once, in order of their sequence. */
  eventsOf(checkoutId: string): readonly WireEvent[];
  /** Types of all events of the checkout in order, once every one that was written has come. */
  typesOf(checkoutId: string): Promise<readonly string[]>;
  waitForEvent(checkoutId: string, type: string): Promise<WireEvent>;
  /** Smallest units; what the merchant may transfer unless another account is named. */
  balance(assetId: string, code?: MerchantAccountCode): Promise<bigint>;
  /** Kinds of the ledger entries of the checkout, in order. */
  entriesOf(checkoutId: string): Promise<readonly string[]>;
  /**
   * No act moves the window of a live checkout, and an hour is too long for a test: its times in
   * the database are set back, as if it had been made earlier. Below 0: it ended so long ago.
   */
  endWindowIn(checkoutId: string, seconds: number): Promise<void>;
  /** `window ended by hand` as the invariants have to know it. */
  noteExpired(checkoutId: string): void;
  /** The ledger verifies, every invariant holds, and the server logged no error. */
  checkBooks(): Promise<void>;
  close(): Promise<void>;
};

export type Charge = { readonly currency: string; readonly amount: string };

/** A limit for what comes to be: it costs nothing, and a machine may be slow. */
const waitMs = 180_000;

/** The server must have been started. Real networks are offered when it returns, unless it does not wait. */
export async function openShop(
  server: ServerProcess,
  environment: 'test' | 'live',
  { waits = true }: { readonly waits?: boolean } = {},
): Promise<Shop> {
  const made = await server.command('key', 'create', '--environment', environment, '--json');
  assert.equal(made.exitCode, 0, `no key was made: ${made.stderr}`);
  const key = made.json as MerchantKey;
  assert.match(key.key, /^[a-z0-9]{12}$/);
  assert.match(key.secret, /^[a-z0-9-]{29}$/);
  const [owner] = await server.db.query<{ merchantId: string }>(
    sql`select merchant_id as "merchantId" from api_key where key = ${key.key}`,
  );
  assert(owner !== undefined);
  const { merchantId } = owner;
  if (environment === 'live' && waits) await waitForLiveChains(server);
  const webhookSecret = await readWebhookSecret(server, merchantId, environment);
  let behave: Behave = ok;
  const receiver = await openWebhookReceiver((...request) => behave(...request), {
    isSecure: environment === 'live',
  });
  const client = openMerchantClient(server.origin, key);
  const expiredByHand: string[] = [];
  const verified = new Map<ReceivedWebhook, WireEvent>();
  let order = 0;

  function eventOf(webhook: ReceivedWebhook): WireEvent {
    const known = verified.get(webhook);
    if (known !== undefined) return known;
    const event = verifyWebhook(webhook, { apiSecret: key.secret, webhookSecret });
    verified.set(webhook, event);
    return event;
  }

  const webhooksOf = (checkoutId: string) =>
    receiver.received.filter(
      (webhook) =>
        (eventOf(webhook).data.checkout as { id: string } | undefined)?.id === checkoutId,
    );
  const eventsOf = (checkoutId: string) => {
    const byId = new Map(webhooksOf(checkoutId).map((webhook) => [webhook.id, eventOf(webhook)]));
    return [...byId.values()].sort((a, b) => a.sequence - b.sequence);
  };

  async function create({ currency, amount }: Charge, more: object = {}): Promise<string> {
    order += 1;
    const { id } = await client.createCheckout({
      charge: {
        billingCurrency: currency,
        lineItems: [{ description: `Order ${order}`, netAmount: amount }],
      },
      webhook: `${receiver.origin}/hooks/${order}`,
      meta: { order },
      ...more,
    });
    return id;
  }

  return {
    client,
    key,
    merchantId,
    receiver,
    behave(next) {
      behave = next;
    },
    create,
    async open(charge, network, asset) {
      return client.commit(await create(charge), network, asset);
    },
    webhooksOf,
    eventsOf,
    async typesOf(checkoutId) {
      // They are sent beside each other: the last may be the first to come.
      const written = await server.db.query<{ id: string }>(
        sql`select id from event where subject = 'checkout' and subject_id = ${checkoutId}`,
      );
      await waitUntil(`all events of ${checkoutId} to come`, () => {
        const came = new Set(eventsOf(checkoutId).map(({ id }) => id));
        return written.every(({ id }) => came.has(id));
      });
      return eventsOf(checkoutId).map(({ eventType }) => eventType);
    },
    async waitForEvent(checkoutId, type) {
      const found = () => eventsOf(checkoutId).find(({ eventType }) => eventType === type);
      await waitUntil(`${type} of ${checkoutId} to come`, () => found() !== undefined);
      const event = found();
      assert(event !== undefined);
      return event;
    },
    async balance(assetId, code = 'merchant:available') {
      const balances = await balancesOf(server.db, { merchantId, environment });
      const found = balances.find((one) => one.code === code && one.assetId === assetId);
      return found?.units ?? 0n;
    },
    async entriesOf(checkoutId) {
      const rows = await server.db.query<{ kind: string }>(
        sql`select kind from ledger_entry where subject_id = ${checkoutId} order by id`,
      );
      return rows.map(({ kind }) => kind);
    },
    endWindowIn: (checkoutId, seconds) => endWindowIn(server, checkoutId, seconds),
    noteExpired: (checkoutId) => void expiredByHand.push(checkoutId),
    async checkBooks() {
      const { json: verdict, stderr } = await server.command('ledger', 'verify', '--json');
      assert.equal(verdict.ok, true, `${JSON.stringify(verdict)} ${stderr}`);
      // What becomes due while it is being looked at is due.
      const now = systemClock.now().add({ seconds: 1 });
      assert.deepEqual(await checkInvariants(server.db, { now, expiredByHand }), []);
      assert.deepEqual(server.errors(), []);
    },
    close: () => receiver.close(),
  };
}

/** As `Shop.endWindowIn`, also while the server is down. */
export async function endWindowIn(
  { db }: Pick<ServerProcess, 'db'>,
  id: string,
  seconds: number,
): Promise<void> {
  const end = systemClock.now().add({ seconds });
  await db.transact(async (tx) => {
    const [row] = await tx.query<{ seconds: number }>(sql`
      select ceil(extract(epoch from expires_at - ${end}))::integer as seconds from checkout
      where id = ${id} for update`);
    assert(row !== undefined);
    const earlier = sql`make_interval(secs => ${row.seconds})`;
    tx.send(sql`update commitment set committed_at = committed_at - ${earlier},
      expires_at = expires_at - ${earlier} where checkout_id = ${id}`);
    tx.send(sql`update checkout set created_at = created_at - ${earlier},
      expires_at = expires_at - ${earlier}, settle_at = settle_at - ${earlier} where id = ${id}`);
  });
}

/** Nothing is offered on a chain before it was heard. */
export function waitForLiveChains(server: ServerProcess): Promise<void> {
  return waitUntil('every live chain to be heard', async () => {
    const { chains } = (await server.health()).body;
    return chains.every(({ chain, height }) => !chain.startsWith('live:') || height !== null);
  });
}

/** Where a chain was heard it may still be looked up what was given out before. */
export function waitForOffer({ get }: Pick<MerchantClient, 'get'>): Promise<void> {
  type Listed = { readonly networks: readonly { readonly deposits: boolean }[] };
  return waitUntil('a network to be offered', async () => {
    const { networks } = await get<Listed>('/networks');
    return networks.some(({ deposits }) => deposits);
  });
}

/** A look may be a whole command: who waits for seconds looks four times in each, not fifty. */
const firstPauseMs = 20;
const mostPauseMs = 250;
const pauseGrowth = 1.25;

/** Polls; fails with the sentence when it does not come to be. */
export async function waitUntil(
  wanted: string,
  isReached: () => boolean | Promise<boolean>,
): Promise<void> {
  const endsAtMs = performance.now() + waitMs;
  let pauseMs = firstPauseMs;
  while (!(await isReached())) {
    assert(performance.now() < endsAtMs, `waited in vain for ${wanted}`);
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * pauseGrowth, mostPauseMs);
  }
}

/** No endpoint or command tells it yet, so it is read as the server itself reads it. */
async function readWebhookSecret(
  { db, keyFile }: ServerProcess,
  merchantId: string,
  environment: 'test' | 'live',
): Promise<string> {
  const keyring = openKeyring(keyFile, systemRandom);
  const now = systemClock.now();
  return (await webhookSecrets({ db, keyring }, merchantId, environment, now)).current;
}
