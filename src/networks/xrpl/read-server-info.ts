// What a server says of itself: its network, its version and which ledgers it has whole.
import {
  type Fields,
  isFields,
  requireFields,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import { requireUint32 } from './xrpl-fields.ts';

export type ServerInfo = {
  /** Undefined where the server's operator has not set it ([network_id]). */
  readonly networkId: bigint | undefined;
  readonly version: string;
  /** Why nothing it says may be used; undefined when all is well. */
  readonly fault: string | undefined;
  /** The fault is only that it has not caught up yet. */
  readonly isCatchingUp: boolean;
  readonly complete: readonly LedgerRange[];
};

/** First and last, both had. */
type LedgerRange = readonly [first: bigint, last: bigint];

/** States in which a server follows the network. Clio, which reads from one, states none. */
const SYNCED = ['full', 'validating', 'proposing'];
/** It has peers, and fetches what it lacks. */
const CATCHING_UP = ['connected', 'syncing', 'tracking'];

/** @throws NodeLie when it is no answer to `server_info`. */
export function readServerInfo(answer: Fields): ServerInfo {
  const info = requireFields(answer.info, 'server_info');
  const { build_version: built, clio_version: clio } = info;
  const version = isFields(info) && typeof built === 'string' ? built : clio;
  requireThat(typeof version === 'string' && version.length < 100, 'the server has no version');
  return {
    networkId:
      info.network_id === undefined ? undefined : BigInt(requireUint32(info, 'network_id')),
    version,
    fault: faultOf(info),
    isCatchingUp:
      info.amendment_blocked !== true && CATCHING_UP.includes(String(info.server_state)),
    complete: readRanges(requireText(info, 'complete_ledgers')),
  };
}

function faultOf(info: Fields): string | undefined {
  if (info.amendment_blocked === true) return 'it is amendment blocked: it needs a newer version';
  if (info.corruption_detected === true) return 'its database is damaged (corruption_detected)';
  const { server_state: state, complete_ledgers: ledgers } = info;
  if (state === undefined || SYNCED.includes(String(state))) return undefined;
  if (CATCHING_UP.includes(String(state)))
    return `it is still catching up with the network (server_state ${state}, ledgers ${ledgers})`;
  return 'it does not follow the network (server_state)';
}

/** `32570-6595042,6595044`, or `empty`. */
function readRanges(text: string): LedgerRange[] {
  if (text === 'empty') return [];
  requireThat(text.length < 100_000, 'complete_ledgers is too long');
  return text.split(',').map((part): LedgerRange => {
    const [, first, last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part) ?? [];
    requireThat(first !== undefined && last !== undefined, 'complete_ledgers is no list of ranges');
    return [BigInt(first), BigInt(last)];
  });
}

/** The first ledger of these that the server does not have; undefined when it has them all. */
export function firstMissing(
  complete: readonly LedgerRange[],
  from: bigint,
  upTo: bigint,
): bigint | undefined {
  let next = from;
  for (const [first, last] of [...complete].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (first > next) break;
    if (last >= next) next = last + 1n;
  }
  return next > upTo ? undefined : next;
}
