// From the raw bytes of a block to a Block. Guarantees: it is the block that was asked for (its
// hash is the hash of its header), and the header commits to exactly the transactions read, with
// their outputs, so that a shortened, padded, mixed or changed answer is noticed. Not checked:
// proof of work and signatures, which the node, or the agreement of two of them, stands for; that
// the block has the height it was asked by, which the parents tell (walk-blocks.ts).
import type { Block, BlockReference, Spend } from '#deposit/network.ts';
import { NodeLie } from '#networks/answer-fields.ts';
import {
  doubleSha256,
  guarded,
  type ParsedTransaction,
  type RawChain,
  type RawCursor,
  readCount,
  readMined,
  toShown,
} from './read-transaction.ts';

type ReadBlock = { readonly block: Block; readonly spends: readonly Spend[] };

const HEADER_LENGTH = 80;
const NO_DIGEST: Buffer = Buffer.alloc(0);

/** @throws NodeLie */
export function readBlock(bytes: Buffer, asked: BlockReference, chain: RawChain): ReadBlock {
  if (bytes.length <= HEADER_LENGTH) throw new NodeLie('a block has no transactions');
  if (toShown(doubleSha256(bytes.subarray(0, HEADER_LENGTH))) !== asked.hash) {
    throw new NodeLie(`another block was given than ${asked.hash}`);
  }
  const transactions = readTransactions(bytes, chain);
  const [coinbase, ...payments] = transactions;
  if (coinbase?.isCoinbase !== true) throw new NodeLie('a block has no coinbase');
  if (payments.some(({ isCoinbase }) => isCoinbase)) throw new NodeLie('a second coinbase');
  const ids = new Set(transactions.map(({ transaction }) => transaction));
  // A doubled list can have the same Merkle root as the right one (CVE-2012-2459).
  if (ids.size !== transactions.length) throw new NodeLie('a block has a transaction twice');
  const merkleRoot = merkleRootOf(transactions.map(({ digest }) => digest));
  if (!merkleRoot.equals(bytes.subarray(36, 68))) {
    throw new NodeLie(`block ${asked.hash} does not hold what its hash commits to`);
  }
  const { height } = asked;
  const block = {
    ...asked,
    parentHash: toShown(bytes.subarray(4, 36)),
    minedAt: Temporal.Instant.fromEpochMilliseconds(bytes.readUInt32LE(68) * 1000),
    arrivals: transactions.flatMap(({ arrivals }) => arrivals),
  };
  const spends = payments.map(({ transaction, spends, others }) => ({
    transaction,
    spends,
    height,
    others,
  }));
  return { block, spends };
}

function readTransactions(bytes: Buffer, chain: RawChain): ParsedTransaction[] {
  const cursor: RawCursor = { bytes, at: HEADER_LENGTH };
  const transactions: ParsedTransaction[] = [];
  for (let left = guarded(() => readCount(cursor)); left > 0; left -= 1) {
    transactions.push(readMined(cursor, chain));
  }
  // Behind the HogEx stands the block of MWEB.
  if (cursor.at !== bytes.length && transactions.at(-1)?.isHogEx !== true) {
    throw new NodeLie('a block goes on behind its last transaction');
  }
  return transactions;
}

function merkleRootOf(digests: readonly Buffer[]): Buffer {
  let level = digests;
  while (level.length > 1) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, pair) => {
      const [left = NO_DIGEST, right = left] = level.slice(2 * pair, 2 * pair + 2);
      return doubleSha256(Buffer.concat([left, right], 64));
    });
  }
  return level[0] ?? NO_DIGEST;
}
