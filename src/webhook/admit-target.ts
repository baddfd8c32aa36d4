// Whether a URL may be named as a receiver, told while somebody is there to read why not. The check
// that counts is made again at each attempt (target-guard.ts): names move.
//
// Guarantees: what can never be called is refused, and so is where nothing answers. The name server
// is waited for a second at the most, and what it does not say is not held against anybody; a
// connection is opened and closed again, within three seconds. A target that answered is asked
// again after a minute, one that did not after ten seconds, and whoever names it meanwhile hears
// the same: a shop that makes a hundred checkouts at once waits once, for one connection.

import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import {
  checkTarget,
  findTargetFault,
  openPinnedSocket,
  type ResolveAddresses,
  type Target,
  type TargetRules,
} from './target-guard.ts';

export type TargetAdmission = {
  /** Why events cannot be sent there; undefined when nothing speaks against it. */
  findFault(url: string, environment: Environment): Promise<string | undefined>;
};

export type TargetAdmissionParts = {
  readonly clock: Clock;
  readonly rules: TargetRules;
  readonly resolve: ResolveAddresses;
  /** Why there is no connection. */
  readonly reach?: (target: Target) => Promise<string | undefined>;
};

const RESOLVE_MS = 1_000;
const CONNECT_MS = 3_000;
const KEPT_MS = 60_000;
/** Somebody who repairs a receiver does not want to wait a minute. */
const FAULT_KEPT_MS = 10_000;
const KEPT_MOST = 1_000;

/**
 * Answers by which a name server says that the name does not exist; other failures say nothing
 * about the name.
 */
const CERTAIN = new Set(['ENOTFOUND', 'ENODATA']);

/** @throws Refusal `validation_failed` that says what is wrong with it. */
export async function refuseTarget(
  { webhookTargets }: { readonly webhookTargets: TargetAdmission },
  environment: Environment,
  { path, url }: { readonly path: string; readonly url: string | undefined },
): Promise<void> {
  if (url === undefined) return;
  const fault = await webhookTargets.findFault(url, environment);
  if (fault === undefined) return;
  throw new Refusal('invalid', 'validation_failed', [`${path}: cannot be called: ${fault}`]);
}

type Kept = { readonly fault: Promise<string | undefined>; untilMs: number };

/** `id`: of all addresses of one origin. */
type ReadTarget = { readonly fault: string | undefined; readonly id: string };

export function createTargetAdmission(parts: TargetAdmissionParts): TargetAdmission {
  const { clock, rules } = parts;
  const kept = new Map<string, Kept>();
  // What an address says by itself never changes, and a shop mostly names the same one.
  const read = new Map<string, ReadTarget>();
  const readTarget = (url: string, environment: Environment): ReadTarget => {
    const key = `${environment} ${url}`;
    const known = read.get(key);
    if (known !== undefined) return known;
    const id = `${environment} ${URL.parse(url)?.origin}`;
    const target = { fault: findTargetFault(url, environment, rules), id };
    if (read.size >= KEPT_MOST) read.clear();
    read.set(key, target);
    return target;
  };
  return {
    async findFault(url, environment) {
      const { fault, id } = readTarget(url, environment);
      if (fault !== undefined) return fault;
      const known = kept.get(id);
      if (known !== undefined && known.untilMs > clock.monotonicMs()) return known.fault;
      if (kept.size >= KEPT_MOST) kept.clear();
      const untilMs = clock.monotonicMs() + KEPT_MS;
      const asked: Kept = { fault: look(parts, url, environment), untilMs };
      kept.set(id, asked);
      const found = await asked.fault;
      asked.untilMs = clock.monotonicMs() + (found === undefined ? KEPT_MS : FAULT_KEPT_MS);
      return found;
    },
  };
}

async function look(
  { rules, resolve, reach = findConnectionFault }: TargetAdmissionParts,
  url: string,
  environment: Environment,
): Promise<string | undefined> {
  let isCertain = true;
  const check = await checkTarget(url, environment, rules, async (hostname) => {
    try {
      return await inTime(resolve(hostname));
    } catch (error) {
      isCertain = error instanceof Error && 'code' in error && CERTAIN.has(String(error.code));
      throw error;
    }
  });
  if (check.kind === 'refused') return isCertain ? check.reason : undefined;
  return reach(check.target);
}

async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer in time')), RESOLVE_MS);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Codes, not messages: a message of the system may carry addresses. */
async function findConnectionFault(target: Target): Promise<string | undefined> {
  try {
    const socket = await openPinnedSocket(target, AbortSignal.timeout(CONNECT_MS));
    socket.destroy();
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason = typeof code === 'string' ? code : 'no answer in time';
    return `nothing answers at port ${target.port} (${reason})`;
  }
}
