// What a client is made with, and what a call may say of its own.

export type Clock = {
  /** Unix seconds, with their fraction. */
  now(): number;
  /** Rejects with the reason of the signal when that is aborted. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void>;
};

/** `fetch`, or what takes its place: a proxy agent, a test. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;

export type ClientOptions = {
  /** The API key: 12 characters. */
  readonly key: string;
  /** Its secret: 29 characters. It never leaves this process. */
  readonly secret: string;
  /** Where the service is: `https://pay.example`. */
  readonly baseUrl: string;
  /** For one attempt; 30 unless given. */
  readonly timeoutSeconds?: number;
  /** Attempts after the first; 2 unless given. */
  readonly maxRetries?: number;
  /**
   * Dated version of the API that each call names; that which this library was made for unless
   * given. In another one objects have the names of that version, which the types do not know.
   */
  readonly apiVersion?: string;
  /** Sent as `X-Origin-URL`: the shop that asks, for display. */
  readonly originUrl?: string;
  readonly transport?: Transport;
  /** For tests. */
  readonly clock?: Clock;
  /** From 0 to below 1; for tests. */
  readonly random?: () => number;
};

export type CallOptions = {
  /** For a POST: the same key gives the same answer, however often it is sent. Made unless given. */
  readonly idempotencyKey?: string;
  /** For one attempt of this call. */
  readonly timeoutSeconds?: number;
  readonly maxRetries?: number;
  /** Ends the call, whatever it is doing. */
  readonly signal?: AbortSignal;
};

export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  sleep: (seconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, seconds * 1000);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};
