// One server that speaks the Esplora HTTP API (Blockstream/esplora, API.md), named in errors by its
// host only: its address may hold a key. Not guaranteed: that an answer is true
// (esplora-sources.ts).
import { openHttpClient } from '#networks/http-client.ts';
import { nodeOutage } from '#networks/node-outage.ts';

export type EsploraAnswer = { readonly status: number; readonly text: string };

export type EsploraClient = {
  readonly host: string;
  /** Undefined when there is no such thing (404). @throws Outage */
  get(path: string, mostBytes?: number): Promise<Buffer | undefined>;
  /** Whatever it answers: its refusals are texts. @throws Outage */
  post(path: string, text: string): Promise<EsploraAnswer>;
  close(): void;
};

/** Bytes: a hash, a number, a list of the transactions of one address. */
const LIMITS = { timeoutMs: 20_000, mostAnswerBytes: 4 * 1024 * 1024 };
const CONNECTIONS = 16;

export function openEsploraClient(what: string, url: string): EsploraClient {
  const whom = new URL(url).host;
  const client = openHttpClient({
    ...LIMITS,
    what,
    whom,
    url,
    connections: CONNECTIONS,
    takesGzip: true,
  });
  return {
    host: whom,
    async get(path, mostAnswerBytes = LIMITS.mostAnswerBytes) {
      const { status, body } = await client.ask({ path, mostAnswerBytes });
      if (status === 404) return undefined;
      if (status === 200) return body;
      throw nodeOutage(what, `${whom} answers with HTTP status ${status}`);
    },
    async post(path, text) {
      const headers = { 'content-type': 'text/plain' };
      const { status, body } = await client.ask({ path, body: text, headers });
      return { status, text: body.toString() };
    },
    close: () => client.close(),
  };
}
