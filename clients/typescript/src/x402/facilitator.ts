// The facilitator of the service, under /x402: it needs no key, and moves nothing that was not signed.
import { NetworkError } from '../errors.ts';
import type { ClientOptions } from '../options.ts';
import { type Accepts, isObject, type SettleResponse, X402_VERSION } from './messages.ts';

/** The service waits up to half a minute for a block. */
const TIMEOUT_SECONDS = 60;

export class Facilitator {
  readonly #base: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = options.baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
  }

  /** What a checkout asks for; none where it cannot be paid so (any more), and why not. */
  async askRequirements(
    checkoutId: string,
  ): Promise<{ readonly accepts: readonly Accepts[]; readonly reason: string }> {
    const { status, body } = await this.#ask(`requirements/${checkoutId}`);
    if (status === 200) return { accepts: body.accepts as readonly Accepts[], reason: '' };
    if (status === 404 || status === 409) return { accepts: [], reason: String(body.details) };
    throw failed(status);
  }

  /** Asked again with the same payment it gives the same answer, and sends nothing twice. */
  async settle(payment: unknown, accepts: Accepts): Promise<SettleResponse> {
    const { status, body } = await this.#ask('settle', {
      x402Version: X402_VERSION,
      paymentPayload: payment,
      paymentRequirements: accepts,
    });
    if (typeof body.success !== 'boolean') throw failed(status);
    return body as SettleResponse;
  }

  async #ask(path: string, asked?: object) {
    const { transport = (url, init) => fetch(url, init) } = this.#options;
    const post = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    };
    const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
    const init: RequestInit = { ...(asked === undefined ? {} : post), redirect: 'manual', signal };
    try {
      const response = await transport(`${this.#base}/x402/${path}`, init);
      const body: unknown = await response.json();
      return { status: response.status, body: isObject(body) ? body : {} };
    } catch (cause) {
      const facts = { code: 'no_answer', retryable: true, cause };
      throw new NetworkError('no answer of the facilitator', facts);
    }
  }
}

function failed(status: number): NetworkError {
  const facts = { code: 'facilitator_failed', retryable: true };
  return new NetworkError(`the facilitator answered ${status}`, facts);
}
