// One server that speaks the Esplora HTTP API (Blockstream/esplora, API.md). Guarantees: an answer
// is whole and has at most so many bytes, within the time limit, or the question fails as an Outage
// that names the server by its host only: its address may hold a key. Not guaranteed: that the
// answer is true (esplora-sources.ts).

import { Outage } from '#base/refusal.ts';
import { nodeOutage } from '#networks/node-outage.ts';

export type EsploraClient = {
  readonly host: string;
  /** Undefined when there is no such thing (404). @throws Outage */
  get(path: string, mostBytes?: number): Promise<Buffer | undefined>;
};

const timeoutMs = 20_000;
/** A hash, a number, a list of the transactions of one address. */
const mostBytesUsually = 4 * 1024 * 1024;

export function openEsploraClient(what: string, address: string): EsploraClient {
  const url = new URL(address);
  const base = address.replace(/\/+$/, '');
  const { host } = url;

  async function ask(path: string, mostBytes: number): Promise<Buffer | undefined> {
    const response = await fetch(`${base}${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      // Another host would be another source than the one that was configured.
      redirect: 'error',
    });
    if (response.status === 404) return void (await response.body?.cancel());
    if (response.status !== 200) {
      await response.body?.cancel();
      throw nodeOutage(what, `${host} answers with HTTP status ${response.status}`);
    }
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > mostBytes)
        throw nodeOutage(what, `an answer of ${host} exceeds ${mostBytes} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts, size);
  }

  return {
    host,
    async get(path, mostBytes = mostBytesUsually) {
      try {
        return await ask(path, mostBytes);
      } catch (error) {
        if (error instanceof Outage) throw error;
        // The message of fetch may hold the address.
        throw nodeOutage(what, `${host} does not answer`);
      }
    },
  };
}
