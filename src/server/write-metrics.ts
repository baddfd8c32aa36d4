// GET /metrics: the facts of the installation beside what this process counts, as Prometheus reads
// them. What cannot be measured now is left out; `quittance_measured` says so.

import process from 'node:process';
import { getAsset } from '#catalog/asset.ts';
import { environmentOf } from '#catalog/chain.ts';
import { missingUnits } from '#chain/chain-report.ts';
import type { Gauge, Registry } from '#metrics/metric.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { Loop } from '#runtime/loop.ts';
import type { App } from './app.ts';
import type { Facts, LookAtFacts } from './facts.ts';
import { watchProcess } from './meters.ts';

export function createMetrics(
  app: App,
  running: readonly Loop[],
  { look, version }: { readonly look: LookAtFacts; readonly version: string },
): () => Promise<string> {
  const { registry } = app.meters;
  const lookAtProcess = watchProcess(app, running);
  const show = factGauges(registry);
  registry
    .gauge({ name: 'quittance_build_info', help: 'The program.', labels: ['version', 'node'] })
    .set(1, { version, node: process.version });
  const measured = registry.gauge({
    name: 'quittance_measured',
    help: '1 while the installation can be measured, 0 while the database does not answer.',
  });
  return async () => {
    lookAtProcess();
    const facts = await look();
    measured.set(facts === undefined ? 0 : 1);
    for (const one of show) one(facts);
    return registry.write();
  };
}

type Show = (facts: Facts | undefined) => void;

function factGauges(registry: Registry): readonly Show[] {
  return [
    ...chainGauges(registry),
    ...backlogGauges(registry),
    ...backupGauges(registry),
    ...moneyGauges(registry),
  ];
}

/** Shows what each fact says; what was shown and is not said any more goes. */
function shown(gauge: Gauge, tell: (facts: Facts, gauge: Gauge) => void): Show {
  return (facts) => {
    gauge.clear();
    if (facts !== undefined) tell(facts, gauge);
  };
}

function chainGauges(registry: Registry): Show[] {
  type Report = Facts['chains'][number];
  const ofChain = (
    name: string,
    help: string,
    read: (report: Report) => number | bigint | undefined,
  ) =>
    shown(registry.gauge({ name, help, labels: ['chain'] }), ({ chains }, gauge) => {
      for (const report of chains) {
        const value = read(report);
        if (value !== undefined) gauge.set(value, { chain: report.chain });
      }
    });
  return [
    ofChain('quittance_chain_lag_blocks', 'Blocks that the node has and we have not.', (one) =>
      one.status === undefined ? undefined : one.status.lag,
    ),
    ofChain(
      'quittance_chain_heard_age_seconds',
      'Time since the chain was heard last.',
      (one) => one.heardSecondsAgo,
    ),
    ofChain(
      'quittance_chain_newest_block_age_seconds',
      'Age of the newest block that was read, by the time it states.',
      (one) => one.newestBlockSeconds,
    ),
    ofChain('quittance_chain_behind', '1 while the chain is behind or was not heard.', (one) =>
      Number(one.isBehind),
    ),
    ofChain(
      'quittance_chain_led',
      '1 while a process of the installation watches the chain for all of them.',
      (one) => Number(one.leader !== undefined),
    ),
    ofChain('quittance_chain_leader', '1 while it is this process that watches it.', (one) =>
      Number(one.leader?.isThisProcess === true),
    ),
    ofChain('quittance_chain_brake', '1 while the brake is on.', (one) =>
      Number(one.status?.brake !== undefined),
    ),
    ofChain('quittance_chain_fault', '1 while the node says that something is wrong.', (one) =>
      Number(one.error !== undefined),
    ),
    ofChain(
      'quittance_chain_held_payments',
      'Payments that the brake holds.',
      (one) => one.heldPayments,
    ),
  ];
}

function backlogGauges(registry: Registry): Show[] {
  const gauge = (name: string, help: string, ...labels: readonly string[]) =>
    registry.gauge({ name, help, labels });
  const age = ({ at }: Facts, since: Temporal.Instant | null | undefined) =>
    since === null || since === undefined ? 0 : Math.max(0, at.since(since).total('seconds'));
  return [
    shown(
      gauge('quittance_outbox_waiting', 'What waits to be sent, up to 10000.', 'kind'),
      ({ deliveries, mails }, waiting) => {
        waiting.set(deliveries.waiting, { kind: 'webhook' });
        waiting.set(mails.waiting, { kind: 'mail' });
      },
    ),
    shown(
      gauge('quittance_outbox_oldest_seconds', 'Age of the oldest that waits, 0 for none.', 'kind'),
      (facts, oldest) => {
        oldest.set(age(facts, facts.deliveries.oldestAt), { kind: 'webhook' });
        oldest.set(age(facts, facts.mails.oldestAt), { kind: 'mail' });
      },
    ),
    shown(
      gauge('quittance_webhook_receivers_away', 'Receivers not asked for a while: they failed.'),
      ({ deliveries }, away) => away.set(deliveries.receiversAway),
    ),
    shown(
      gauge('quittance_parked', 'What waits for a person, by kind, up to 1000.', 'kind'),
      ({ parked }, waiting) => {
        for (const [kind, count] of Object.entries(parked)) waiting.set(count, { kind });
      },
    ),
    shown(gauge('quittance_rates_usable', 'Live prices that may be used.'), ({ rates }, usable) => {
      if (rates !== undefined) usable.set(rates.usable);
    }),
    shown(
      gauge('quittance_rate_age_seconds', 'Age of the oldest live price that may be used.'),
      (facts, oldest) => {
        if (facts.rates?.oldestAt !== undefined) oldest.set(age(facts, facts.rates.oldestAt));
      },
    ),
    shown(
      gauge('quittance_signer_up', '1 while whoever signs for the chain answers.', 'chain'),
      ({ signers }, up) => {
        for (const { chain, fault } of signers) up.set(Number(fault === undefined), { chain });
      },
    ),
    shown(
      gauge('quittance_disk_free_bytes', 'Free where the data is, for this process.'),
      ({ disk }, free) => {
        if (disk !== undefined) free.set(disk.freeBytes);
      },
    ),
    shown(gauge('quittance_disk_size_bytes', 'Size of it.'), ({ disk }, size) => {
      if (disk !== undefined) size.set(disk.totalBytes);
    }),
  ];
}

/** `place`: of all rows; `increments`: of the log. */
function backupGauges(registry: Registry): Show[] {
  const labels = ['kind'];
  return [
    shown(
      registry.gauge({ name: 'quittance_backup_ok', help: '1 while it is in order.', labels }),
      ({ backups }, gauge) => {
        for (const { kind, ok } of backups) gauge.set(Number(ok), { kind });
      },
    ),
    shown(
      registry.gauge({
        ...{ name: 'quittance_backup_age_seconds', labels },
        help: 'Age of the newest, as it was looked at last.',
      }),
      ({ at, backups }, gauge) => {
        for (const { kind, madeAt } of backups) {
          if (madeAt !== undefined) gauge.set(at.since(madeAt).total('seconds'), { kind });
        }
      },
    ),
    shown(
      registry.gauge({
        name: 'quittance_backup_held_log_bytes',
        help: 'What the server keeps of its log until the next increment.',
      }),
      ({ heldLogBytes }, gauge) => {
        if (heldLogBytes !== undefined) gauge.set(heldLogBytes);
      },
    ),
  ];
}

/** Amounts as the ledger has them: exact, in whole coins. */
function moneyGauges(registry: Registry): Show[] {
  const labels = ['chain', 'asset'];
  type Holding = Facts['chains'][number]['holdings'][number];
  const ofHolding = (name: string, help: string, read: (holding: Holding) => bigint) =>
    shown(registry.gauge({ name, help, labels }), ({ chains }, gauge) => {
      for (const { chain, holdings } of chains) {
        // Of the sandbox nobody expects anything.
        if (environmentOf(chain) === 'test') continue;
        for (const holding of holdings) {
          const { decimals } = getAsset(holding.assetId);
          const text = amountToText(read(holding), decimals);
          gauge.set(text, { chain, asset: holding.assetId });
        }
      }
    });
  return [
    ofHolding(
      'quittance_treasury_held',
      'What the chain showed at our addresses.',
      (holding) => holding.heldUnits,
    ),
    ofHolding(
      'quittance_treasury_custody',
      'What the ledger says lies there.',
      (holding) => holding.custodyUnits,
    ),
    ofHolding(
      'quittance_treasury_missing',
      'Less than the ledger says; below 0: more.',
      (holding) => missingUnits(holding),
    ),
    shown(
      registry.gauge({
        name: 'quittance_treasury_open_usd',
        help: 'Worth of live conversions that are open, in US dollars.',
      }),
      ({ openUsd }, open) => {
        if (openUsd !== undefined) open.set(openUsd);
      },
    ),
  ];
}
