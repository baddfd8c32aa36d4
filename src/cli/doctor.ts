// Says what the look at the whole found (server/look-over.ts), as lines and as JSON.

import { getAsset } from '#catalog/asset.ts';
import { type ChainReport, missingUnits } from '#chain/chain-report.ts';
import { amountToText } from '#money/asset-amount.ts';
import { lookOver } from '#server/look-over.ts';
import type { Command } from './command.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'check database, key file, networks and webhooks',
  usage: '[--holdings]',
  options: { holdings: { type: 'boolean' } },
  async run(context, { values }) {
    const app = await context.openApp();
    const database = await context.openDatabase();
    const { findings, reports } = await lookOver(app, {
      withHoldings: values.holdings === true,
      database: database.description,
    });
    const ok = findings.every((one) => one.ok);
    const lines = findings.map(
      (one) => `${one.ok ? 'ok  ' : 'BAD '} ${one.what.padEnd(18)} ${one.detail}`,
    );
    const chains = reports.map(reportJson);
    return { text: lines.join('\n'), json: { ok, findings, chains }, exitCode: ok ? 0 : 1 };
  },
};

function reportJson(report: ChainReport): object {
  const { chain, status, gap, holdings, leader } = report;
  return {
    chain,
    nodeVersion: report.nodeVersion ?? null,
    height: status === undefined ? null : String(status.height),
    lagBlocks: status === undefined ? null : String(status.lag),
    newestBlockSeconds: report.newestBlockSeconds ?? null,
    heardSecondsAgo: report.heardSecondsAgo ?? null,
    leader:
      leader === undefined
        ? null
        : { host: leader.host, pid: leader.pid, epoch: String(leader.epoch) },
    brake: status?.brake ?? null,
    heldPayments: Number(report.heldPayments),
    addresses:
      gap === undefined
        ? null
        : { issued: String(gap.issued), unpaidInARow: String(gap.unpaidInARow) },
    holdings: holdings.map((holding) => {
      const { assetId, heldUnits, custodyUnits, underWayUnits, checkedAt } = holding;
      const amount = (units: bigint) => amountToText(units, getAsset(assetId).decimals);
      const missing = missingUnits(holding);
      return {
        assetId,
        held: amount(heldUnits),
        custody: amount(custodyUnits),
        underWay: amount(underWayUnits),
        missing: amount(missing > 0n ? missing : 0n),
        checkedAt: checkedAt.toString(),
      };
    }),
  };
}
