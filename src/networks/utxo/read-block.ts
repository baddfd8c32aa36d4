// From a node's decoded block (getblock, verbosity 2) to a Block. Guarantees: it is the block that
// was asked for, at the height that was asked for; its hash is the hash of its header, and the
// header commits to exactly the transaction ids listed, so that a shortened, padded or mixed answer
// is noticed, and each output is what its transaction id commits to. Not checked: proof of work and
// signatures: that is what one's own node is for.
import { hash } from 'node:crypto';
import type { Block, BlockReference, Spend } from '#deposit/network.ts';
import { NodeLie } from './node-lie.ts';
import {
  readTransaction,
  requireHash,
  requireInteger,
  requireList,
  requireRecord,
} from './read-transaction.ts';
import type { UtxoChain } from './utxo-chain.ts';

export type ReadBlock = { readonly block: Block; readonly spends: readonly Spend[] };

/** Parent of the genesis block. */
const noParent = '0'.repeat(64);

/** @throws NodeLie */
export function readBlock(value: unknown, asked: BlockReference, chain: UtxoChain): ReadBlock {
  const json = requireRecord(value, 'a block');
  if (json.hash !== asked.hash) throw new NodeLie(`another block was given than ${asked.hash}`);
  const height = BigInt(requireInteger(json.height, 'the height of a block'));
  if (height !== asked.height) {
    throw new NodeLie(`block ${asked.hash} is given at height ${height}, not ${asked.height}`);
  }
  const parentHash =
    height === 0n ? noParent : requireHash(json.previousblockhash, 'the hash of a parent');
  const seconds = requireInteger(json.time, 'the time of a block');
  // The header, and with it the hash, has only 32 bits of it.
  if (seconds >= 2 ** 32) throw new NodeLie(`block ${asked.hash} has an impossible time`);
  const list = requireList(json.tx, 'the transactions of a block');
  const transactions = list.map((transaction) => readTransaction(transaction, chain, 'block'));
  if (transactions[0]?.isCoinbase !== true) throw new NodeLie('a block has no coinbase');
  const ids = transactions.map(({ transaction }) => transaction);
  // A doubled list can have the same Merkle root as the right one (CVE-2012-2459).
  if (new Set(ids).size !== ids.length) throw new NodeLie('a block has a transaction twice');
  const merkleRoot = merkleRootOf(ids);
  if (json.merkleroot !== merkleRoot || headerHash(json, parentHash) !== asked.hash) {
    throw new NodeLie(`block ${asked.hash} does not hold what its hash commits to`);
  }
  const block = {
    ...asked,
    parentHash,
    minedAt: Temporal.Instant.fromEpochMilliseconds(seconds * 1000),
    transfers: transactions.flatMap(({ transfers }) => transfers),
  };
  const payments = transactions.slice(1);
  const spends = payments.map(({ transaction, spends }) => ({ transaction, spends, height }));
  return { block, spends };
}

function merkleRootOf(ids: readonly string[]): string {
  let level = ids.map(toInternal);
  while (level.length > 1) {
    const next: Buffer[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const left = level[at] as Buffer;
      next.push(doubleSha256(Buffer.concat([left, level[at + 1] ?? left], 64)));
    }
    level = next;
  }
  return toShown(level[0] as Buffer);
}

function headerHash(json: Record<string, unknown>, parentHash: string): string {
  const header = Buffer.alloc(80);
  const version = json.version;
  // The only signed number: miners set any of its bits.
  header.writeInt32LE(Number.isInteger(version) ? Number(version) | 0 : 0, 0);
  toInternal(parentHash).copy(header, 4);
  toInternal(requireHash(json.merkleroot, 'the Merkle root of a block')).copy(header, 36);
  header.writeUInt32LE(requireInteger(json.time, 'the time of a block') >>> 0, 68);
  const bits = typeof json.bits === 'string' ? Number.parseInt(json.bits, 16) : Number.NaN;
  header.writeUInt32LE(requireInteger(bits, 'the target of a block') >>> 0, 72);
  header.writeUInt32LE(requireInteger(json.nonce, 'the nonce of a block') >>> 0, 76);
  return toShown(doubleSha256(header));
}

function doubleSha256(bytes: Buffer): Buffer {
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer');
}

/** Hashes are shown in the reverse order of their bytes. */
function toInternal(shown: string): Buffer {
  return Buffer.from(shown, 'hex').reverse();
}

function toShown(internal: Buffer): string {
  return Buffer.from(internal).reverse().toString('hex');
}
