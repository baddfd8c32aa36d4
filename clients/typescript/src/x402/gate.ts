// Whether a request is paid for. Guarantees: what was signed pays for one request, by its method,
// address, body and price, and for no other; it is settled before anything is served; what an agent
// says about its checkout is never believed, the service is asked. Not guaranteed: that a paid
// request is carried out once. Sent again with the same signature it is let through again, for the
// payer who lost the answer has paid: what must happen once is to be kept by `checkoutId`.
import { Quittance } from '../client.ts';
import { NotFoundError, QuittanceError } from '../errors.ts';
import { type ClientOptions, systemClock } from '../options.ts';
import { bytesOf, concatenated, hex, hmacSha256 } from '../web-crypto.ts';
import { Facilitator } from './facilitator.ts';
import {
  type Accepts,
  encodeHeader,
  type Resource,
  readSignedPayment,
  type SettleResponse,
  type SignedPayment,
  X402_VERSION,
} from './messages.ts';

export type X402Options = ClientOptions & {
  /** Network that agents pay on, as `BASE`. */
  readonly network: string;
  /** Id of a token there that has EIP-3009, as USDC. */
  readonly asset: string;
  /** Told of everything that happens to each of the checkouts. */
  readonly webhook?: string;
  /** Unpaid requests that get a checkout each, in one process; 60 unless given. */
  readonly checkoutsPerMinute?: number;
};

export type Price = {
  /** As a text: `'0.01'`. */
  readonly amount: string;
  /** Billing currency, as `USD` or `USDC`. */
  readonly currency: string;
  /** Of the resource; stands on the bill too. */
  readonly description?: string;
  readonly mimeType?: string;
};

/** What has to be known of a request. */
export type AskedRequest = {
  readonly method: string;
  /** Whole, with its query. */
  readonly url: string;
  /** The header PAYMENT-SIGNATURE. */
  readonly signature: string | undefined;
  readonly body: Uint8Array;
};

export type X402Payment = {
  /** The checkout that was paid: what must happen once is kept by it. */
  readonly checkoutId: string;
  readonly payer: string;
  readonly transaction: string;
  readonly network: string;
};

export type Refused = {
  readonly status: 402 | 503;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: object;
};

export type Admission =
  | { readonly payment: X402Payment; readonly headers: Readonly<Record<string, string>> }
  | { readonly refused: Refused };

type Wanted = { readonly price: Price; readonly resource: Resource; readonly mark: string };

const CHECKOUTS_PER_MINUTE = 60;
const RETRY_SECONDS = 5;

/** What keeps routes until they are paid for. */
export class X402 {
  readonly #options: X402Options;
  readonly #quittance: Quittance;
  readonly #facilitator: Facilitator;
  /** Checkouts that may be made now. */
  #left: number;
  #filledAt: number;

  constructor(options: X402Options) {
    this.#options = options;
    this.#quittance = new Quittance(options);
    this.#facilitator = new Facilitator(options);
    this.#left = options.checkoutsPerMinute ?? CHECKOUTS_PER_MINUTE;
    this.#filledAt = this.#now();
  }

  /** @throws QuittanceError for what trying again does not help, as a token that cannot be paid so. */
  async admit(asked: AskedRequest, price: Price): Promise<Admission> {
    const { description, mimeType } = price;
    const resource = { url: asked.url, description, mimeType };
    const wanted = { price, resource, mark: await this.#markOf(asked, price) };
    try {
      if (asked.signature === undefined) return await this.#offer(wanted, 'payment required');
      const signed = readSignedPayment(asked.signature);
      if (signed === undefined) return await this.#offer(wanted, 'invalid_payload');
      return await this.#take(wanted, signed);
    } catch (error) {
      if (!(error instanceof QuittanceError && error.retryable)) throw error;
      return unavailable('the payment service does not answer', error.retryAfterSeconds);
    }
  }

  async #take(wanted: Wanted, signed: SignedPayment): Promise<Admission> {
    const { checkoutId, payTo, payload } = signed;
    const checkout = await this.#quittance.checkout.get(checkoutId).catch(unlessMissing);
    if (checkout?.meta?.x402 !== wanted.mark) {
      return this.#offer(wanted, 'this was signed for another resource');
    }
    const { accepts, reason } = await this.#facilitator.askRequirements(checkoutId);
    const chosen = accepts.find((one) => one.payTo.toLowerCase() === payTo);
    if (chosen === undefined) return this.#offer(wanted, reason || 'invalid_payment_requirements');
    const settled = await this.#facilitator.settle(payload, chosen);
    const headers = { 'payment-response': encodeHeader(settled) };
    if (settled.success) {
      const { transaction, network, payer = '' } = settled;
      return { payment: { checkoutId, payer, transaction, network }, headers };
    }
    return this.#refuse(wanted, settled, checkout.state === 'AWAITING_PAYMENT' ? accepts : []);
  }

  /** Asks for the same again while its checkout is open, and for a new payment then. */
  async #refuse(
    wanted: Wanted,
    settled: SettleResponse,
    accepts: readonly Accepts[],
  ): Promise<Admission> {
    const { errorReason = 'unexpected_settle_error' } = settled;
    const response = { 'payment-response': encodeHeader(settled) };
    if (errorReason === 'settlement_pending') {
      const { refused } = unavailable('the payment is on its way: send the same again');
      return { refused: { ...refused, headers: { ...refused.headers, ...response } } };
    }
    const isOver = accepts.length === 0 || errorReason === 'duplicate_settlement';
    if (isOver) return this.#offer(wanted, errorReason);
    return { refused: paymentRequired(wanted.resource, errorReason, accepts, response) };
  }

  /** Each has a checkout of its own, for each is paid at an address of its own. */
  async #offer({ price, resource, mark }: Wanted, error: string): Promise<Admission> {
    if (!this.#takeOne()) return unavailable('too many requests that are not paid for');
    const { network, asset, webhook } = this.#options;
    const description = price.description ?? new URL(resource.url).pathname;
    const { id } = await this.#quittance.checkout.create({
      charge: {
        billingCurrency: price.currency,
        lineItems: [{ description, netAmount: price.amount, quantity: 1 }],
      },
      webhook,
      meta: { x402: mark, resource: resource.url },
    });
    await this.#quittance.checkout.commit(id, { network, asset });
    const { accepts, reason } = await this.#facilitator.askRequirements(id);
    if (accepts.length > 0) return { refused: paymentRequired(resource, error, accepts) };
    throw new QuittanceError(reason, { code: 'x402_not_possible' });
  }

  #now(): number {
    return (this.#options.clock ?? systemClock).now();
  }

  /** Whether one more checkout may be made. */
  #takeOne(): boolean {
    const most = this.#options.checkoutsPerMinute ?? CHECKOUTS_PER_MINUTE;
    const now = this.#now();
    this.#left = Math.min(most, this.#left + ((now - this.#filledAt) * most) / 60);
    this.#filledAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** By the secret of the account, so that nobody else can say what a checkout was for. */
  async #markOf({ method, url, body }: AskedRequest, price: Price): Promise<string> {
    const { network, asset, secret } = this.#options;
    const facts = JSON.stringify([method, url, price.amount, price.currency, network, asset]);
    return hex(await hmacSha256(bytesOf(secret), concatenated([bytesOf(`${facts}\n`), body])));
  }
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error;
}

function paymentRequired(
  resource: Resource,
  error: string,
  accepts: readonly Accepts[],
  more: Readonly<Record<string, string>> = {},
): Refused {
  const body = { x402Version: X402_VERSION, error, resource, accepts };
  const headers = { ...more, 'payment-required': encodeHeader(body), 'cache-control': 'no-store' };
  return { status: 402, headers, body };
}

function unavailable(error: string, seconds?: number | null): { readonly refused: Refused } {
  const headers = { 'retry-after': `${seconds ?? RETRY_SECONDS}`, 'cache-control': 'no-store' };
  return { refused: { status: 503, headers, body: { error } } };
}
