// Whether a URL may be named as a receiver, told while somebody is there to read why not. The check
// that counts is made again at each attempt (target-guard.ts): names move.
//
// Guarantees: what can never be called is refused; the name server is waited for a second at the
// most, and what it does not say is not held against anybody. Answers are kept for a minute, so a
// shop that names the same URL with every checkout waits once.

import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import { openPinnedSocket } from './pinned-socket.ts';
import {
  checkTarget,
  findTargetFault,
  type ResolveAddresses,
  type Target,
  type TargetRules,
} from './target-guard.ts';

export type TargetAdmission = {
  /**
   * Why events cannot be sent there; undefined when nothing speaks against it. `connects`: a
   * connection is opened and closed again.
   */
  findFault(
    url: string,
    environment: Environment,
    options?: { readonly connects?: boolean },
  ): Promise<string | undefined>;
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
const KEPT_MOST = 1_000;

/** A name server that says there is nothing; anything else says nothing about the name. */
const CERTAIN = new Set(['ENOTFOUND', 'ENODATA']);

/** @throws Refusal `validation_failed` that says what is wrong with it. */
export async function refuseTarget(
  { webhookTargets }: { readonly webhookTargets: TargetAdmission },
  environment: Environment,
  named: { readonly path: string; readonly url: string | undefined; readonly connects?: boolean },
): Promise<void> {
  const { path, url, connects = false } = named;
  if (url === undefined) return;
  const fault = await webhookTargets.findFault(url, environment, { connects });
  if (fault === undefined) return;
  throw new Refusal('invalid', 'validation_failed', [`${path}: cannot be called: ${fault}`]);
}

export function createTargetAdmission(parts: TargetAdmissionParts): TargetAdmission {
  const { clock, rules, reach = findConnectionFault } = parts;
  const kept = new Map<string, { readonly fault: string | undefined; readonly untilMs: number }>();
  return {
    async findFault(url, environment, { connects = false } = {}) {
      const fault = findTargetFault(url, environment, rules);
      if (fault !== undefined) return fault;
      const id = `${environment} ${connects} ${URL.parse(url)?.origin}`;
      const known = kept.get(id);
      if (known !== undefined && known.untilMs > clock.monotonicMs()) return known.fault;
      const found = await look(parts, url, environment, connects ? reach : undefined);
      if (kept.size >= KEPT_MOST) kept.clear();
      kept.set(id, { fault: found, untilMs: clock.monotonicMs() + KEPT_MS });
      return found;
    },
  };
}

async function look(
  { rules, resolve }: TargetAdmissionParts,
  url: string,
  environment: Environment,
  reach: TargetAdmissionParts['reach'],
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
  return reach?.(check.target);
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
