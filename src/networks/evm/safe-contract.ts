// What a Safe says of itself, asked of a node: its version, its owners, how many of them have to
// sign, and its nonce. A contract that is no Safe of a known version is refused, because its hash,
// its signatures or its events could be others.

import { Refusal } from '#base/refusal.ts';
import { NodeLie, requireFields, requireList, requireThat } from '#networks/answer-fields.ts';
import type { EvmChain } from './evm-chain.ts';
import { isReverted } from './evm-tokens.ts';
import { askAll, type EvmRpc } from './json-rpc.ts';
import { quantityText } from './read-values.ts';
import { EXECUTION_SUCCESS, readExecutionEvent } from './safe-execution.ts';
import { askSafeHash, type SafeTurn, safeDomain, safeTransactionHash } from './safe-transaction.ts';
import type { EvmCall } from './unsigned-transaction.ts';

type SafeState = {
  /** In lower case. */
  readonly owners: readonly string[];
  /** How many of them have to sign. */
  readonly threshold: number;
  /** The one that the next transaction has. */
  readonly nonce: bigint;
};

const VERSIONS = ['1.3.0', '1.4.1'];
/** Selectors of `VERSION()`, `getOwners()`, `getThreshold()`, `nonce()`, `domainSeparator()`. */
const VERSION = '0xffa1ad74';
const OWNERS = '0xa0e67e2b';
const THRESHOLD = '0xe75235b8';
const NONCE = '0xaffed0e0';
const DOMAIN = '0xf698da25';
const OWNERS_MOST = 1_000n;
/** As many as providers give events of at once. */
const BLOCKS_ASKED = 5_000n;

/**
 * That it is a Safe of this chain which is understood here. Answers it in words, for `doctor`.
 * @throws Refusal invalid that names the setting; Outage, NodeLie
 */
export async function checkSafe(
  rpc: EvmRpc,
  { network, chainId }: Pick<EvmChain, 'network' | 'chainId'>,
  safe: string | undefined,
): Promise<string> {
  if (safe === undefined) return '';
  const answers = await rpc.batch([
    { method: 'eth_getCode', params: [safe, 'latest'] },
    ...[VERSION, DOMAIN].map((data) => ({
      method: 'eth_call',
      params: [{ to: safe, data }, 'latest'],
    })),
  ]);
  const [code, version, domain] = answers.map((answer) => {
    // A contract that refuses the question is no Safe; a node that fails is asked again.
    if (answer.ok) return String(answer.result);
    if (isReverted(answer.failure)) return '0x';
    throw answer.failure;
  });
  const refused = (why: string) =>
    new Refusal('invalid', 'safe_invalid', [`${network}_SAFE: ${safe} ${why}`]);
  if (code === '0x') throw refused('is no contract on this chain: deploy the Safe, or correct it');
  const text = textIn(version ?? '');
  if (text === undefined || !VERSIONS.includes(text)) {
    const said = text === undefined ? 'is no Safe' : `is a Safe of version ${text}`;
    throw refused(`${said}; needed is one of version ${VERSIONS.join(' or ')}`);
  }
  if (domain !== `0x${safeDomain({ safe, chainId }).toString('hex')}`) {
    throw refused('signs for another chain or address than its own: it is no Safe to be trusted');
  }
  const { owners, threshold } = await readSafe(rpc, safe);
  return `; Safe ${text} at ${safe}, ${threshold} of ${owners.length} owners sign`;
}

/** At the last block. @throws Outage, NodeLie */
export async function readSafe(rpc: EvmRpc, safe: string): Promise<SafeState> {
  const [owners, threshold, nonce] = await askAll(
    rpc,
    [OWNERS, THRESHOLD, NONCE].map((data) => ({
      method: 'eth_call',
      params: [{ to: safe, data }, 'latest'],
    })),
  );
  const read = addressesIn(owners);
  const needed = numberIn(threshold, 'the threshold of the Safe');
  requireThat(needed > 0n && needed <= BigInt(read.length), 'the Safe has no such threshold');
  return {
    owners: read,
    threshold: Number(needed),
    nonce: numberIn(nonce, 'the nonce of the Safe'),
  };
}

/** At a block. @throws Outage, NodeLie */
export async function readSafeNonce(rpc: EvmRpc, safe: string, block: string): Promise<bigint> {
  const params = [{ to: safe, data: NONCE }, block];
  const [nonce] = await askAll(rpc, [{ method: 'eth_call', params }]);
  return numberIn(nonce, 'the nonce of the Safe');
}

/**
 * Whether it was carried out in one of these blocks, by whatever way: the Safe says so in an event.
 * @throws Outage, NodeLie
 */
export async function wasCarriedOut(
  rpc: EvmRpc,
  { safe, digest, since }: { safe: string; digest: string; since: bigint },
  height: bigint,
): Promise<boolean> {
  for (let from = since; from <= height; from += BLOCKS_ASKED) {
    const last = from + BLOCKS_ASKED - 1n;
    const filter = {
      address: safe,
      topics: [EXECUTION_SUCCESS],
      fromBlock: quantityText(from),
      toBlock: quantityText(last < height ? last : height),
    };
    const [logs] = await askAll(rpc, [{ method: 'eth_getLogs', params: [filter] }]);
    for (const log of requireList(logs, 'the events of the Safe')) {
      const event = readExecutionEvent(requireFields(log, 'an event of the Safe'), safe);
      if (event?.digest === digest) return true;
    }
  }
  return false;
}

/** What its owners sign, as we and the contract compute it. @throws NodeLie when they differ */
export async function agreedSafeHash(rpc: EvmRpc, call: EvmCall, turn: SafeTurn): Promise<string> {
  const hash = safeTransactionHash(call, turn);
  const { to, data } = askSafeHash(call, turn);
  const [said] = await askAll(rpc, [{ method: 'eth_call', params: [{ to, data }, 'latest'] }]);
  requireThat(said === hash, 'the Safe computes another hash of the transaction');
  return hash;
}

function numberIn(answer: unknown, what: string): bigint {
  if (typeof answer === 'string' && /^0x[0-9a-f]{64}$/i.test(answer)) return BigInt(answer);
  throw new NodeLie(`${what} is no number`);
}

/** An array of addresses (Solidity ABI). */
function addressesIn(answer: unknown): readonly string[] {
  const digits = /^0x0{62}20([0-9a-f]{64})((?:0{24}[0-9a-f]{40})*)$/i.exec(String(answer));
  const count = BigInt(`0x${digits?.[1] ?? 'f'}`);
  const words = digits?.[2] ?? '';
  requireThat(count <= OWNERS_MOST && BigInt(words.length) === count * 64n, 'no list of owners');
  return Array.from({ length: Number(count) }, (_, at) => {
    return `0x${words.slice(64 * at + 24, 64 * at + 64)}`.toLowerCase();
  });
}

/** A short text (Solidity ABI); undefined of anything else. */
function textIn(answer: string): string | undefined {
  const digits = /^0x0{62}200{62}([0-9a-f]{2})((?:[0-9a-f]{64})+)$/i.exec(answer);
  if (digits === null) return undefined;
  const bytes = Buffer.from(digits[2] ?? '', 'hex').subarray(0, Number(`0x${digits[1]}`));
  const text = bytes.toString('latin1');
  return /^[\x20-\x7e]{1,32}$/.test(text) ? text : undefined;
}
