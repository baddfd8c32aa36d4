// What others ask of this process: GET /live (does it run?), /ready (can it serve?) and /health
// (what is wrong?). Guarantees: each answers within seconds, also while the database is frozen, and
// costs it one look a second at the most; a chain that is away makes nothing unready; a stranger
// learns whether all is well and nothing else.

import { createHash, timingSafeEqual } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { type ChainReport, listChainReports, missingUnits } from '#chain/chain-report.ts';
import { listApplied } from '#postgres/migrate.ts';
import type { Loop } from '#runtime/loop.ts';
import type { App } from './app.ts';
import { inTime, keepFresh } from './keep-fresh.ts';
import { countParked } from './list-parked.ts';
import { MIGRATIONS } from './open-database.ts';
import { isLoopback } from './webhook-targets.ts';

/** Paths that are answered; those of strangers and of the operator are the same. */
export const PROBE_PATHS = ['/live', '/ready', '/health'] as const;
type ProbePath = (typeof PROBE_PATHS)[number];

export type Probes = {
  /** Undefined where it is none of them. `isOperator`: he is told what is wrong. */
  answer(path: string, isOperator: boolean): Promise<Response> | undefined;
  /** From now on it is not ready: whoever shares out requests sends the next ones elsewhere. */
  end(): void;
};

type Fault = 'stopping' | 'database away' | 'database not migrated';

const FAILURES_TO_WORRY = 3;
const FRESH_MS = 1_000;
const PATIENCE_MS = 3_000;
const RETRY_AFTER_SECONDS = '5';

/** `running`: grows while the process starts. */
export function createProbes(app: App, running: readonly Loop[]): Probes {
  const { clock } = app;
  let isEnding = false;
  const findFault = keepFresh(clock, FRESH_MS, () => findDatabaseFault(app));
  const reports = keepFresh(clock, FRESH_MS, () =>
    inTime(clock, PATIENCE_MS, listChainReports(app, clock.now())).catch(() => undefined),
  );
  const parked = keepFresh(clock, FRESH_MS, () =>
    inTime(clock, PATIENCE_MS, countParked(app, clock.now())).catch(() => undefined),
  );
  const whyUnready = async () => (isEnding ? ('stopping' as const) : findFault());
  const answers: Record<ProbePath, (isOperator: boolean) => Promise<Response>> = {
    '/live': async () => plainAnswer(200, { status: 'ok' }),
    async '/ready'(isOperator) {
      const fault = await whyUnready();
      if (fault === undefined) return plainAnswer(200, { status: 'ready' });
      return plainAnswer(503, { status: 'not ready', ...(isOperator ? { fault } : {}) });
    },
    async '/health'(isOperator) {
      const [fault, chains, waiting] = await Promise.all([whyUnready(), reports(), parked()]);
      const failing = running
        .map((part) => part.health())
        .filter(({ consecutiveFailures }) => consecutiveFailures >= FAILURES_TO_WORRY);
      const isWell = fault === undefined && chains !== undefined && failing.length === 0;
      const status = isWell ? 'ok' : 'failing';
      const code = fault === undefined ? 200 : 503;
      if (!isOperator) return plainAnswer(code, { status });
      return plainAnswer(code, {
        status,
        database: chains === undefined ? 'away' : 'ok',
        ...(fault === undefined ? {} : { fault }),
        failing: failing.map(({ name }) => name),
        parked: waiting ?? null,
        chains: (chains ?? []).map(chainHealth),
      });
    },
  };
  return {
    answer(path, isOperator) {
      const known = PROBE_PATHS.find((one) => one === path);
      return known && answers[known](isOperator);
    },
    end() {
      isEnding = true;
    },
  };
}

/**
 * Whoever brings the token; without one whoever asks an installation that only its own machine
 * reaches. The address of a request says nothing: behind a proxy every stranger comes from here.
 */
export function isOperatorRequest(config: App['config'], request: Request): boolean {
  const { watchToken, host, publicUrl } = config;
  if (watchToken === undefined) return isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
  return bringsToken(request, watchToken);
}

/** As `Authorization: Bearer`. */
export function bringsToken(request: Request, token: string): boolean {
  const [, given = ''] = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function plainAnswer(status: number, body: object): Response {
  const later = status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {};
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...later } });
}

async function findDatabaseFault({ db, clock }: App): Promise<Fault | undefined> {
  try {
    const applied = await inTime(clock, PATIENCE_MS, listApplied(db));
    return applied.length < migrationCount() ? 'database not migrated' : undefined;
  } catch {
    // Which fault it is stands in the log of whoever works with the database.
    return 'database away';
  }
}

let counted: number | undefined;

/** Of this program. A database that has more of them was migrated by a newer one, and serves. */
function migrationCount(): number {
  counted ??= readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql')).length;
  return counted;
}

function chainHealth(report: ChainReport): object {
  const { chain, status, holdings, gap } = report;
  return {
    chain,
    height: status === undefined ? null : String(status.height),
    lagBlocks: status === undefined ? null : String(status.lag),
    newestBlockSeconds: report.newestBlockSeconds ?? null,
    heardSecondsAgo: report.heardSecondsAgo ?? null,
    isLed: report.leader !== undefined,
    behind: report.isBehind,
    brake: status?.brake ?? null,
    heldPayments: Number(report.heldPayments),
    nodeVersion: report.nodeVersion ?? null,
    error: report.error ?? null,
    advice: report.advice,
    unpaidAddressesInARow: gap === undefined ? null : String(gap.unpaidInARow),
    custody: custodyText(holdings),
  };
}

function custodyText(holdings: ChainReport['holdings']): string {
  if (holdings.length === 0) return 'unknown';
  return holdings.some((holding) => missingUnits(holding) > 0n) ? 'short' : 'covered';
}
