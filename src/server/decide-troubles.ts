// What is wrong, by what is known of the installation. Pure: how long it has to be so before
// anybody is told is decided elsewhere (alert/decide-alerts.ts). Of the sandbox nobody expects
// anything.

import type { Trouble } from '#alert/decide-alerts.ts';
import { counted } from '#base/text.ts';
import { getAsset } from '#catalog/asset.ts';
import { environmentOf } from '#catalog/chain.ts';
import { missingUnits } from '#chain/chain-report.ts';
import { amountToText } from '#money/asset-amount.ts';
import { compare, decimalFromUnits, decimalToText } from '#money/decimal.ts';
import type { LeastBalance } from './alert-settings.ts';
import type { Facts } from './facts.ts';

export type MoreFacts = {
  readonly facts: Facts;
  readonly balances: readonly LeastBalance[];
  /** Of the place where backups of the service go; undefined where none is set. */
  readonly lastBackup?: { readonly ok: boolean; readonly detail: string } | undefined;
  /** Of the log since; undefined where none is made. */
  readonly increments?: { readonly ok: boolean; readonly detail: string } | undefined;
  /** Of another program's; undefined: nobody says when one was made. */
  readonly backup:
    | { readonly madeAt: Temporal.Instant | undefined; readonly hours: number }
    | undefined;
};

const UNSENT_MINUTES = 10;
const MAIL_MINUTES = 60;
const DISK_SHARE = 0.1;
/** Of a large disk a tenth is plenty. */
const DISK_ENOUGH_BYTES = 20e9;
const DISK_LEAST_BYTES = 1e9;

type Chain = Facts['chains'][number];

export function decideTroubles(known: MoreFacts): Trouble[] {
  const { facts } = known;
  const live = facts.chains.filter(({ chain }) => environmentOf(chain) === 'live');
  return [
    ...live.flatMap(chainTroubles),
    ...outboxTroubles(facts),
    ...waitingTroubles(facts),
    ...facts.signers.flatMap(({ chain, fault }): Trouble[] =>
      fault === undefined ? [] : [{ kind: 'signer', subject: chain, detail: fault }],
    ),
    ...known.balances.flatMap((least) => balanceTrouble(live, least)),
    ...machineTroubles(known),
  ];
}

function chainTroubles(report: Chain): Trouble[] {
  const { chain: subject, status, error, isBehind, holdings, heldPayments } = report;
  const troubles: Trouble[] = [];
  if (status?.brake !== undefined) {
    const held = heldPayments === 0n ? '' : `; ${counted(heldPayments, 'large payment')} held`;
    troubles.push({ kind: 'brake', subject, detail: `${status.brake}${held}` });
  }
  if (status === undefined || status.fault !== undefined || isBehind) {
    troubles.push({ kind: 'node', subject, detail: error ?? silence(report) });
  }
  for (const holding of holdings) {
    const missing = missingUnits(holding);
    if (missing <= 0n) continue;
    const { assetCode, decimals } = getAsset(holding.assetId);
    const detail = `${amountToText(missing, decimals)} ${assetCode} less: moved by you, or missing`;
    troubles.push({ kind: 'custody', subject: `${subject} ${holding.assetId}`, detail });
  }
  return troubles;
}

function silence({ status, heardSecondsAgo }: Chain): string {
  if (status === undefined) return 'it was never heard';
  return `${counted(status.lag, 'block')} behind, heard ${heardSecondsAgo ?? '?'} s ago`;
}

function outboxTroubles({ at, deliveries, mails }: Facts): Trouble[] {
  const minutesSince = (since: Temporal.Instant | null) =>
    since === null ? 0 : Math.floor(at.since(since).total('minutes'));
  const troubles: Trouble[] = [];
  const unsent = minutesSince(deliveries.untriedSince);
  if (unsent >= UNSENT_MINUTES) {
    const detail = `the oldest waits for its first attempt since ${unsent} min: does a process run with role deliver?`;
    troubles.push({ kind: 'outbox', subject: '', detail });
  }
  if (deliveries.receiversAway > 0) {
    const detail = `${counted(BigInt(deliveries.receiversAway), 'receiver')} failed again and again`;
    troubles.push({ kind: 'receivers', subject: '', detail });
  }
  const unmailed = minutesSince(mails.oldestAt);
  if (unmailed >= MAIL_MINUTES) {
    const detail = `the oldest of ${mails.waiting} waits since ${unmailed} min: npx quittance mail list`;
    troubles.push({ kind: 'mail', subject: '', detail });
  }
  return troubles;
}

function waitingTroubles({ parked, rates }: Facts): Trouble[] {
  const wait = (kinds: readonly string[]) =>
    kinds.reduce((sum, kind) => sum + (parked[kind] ?? 0), 0);
  const trouble = (kind: Trouble['kind'], kinds: readonly string[]): Trouble[] => {
    const count = wait(kinds);
    const detail = `${count} wait: npx quittance parked list`;
    return count === 0 ? [] : [{ kind, subject: '', detail }];
  };
  return [
    ...trouble('transfers', ['transfer', 'refund']),
    ...trouble('sending', ['send']),
    ...trouble('undecided', ['checkout', 'deposit-address']),
    ...(rates?.usable === 0
      ? [
          {
            kind: 'rates' as const,
            subject: '',
            detail: 'no price source agrees on any live price',
          },
        ]
      : []),
  ];
}

function balanceTrouble(
  live: readonly Chain[],
  { chain, assetId, least }: LeastBalance,
): Trouble[] {
  const report = live.find((one) => one.chain === chain);
  const holding = report?.holdings.find((one) => one.assetId === assetId);
  // What was never looked at is not known to be low.
  if (holding === undefined) return [];
  const { assetCode, decimals } = getAsset(assetId);
  if (compare(decimalFromUnits(holding.heldUnits, decimals), least) >= 0) return [];
  const held = amountToText(holding.heldUnits, decimals);
  const detail = `${held} ${assetCode} of at least ${decimalToText(least)}`;
  return [{ kind: 'balance', subject: `${chain} ${assetId}`, detail }];
}

function machineTroubles(known: MoreFacts): Trouble[] {
  const { facts, backup, lastBackup, increments } = known;
  const { at, disk } = facts;
  const troubles: Trouble[] = [];
  if (disk !== undefined) {
    const { freeBytes, totalBytes } = disk;
    const isLow = freeBytes < totalBytes * DISK_SHARE && freeBytes < DISK_ENOUGH_BYTES;
    if (isLow || freeBytes < DISK_LEAST_BYTES) {
      const detail = `${Math.floor(freeBytes / 1e6)} MB are free where the data is`;
      troubles.push({ kind: 'disk', subject: '', detail });
    }
  }
  if (increments?.ok === false) {
    troubles.push({ kind: 'increments', subject: '', detail: increments.detail });
  }
  if (lastBackup?.ok === false) {
    troubles.push({ kind: 'backup', subject: '', detail: lastBackup.detail });
  } else if (backup !== undefined) {
    const { madeAt, hours } = backup;
    if (madeAt === undefined) {
      troubles.push({ kind: 'backup', subject: '', detail: 'ALERT_BACKUP_FILE is not there' });
    } else if (at.since(madeAt).total('hours') > hours) {
      const detail = `made ${madeAt.toString({ smallestUnit: 'second' })}, may be ${hours} h old`;
      troubles.push({ kind: 'backup', subject: '', detail });
    }
  }
  return troubles;
}
