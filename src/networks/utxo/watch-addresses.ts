// The unconfirmed picture where no mempool can be read: the addresses that this process handed out
// lately are asked for one by one (so a server learns those; confirmed payments are found without
// asking). Nothing here is ever credited. Guarantees: a bounded number of questions in each step,
// and a transaction is gone only when a server says that it has none such. Not guaranteed: that
// every unconfirmed payment is seen; blocks are the truth.
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import { NodeLie, requireFields, requireHash, requireList } from '#networks/answer-fields.ts';
import type { EsploraClient } from './esplora-client.ts';
import { requireBytes } from './json-rpc.ts';
import { type ParsedTransaction, type RawChain, readUnconfirmed } from './read-transaction.ts';
import type { MempoolPicture, MempoolWatch } from './watch-mempool.ts';

/** Questions in one step: for addresses, and for transactions that are on their way. */
const MOST_ADDRESSES = 20;
const MOST_TRANSACTIONS = 20;
/** A checkout is paid within about an hour. After that the first block shows the payment. */
const ADDRESS_MS = 90 * 60_000;

type AddressOptions = {
  readonly clients: readonly EsploraClient[];
  readonly chain: RawChain;
  readonly clock: Clock;
};

type Watch = AddressOptions & {
  /** Addresses handed out, and when; latest last. */
  readonly issuedAtMs: Map<string, number>;
  /** What the last look found. */
  known: ReadonlyMap<string, ParsedTransaction>;
  /** Counts the looks: each asks the next server. */
  turn: number;
};

export function watchAddresses(
  options: AddressOptions,
): MempoolWatch & { add(address: string): void } {
  const watch: Watch = { ...options, issuedAtMs: new Map(), known: new Map(), turn: 0 };
  return {
    add(address) {
      watch.issuedAtMs.delete(address);
      watch.issuedAtMs.set(address, watch.clock.monotonicMs());
    },
    async look(_tipHash, unconfirmed) {
      try {
        return await look(watch, unconfirmed);
      } catch (error) {
        // It is only a hint, so a failure must not hold up the chain.
        if (!(error instanceof Outage) && !(error instanceof NodeLie)) throw error;
        return { unconfirmed: [], spends: [], listed: undefined };
      }
    },
    // What stands is told in every step.
    acknowledge: () => undefined,
    hasBacklog: () => false,
    hasChanged: async () => false,
  };
}

async function look(watch: Watch, unconfirmed: readonly string[]): Promise<MempoolPicture> {
  const { clients, chain, clock, issuedAtMs } = watch;
  const client = clients[watch.turn % clients.length];
  assert(client !== undefined, 'there is a server to ask');
  watch.turn += 1;
  const now = clock.monotonicMs();
  for (const [address, atMs] of issuedAtMs) {
    if (now - atMs > ADDRESS_MS) issuedAtMs.delete(address);
  }
  const current = new Map<string, ParsedTransaction>();
  for (const address of [...issuedAtMs.keys()].slice(-MOST_ADDRESSES)) {
    await readAddress(watch, client, address, current);
  }
  watch.known = current;
  const listed = new Set(unconfirmed);
  for (const txid of unconfirmed.slice(0, MOST_TRANSACTIONS)) {
    if (await stands(client, txid, chain)) continue;
    listed.delete(txid);
  }
  const reported = [...current.values()];
  return {
    unconfirmed: reported.flatMap(({ arrivals }) => arrivals),
    spends: reported.map(({ transaction, spends, others }) => ({ transaction, spends, others })),
    listed,
  };
}

async function readAddress(
  { known, chain }: Watch,
  client: EsploraClient,
  address: string,
  current: Map<string, ParsedTransaction>,
): Promise<void> {
  const answer = parse(await client.get(`/address/${address}/txs/mempool`));
  for (const one of requireList(answer, 'the transactions of an address').slice(0, 25)) {
    const txid = requireHash(requireFields(one, 'a transaction').txid, 'a transaction id');
    const before = known.get(txid);
    if (before !== undefined) {
      current.set(txid, before);
      continue;
    }
    const hex = (await client.get(`/tx/${txid}/hex`))?.toString().trim();
    if (hex === undefined) continue;
    current.set(txid, requireTransaction(hex, txid, chain));
  }
}

/** `/status` says of what it never heard of that it waits: the transaction itself is asked for. */
async function stands(client: EsploraClient, txid: string, chain: RawChain): Promise<boolean> {
  const hex = (await client.get(`/tx/${txid}/hex`))?.toString().trim();
  if (hex === undefined) return false;
  requireTransaction(hex, txid, chain);
  return true;
}

/** @throws NodeLie */
function requireTransaction(hex: string, txid: string, chain: RawChain): ParsedTransaction {
  const transaction = readUnconfirmed(requireBytes(hex, `transaction ${txid}`), chain);
  if (transaction.transaction === txid && !transaction.isCoinbase) return transaction;
  throw new NodeLie(`another transaction was given than ${txid}`);
}

function parse(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString() ?? '');
  } catch {
    throw new NodeLie('an answer is no JSON');
  }
}
