// What an operator sees and does in the dashboard: the same functions that the commands use.

import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sendTestAlert } from '#alert/tell-alert.ts';
import { listChainReports, missingUnits } from '#chain/chain-report.ts';
import { sql } from '#db/db.ts';
import type { OperatorPort } from '#pages/operator-port.ts';
import { listApplied } from '#postgres/migrate.ts';
import type { Loop } from '#runtime/loop.ts';
import { listHoldings } from '#treasury/holding-target.ts';
import { type App, GIVEN_OUT_FILE } from './app.ts';
import { discardParked, listParked, retryParked } from './list-parked.ts';
import { listLookLines } from './look-often.ts';
import { holdingText, lookOver } from './look-over.ts';
import { VERSION } from './version.ts';

const MIGRATIONS_SHOWN = 5;

/** `running`: grows while the process starts. */
export function operatorPort(app: App, running: readonly Loop[]): OperatorPort {
  const { db, clock, config } = app;
  return {
    async lookOver() {
      const asked = { withHoldings: false, database: 'the database' };
      return (await lookOver(app, asked)).findings;
    },
    jobs: () => running.map((part) => part.health()),
    listNetworks: () => listNetworks(app),
    listLooks: () => listLookLines(app),
    listHoldings: () => listHoldings(db, 'live'),
    listParked: (most) => listParked(app, clock.now(), most),
    retryParked: (within, id) => retryParked(within, id, clock.now()),
    discardParked: (within, id) => discardParked(within, id),
    testAlert: async (within) => (await sendTestAlert(app, within)).length,
    async software() {
      const [applied, [server]] = await Promise.all([
        listApplied(db),
        db.query<{ version: string }>(sql`select current_setting('server_version') as version`),
      ]);
      const { keyFile, ledgerHead } = config;
      const givenOut = join(dirname(keyFile), GIVEN_OUT_FILE);
      return {
        version: VERSION,
        node: process.version,
        database: `PostgreSQL ${server?.version ?? ''}`,
        roles: config.roles,
        migrations: applied.toReversed().slice(0, MIGRATIONS_SHOWN),
        files: await Promise.all([keyFile, givenOut, ledgerHead.file].map(fileLine)),
      };
    },
  };
}

async function fileLine(path: string) {
  const known = await stat(path).catch(() => undefined);
  const writtenAt = known && Temporal.Instant.fromEpochMilliseconds(Math.floor(known.mtimeMs));
  return { path, writtenAt };
}

async function listNetworks(app: App): ReturnType<OperatorPort['listNetworks']> {
  const reports = await listChainReports(app, app.clock.now());
  return reports.flatMap((report) => {
    const network = app.networks.get(report.chain);
    if (network === undefined) return [];
    return {
      report,
      offered: network.receivableAssets().length,
      closed: network.closedWays?.() ?? [],
      holdings: report.holdings.map(holdingText),
      isShort: report.holdings.some((holding) => missingUnits(holding) > 0n),
    };
  });
}
