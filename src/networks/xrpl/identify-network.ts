// Finds out which network a server belongs to when it does not say: `network_id` stands in
// `server_info` only where an operator has set it (rippled, [network_id]). Guarantees: the main
// network is known by a ledger of its past, whose hash every later ledger keeps (LedgerHashes), so
// that a server without history can show it too; the test network, which begins anew from time to
// time, by a server that states it and has the same ledger. Whatever shows neither is not read.

import type { Refusal } from '#base/refusal.ts';
import {
  type Fields,
  requireFields,
  requireList,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import { anotherChain, nodeOutage } from '#networks/node-outage.ts';
import { readServerInfo, type ServerInfo } from './read-server-info.ts';
import { askLedger } from './walk-ledgers.ts';
import { sha512Half } from './xrpl-address.ts';
import { XRPL_CHAINS, type XrplChain } from './xrpl-chain.ts';
import { requireLedgerIndex, requireValidated } from './xrpl-fields.ts';
import type { XrplServer } from './xrpl-server.ts';

type IdentityQuestion = {
  readonly server: XrplServer;
  readonly info: ServerInfo;
  /** Those that may state what this one does not. */
  readonly others: readonly XrplServer[];
  readonly what: string;
  readonly parameters: XrplChain;
};

type Checkpoint = NonNullable<XrplChain['checkpoint']>;

/** One entry of LedgerHashes names every 256th ledger of 65536. */
const NAMED_EVERY = 256n;
const ENTRY_BITS = 16n;

/** @throws Refusal when it is another network's, Outage when nobody knows. */
export async function requireNetwork(question: IdentityQuestion): Promise<void> {
  const { server, info, what, parameters } = question;
  if (info.networkId !== undefined) return requireStated(question, info.networkId);
  const { main } = XRPL_CHAINS;
  const isMain = await hasCheckpoint(server, main.checkpoint);
  if (isMain && parameters === main) return;
  if (isMain) throw notOurs(question, `the history of ${main.name}`);
  if (parameters === main) throw notOurs(question, 'no network id and another history');
  if (await isBesideOneThatStates(question)) return;
  const why = 'no server that states it has the same ledger. Set its [network_id]';
  throw nodeOutage(what, `${server.host} does not say of which network it is`, why);
}

function requireStated(question: IdentityQuestion, networkId: bigint): void {
  if (networkId !== question.parameters.networkId) throw notOurs(question, `${networkId}`);
}

function notOurs({ server, what, parameters }: IdentityQuestion, found: string): Refusal {
  const text = `${what} needs servers of ${parameters.name}, network id ${parameters.networkId}`;
  return anotherChain(`${text}; ${server.host} has ${found}`);
}

async function hasCheckpoint(
  server: XrplServer,
  checkpoint: Checkpoint | undefined,
): Promise<boolean> {
  if (checkpoint === undefined) return false;
  const question = { index: hashesIndex(checkpoint.height), ledger_index: 'validated' };
  const answer = await server.ask('ledger_entry', question, ['entryNotFound']);
  if (answer === undefined) return false;
  requireValidated(answer, 'the history');
  return hashNamedBy(requireFields(answer.node, 'the history'), checkpoint) === checkpoint.hash;
}

/** Index of the entry with the hashes of the past ledgers around one (space 0x0073). */
function hashesIndex(height: bigint): string {
  const bytes = Buffer.from([0, 0x73, 0, 0, 0, 0]);
  bytes.writeUInt32BE(Number(height >> ENTRY_BITS), 2);
  return sha512Half(bytes);
}

function hashNamedBy(node: Fields, { height }: Checkpoint): unknown {
  const isHashes = requireText(node, 'LedgerEntryType') === 'LedgerHashes';
  requireThat(isHashes, 'the history is no list of ledgers');
  const last = requireLedgerIndex(node, 'LastLedgerSequence');
  const hashes = requireList(node.Hashes, 'Hashes');
  return hashes[hashes.length - 1 - Number((last - height) / NAMED_EVERY)];
}

/** True when a server that states the network has the newest ledger that both have. */
async function isBesideOneThatStates(question: IdentityQuestion): Promise<boolean> {
  const { server, others, parameters } = question;
  for (const other of others) {
    const info = await readInfo(other).catch(() => undefined);
    if (info?.networkId !== parameters.networkId) continue;
    const [own, stated] = await Promise.all([
      askLedger(server, 'validated'),
      askLedger(other, 'validated'),
    ]);
    const same =
      own.height < stated.height
        ? [own, await askLedger(other, own.height)]
        : [stated, await askLedger(server, stated.height)];
    if (same[0]?.hash === same[1]?.hash) return true;
    throw notOurs(question, `another history than ${other.host}`);
  }
  return false;
}

/** @throws NodeLie, Outage */
export async function readInfo(server: XrplServer): Promise<ServerInfo> {
  const answer = await server.ask('server_info');
  requireThat(answer !== undefined, 'the server says nothing of itself');
  return readServerInfo(answer);
}
