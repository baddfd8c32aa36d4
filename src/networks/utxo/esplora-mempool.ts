// What waits for a block, and what is sent, where Esplora servers stand for a node. Guarantees:
// what waits is told only as so many servers tell it alike; of what was sent see
// decide-broadcast.ts. A server learns which transactions are asked about and sent, and from where.
// Not guaranteed: that a fee is right which all servers tell alike; what is drafted by it is shown
// before it is signed.
import { amountToText } from '#money/asset-amount.ts';
import {
  isFields,
  NodeLie,
  RpcFailure,
  requireFields,
  requireHash,
  requireList,
  requireThat,
} from '#networks/answer-fields.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { type AgreeingServers, agreed } from './agreed-answer.ts';
import { decideBroadcast, readBroadcast, type ServerSaid } from './decide-broadcast.ts';
import type { EsploraClient } from './esplora-client.ts';
import { RPC_ALREADY_IN_CHAIN, RPC_NOT_FOUND, requireCount } from './json-rpc.ts';

/** As many as nodes let hang together (DEFAULT_CLUSTER_LIMIT of Bitcoin Core; 25 before it). */
const MOST_RELATED = 64;
/** Most inputs spend what is in a block, which only the question shows. */
const MOST_QUESTIONS = 300;

/** Given to every server. Answers its id. @throws RpcFailure as a node fails, Outage, NodeLie */
export async function sendToServers(servers: AgreeingServers, hex: string): Promise<string> {
  const { what, clients, needed } = servers;
  const asked = await Promise.allSettled(clients.map((client) => sendTo(servers, client, hex)));
  const said = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const decided = decideBroadcast(said, needed);
  if ('taken' in decided) return decided.taken;
  if ('known' in decided) {
    throw new RpcFailure('sendrawtransaction', RPC_ALREADY_IN_CHAIN, 'it is known already');
  }
  if ('refused' in decided) {
    throw new RpcFailure('sendrawtransaction', decided.code, decided.refused);
  }
  const failed = asked.find((one) => one.status === 'rejected');
  throw nodeOutage(what, decided.undecided, failed?.reason);
}

async function sendTo(
  { what }: AgreeingServers,
  client: EsploraClient,
  hex: string,
): Promise<ServerSaid> {
  const answer = await client.post('/tx', hex);
  const said = readBroadcast(answer);
  if (said !== undefined) return said;
  const words = answer.text.slice(0, 200);
  throw nodeOutage(what, `${client.host} does not pass it on (${answer.status})`, words);
}

type Waiting = {
  readonly transaction: string;
  readonly feeUnits: bigint;
  readonly virtualSize: number;
  /** Of what it spends. */
  readonly parents: readonly string[];
};
type Chain = { readonly chain: { readonly decimals: number } };

/** As `getmempoolentry` of a node. @throws RpcFailure where it does not wait, Outage, NodeLie */
export async function readWaitingEntry(
  servers: AgreeingServers & Chain,
  transaction: string,
): Promise<object> {
  const entry = await agreed(servers, `what waits with ${transaction}`, (client) =>
    readPackage(client, transaction),
  );
  if (entry === 'none') {
    throw new RpcFailure('getmempoolentry', RPC_NOT_FOUND, 'it does not wait for a block');
  }
  const text = (units: bigint) => amountToText(units, servers.chain.decimals);
  const { own, ancestors, descendants } = entry;
  return {
    vsize: own.virtualSize,
    ancestorsize: ancestors.virtualSize,
    descendantsize: descendants.virtualSize,
    fees: {
      base: text(own.feeUnits),
      ancestor: text(ancestors.feeUnits),
      descendant: text(descendants.feeUnits),
    },
  };
}

async function readPackage(client: EsploraClient, transaction: string) {
  const questions = { left: MOST_QUESTIONS };
  const own = await readWaiting(client, transaction, questions);
  if (own === undefined) return 'none';
  const ancestors = await walk(client, own, questions, async ({ parents }) => parents);
  const descendants = await walk(client, own, questions, ({ transaction: id }) =>
    readSpenders(client, id, questions),
  );
  const { feeUnits, virtualSize } = own;
  return {
    own: { feeUnits, virtualSize },
    ancestors: sumOf(ancestors),
    descendants: sumOf(descendants),
  };
}

function sumOf(waiting: readonly Waiting[]) {
  return {
    feeUnits: waiting.reduce((sum, one) => sum + one.feeUnits, 0n),
    virtualSize: waiting.reduce((sum, one) => sum + one.virtualSize, 0),
  };
}

type Questions = { left: number };

/** All that waits and is reached from this one, which is among them. */
async function walk(
  client: EsploraClient,
  from: Waiting,
  questions: Questions,
  next: (one: Waiting) => Promise<readonly string[]>,
): Promise<readonly Waiting[]> {
  const found = [from];
  const seen = new Set([from.transaction]);
  // The list grows while it is gone through.
  for (const one of found) {
    const ids = (await next(one)).filter((id) => !seen.has(id));
    for (const id of new Set(ids)) {
      seen.add(id);
      const waiting = await readWaiting(client, id, questions);
      if (waiting !== undefined) found.push(waiting);
      if (found.length > MOST_RELATED) throw tooMuch();
    }
  }
  return found;
}

function tooMuch() {
  return refusedDraft(
    'more hangs together with it than servers of Esplora are asked about: connect a node of your ' +
      'own, or use your wallet',
  );
}

async function ask(client: EsploraClient, path: string, questions: Questions): Promise<unknown> {
  if (questions.left === 0) throw tooMuch();
  questions.left -= 1;
  const bytes = await client.get(path);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new NodeLie(`an answer of ${client.host} is no JSON`);
  }
}

/** Undefined where there is none such, or it is in a block. */
async function readWaiting(
  client: EsploraClient,
  id: string,
  questions: Questions,
): Promise<Waiting | undefined> {
  const answer = await ask(client, `/tx/${id}`, questions);
  if (answer === undefined) return undefined;
  const { txid, fee, weight, vin, status } = requireFields(answer, 'a transaction');
  requireThat(txid === id, `another transaction was given than ${id}`);
  if (isConfirmed(status)) return undefined;
  const size = requireCount(weight, 'the weight of a transaction');
  requireThat(size > 0, 'a transaction that waits has no size');
  return {
    transaction: id,
    feeUnits: BigInt(requireCount(fee, 'the fee of a transaction')),
    virtualSize: Math.ceil(size / 4),
    parents: requireList(vin, 'what a transaction spends').map((input) =>
      requireHash(requireFields(input, 'an input').txid, 'a transaction id'),
    ),
  };
}

async function readSpenders(
  client: EsploraClient,
  id: string,
  questions: Questions,
): Promise<readonly string[]> {
  const answer = await ask(client, `/tx/${id}/outspends`, questions);
  if (answer === undefined) return [];
  return requireList(answer, 'what spends a transaction').flatMap((one) => {
    const { spent, txid } = requireFields(one, 'a spent output');
    return spent === true ? [requireHash(txid, 'a transaction id')] : [];
  });
}

function isConfirmed(status: unknown): boolean {
  if (isFields(status) && typeof status.confirmed === 'boolean') return status.confirmed;
  throw new NodeLie('a transaction does not say whether it is in a block');
}
