// One Horizon: an answer is JSON or the question fails as an Outage (http-client.ts). Not
// guaranteed: that the answer is true.
import { type Clock, systemClock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import { isFields } from '#networks/answer-fields.ts';
import {
  type HttpAnswer,
  type HttpLimits,
  openHttpClient,
  parseAnswer,
  type Query,
  retryAfterMs,
} from '#networks/http-client.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { integerFrom } from './horizon-fields.ts';

type HorizonOptions = HttpLimits & {
  /** Names the network in errors. */
  readonly what: string;
  readonly url: string;
  readonly clock?: Pick<Clock, 'now'>;
};

type HorizonAnswer = {
  /** Undefined: there is no such thing (404). */
  readonly json: unknown;
  /** Header Latest-Ledger: the ledger that the state in the answer belongs to. */
  readonly latestLedger: bigint | undefined;
};

export interface Horizon {
  /** For people: the host, without what could be secret. */
  readonly host: string;
  get(path: string, query?: Query): Promise<HorizonAnswer>;
  /**
   * Undefined once it is in a ledger; otherwise why it is refused, in the codes of the network.
   * @throws Outage also when nobody knows yet: it may be submitted again.
   */
  submit(envelope: string): Promise<string | undefined>;
  /** Ends when Horizon ends the stream, or it breaks or is aborted. @throws Outage without one. */
  listen(path: string, query: Query, onEvent: () => void, signal: AbortSignal): Promise<void>;
  close(): void;
}

const LIMITS = { timeoutMs: 20_000, mostAnswerBytes: 16 * 1024 * 1024 };
const CONNECTIONS = 16;
/** As much of a stream as may be the beginning of an event. */
const STREAM_TAIL = 16;
/** It is not believed that a Horizon wants to be left alone for longer. */
const RETRY_SECONDS_MOST = 3600;

export function openHorizon(options: HorizonOptions): Horizon {
  const { clock = systemClock } = options;
  const whom = 'Horizon';
  const fixed = { whom, connections: CONNECTIONS, takesGzip: true };
  const client = openHttpClient({ ...LIMITS, ...options, ...fixed });
  const { what, host } = client;
  return {
    host,
    async get(path, query = {}) {
      const answer = await client.ask({ path, query });
      const header = answer.headers['latest-ledger'];
      const latestLedger =
        header === undefined ? undefined : integerFrom(String(header), 'Latest-Ledger');
      if (answer.status === 404) return { json: undefined, latestLedger };
      if (answer.status !== 200) throw refusedBy(what, answer, clock.now());
      return { json: parseAnswer(client, answer), latestLedger };
    },
    async submit(envelope) {
      const body = new URLSearchParams({ tx: envelope }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await client.ask({ path: '/transactions', body, headers, timeoutMs: 60_000 });
      if (answer.status === 200) return undefined;
      if (answer.status !== 400) throw refusedBy(what, answer, clock.now());
      return codesOf(parseAnswer(client, answer));
    },
    listen(path, query, onEvent, signal) {
      let tail = '';
      const headers = { accept: 'text/event-stream' };
      return client.listen({ path, query, headers, signal }, (part) => {
        // Events of data are objects; "hello" and "byebye" open and end a stream.
        const text = tail + part;
        const isEvent = /^data: ?\{/m.test(text);
        tail = isEvent ? '' : text.slice(-STREAM_TAIL);
        if (isEvent) onEvent();
      });
    },
    close: () => client.close(),
  };
}

/** `tx_failed op_underfunded`: Horizon, Result Codes. */
function codesOf(problem: unknown): string {
  const { extras, title } = isFields(problem) ? problem : {};
  const codes = isFields(extras) && isFields(extras.result_codes) ? extras.result_codes : {};
  const { transaction, operations } = codes;
  const said = [transaction, ...(Array.isArray(operations) ? operations : [])].map(String);
  return transaction === undefined ? String(title) : said.join(' ');
}

function refusedBy(what: string, { status, headers }: HttpAnswer, now: Temporal.Instant): Outage {
  if (status === 410)
    return nodeOutage(what, 'Horizon no longer keeps the ledgers that are needed');
  if (status !== 429) return nodeOutage(what, `Horizon answers with HTTP status ${status}`);
  const seconds = Math.ceil((retryAfterMs(headers['retry-after'], now) ?? 0) / 1000);
  const isSaid = seconds > 0 && seconds <= RETRY_SECONDS_MOST;
  const cause = new Error('Horizon has too many questions from us (rate limit)');
  return new Outage(what, { cause, ...(isSaid && { retryAfterSeconds: seconds }) });
}
