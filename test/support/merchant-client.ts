// A shop's side of the API, written from the specification alone, as a merchant would: it signs with
// node:crypto, checks webhooks with the public Standard Webhooks library, and imports nothing of ours.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

export type MerchantKey = { readonly key: string; readonly secret: string };

export type WireTransaction = {
  readonly type: string;
  readonly tx: string;
  readonly network: string;
  readonly amount: string;
  readonly amountAssetCode: string;
  readonly exception: string | null;
  readonly confirmations: number;
  readonly confirmationsRequired: number | null;
};

export type WireInstructions = {
  readonly assetCode: string;
  readonly network: string;
  readonly amount: string;
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: string | null;
  /** Of the XRP Ledger alone. */
  readonly destinationTag?: number;
  /** Null where there is no such link. */
  readonly paymentUri: string | null;
};

export type WireCheckout = {
  readonly id: string;
  readonly state: string;
  readonly settlementAssetId: string | null;
  readonly settlementAmountRequired: string | null;
  readonly settlementAmountReceived: string;
  readonly settlementAmountFeePaid: string;
  readonly sourceAmountRequired: string | null;
  readonly sourceAmountReceived: string;
  readonly sourceNetwork: string | null;
  readonly depositAddress: string | null;
  readonly blockchainTransactions: readonly WireTransaction[];
  readonly stateHistory: readonly { readonly state: string; readonly timestamp: string }[];
  readonly flags: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly depositInstructions: WireInstructions | null;
  readonly expirationTime: string | null;
  readonly hostedCheckoutUrl: string;
  readonly meta?: Readonly<Record<string, unknown>>;
};

export type WireMethod = {
  readonly network: string;
  readonly relatedAssetId: string;
  readonly assetCode: string;
  readonly paymentAmount: string;
  readonly settlement: Readonly<Record<'assetId' | 'amount' | 'netAmount' | 'fee', string>>;
};

export type Committed = {
  readonly checkoutId: string;
  readonly depositInstructions: WireInstructions;
  readonly settlement: WireMethod['settlement'];
  readonly expirationTime: string;
};

export type WireEvent = {
  readonly eventType: string;
  readonly id: string;
  readonly created: string;
  readonly sequence: number;
  readonly apiVersion: string;
  readonly data: { readonly checkout: WireCheckout };
};

export type Answer = { readonly status: number; readonly text: string; readonly json: unknown };

export type MerchantClient = {
  call(method: 'GET' | 'POST' | 'DELETE', path: string, options?: CallOptions): Promise<Answer>;
  /** The parsed answer; fails unless it is 200. */
  get<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  createCheckout(
    request: object,
  ): Promise<{ readonly id: string; readonly paymentMethods: readonly WireMethod[] }>;
  commit(checkoutId: string, network: string, asset?: string): Promise<Committed>;
  findCheckout(id: string): Promise<WireCheckout>;
  /** Fails with what the checkout looks like when it does not come in time. */
  waitForState(id: string, state: string): Promise<WireCheckout>;
  waitFor(id: string, isReached: (checkout: WireCheckout) => boolean): Promise<WireCheckout>;
};

type CallOptions = {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
};

const waitMs = 180_000;
const longPollSeconds = 20;
/** Each question costs both sides some milliseconds: who waits for seconds asks less often. */
const poll = { firstMs: 50, mostMs: 250, growth: 1.25 };
const heldPollMs = 10;

export function openMerchantClient(origin: string, { key, secret }: MerchantKey): MerchantClient {
  async function call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { query = {}, body, idempotencyKey }: CallOptions = {},
  ): Promise<Answer> {
    const text = method === 'GET' ? '' : JSON.stringify(body);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signed = `${path.toLowerCase()}${timestamp}${method}${text}`;
    const parameters = new URLSearchParams(query).toString();
    const response = await fetch(
      `${origin}/api/v1${path}${parameters === '' ? '' : `?${parameters}`}`,
      {
        method,
        headers: {
          // The service closes a connection that was silent for five seconds. A test that waited so
          // long, on a busy machine, would ask over it just then, and nobody asks once more.
          Connection: 'close',
          'X-Digest-Key': key,
          'X-Digest-Timestamp': timestamp,
          'X-Digest-Signature': createHmac('sha256', secret).update(signed).digest('hex'),
          ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        },
        ...(method === 'GET' ? {} : { body: text }),
      },
    );
    const answer = await response.text();
    return { status: response.status, text: answer, json: JSON.parse(answer) };
  }

  async function ok<T>(method: 'GET' | 'POST', path: string, options: CallOptions): Promise<T> {
    const { status, text, json } = await call(method, path, options);
    assert.equal(status, 200, `${method} ${path}: ${text}`);
    return json as T;
  }

  async function findCheckout(id: string, wait?: number): Promise<WireCheckout> {
    const query: Record<string, string> = { id };
    if (wait !== undefined) query.wait = String(wait);
    const { checkout } = await ok<{ checkout: WireCheckout }>('GET', '/checkout', { query });
    return checkout;
  }

  async function waitFor(
    id: string,
    isReached: (checkout: WireCheckout) => boolean,
    wanted = String(isReached),
    wait?: number,
  ): Promise<WireCheckout> {
    const endsAtMs = performance.now() + waitMs;
    let pollMs = poll.firstMs;
    for (let checkout = await findCheckout(id); ; ) {
      if (isReached(checkout)) return checkout;
      if (performance.now() > endsAtMs) {
        const shown = JSON.stringify(checkout, undefined, 1);
        assert.fail(`the checkout does not become ${wanted}:\n${shown}`);
      }
      // A held answer still comes at once when the checkout is completed.
      await sleep(wait === undefined ? pollMs : heldPollMs);
      pollMs = Math.min(pollMs * poll.growth, poll.mostMs);
      checkout = await findCheckout(id, wait);
    }
  }

  return {
    call,
    get: (path, query) => ok('GET', path, { query }),
    post: (path, body) => ok('POST', path, { body }),
    createCheckout: (request) => ok('POST', '/checkout', { body: request }),
    commit: (checkoutId, network, asset) =>
      ok('POST', '/checkout/commit', { body: { checkoutId, network, asset } }),
    findCheckout,
    waitFor: (id, isReached) => waitFor(id, isReached),
    waitForState: (id, state) => {
      // An answer is held until the state changes: one that is there already would be waited out.
      const wait = state === 'COMPLETED' ? longPollSeconds : undefined;
      return waitFor(id, (found) => found.state === state, state, wait);
    },
  };
}

export type WebhookKeys = { readonly apiSecret: string; readonly webhookSecret: string };

export type ReceivedText = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

/** Both signatures of a webhook, as the two kinds of receivers check them; gives what it says. */
export function verifyWebhook({ headers, body }: ReceivedText, keys: WebhookKeys): WireEvent {
  const auth = createHash('sha256').update(`${keys.apiSecret}${body}`).digest('hex');
  assert.equal(headers['x-webhook-auth'], auth, 'X-Webhook-Auth is SHA-256 over secret and body');
  const standard = new Webhook(keys.webhookSecret);
  const event = standard.verify(body, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  }) as WireEvent;
  assert.equal(event.id, headers['webhook-id'], 'the id in the header is that of the event');
  return event;
}

/** An event holds what GET /checkout says; only the confirmations rise after it was written. */
export function assertSameCheckout(told: WireCheckout | undefined, found: WireCheckout): void {
  assert(told !== undefined, 'no event');
  assert.deepEqual(withoutConfirmations(told), withoutConfirmations(found));
}

function withoutConfirmations(checkout: WireCheckout): object {
  const blockchainTransactions = checkout.blockchainTransactions.map(
    ({ confirmations: _, ...transaction }) => transaction,
  );
  return { ...checkout, blockchainTransactions };
}
