// GET /health: what a load balancer and an operator ask.

import { type ChainReport, listChainReports, missingUnits } from '#chain/chain-report.ts';
import type { Loop } from '#runtime/loop.ts';
import type { App } from './app.ts';
import { countParked } from './list-parked.ts';

const FAILURES_TO_WORRY = 3;
const REPORTS_FRESH_MS = 1_000;

/**
 * 200 while all parts of this process work, 503 otherwise; a chain each. Anybody may ask: it holds
 * no secret and no amount, and costs the database one look a second.
 */
export function healthAnswer(app: App, running: readonly Loop[]): () => Promise<Response> {
  let reports: Promise<readonly ChainReport[] | undefined> = Promise.resolve(undefined);
  let parked: Promise<Record<string, number> | undefined> = Promise.resolve(undefined);
  let madeAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (app.clock.monotonicMs() - madeAtMs >= REPORTS_FRESH_MS) {
      madeAtMs = app.clock.monotonicMs();
      reports = listChainReports(app, app.clock.now()).catch(() => undefined);
      parked = countParked(app, app.clock.now()).catch(() => undefined);
    }
    const [chains, waiting] = await Promise.all([reports, parked]);
    const failing = running
      .map((part) => part.health())
      .filter(({ consecutiveFailures }) => consecutiveFailures >= FAILURES_TO_WORRY);
    const isHealthy = chains !== undefined && failing.length === 0;
    const body = {
      status: isHealthy ? 'ok' : 'failing',
      database: chains === undefined ? 'away' : 'ok',
      failing: failing.map(({ name }) => name),
      parked: waiting ?? null,
      chains: (chains ?? []).map(chainHealth),
    };
    return Response.json(body, {
      status: isHealthy ? 200 : 503,
      headers: { 'cache-control': 'no-store' },
    });
  };
}

function chainHealth(report: ChainReport): object {
  const { chain, status, holdings, gap } = report;
  return {
    chain,
    height: status === undefined ? null : String(status.height),
    lagBlocks: status === undefined ? null : String(status.lag),
    newestBlockSeconds: report.newestBlockSeconds ?? null,
    heardSecondsAgo: report.heardSecondsAgo ?? null,
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
